//! New values in maps that are loaded: factors that never leave the GPU solve as factors loaded anew.

use super::{RECIPES, matrices, numbers};
use crate::products::product;
use galerkit_cuda::factor::{Computed, Factoriser, Rounded};
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::{Buffer, Gpu};
use galerkit_cuda::map::{Map, Tuning, triangular};
use galerkit_cuda::testing;
use galerkit_linalg::map::{LinearMap, Triangular};
use galerkit_linalg::precond::{Factors, Recipe};
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::conformance::integers;
use galerkit_testkit::{bits, problems};
use std::sync::Arc;

/// The values of factors as they are loaded.
fn values_of<S: Scalar>(gpu: &Arc<Gpu>, M: &Factors<S>) -> Vec<S> {
    let values = Map::load(gpu, M, &Tuning::default()).unwrap().values.unwrap();
    values.download(values.bytes() / size_of::<S>()).unwrap()
}

/// Factors that are loaded from where they were computed have the values of the host's, on both sides; their signs are
/// seen too.
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

/// Rounded on the GPU they have the bits of those that the host rounds; one that overflows is seen, also where another
/// is left out.
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
