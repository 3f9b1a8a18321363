//! The lines of a pass for entry i: every vector is loaded once, before any arithmetic, and stored once, after all of it.

use super::Names;
use crate::map::Protocol;
use galerkit_linalg::engine::record::{Line, MapId, VectorId};
use std::fmt::Write;

/// The text for one entry. If the first line is a product of a map that works by rows, its sum comes as `sum`.
/// Slots are read as `k<n>`, dots are added to `d[n]`, counted from 0 in the order of the lines.
pub fn entry(pass: &[Line], names: &Names, protocol: &dyn Fn(MapId) -> Protocol) -> String {
    let Parts { load, compute, store } = parts(pass, names, protocol, "i");
    load + &compute + &store
}

/// The text for entries `i` and `j`: all loads first, so that twice as many are under way.
pub fn two_entries(pass: &[Line], names: &Names, protocol: &dyn Fn(MapId) -> Protocol) -> String {
    let (one, two) = (parts(pass, names, protocol, "i"), parts(pass, names, protocol, "j"));
    one.load + &two.load + &one.compute + &two.compute + &one.store + &two.store
}

struct Parts {
    load: String,
    compute: String,
    store: String,
}

/// Variables of entry `i` are `e<k>i`, of entry `j` are `e<k>j`.
fn parts(pass: &[Line], names: &Names, protocol: &dyn Fn(MapId) -> Protocol, at: &str) -> Parts {
    let head = pass.first().and_then(Line::map).filter(|&A| protocol(A) == Protocol::Rows);
    let mut parts = Parts { load: String::new(), compute: String::new(), store: String::new() };
    let (mut known, mut written, mut dots) = (Vec::new(), Vec::new(), 0);
    for (l, line) in pass.iter().enumerate() {
        let is_head = l == 0 && head.is_some();
        for x in entry_reads(line, is_head) {
            if !known.contains(&x) {
                known.push(x);
                let k = names.vector(x);
                let _ = write!(parts.load, "{} e{k}{at} = a.v{k}[{at}]; ", names.kind(x));
            }
        }
        if let Some(y) = line.writes() {
            if !known.contains(&y) {
                known.push(y);
                let _ = write!(parts.load, "{} e{}{at}; ", names.kind(y), names.vector(y));
            }
            if !written.contains(&y) {
                written.push(y);
            }
        }
        parts.compute += &arithmetic(line, is_head, names, &mut dots, at);
    }
    for y in written {
        let k = names.vector(y);
        let _ = write!(parts.store, "a.v{k}[{at}] = e{k}{at}; ");
    }
    parts
}

/// The vectors of which a line reads entry i itself.
fn entry_reads(line: &Line, is_head: bool) -> Vec<VectorId> {
    match *line {
        Line::Apply { .. } if is_head => Vec::new(),
        Line::Residual { b, .. } if is_head => vec![b],
        _ => line.reads(),
    }
}

fn arithmetic(line: &Line, is_head: bool, names: &Names, dots: &mut usize, at: &str) -> String {
    let v = |x: VectorId| format!("e{}{at}", names.vector(x));
    let low = names.is_low(line.rows_of());
    let k = |s| if low { format!("lower(k{})", names.slot(s)) } else { format!("k{}", names.slot(s)) };
    match *line {
        Line::Apply { y, .. } if is_head => format!("{} = sum; ", v(y)),
        Line::Residual { b, r, .. } if is_head => format!("{} = {} - sum; ", v(r), v(b)),
        Line::Apply { A, x, y } => format!("{} = map{m}::entry(a.m{m}, {at}, {}); ", v(y), v(x), m = names.map(A)),
        Line::Residual { A, b, x, r } => {
            format!("{} = {} - map{m}::entry(a.m{m}, {at}, {}); ", v(r), v(b), v(x), m = names.map(A))
        }
        Line::Copy { x, y } if names.is_low(x) == low => format!("{} = {}; ", v(y), v(x)),
        Line::Copy { x, y } => format!("{} = {}({}); ", v(y), if low { "lower" } else { "raise" }, v(x)),
        Line::Axpby { a, x, b, y } => {
            format!("{y} = is_zero({b}) ? {a} * {x} : {a} * {x} + {b} * {y}; ", y = v(y), x = v(x), a = k(a), b = k(b))
        }
        Line::Axpy { a, x, y } => format!("{y} = {y} + {a} * {x}; ", y = v(y), x = v(x), a = k(a)),
        Line::Xpby { x, b, y } => format!("{y} = {x} + {b} * {y}; ", y = v(y), x = v(x), b = k(b)),
        Line::Scale { a, y } => format!("{y} = {a} * {y}; ", y = v(y), a = k(a)),
        Line::Dot { x, y, .. } => {
            *dots += 1;
            let product = match (x == y, low) {
                (true, _) => format!("scalar(modulus_squared({}))", v(x)),
                (false, false) => format!("conj({}) * {}", v(x), v(y)),
                (false, true) => format!("raise(conj({}) * {})", v(x), v(y)),
            };
            format!("d[{}] += {product}; ", *dots - 1)
        }
        Line::Largest { x, .. } => {
            *dots += 1;
            let d = *dots - 1;
            format!("d[{d}] = scalar(larger(real(d[{d}]), Real(modulus({})))); ", v(x))
        }
        _ => unreachable!("a pass has vector lines only"),
    }
}
