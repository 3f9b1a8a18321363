//! SSOR, incomplete factors and block Jacobi on the GPU against the reference, all scalars, several launch shapes,
//! bitwise from run to run; and solves with preconditioners that are spoken in an engine's verbs.

mod blocks;
mod factorises;
mod refills;
mod solves;
mod triangular;
mod weights;

use galerkit_linalg::Scalar;
use galerkit_linalg::gallery::{self, Stencil};
use galerkit_linalg::precond::{Factors, Recipe};
use galerkit_linalg::sparse::{Coo, Csr};
use galerkit_testkit::bits;

/// A dense last row and column beside the diagonal: one row waits for all others, all others for one.
fn arrow(n: usize) -> Csr<f64> {
    let ends = (0..n - 1).flat_map(|i| [(i, n - 1, 1.0), (n - 1, i, 1.0)]);
    let triples: Vec<_> = (0..n).map(|i| (i, i, n as f64)).chain(ends).collect();
    Coo::from_triples(n, n, &triples).unwrap().to_csr().0
}

/// Entries far from the diagonal, more above than below: the levels of the two sweeps differ.
fn uneven(n: usize) -> Csr<f64> {
    let off = (0..n).flat_map(|i| {
        let lower = (i > 0).then_some((i, 7 * i / 11, 1.0));
        let upper = [(i + 1, 2.0), (i + 7, -1.0), (i + i / 2 + 1, 1.0)].into_iter().filter(move |e| e.0 < n);
        lower.into_iter().chain(upper.map(move |(j, a)| (i, j, a)))
    });
    let triples: Vec<_> = (0..n).map(|i| (i, i, 16.0)).chain(off).collect();
    Coo::from_triples(n, n, &triples).unwrap().to_csr().0
}

fn matrices() -> Vec<(&'static str, Csr<f64>)> {
    vec![
        ("nothing", Csr::identity(0)),
        ("one row", Csr::identity(1)),
        ("one level", Csr::identity(1000)),
        ("a chain", gallery::poisson1d(3000).unwrap()),
        ("a plane", gallery::poisson2d(70, Stencil::Points9).unwrap()),
        ("a cube", gallery::poisson3d(33, Stencil::Points27).unwrap()),
        ("an arrow", arrow(5000)),
        ("no symmetry", uneven(4000)),
    ]
}

/// Bits of all numbers of the factors.
fn numbers<S: Scalar>(M: &Factors<S>) -> Vec<(u64, u64)> {
    [bits(M.lower().val()), bits(M.upper().val()), bits(M.inverse())].concat()
}

const RECIPES: [Recipe; 7] = [
    Recipe::Ilu { fill: 0 },
    Recipe::Ilu { fill: 1 },
    Recipe::Ilu0Blocks { blocks: 3 },
    Recipe::Ic { shift: 0.0 },
    Recipe::Ic { shift: 0.01 },
    Recipe::FixedPoint { sweeps: 0 },
    Recipe::FixedPoint { sweeps: 3 },
];
