//! Incomplete factors made on the GPU: the bits and the refusals of the host.

use super::{RECIPES, matrices, numbers, uneven};
use galerkit_cuda::factor::{Factoriser, factorise};
use galerkit_cuda::jit::Jit;
use galerkit_cuda::testing;
use galerkit_linalg::gallery;
use galerkit_linalg::precond::Recipe;
use galerkit_linalg::sparse::Coo;
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::problems;

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
