//! Incomplete factors of small matrices made on the GPU: same bits and same refusals as on the host. They run on the
//! emulated GPU with every `cargo xtask test`; `preconditioners` has the large ones.

use galerkit_cuda::factor::Factoriser;
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::testing;
use galerkit_linalg::gallery::{self, Stencil};
use galerkit_linalg::precond::{Factors, Recipe, ilu0};
use galerkit_linalg::sparse::{Coo, Csr};
use galerkit_linalg::{Scalar, c64};
use galerkit_testkit::{bits, problems, strategies};
use proptest::strategy::Strategy;
use proptest::test_runner::TestRunner;
use std::sync::Arc;

const POSITIVE: [Recipe; 7] = [
    Recipe::Ilu { fill: 0 },
    Recipe::Ilu { fill: 2 },
    Recipe::Ic { shift: 0.0 },
    Recipe::Ic { shift: 0.25 },
    Recipe::FixedPoint { sweeps: 0 },
    Recipe::FixedPoint { sweeps: 1 },
    Recipe::FixedPoint { sweeps: 3 },
];

/// A GPU and what it has compiled.
struct Device(Arc<Gpu>, Jit);

impl Device {
    fn new() -> Option<Self> {
        let gpu = testing::gpu()?;
        let jit = Jit::new(&gpu);
        Some(Self(gpu, jit))
    }

    fn factors<S: Scalar>(&self, A: &Csr<S>, recipe: Recipe) -> galerkit_cuda::Result<Factors<S>> {
        let mut factoriser = Factoriser::new(&self.0, &self.1, A, recipe)?;
        factoriser.compute(A)?;
        factoriser.download()
    }

    /// The host's factors, or its refusal, from the GPU.
    fn agrees<S: Scalar>(&self, A: &Csr<S>, recipes: &[Recipe]) {
        for &recipe in recipes {
            match (self.factors(A, recipe), recipe.factorise(A)) {
                (Ok(found), Ok(expected)) => {
                    let columns = |M: &Factors<S>| [M.lower().col().to_vec(), M.upper().col().to_vec()];
                    let values = |M: &Factors<S>| [bits(M.lower().val()), bits(M.upper().val()), bits(M.inverse())];
                    assert!(columns(&found) == columns(&expected), "{recipe:?}: another pattern");
                    assert!(values(&found) == values(&expected), "{recipe:?}: other bits");
                }
                (Err(found), Err(expected)) => {
                    let found = found.into_linalg().expect("said of the matrix");
                    assert_eq!(found.to_string(), expected.to_string(), "{recipe:?}");
                }
                (found, expected) => panic!("{recipe:?}: GPU {:?}, host {:?}", found.err(), expected.err()),
            }
        }
    }
}

#[test]
fn grids_as_the_host() {
    let Some(gpu) = Device::new() else { return };
    gpu.agrees(&Csr::<f64>::identity(0), &POSITIVE);
    gpu.agrees(&Csr::<f64>::identity(5), &POSITIVE);
    gpu.agrees(&gallery::poisson1d(50).unwrap(), &POSITIVE);
    gpu.agrees(&gallery::poisson2d(12, Stencil::Points9).unwrap(), &POSITIVE);
    gpu.agrees(&gallery::poisson3d(6, Stencil::Points27).unwrap(), &POSITIVE);
    gpu.agrees(&problems::hermitian::<c64>(9), &POSITIVE);
}

#[test]
fn refusals_as_the_host() {
    let Some(gpu) = Device::new() else { return };
    let cancels = problems::dense::<f64>(&[&[1.0, 2.0, 0.0], &[2.0, 4.0, 0.0], &[0.0, 0.0, -1.0]]);
    let indefinite = problems::dense::<f64>(&[&[1.0, 2.0], &[2.0, 1.0]]);
    let overflows = problems::dense::<f64>(&[&[1e-200, 1e200], &[1e200, 1.0]]);
    for A in [&cancels, &indefinite, &overflows] {
        gpu.agrees(A, &[Recipe::Ilu { fill: 0 }, Recipe::Ic { shift: 0.0 }]);
        gpu.agrees(A, &[0, 1, 2, 3].map(|sweeps| Recipe::FixedPoint { sweeps }));
    }
    // New values must fit the old pattern.
    let identity = Csr::<f64>::identity(2);
    let mut factoriser = Factoriser::new(&gpu.0, &gpu.1, &identity, Recipe::Ilu { fill: 0 }).unwrap();
    let refused = factoriser.compute(&indefinite).unwrap_err().into_linalg().expect("said of the matrix");
    assert_eq!(refused.to_string(), ilu0(&identity).unwrap().refill(&indefinite).unwrap_err().to_string());
}

#[test]
fn any_positive_matrix_as_the_host() {
    let Some(gpu) = Device::new() else { return };
    let check = |A: Csr<c64>| {
        gpu.agrees(&A, &POSITIVE);
        Ok(())
    };
    TestRunner::new(strategies::config(64)).run(&strategies::positive_definite(40), check).unwrap();
}

#[test]
fn any_pattern_as_the_host() {
    let Some(gpu) = Device::new() else { return };
    let with_diagonal = |A: Csr<f64>| {
        let off = (0..A.rows()).flat_map(|i| A.row(i).filter(move |e| e.0 != i).map(move |(j, a)| (i, j, a)));
        let triples: Vec<_> = off.chain((0..A.rows()).map(|i| (i, i, 9.0))).collect();
        Coo::from_triples(A.rows(), A.rows(), &triples).unwrap().to_csr().0
    };
    let recipes = [Recipe::Ilu { fill: 0 }, Recipe::Ilu { fill: 1 }, Recipe::FixedPoint { sweeps: 2 }];
    let check = |A| {
        gpu.agrees(&A, &recipes);
        Ok(())
    };
    TestRunner::new(strategies::config(64)).run(&strategies::square(40).prop_map(with_diagonal), check).unwrap();
}
