//! Programs as they would run, with a diagonal preconditioner: CG in each format, graph and persistent form; every
//! other method in slices; and VPGCR, whose inner solve is a loop inside, in single precision.

use super::Source;
use crate::generate::{FEW_PLANS, Form, Generated, Place};
use crate::map::{Interface, Layout, Map, Tuning};
use galerkit_linalg::engine::{AnyEngine, Engine, Entry, EntrySymbol, Held, Operator, Recorded, reference_executor};
use galerkit_linalg::krylov::{
    Inner, InnerMethod, Krylov, Method, Run, Stop, inner_stop, run_any, run_inner_any, vpgcr_any,
};
use galerkit_linalg::map::Grid;
use galerkit_linalg::map::{Diagonal, InSingle, LinearMap};
use galerkit_linalg::program::{Instruction, MapId, Precision, Program, Slot, Vector, canonical, inspect, variants};
use galerkit_linalg::sparse::{Coo, Csr, Format, Matrix};
use galerkit_linalg::{Scalar, ScalarKind, c32, c64};

/// One for each text of a product; K1, K1r and K1rs are slices, and the r forms of K2 differ in a constant.
const FORMATS: [&str; 9] = ["coo", "csr", "bsr:3", "ell", "ell-r", "sell:32:1", "hyb", "k1:32", "k2:32:4"];

/// Every format for every scalar.
pub fn all() -> Vec<Source> {
    let mut all = Vec::new();
    of_scalar::<f32>(&mut all);
    of_scalar::<f64>(&mut all);
    of_scalar::<c32>(&mut all);
    of_scalar::<c64>(&mut all);
    methods::<f64>(&mut all, &Krylov::ALL);
    // Of the other scalars those that fill the registers most.
    let (gmres, compressed) = (Krylov::Gmres { restart: RESTART }, Krylov::CompressedGmres { restart: RESTART });
    methods::<c64>(&mut all, &[Krylov::Minres, Krylov::PipelinedCg, gmres, compressed]);
    all
}

fn of_scalar<S: Scalar>(all: &mut Vec<Source>) {
    let (A, recorded) =
        (banded::<S>(40, 4), recorded::<S>(&|e, A, M, b, x, stop| run_any(Krylov::Cg, e, A, M, b, x, stop)));
    for name in FORMATS {
        let format: Format = name.parse().expect("the names are legal");
        let mut tunings = vec![("", Tuning::default())];
        if format == Format::Csr {
            tunings.push((" balanced", Tuning { balanced: Some(true), ..Tuning::default() }));
        }
        if ["sell:32:1", "k2:32:4"].contains(&name) {
            tunings.push((" wide", Tuning { narrow: Some(false), ..Tuning::default() }));
        }
        for (name, tuning) in tunings {
            let place = Paper::new(&A, format, tuning);
            add(all, &format!("cg {format}{name} {}", S::KIND.name()), recorded.generate(&place, S::KIND));
        }
    }
    // Short rows, and diagonals without holes and with them: those of which a thread has two, and the longest of which
    // it has one or two.
    let columns = Tuning { narrow: Some(true), ..Tuning::default() };
    let few = [("short 3", banded::<S>(64, 1), columns), ("short 8", banded(8, 8), columns)];
    let diagonal = [("diagonals 3", banded::<S>(64, 1)), ("diagonals 7", holed(512, 3))];
    for (what, rows, tuning) in few.into_iter().chain(diagonal.map(|(what, rows)| (what, rows, Tuning::default()))) {
        let made = recorded.generate(&Paper::new(&rows, SLICES, tuning), S::KIND);
        add(all, &format!("cg {SLICES} {what} {}", S::KIND.name()), made);
    }
}

const SLICES: Format = Format::Sell { height: 32, sigma: 1 };

/// Directions that cyclic methods keep here: enough that passes are as full as they get.
const RESTART: usize = 11;

/// Methods other than CG, in slices.
fn methods<S: Scalar>(all: &mut Vec<Source>, methods: &[Krylov]) {
    let place = Paper::new(&banded::<S>(40, 4), SLICES, Tuning::default());
    for method in methods.iter().filter(|&&method| method != Krylov::Cg) {
        let method = method.with_restart(RESTART);
        let recorded = recorded::<S>(&|e, A, M, b, x, stop| run_any(method, e, A, M, b, x, stop));
        let mut made = recorded.generate(&place, S::KIND);
        if recorded.is_long() {
            made.extend(recorded.generate_persistent(&place, S::KIND, 256).sources);
        }
        add(all, &format!("{method} {}", S::KIND.name()), made);
    }
    let closures = recorded::<S>(&closures).generate(&place, S::KIND);
    add(all, &format!("pointwise {}", S::KIND.name()), closures);
    let place = Paper::new(&banded::<S>(64, 1), SLICES, Tuning::default());
    let increments = [("standard", InnerMethod::Increments, false), ("hybrid", InnerMethod::Increments, true)];
    // Methods whose count decides about x, for one scalar.
    let [gmres, compressed] =
        [Krylov::Gmres { restart: 6 }, Krylov::CompressedGmres { restart: 6 }].map(InnerMethod::Krylov);
    let long = [("with gmres", gmres, true), ("with cbgmres", compressed, false)];
    let long = long.into_iter().filter(|_| S::KIND == ScalarKind::F64);
    for (name, inside, lowered) in increments.into_iter().chain(long) {
        let recorded = recorded::<S>(&|e, A, M, b, x, stop| nested(e, [A, M], b, x, stop, (inside, lowered)));
        add(all, &format!("vpgcr {name} {}", S::KIND.name()), recorded.generate(&place, S::KIND));
    }
}

/// Adds sources under a name, those with a persistent kernel under one that says so, others by number from the second
/// on.
fn add(all: &mut Vec<Source>, name: &str, sources: Vec<String>) {
    let label = |(k, source): (usize, &String)| match k {
        _ if source.contains(" persistent(") => format!("{name} persistent"),
        0 => name.into(),
        _ => format!("{name} {k}"),
    };
    let labels: Vec<String> = sources.iter().enumerate().map(label).collect();
    all.extend(labels.into_iter().zip(sources));
}

/// A loop of closures: every function that they have, beside a product.
fn closures<S: Scalar>(
    e: &mut Paperwork<S>,
    A: &dyn Operator<Paperwork<S>>,
    _: &dyn Operator<Paperwork<S>>,
    b: &Held<Vector>,
    x: &mut Held<Vector>,
    stop: &Stop,
) -> Run {
    let start = e.norm(b);
    e.iterate(stop, start, |e| {
        let mut y = e.zeros_like(b);
        e.apply(A, x, &mut y);
        e.pointwise([&mut *x], [&y], |[x], [y]| {
            let smooth = (x.abs().sqrt() + Entry::constant(0.5)).ln().exp().powf(y.re()) / x.conj();
            let either = EntrySymbol::either(x.less(y), EntrySymbol::not(y.at_most(x)));
            [EntrySymbol::select(EntrySymbol::both(either, x.less(y)), smooth.min(y), -x.max(y))]
        });
        e.norm(x)
    })
}

/// VPGCR with an inner solve, in single precision or not.
fn nested<S: Scalar>(
    e: &mut Paperwork<S>,
    [A, M]: [&dyn Operator<Paperwork<S>>; 2],
    b: &Held<Vector>,
    x: &mut Held<Vector>,
    stop: &Stop,
    (inside, lowered): (InnerMethod, bool),
) -> Run {
    let low = |e: &mut Paperwork<S>| {
        let A: Box<dyn LinearMap<S::Single>> = Box::new(Matrix::Csr(banded::<S::Single>(2, 1)));
        let maps = [A, Box::new(Diagonal::new(vec![S::Single::from_f64(1.0); 2]))];
        maps.map(|map| e.load(Box::new(InSingle::<S>(map))))
    };
    let low = low(e);
    let [inner_A, inner_M]: [&dyn Operator<Paperwork<S>>; 2] = if lowered { [&low[0], &low[1]] } else { [A, M] };
    let limit = inner_stop(0.1, 100);
    let solve = |e: &mut Paperwork<S>, r: &Held<Vector>, z: &mut Held<Vector>| {
        run_inner_any(inside, e, inner_A, inner_M, r, z, &limit)
    };
    let precision = if lowered { Precision::Single } else { Precision::Full };
    let inner = Inner::new(e, b, precision, Box::new(solve));
    let none = e.number(0.0);
    let failures = e.carry(none);
    vpgcr_any(e, (4, &failures), A, &inner, b, x, stop)
}

/// So many entries on both sides of the diagonal.
fn banded<S: Scalar>(rows: usize, half: usize) -> Csr<S> {
    band(rows, half, |_| true)
}

/// The same without one entry of its diagonal.
fn holed<S: Scalar>(rows: usize, half: usize) -> Csr<S> {
    band(rows, half, |place| place != (9, 9))
}

fn band<S: Scalar>(rows: usize, half: usize, has: impl Fn((usize, usize)) -> bool) -> Csr<S> {
    let row = |i: usize| (i.saturating_sub(half)..(i + half + 1).min(rows)).map(move |j| (i, j, S::one()));
    let triples: Vec<(usize, usize, S)> = (0..rows).flat_map(row).filter(|&(i, j, _)| has((i, j))).collect();
    Coo::from_triples(rows, rows, &triples).expect("indices below the shape").to_csr().0
}

/// Nothing is solved: the recording alone is wanted, and the methods are compiled in linalg.
type Paperwork<S> = AnyEngine<S>;

/// A recorded loop.
struct Taken {
    program: Program,
    watched: Slot,
}

impl Taken {
    /// Whether it is a cycle of many places.
    fn is_long(&self) -> bool {
        let lines = &self.program.instructions;
        variants::variants(lines) > FEW_PLANS && !inspect::nests(lines)
    }

    /// The loop as one kernel whose blocks have work for so many threads.
    fn generate_persistent(&self, place: &Paper, kind: ScalarKind, share: usize) -> Generated {
        let form = Form::usual(kind, true).with_persistent(kind, share, inspect::nests(&self.program.instructions));
        let (program, frame) = self.framed();
        Generated::new(place, kind, &program, Some(self.watched), Form { frame, ..form })
    }

    /// The loop between a norm before it and a true residual behind it.
    fn framed(&self) -> (Program, [usize; 2]) {
        let body = &self.program.instructions;
        let product = inspect::every_instruction(body).into_iter().find_map(|it| it.map().zip(it.product_input()));
        let Some((A, x)) = product.filter(|(A, x)| A.values.precision == x.precision) else {
            return (Program { instructions: body.clone() }, [0; 2]);
        };
        let (r, slot) = (Vector { id: inspect::vectors(body).len(), ..x }, inspect::slot_count(body));
        let dot = |out| Instruction::Dot { x: r, y: r, out: Slot(out) };
        let first = vec![Instruction::Copy { x, y: r }, dot(slot)];
        let after = vec![Instruction::Residual { A, b: x, x, r }, dot(slot + 1)];
        let frame = [first.len(), after.len()];
        (Program { instructions: [first, body.clone(), after].concat() }, frame)
    }

    /// Its graphs, and the same as one kernel if it can be one that is not long to compile; of nested loops that alone.
    fn generate(&self, place: &Paper, kind: ScalarKind) -> Vec<String> {
        let lines = &self.program.instructions;
        let nests = inspect::nests(lines);
        let mut sources = Vec::new();
        if !nests {
            let form = Form::usual(kind, place.goes_by_rows());
            sources = Generated::new(place, kind, &self.program, Some(self.watched), form).sources;
        }
        if place.goes_by_rows() && !self.is_long() {
            sources.extend(self.generate_persistent(place, kind, 1024).sources);
        }
        sources
    }
}

/// The loop of a method with a diagonal preconditioner.
fn recorded<S: Scalar>(method: Method<'_, Paperwork<S>>) -> Taken {
    recorded_for(2, method)
}

/// The same for so many rows.
fn recorded_for<S: Scalar>(rows: usize, method: Method<'_, Paperwork<S>>) -> Taken {
    // Residual replacement doubles the kernels: for one scalar that is enough.
    let replacement = if S::KIND == ScalarKind::F64 { 50 } else { 0 };
    // Cycles are no longer than that.
    let stop = Stop { replacement, limit: RESTART, ..Stop::default() };
    let mut e = Recorded::over(reference_executor());
    let A = e.load(Box::new(Matrix::Csr(banded::<S>(rows, 1))));
    let M = e.load(Box::new(Diagonal::new(vec![S::one(); rows])));
    let (b, mut x) = (e.upload(&vec![S::one(); rows]), e.upload(&vec![S::zero(); rows]));
    let _ = method(&mut e, &A, &M, &b, &mut x, &stop); // only what was recorded matters
    let (program, watched, _) = canonical(e.program(), e.watched());
    Taken { program, watched: watched.expect("a loop ran") }
}

/// Maps without a GPU: a matrix, a diagonal, and the same again in single precision.
struct Paper {
    maps: [Map; 2],
    /// Rows of the program that is to be generated.
    rows: usize,
}

impl Paper {
    fn new<S: Scalar>(A: &Csr<S>, format: Format, tuning: Tuning) -> Self {
        let matrix = Matrix::from_csr(A, format).expect("a small square matrix");
        let diagonal = vec![S::one(); A.rows()];
        let of = |layout: Layout<'_>| Map {
            interface: layout.interface,
            source: layout.source,
            words: Vec::new(),
            shape: layout.shape,
            bytes: layout.bytes,
            lanes: layout.lanes,
            holds: layout.holds,
            grid: Grid::Rows,
            buffers: Vec::new(),
            values: None,
        };
        let maps =
            [of(Layout::of_matrix(&matrix, &tuning).expect("a legal format")), of(Layout::of_diagonal(&diagonal))];
        Self { maps, rows: 2 }
    }

    fn goes_by_rows(&self) -> bool {
        self.maps[0].interface == Interface::Rows
    }
}

impl Place for Paper {
    fn loaded(&self, A: MapId) -> &Map {
        // Matrices and diagonals take turns in the order of their appearance, whatever their precision.
        let diagonal = A.values.length == self.rows;
        &self.maps[usize::from(diagonal)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::classes;

    /// The sources of a method for so many rows: as graphs, and as one kernel whose blocks have work for so many
    /// threads.
    fn sources(method: Krylov, rows: usize, share: Option<usize>) -> Vec<String> {
        sources_in(method, rows, share.map(|share| (share, false)))
    }

    /// The same; the blocks of that kernel may be a cluster.
    fn sources_in(method: Krylov, rows: usize, class: Option<(usize, bool)>) -> Vec<String> {
        let recorded = recorded_for::<f64>(rows, &|e, A, M, b, x, stop| run_any(method, e, A, M, b, x, stop));
        let place = Paper { rows, ..Paper::new(&banded::<f64>(rows, 4), SLICES, Tuning::default()) };
        let usual = Form::usual(ScalarKind::F64, true);
        let form = class.map_or(usual, |(share, clustered)| usual.with_persistent(ScalarKind::F64, share, clustered));
        Generated::new(&place, ScalarKind::F64, &recorded.program, Some(recorded.watched), form).sources
    }

    /// What is packed is made of the largest class: it must be what a solve of any size asks for.
    #[test]
    fn the_largest_class_of_a_program_gives_the_sources_of_all_others() {
        for method in Krylov::ALL {
            let method = method.with_restart(RESTART);
            let largest = sources_in(method, 40, Some((usize::MAX, false)));
            let packed: Vec<String> = largest.iter().flat_map(|source| classes::every_class(source, true)).collect();
            let apart = [1, 300, 400, 600, 800].map(|share| (share, false));
            for class in apart.into_iter().chain([1, 300, 512].map(|share| (share, true))) {
                let asked = sources_in(method, 40, Some(class));
                assert!(asked.iter().all(|source| packed.contains(source)), "{method} {class:?}");
            }
        }
    }

    #[test]
    fn sources_do_not_contain_sizes() {
        for method in Krylov::ALL {
            let method = method.with_restart(RESTART);
            let graphs = sources(method, 40, None);
            let [few, many] = [1, 1000].map(|share| sources(method, 40, Some(share)));
            for (rows, few_threads, many_threads) in [(333, 256, 769), (1000, 17, 1500)] {
                assert!(sources(method, rows, None) == graphs, "{method}: graphs of {rows} rows");
                assert!(sources(method, rows, Some(few_threads)) == few, "{method}: few threads, {rows} rows");
                assert!(sources(method, rows, Some(many_threads)) == many, "{method}: many threads, {rows} rows");
            }
        }
    }
}
