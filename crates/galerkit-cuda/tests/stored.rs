//! Matrices that are stored by the GPU, from compressed rows that are there: the maps must be those that the host
//! gives, array for array, and slots must know their entries. And facts about them, against plain loops.

use super::products::product;
use galerkit_cuda::convert::{DeviceCsr, Facts, refills, stored};
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::{Buffer, Gpu};
use galerkit_cuda::map::{Layout, Map, Tuning};
use galerkit_cuda::testing;
use galerkit_linalg::gallery::{self, Built};
use galerkit_linalg::sparse::{Coo, Csr, Format, Matrix, Variant, definiteness_hints, symmetry};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::{bits, problems, strategies};
use proptest::test_runner::TestRunner;
use std::sync::Arc;

fn bytes(buffer: &Buffer) -> Vec<u8> {
    buffer.download(buffer.bytes()).unwrap()
}

fn sell(sigma: usize) -> Format {
    Format::Sell { height: 32, sigma }
}

/// What the GPU stores is what the host does.
fn same<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &Csr<S>, format: Format, tuning: Tuning) {
    let what = format!("{} x {} as {format}, {tuning:?}", A.rows(), A.cols());
    let host = Matrix::from_csr(A, format).unwrap();
    let expected = Map::load(gpu, &host, &tuning).unwrap();
    let device = DeviceCsr::upload(gpu, A).unwrap();
    let found = stored(gpu, jit, &device, format, &tuning).unwrap().expect(&what);
    assert_eq!((&found.source, found.shape, found.bytes), (&expected.source, expected.shape, expected.bytes), "{what}");
    assert_eq!(
        (found.lanes, found.words.len(), found.interface),
        (expected.lanes, expected.words.len(), expected.interface)
    );
    assert_eq!(found.buffers.len(), expected.buffers.len(), "{what}");
    for (k, (found, expected)) in found.buffers.iter().zip(&expected.buffers).enumerate() {
        assert!(bytes(found) == bytes(expected), "{what}: array {k} differs");
    }
    assert!(found.values.as_ref().map(bytes) == expected.values.as_ref().map(bytes), "{what}: values differ");
    if matches!(format, Format::Sell { .. }) {
        let numbers = A.start().len() as f64; // padding is told by zero
        let mut numbered = A.map_values(|_| 0.0);
        numbered.val_mut().iter_mut().enumerate().for_each(|(k, value)| *value = numbers + k as f64);
        let expected: Vec<f64> =
            Layout::of_matrix(&Matrix::from_csr(&numbered, format).unwrap(), &tuning).unwrap().all_values();
        let refills = refills(gpu, jit, &device, A.start(), format, &tuning).unwrap().expect(&what);
        let values: Vec<S> = numbered.val().iter().map(|&value| S::from_f64(value)).collect();
        let slots = product(gpu, jit, &refills.values, &values, usize::MAX);
        assert_eq!(slots, expected.iter().map(|&value| S::from_f64(value)).collect::<Vec<S>>(), "{what}: refilled");
        let diagonal = refills.diagonal.map(|map| product(gpu, jit, &map, &slots, usize::MAX));
        let whole: Option<Vec<f64>> = (0..A.rows()).map(|i| numbered.get(i, i)).collect();
        assert_eq!(diagonal, whole.map(|d| d.into_iter().map(S::from_f64).collect()), "{what}: diagonal");
    }
}

fn all_forms<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &Csr<S>) {
    let tunings = [
        Tuning::default(),
        Tuning::in_batches::<S>(),
        Tuning { narrow: Some(true), ..Tuning::default() },
        Tuning { narrow: Some(false), ..Tuning::default() },
    ];
    for tuning in tunings {
        for sigma in [1, 2, 64, 4096] {
            same(gpu, jit, A, sell(sigma), tuning);
        }
        same(gpu, jit, A, Format::EllWarp { variant: Variant::K1, warp: 32, threshold: 16 }, tuning);
        if tuning.unroll.is_none() {
            for threshold in [2, 16] {
                same(gpu, jit, A, Format::EllWarp { variant: Variant::K2, warp: 32, threshold }, tuning);
            }
        }
    }
    same(gpu, jit, A, Format::Csr, Tuning { balanced: Some(false), ..Tuning::default() });
}

fn real(name: &str) -> Csr<f64> {
    match gallery::build(name).unwrap() {
        Built::Real(A) => A,
        Built::Complex(_) => panic!("{name} is complex"),
    }
}

#[test]
fn grids_and_meshes() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    for name in ["gallery:poisson2d?n=23", "gallery:poisson3d?n=7&stencil=27", "gallery:tetra?n=6&order=random"] {
        all_forms(&gpu, &jit, &real(name));
    }
    all_forms::<c64>(&gpu, &jit, &real("gallery:poisson2d?n=9").map_values(|a| c64::new(a, 1.0)));
    all_forms::<f32>(&gpu, &jit, &real("gallery:poisson2d?n=9").map_values(|a| a as f32));
    all_forms::<c32>(&gpu, &jit, &real("gallery:poisson2d?n=9").map_values(|a| c32::new(a as f32, 1.0)));
}

#[test]
fn edge_cases() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    for n in [1, 31, 33] {
        all_forms::<f64>(&gpu, &jit, &Csr::identity(n));
        all_forms::<f64>(&gpu, &jit, &Coo::from_triples(n, n, &[]).unwrap().to_csr().0); // empty rows only
    }
    // Columns too far apart for 16 bits; and neighbours a plane away, which are near once rows are aligned.
    all_forms::<f64>(&gpu, &jit, &Coo::from_triples(3, 90_000, &[(1, 0, 1.0), (2, 89_999, 2.0)]).unwrap().to_csr().0);
    let (plane, rows) = (70_000, 140_100);
    let near = |i: usize| [i.checked_sub(plane), i.checked_sub(1), Some(i), Some(i + plane).filter(|&j| j < rows)];
    let far = (0..rows)
        .filter(|i| i % 70_000 < 64)
        .flat_map(|i| near(i).into_iter().flatten().map(move |j| (i, j, (i + j) as f64)));
    let many = (0..9).map(|k| (5, 9 + 7 * k, 1.0)); // more than eight diagonals
    let planes = Coo::from_triples(rows, rows, &far.chain(many).collect::<Vec<_>>()).unwrap().to_csr().0;
    same(&gpu, &jit, &planes, sell(1), Tuning::default());
    same(&gpu, &jit, &planes, sell(64), Tuning::default());
}

#[test]
fn small_matrices() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    let mut runner = TestRunner::new(strategies::config(12));
    runner
        .run(&strategies::square::<f64>(70), |A| {
            all_forms(&gpu, &jit, &A);
            Ok(())
        })
        .unwrap();
}

/// The facts that the GPU finds are those of plain loops.
fn facts_of<S: Scalar>(gpu: &Arc<Gpu>, A: &Csr<S>) -> Facts {
    let jit = Jit::new(gpu);
    let found = Facts::of(gpu, &jit, &DeviceCsr::upload(gpu, A).unwrap()).unwrap();
    let diagonal = A.diagonal();
    let first = |is: &dyn Fn(usize) -> bool| (0..A.rows()).find(|&i| is(i));
    assert_eq!(found.not_finite, A.val().iter().position(|value| !value.finite()));
    assert_eq!(found.empty_row, first(&|i| A.row_length(i) == 0));
    let is_positive = |i: usize| diagonal[i].parts().0 > 0.0;
    assert_eq!(found.not_positive, first(&|i| !is_positive(i)));
    assert_eq!(found.not_real_positive, first(&|i| !is_positive(i) || diagonal[i].parts().1 != 0.0));
    let is_invertible =
        |i: usize| diagonal[i] != S::zero() && diagonal[i].finite() && (S::one() / diagonal[i]).finite();
    assert_eq!(found.not_invertible, first(&|i| !is_invertible(i)));
    if found.not_finite.is_none() {
        assert_eq!(found.is_self_adjoint, found.is_mirrored && symmetry(A).is_self_adjoint::<S>());
        assert_eq!(found.dominant_rows, definiteness_hints(A).unwrap().dominant_rows);
        let squares: f64 = A.val().iter().map(|value| value.parts().0.powi(2) + value.parts().1.powi(2)).sum();
        assert!((found.squares - squares).abs() <= 1e-12 * squares);
    }
    let there = galerkit_cuda::convert::diagonal(gpu, &jit, &DeviceCsr::upload(gpu, A).unwrap()).unwrap();
    assert_eq!(bits(&there), bits(&diagonal));
    found
}

#[test]
fn facts_are_those_of_plain_loops() {
    let Some(gpu) = testing::gpu() else { return };
    let poisson = real("gallery:poisson2d?n=13");
    let facts = facts_of(&gpu, &poisson);
    assert!(facts.is_mirrored && facts.is_self_adjoint && facts.not_positive.is_none());
    assert_eq!(facts.vanishing_rows, 11 * 11, "away from the boundary");
    let mut A = poisson.clone();
    A.val_mut()[7] += 1e-9;
    assert!(facts_of(&gpu, &A).is_mirrored && !facts_of(&gpu, &A).is_self_adjoint);
    A.val_mut()[100] = f64::NAN;
    A.val_mut()[90] = f64::INFINITY;
    assert_eq!(facts_of(&gpu, &A).not_finite, Some(90));
    let lower = Csr::new(3, 3, vec![0, 1, 3, 3], vec![0, 0, 1], vec![2.0, 1.0, -2.0]).unwrap();
    let facts = facts_of(&gpu, &lower);
    assert!(!facts.is_mirrored && facts.empty_row == Some(2) && facts.not_positive == Some(1));
    assert_eq!((facts.not_invertible, facts.vanishing_rows), (Some(2), 1), "an empty row sums to zero");
    let path = Csr::new(3, 3, vec![0, 2, 5, 7], vec![0, 1, 0, 1, 2, 1, 2], vec![0.1, -0.1, -0.1, 0.3, -0.2, -0.2, 0.2]);
    assert_eq!(facts_of(&gpu, &path.unwrap()).vanishing_rows, 3, "up to rounding");
    let hermitian = problems::dense::<f64>(&[&[2.0, 1.0], &[1.0, 3.0]]).map_values(|a| c64::new(a, 0.0));
    let mut turned = hermitian.clone();
    (turned.val_mut()[1], turned.val_mut()[2]) = (c64::new(1.0, 1.0), c64::new(1.0, -1.0));
    assert!(facts_of(&gpu, &hermitian).is_self_adjoint && facts_of(&gpu, &turned).is_self_adjoint);
    turned.val_mut()[2] = c64::new(1.0, 1.0);
    turned.val_mut()[3] = c64::new(3.0, 1.0);
    let facts = facts_of(&gpu, &turned);
    assert!(!facts.is_self_adjoint && facts.not_positive.is_none() && facts.not_real_positive == Some(1));
    facts_of(&gpu, &poisson.map_values(|a| a as f32));
    facts_of(&gpu, &poisson.map_values(|a| c32::new(a as f32, 0.5)));
}
