//! The text of CG, without a GPU: how many kernels, what is fused, that the same program gives the same text.

use galerkit_cuda::generate::{Form, Generated, Place};
use galerkit_cuda::map::{Interface, Map};
use galerkit_linalg::backend::Reference;
use galerkit_linalg::engine::{Engine, Recorded};
use galerkit_linalg::krylov::{Stop, cg, inner_stop};
use galerkit_linalg::map::Diagonal;
use galerkit_linalg::program::{MapId, Program, Slot, canonical};
use galerkit_linalg::scalar::ScalarKind;
use galerkit_linalg::sparse::{Coo, Matrix};
use std::collections::HashSet;

/// Map 0 works by rows, map 1 by entries.
struct Fake(Vec<Map>);

impl Place for Fake {
    fn loaded(&self, A: MapId) -> &Map {
        &self.0[A.id]
    }
}

const ROWS: &str = "struct Map { Offset rows; const Scalar *val; };
template <class Row> __device__ void each_row(const Map &A, const Scalar *x, Row row) {
    for (Offset i = thread_index(); i < A.rows; i += thread_count()) row(i)(stream(A.val + i) * x[i]);
}";
const ENTRY: &str = "struct Map { const Scalar *val; };
__device__ Scalar entry(const Map &A, Offset i) { return A.val[i]; }";

fn fake() -> Fake {
    let map = |interface, source: &str, words| Map {
        interface,
        source: source.into(),
        words: vec![0; words],
        shape: (1000, 1000),
        bytes: 0,
        lanes: 1,
        holds: false,
        grid: galerkit_linalg::map::Grid::Rows,
        buffers: Vec::new(),
        values: None,
    };
    Fake(vec![map(Interface::Rows, ROWS, 2), map(Interface::Entry, ENTRY, 1)])
}

/// One iteration of CG with a diagonal preconditioner, as recorded.
fn recorded_cg(stop: &Stop) -> (Program, Slot) {
    let A = Coo::from_triples(1, 1, &[(0, 0, 2.0)]).expect("one entry").to_csr().0;
    let mut e = Recorded::new(Reference);
    let A = e.load(Box::new(Matrix::Csr(A)));
    let M = e.load(Box::new(Diagonal::new(vec![0.5])));
    let (b, mut x) = (e.upload(&[1.0]), e.upload(&[0.0]));
    let _ = cg(&mut e, &A, &M, &b, &mut x, stop);
    let (program, watched, _) = canonical(e.program(), e.watched());
    (program, watched.expect("a loop ran"))
}

fn generated(stop: &Stop, kind: ScalarKind) -> Generated {
    let (program, watched) = recorded_cg(stop);
    Generated::new(&fake(), kind, &program, Some(watched), Form::usual(kind, true))
}

/// The same as one kernel.
fn persistent(stop: &Stop, kind: ScalarKind) -> Generated {
    let (program, watched) = recorded_cg(stop);
    Generated::new(&fake(), kind, &program, Some(watched), Form::usual(kind, true).with_persistent(kind, 512, false))
}

#[test]
fn an_iteration_of_cg_is_three_kernels() {
    let made = generated(&Stop { replacement: 0, ..Stop::default() }, ScalarKind::F64);
    assert_eq!(made.plans.len(), 1);
    assert_eq!(made.plans[0].calls.len(), 3, "{}", made.sources[0]);
    assert_eq!(made.plans[0].calls.iter().map(|call| call.dots).collect::<Vec<_>>(), [1, 2, 0]);
}

#[test]
fn the_iteration_with_an_exact_residual_is_a_plan_of_its_own() {
    let made = generated(&Stop { replacement: 50, ..Stop::default() }, ScalarKind::F64);
    assert_eq!(made.plans.len(), 2);
    assert!(made.plans[1].calls.len() > made.plans[0].calls.len());
    let one = persistent(&Stop { replacement: 50, ..Stop::default() }, ScalarKind::F64);
    assert!(one.sources[0].contains("unsigned(s.iteration + 1) % 50 == 0"));
    assert_eq!(one.plans.iter().map(|plan| plan.calls.len()).sum::<usize>(), 0, "what never runs is not compiled");
    assert_eq!(one.sources[0].matches("__global__").count(), 2, "the loop, and what tells the host");
}

#[test]
fn recording_twice_gives_the_same_text() {
    let stop = Stop::default();
    assert_eq!(generated(&stop, ScalarKind::C32).sources, generated(&stop, ScalarKind::C32).sources);
    assert_eq!(persistent(&stop, ScalarKind::C32).sources, persistent(&stop, ScalarKind::C32).sources);
}

/// Thirty products in turn, each followed by as many scalings as `scalings` says.
fn products(scalings: impl Fn(usize) -> usize) -> Generated {
    let A = Coo::from_triples(1, 1, &[(0, 0, 2.0)]).expect("one entry").to_csr().0;
    let mut e = Recorded::new(Reference);
    let A = e.load(Box::new(Matrix::Csr(A)));
    let [mut x, mut y] = [1.0, 0.0].map(|entry| e.upload(&[entry]));
    let start = e.norm(&x);
    let _ = e.iterate(&Stop { replacement: 0, limit: 1, ..Stop::default() }, start, |e| {
        let half = e.number(0.5);
        for k in 0..30 {
            e.apply(&A, &x, &mut y);
            (0..scalings(k)).for_each(|_| e.scale(half, &mut y));
            std::mem::swap(&mut x, &mut y);
        }
        e.norm(&x)
    });
    let (program, watched, _) = canonical(e.program(), e.watched());
    Generated::new(&fake(), ScalarKind::F64, &program, watched, Form::usual(ScalarKind::F64, true))
}

/// Those in between read one vector and write the other, or the other way round: which is an argument of the launch.
#[test]
fn kernels_of_one_shape_are_one_in_long_programs() {
    let made = products(|_| 0);
    let calls = &made.plans[0].calls;
    assert_eq!((calls.len(), made.sources.len()), (30, 1));
    let names: HashSet<&str> = calls.iter().map(|call| &call.name[..]).collect();
    assert_eq!(names.len(), 3, "the first, those in between, the one with the norm: {names:?}");
    assert_eq!(made.sources[0].matches("__global__").count(), 4, "these, and what tells the host");
    let own = |k: usize| &calls[k].own;
    assert!(own(1) != own(2) && own(1) == own(3) && own(2) == own(28));
    assert_eq!(made.names.own_words(), own(1).literals.len() + 1);
}

#[test]
fn kernels_of_long_programs_are_in_several_sources() {
    let made = products(|k| k);
    assert!(made.sources.len() > 2);
    for call in &made.plans[0].calls {
        let name = format!(" {}(", call.name);
        let found: Vec<usize> = (0..made.sources.len()).filter(|&k| made.sources[k].contains(&name)).collect();
        assert_eq!(found, [call.source], "{name}");
    }
}

/// A step of a time loop: something by entries, CG, something by entries.
fn recorded_step(ends_with_product: bool) -> (Program, Slot) {
    let A = Coo::from_triples(1, 1, &[(0, 0, 2.0)]).expect("one entry").to_csr().0;
    let mut e = Recorded::new(Reference);
    let A = e.load(Box::new(Matrix::Csr(A)));
    let M = e.load(Box::new(Diagonal::new(vec![0.5])));
    let (mut u, mut x) = (e.upload(&[1.0]), e.upload(&[0.0]));
    let start = e.norm(&u);
    let _ = e.iterate(&Stop { replacement: 0, patience: 0, ..Stop::default() }, start, |e| {
        let half = e.number(0.5);
        e.scale(half, &mut u);
        let mut b = e.zeros_like(&u);
        e.apply(&A, &u, &mut b);
        let _ = cg(e, &A, &M, &b, &mut x, &inner_stop(1e-6, 50));
        if ends_with_product {
            e.apply(&A, &x, &mut u);
        } else {
            e.axpy(half, &x, &mut u);
        }
        half
    });
    let (program, watched, _) = canonical(e.program(), e.watched());
    (program, watched.expect("a loop ran"))
}

#[test]
fn blocks_do_not_wait_between_passes_that_go_by_entries() {
    let source = |ends_with_product| {
        let (program, watched) = recorded_step(ends_with_product);
        let form = Form::usual(ScalarKind::F64, true).with_persistent(ScalarKind::F64, 512, false);
        Generated::new(&fake(), ScalarKind::F64, &program, Some(watched), form).sources[0].clone()
    };
    let meetings = |source: &str| source.matches("wait_for_all(a.arrived, epoch, CLUSTERED)").count();
    let made = source(false);
    // Scale, A u, the start of CG, its three passes; none between the end of a step and the next.
    assert_eq!(meetings(&made), 6, "{made}");
    assert_eq!(meetings(&source(true)), 7, "a product at the end goes by rows");
    assert_eq!(
        made.matches("if (goes_on1) {").count(),
        1,
        "nor between the last round of CG and what follows it: {made}"
    );
    assert!(!source(true).contains("goes_on"));
}
