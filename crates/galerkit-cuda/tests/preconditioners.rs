//! SSOR, incomplete factors and block Jacobi on the GPU against the reference, all scalars, several launch shapes, bitwise
//! from run to run; and solves with preconditioners that are spoken in an engine's verbs.

mod solves;

use super::products::product;
use galerkit_cuda::factor::{Computed, Factoriser, Rounded, factorise};
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::{Buffer, Gpu};
use galerkit_cuda::map::{Map, Tuning, triangular};
use galerkit_cuda::testing;
use galerkit_linalg::gallery::{self, Stencil};
use galerkit_linalg::map::{LinearMap, Triangular};
use galerkit_linalg::precond::{BlockDiagonal, BlockInverses, Factors, L1Weights, Recipe, Ssor, ic0, ilu0, iluk};
use galerkit_linalg::sparse::{Coo, Csr};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::conformance::integers;
use galerkit_testkit::{assert_close, bits, problems};
use std::sync::Arc;

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

/// Against the reference, and with the same bits whatever the number of blocks.
fn check<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, M: &dyn LinearMap<S>, solve: &dyn Triangular<S>, name: &str) {
    let x: Vec<S> = integers(M.shape().0, 3);
    let mut expected = x.clone();
    solve.solve(&x, &mut expected);
    let map = Map::load(gpu, M, &Tuning::default()).unwrap();
    let first = product(gpu, jit, &map, &x, usize::MAX);
    if !x.is_empty() {
        assert_close(&first, &expected, 1.0, name);
    }
    for blocks in [1, 2, 7, usize::MAX, usize::MAX] {
        assert!(product(gpu, jit, &map, &x, blocks) == first, "{name}: other bits with {blocks} blocks");
    }
}

fn ssor_as_reference<S: Scalar>() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    for (name, A) in matrices() {
        let M = Ssor::from_csr(&A.map_values(S::from_f64), 1.3).unwrap();
        check(&gpu, &jit, &M, &M, name);
    }
}

fn factors_as_reference<S: Scalar>() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    for (name, A) in matrices() {
        let A = A.map_values(S::from_f64);
        let mut all = vec![("ILU(0)", ilu0(&A).unwrap()), ("ILU(1)", iluk(&A, 1).unwrap())];
        if name != "no symmetry" {
            all.push(("IC(0)", ic0(&A).unwrap()));
        }
        for (kind, M) in all {
            check(&gpu, &jit, &M, &M, &format!("{kind} of {name}"));
        }
    }
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

/// Factors made on the GPU have the bits of the host's, every time; new values of an old pattern too.
fn factorises_as_the_host<S: Scalar>() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    let twisted = ("a complex plane", problems::hermitian::<S>(40));
    let real = matrices().into_iter().map(|(name, A)| (name, A.map_values(S::from_f64)));
    for (name, A) in real.chain([twisted]) {
        for recipe in RECIPES {
            let refused = match recipe {
                Recipe::Ic { .. } => name == "no symmetry",
                Recipe::Ilu0Blocks { blocks } => blocks > A.rows(),
                Recipe::Ilu { .. } | Recipe::FixedPoint { .. } => false,
            };
            if refused {
                continue;
            }
            let what = format!("{recipe:?} of {name}");
            let mut factoriser = Factoriser::new(&gpu, &jit, &A, recipe).unwrap_or_else(|e| panic!("{what}: {e}"));
            let third = A.map_values(|a| a * S::from_f64(1.0 / 3.0));
            for B in [&A, &third, &A, &A] {
                factoriser.compute(B).unwrap_or_else(|e| panic!("{what}: {e}"));
                let (found, expected) = (factoriser.download().unwrap(), recipe.factorise(B).unwrap());
                assert!(found.lower().col() == expected.lower().col() && found.upper().col() == expected.upper().col());
                assert!(numbers(&found) == numbers(&expected), "{what}: other bits");
            }
        }
    }
}

#[test]
fn factorises_f32() {
    factorises_as_the_host::<f32>();
}
#[test]
fn factorises_f64() {
    factorises_as_the_host::<f64>();
}
#[test]
fn factorises_c32() {
    factorises_as_the_host::<c32>();
}
#[test]
fn factorises_c64() {
    factorises_as_the_host::<c64>();
}

/// What the host refuses the GPU refuses, in the same words; and it is well afterwards.
#[test]
fn factorises_refuse_as_the_host() {
    let Some(gpu) = testing::gpu() else { return };
    let n = 3000;
    let chain = gallery::poisson1d(n).unwrap();
    let with = |row: usize, value: f64| {
        let triples = (0..n).flat_map(|i| chain.row(i).map(move |(j, a)| (i, j, a)));
        let changed = triples.map(|(i, j, a)| (i, j, if i == row && j == row { value } else { a }));
        Coo::from_triples(n, n, &changed.collect::<Vec<_>>()).unwrap().to_csr().0
    };
    let off = |row| move |&(i, j, _): &(usize, usize, f64)| !(i == row && j == row);
    let triples: Vec<_> = (0..n).flat_map(|i| chain.row(i).map(move |(j, a)| (i, j, a))).filter(off(77)).collect();
    let missing = Coo::from_triples(n, n, &triples).unwrap().to_csr().0;
    let lopsided = uneven(n);
    let mut refusals = 0;
    // The first pivot of a chain is its first entry; one of 0.5 makes the second 0.
    for A in [with(0, 0.0), with(0, 0.5), with(1700, -3.0), with(2999, 0.0), missing, lopsided] {
        for recipe in RECIPES {
            match (factorise(&gpu, &A, recipe), recipe.factorise(&A)) {
                (Err(found), Err(expected)) => {
                    let found = found.into_linalg().expect("said of the matrix");
                    assert_eq!(found.to_string(), expected.to_string(), "{recipe:?}");
                    refusals += 1;
                }
                (Ok(found), Ok(expected)) => assert!(numbers(&found) == numbers(&expected), "{recipe:?}"),
                (found, expected) => panic!("{recipe:?}: GPU {:?}, host {:?}", found.err(), expected.err()),
            }
        }
    }
    assert!(refusals > 10, "{refusals}");
    assert!(factorise(&gpu, &chain, Recipe::Ilu { fill: 0 }).is_ok());
}

/// The values of factors as they are loaded.
fn values_of<S: Scalar>(gpu: &Arc<Gpu>, M: &Factors<S>) -> Vec<S> {
    let values = Map::load(gpu, M, &Tuning::default()).unwrap().values.unwrap();
    values.download(values.bytes() / size_of::<S>()).unwrap()
}

/// Factors that are loaded from where they were computed have the values of the host's, on both sides; their signs are seen too.
fn loads_computed<S: Scalar>(gpu: &Arc<Gpu>, A: &Csr<S>) {
    for recipe in RECIPES {
        let expected = recipe.factorise(A).unwrap();
        let computed = Computed::new(gpu, A, recipe).unwrap();
        let values = Map::load(gpu, &computed, &Tuning::default()).unwrap().values.unwrap();
        let found: Vec<S> = values.download(values.bytes() / size_of::<S>()).unwrap();
        assert!(bits(&found) == bits(&values_of(gpu, &expected)), "{recipe:?}");
        assert!(computed.is_positive().unwrap(), "{recipe:?}");
        assert!(numbers(computed.bring().unwrap()) == numbers(&expected), "{recipe:?}: brought");
        assert_eq!((computed.shape(), computed.bytes()), (expected.shape(), expected.bytes()));
    }
    let negative = A.map_values(|a| -a);
    let computed = Computed::new(gpu, &negative, Recipe::Ilu { fill: 0 }).unwrap();
    assert!(!computed.is_positive().unwrap());
}

/// Rounded on the GPU they have the bits of those that the host rounds; one that overflows is seen, also where another is left out.
fn rounds_computed<S: Scalar>(gpu: &Arc<Gpu>, A: &Csr<S>) {
    for recipe in RECIPES {
        let expected = recipe.factorise(A).unwrap().rounded();
        let rounded = LinearMap::to_single(&Computed::new(gpu, A, recipe).unwrap()).unwrap();
        assert!(rounded.is_finite() && rounded.known::<Rounded<S::Single>>().is_some(), "{recipe:?}");
        let values = Map::load(gpu, &*rounded, &Tuning::default()).unwrap().values.unwrap();
        let found: Vec<S::Single> = values.download(values.bytes() / size_of::<S::Single>()).unwrap();
        assert!(bits(&found) == bits(&values_of(gpu, &expected)), "{recipe:?}");
        assert_eq!((rounded.shape(), rounded.bytes()), (expected.shape(), expected.bytes()));
        assert!(numbers(&rounded.known::<Rounded<S::Single>>().unwrap().bring().unwrap()) == numbers(&expected));
    }
    let fits = |factor: f64| {
        let scaled = A.map_values(|a| a * S::from_f64(factor));
        let recipe = Recipe::Ilu { fill: 0 };
        let on_host = recipe.factorise(&scaled).unwrap().rounded().is_finite();
        let on_gpu = LinearMap::to_single(&Computed::new(gpu, &scaled, recipe).unwrap()).unwrap().is_finite();
        assert_eq!(on_gpu, on_host, "{factor:e}");
        on_gpu
    };
    assert!(fits(1.0) && !fits(1e200) && !fits(1e-60));
}

#[test]
fn computed_factors_are_rounded_anew_on_a_gpu() {
    let Some(gpu) = testing::gpu() else { return };
    rounds_computed(&gpu, &problems::hermitian::<f64>(12));
    rounds_computed(&gpu, &problems::hermitian::<c64>(9));
}

#[test]
fn computed_factors_are_loaded_anew_on_a_gpu() {
    let Some(gpu) = testing::gpu() else { return };
    loads_computed(&gpu, &problems::hermitian::<f64>(12));
    loads_computed(&gpu, &problems::hermitian::<f32>(7));
    loads_computed(&gpu, &problems::hermitian::<c64>(9));
}

/// Blocks inverted on the GPU have the bits of the reference; singular ones are not numbers.
fn inverts_blocks<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit) {
    for (rows, block) in [(1, 1), (33, 1), (33, 4), (40, 7), (70, 32)] {
        let inverses = BlockInverses::new(rows, block);
        let slots = LinearMap::<S>::shape(&inverses).0;
        let mut x: Vec<S> = integers(slots, 5);
        x[0] = S::zero();
        if slots > 40 {
            x[slots - 1] = S::from_f64(1e-3);
        }
        let mut expected = x.clone();
        inverses.apply(&[], &x, &mut expected);
        let map = Map::load::<S>(gpu, &inverses, &Tuning::default()).unwrap();
        let found = product(gpu, jit, &map, &x, usize::MAX);
        for (k, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let same = bits(&[*found]) == bits(&[*expected]) || (!found.finite() && !expected.finite());
            assert!(same, "{} {rows} rows in blocks of {block}, entry {k}: {found} {expected}", S::KIND.name());
        }
    }
}

#[test]
fn inverted_blocks_are_made_anew_on_a_gpu() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    inverts_blocks::<f32>(&gpu, &jit);
    inverts_blocks::<f64>(&gpu, &jit);
    inverts_blocks::<c32>(&gpu, &jit);
    inverts_blocks::<c64>(&gpu, &jit);
}

/// Weights of Chebyshev's polynomial have the bits of the reference, also where entries stand in another order.
fn weighs_rows<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit) {
    for side in [1, 2, 9, 20] {
        let A = problems::hermitian::<S>(side);
        let turned = A.map_values(|a| a * S::from_parts(0.6, if S::KIND.is_complex() { 0.8 } else { 0.0 }));
        let weights = L1Weights::new(&A, (0..A.nnz() as u32).rev().collect()).unwrap();
        let x: Vec<S> = turned.val().iter().rev().copied().collect();
        let mut expected = vec![S::zero(); A.rows()];
        weights.apply(&[], &x, &mut expected);
        let map = Map::load::<S>(gpu, &weights, &Tuning::default()).unwrap();
        assert_eq!(bits(&product(gpu, jit, &map, &x, usize::MAX)), bits(&expected), "{} {side}", S::KIND.name());
    }
}

#[test]
fn weights_of_rows_are_made_anew_on_a_gpu() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    weighs_rows::<f32>(&gpu, &jit);
    weighs_rows::<f64>(&gpu, &jit);
    weighs_rows::<c32>(&gpu, &jit);
    weighs_rows::<c64>(&gpu, &jit);
}

/// New numbers in old slices solve as factors loaded anew.
fn refills_as_loaded<S: Scalar>() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    for (name, A) in matrices() {
        let A = A.map_values(S::from_f64);
        let B = A.map_values(|a| a * S::from_f64(1.0 / 3.0));
        let mut recipes = vec![
            Recipe::Ilu { fill: 0 },
            Recipe::Ilu { fill: 1 },
            Recipe::FixedPoint { sweeps: 2 },
            Recipe::Ilu0Blocks { blocks: A.rows().clamp(1, 2) },
        ];
        if name != "no symmetry" {
            recipes.extend([Recipe::Ic { shift: 0.0 }, Recipe::Ic { shift: 0.01 }]);
        }
        for recipe in recipes {
            let (first, second) = (recipe.factorise(&A).unwrap(), recipe.factorise(&B).unwrap());
            let x: Vec<S> = integers(A.rows(), 4);
            let loaded = |M: &Factors<S>| {
                let map = Map::load(&gpu, &M.clone(), &Tuning::default()).unwrap();
                product(&gpu, &jit, &map, &x, usize::MAX)
            };
            let map = Map::load(&gpu, &first, &Tuning::default()).unwrap();
            let values = map.values.as_ref().unwrap();
            // From the order of the host, as a program gathers them.
            let sources = triangular::sources(&first).unwrap();
            for M in [&first, &second, &first] {
                let host = M.own().joined();
                let pick = |&k: &u32| host.get(k as usize).copied().unwrap_or(S::zero());
                let slots: Vec<S> = sources.iter().map(pick).collect();
                assert!(bits(&values_of(&gpu, M)) == bits(&slots), "{recipe:?} of {name}: slots");
            }
            // And without the factors ever leaving the GPU: entries in another order, to factors, to values.
            let mut factoriser = Factoriser::new(&gpu, &jit, &A, recipe).unwrap();
            let backwards: Vec<u32> = (0..A.nnz() as u32).rev().collect();
            let (from, to) =
                (factoriser.entry_slots(&A, &backwards).unwrap(), factoriser.solve_slots().unwrap().unwrap());
            for (matrix, M) in [(&A, &first), (&B, &second), (&A, &first)] {
                let entries: Vec<S> = matrix.val().iter().rev().copied().collect();
                let entries = Buffer::from_slice(&gpu, "entries", &entries).unwrap();
                factoriser.compute_from(&from, &entries).unwrap();
                factoriser.hand_over(&to, values);
                let same = product(&gpu, &jit, &map, &x, usize::MAX) == loaded(M);
                assert!(same, "{recipe:?} of {name}, persistent");
            }
            let other = Csr::<S>::identity(A.rows() + 1);
            assert!(factoriser.entry_slots(&other, &[]).is_err());
        }
    }
}

#[test]
fn refills_f32() {
    refills_as_loaded::<f32>();
}
#[test]
fn refills_f64() {
    refills_as_loaded::<f64>();
}
#[test]
fn refills_c32() {
    refills_as_loaded::<c32>();
}
#[test]
fn refills_c64() {
    refills_as_loaded::<c64>();
}

#[test]
fn factors_f32() {
    factors_as_reference::<f32>();
}
#[test]
fn factors_f64() {
    factors_as_reference::<f64>();
}
#[test]
fn factors_c32() {
    factors_as_reference::<c32>();
}
#[test]
fn factors_c64() {
    factors_as_reference::<c64>();
}

#[test]
fn ssor_f32() {
    ssor_as_reference::<f32>();
}
#[test]
fn ssor_f64() {
    ssor_as_reference::<f64>();
}
#[test]
fn ssor_c32() {
    ssor_as_reference::<c32>();
}
#[test]
fn ssor_c64() {
    ssor_as_reference::<c64>();
}

/// NaN of any sign and payload, also the one that means "not yet there", passes through and leaves nothing behind.
#[test]
fn ssor_with_nan() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    let A = gallery::poisson2d(20, Stencil::Points5).unwrap();
    let M = Ssor::from_csr(&A, 1.0).unwrap();
    let clean: Vec<f64> = integers(A.rows(), 5);
    let map = Map::load(&gpu, &M.clone(), &Tuning::default()).unwrap();
    let before = product(&gpu, &jit, &map, &clean, usize::MAX);
    for bits in [u64::MAX, u64::MAX >> 1, 0x7ff8_0000_0000_0000, 0xfff8_0000_0000_0000] {
        let mut x = clean.clone();
        x[A.rows() - 30] = f64::from_bits(bits);
        let mut expected = x.clone();
        M.solve(&x, &mut expected);
        let found = product(&gpu, &jit, &map, &x, usize::MAX);
        assert!(found.iter().zip(&expected).all(|(a, b)| a.is_nan() == b.is_nan()));
        assert_eq!(product(&gpu, &jit, &map, &clean, usize::MAX), before);
    }
}

/// Chains of three rows with 1 on and 2 beside the diagonal: the inverse of any of its blocks has integer entries.
fn chains<S: Scalar>(rows: usize) -> Csr<S> {
    let two = S::from_f64(2.0);
    let beside = (1..rows).filter(|i| i % 3 != 0).map(|i| (i - 1, i, two));
    let triples: Vec<_> = (0..rows).map(|i| (i, i, S::one())).chain(beside).collect();
    Coo::from_triples(rows, rows, &triples).unwrap().to_csr().0
}

fn block_jacobi_as_reference<S: Scalar>() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    for rows in [0, 1, 31, 33, 597, 10_000] {
        for block in [1, 2, 3, 4, 8, 9, 17, 33, 65, 100, 129, 1024] {
            if rows * block > 2_000_000 {
                continue; // the host would need long for the inverses
            }
            let B = BlockDiagonal::from_csr(&chains::<S>(rows), block).unwrap();
            let x: Vec<S> = integers(rows, 9);
            let mut expected = vec![S::zero(); rows];
            LinearMap::apply(&B, B.val(), &x, &mut expected);
            let map = Map::load(&gpu, &B, &Tuning::default()).unwrap();
            for blocks in [usize::MAX, 3] {
                let found = product(&gpu, &jit, &map, &x, blocks);
                assert!(found == expected, "{rows} rows in blocks of {block}, {} lanes", map.lanes);
            }
        }
    }
}

#[test]
fn block_jacobi_f32() {
    block_jacobi_as_reference::<f32>();
}
#[test]
fn block_jacobi_f64() {
    block_jacobi_as_reference::<f64>();
}
#[test]
fn block_jacobi_c32() {
    block_jacobi_as_reference::<c32>();
}
#[test]
fn block_jacobi_c64() {
    block_jacobi_as_reference::<c64>();
}
