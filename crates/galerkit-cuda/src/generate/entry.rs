//! The lines of a pass for entry i: every vector is loaded once, before any arithmetic, and stored once, after all of it.
//! Behind a product by rows they are a function that loads and returns one that takes the row's sum and does all else: a map whose
//! rows are short calls the first before it has the sum, so that nothing waits for the sum that need not.

use super::{Names, pointwise, runs};
use crate::map::Protocol;
use galerkit_linalg::program::{Instruction, MapId, Vector};
use std::fmt::Write;

/// The text for one entry. If the first line is a product of a map that works by rows, its sum comes as `sum`.
/// Slots are read as `k<n>`, those of loops over many vectors as in runs.rs; dots are added to `d[n]`, counted from 0 in the
/// order of the lines.
pub fn entry(pass: &[Instruction], names: &Names, protocol: &dyn Fn(MapId) -> Protocol) -> String {
    entries(pass, names, protocol, &["i"]).in_one()
}

/// The function for a row of the product at the head of a pass.
pub fn row(pass: &[Instruction], names: &Names, protocol: &dyn Fn(MapId) -> Protocol) -> String {
    let Entries { load, loaded, rest } = entries(pass, names, protocol, &["i"]);
    let copies: String = loaded.iter().map(|name| format!(", {name}")).collect();
    let kind = names.kind(pass[0].rows_of());
    format!("[&](Offset i) {{ {load}return [&, i{copies}]({kind} sum) mutable {{ {rest}}}; }}")
}

/// The text for entries `i` and `j`: all loads first, so that twice as many are under way.
pub fn two_entries(pass: &[Instruction], names: &Names, protocol: &dyn Fn(MapId) -> Protocol) -> String {
    entries(pass, names, protocol, &["i", "j"]).in_one()
}

/// What is done with some entries.
struct Entries {
    /// The loads.
    load: String,
    /// The variables that hold what was loaded.
    loaded: Vec<String>,
    /// Arithmetic and stores.
    rest: String,
}

impl Entries {
    fn in_one(self) -> String {
        self.load + &self.rest
    }
}

/// Variables of entry `i` are `e<k>i`, of entry `j` are `e<k>j`; those of the entries of maps are `m<k>i`, `m<k>j`.
fn entries(pass: &[Instruction], names: &Names, protocol: &dyn Fn(MapId) -> Protocol, at: &[&str]) -> Entries {
    let head = pass.first().and_then(Instruction::map).filter(|&A| protocol(A) == Protocol::Rows);
    let runs = runs::updates(pass, names);
    let (mut load, mut rest, mut store) = (String::new(), String::new(), String::new());
    let (mut loaded, mut maps): (Vec<String>, Vec<MapId>) = (Vec::new(), Vec::new());
    let (mut known, mut written, mut dots): (_, Vec<Vector>, _) = (Vec::new(), Vec::new(), 0);
    for (l, line) in pass.iter().enumerate() {
        let is_head = l == 0 && head.is_some();
        let run = runs.iter().find(|run| run.contains(&l));
        let reads = if run.is_some() { vec![line.rows_of()] } else { entry_reads(line, is_head) };
        for (x, is_read) in reads.into_iter().map(|x| (x, true)).chain(line.writes().iter().map(|&y| (y, false))) {
            if known.contains(&x) {
                continue;
            }
            known.push(x);
            for at in at {
                let (kind, k) = (names.kind(x), names.vector(x));
                let _ = match is_read {
                    true => write!(load, "{kind} e{k}{at} = {}[{at}]; ", names.pointer(x)),
                    false => write!(rest, "{kind} e{k}{at}; "),
                };
                loaded.extend(is_read.then(|| format!("e{k}{at}")));
            }
        }
        if let Some(A) = line.map().filter(|A| !is_head && !maps.contains(A)) {
            maps.push(A);
            for at in at {
                let (kind, m) = (names.kind(line.rows_of()), names.map(A));
                let _ = write!(load, "const {kind} m{m}{at} = map{m}::entry(a.m{m}, {at}); ");
                loaded.push(format!("m{m}{at}"));
            }
        }
        let fresh: Vec<Vector> = line.writes().iter().filter(|y| !written.contains(y)).copied().collect();
        written.extend(fresh);
        match run {
            Some(run) if run.start == l => rest += &runs::update_loop(pass, run, names, at),
            Some(_) => (),
            None => at.iter().for_each(|at| rest += &arithmetic(line, is_head, names, dots, at)),
        }
        dots += usize::from(line.reduces());
    }
    written.retain(|&y| !names.is_momentary(y));
    for (y, at) in written.into_iter().flat_map(|y| at.iter().map(move |at| (y, at))) {
        let k = names.vector(y);
        let _ = write!(store, "{}[{at}] = e{k}{at}; ", names.pointer(y));
    }
    Entries { load, loaded, rest: rest + &store }
}

/// The vectors of which a line reads entry i itself.
fn entry_reads(line: &Instruction, is_head: bool) -> Vec<Vector> {
    match *line {
        Instruction::Apply { .. } if is_head => Vec::new(),
        Instruction::Residual { b, .. } if is_head => vec![b],
        _ => line.reads(),
    }
}

/// One line for entry `at`; `d` is the number of its sum, if it is one.
fn arithmetic(line: &Instruction, is_head: bool, names: &Names, d: usize, at: &str) -> String {
    let v = |x: Vector| format!("e{}{at}", names.vector(x));
    let low = names.is_low(line.rows_of());
    // x of a dot product or an update in the precision of the line.
    let wide = |x: Vector| if names.is_low(x) && !low { format!("raise({})", v(x)) } else { v(x) };
    let k = |s| if low { format!("lower(k{})", names.slot(s)) } else { format!("k{}", names.slot(s)) };
    match *line {
        Instruction::Apply { y, .. } if is_head => format!("{} = sum; ", v(y)),
        Instruction::Residual { b, r, .. } if is_head => format!("{} = {} - sum; ", v(r), v(b)),
        Instruction::Apply { A, x, y } => format!("{} = m{}{at} * {}; ", v(y), names.map(A), v(x)),
        Instruction::Residual { A, b, x, r } => format!("{} = {} - m{}{at} * {}; ", v(r), v(b), names.map(A), v(x)),
        Instruction::Copy { x, y } if names.is_low(x) == low => format!("{} = {}; ", v(y), v(x)),
        Instruction::Copy { x, y } => format!("{} = {}({}); ", v(y), if low { "lower" } else { "raise" }, v(x)),
        Instruction::Axpby { a, x, b, y } => {
            format!("{y} = is_zero({b}) ? {a} * {x} : {a} * {x} + {b} * {y}; ", y = v(y), x = v(x), a = k(a), b = k(b))
        }
        Instruction::Axpy { a, x, y } => format!("{y} = {y} + {a} * {x}; ", y = v(y), x = wide(x), a = k(a)),
        Instruction::Xpby { x, b, y } => format!("{y} = {x} + {b} * {y}; ", y = v(y), x = v(x), b = k(b)),
        Instruction::Scale { a, y } => format!("{y} = {a} * {y}; ", y = v(y), a = k(a)),
        Instruction::Dot { x, y, .. } => {
            let product = match (x == y, low) {
                (true, _) => format!("scalar(modulus_squared({}))", v(x)),
                (false, false) => format!("conj({}) * {}", wide(x), v(y)),
                (false, true) => format!("raise(conj({}) * {})", v(x), v(y)),
            };
            format!("d[{d}] += {product}; ")
        }
        Instruction::Pointwise { ref update, ref read, ref tape } => pointwise::text((update, read, tape), names, at),
        Instruction::NormInf { x, .. } => {
            format!("d[{d}] = scalar(larger(real(d[{d}]), Real(modulus({})))); ", v(x))
        }
        _ => unreachable!("a pass has vector lines only"),
    }
}
