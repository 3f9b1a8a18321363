//! Matrices that are born on the GPU: every array is the one that the host would have brought there.

use super::products::product;
use galerkit_cuda::convert::{born, stored};
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::map::Tuning;
use galerkit_cuda::testing;
use galerkit_linalg::gallery::{GridMatrix, OnGrid, Point, parse};
use galerkit_linalg::sparse::{Format, Pattern};
use galerkit_linalg::{Scalar, c32};
use galerkit_testkit::bits;
use rayon::prelude::*;
use std::sync::Arc;

fn same<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &GridMatrix<S>) {
    let (host, there) = (A.to_csr().unwrap(), born(gpu, jit, A).unwrap());
    assert_eq!((there.nnz(), there.bytes()), (host.nnz(), host.bytes()));
    let there = there.download().unwrap();
    let what = format!("{:?}, {} points", A.size(), A.stencil().len());
    assert!(there.start() == host.start(), "{what}: row starts differ");
    assert!(there.col() == host.col(), "{what}: columns differ");
    assert_eq!(bits(there.val()), bits(host.val()), "{what}: values differ");
}

#[test]
fn problems_of_the_gallery_are_born_bit_for_bit() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    let names = [
        "poisson1d?n=1",
        "poisson1d?n=777",
        "poisson2d?n=31",
        "poisson2d?n=20&stencil=9",
        "poisson3d?n=9&stencil=7",
        "poisson3d?n=2&stencil=27",
        "poisson3d?n=11&stencil=27",
        "anisotropic2d?n=13&eps=0.3",
        "anisotropic3d?n=6&eps=0.07",
        "convection_diffusion2d?n=17&wind=1,-0.3",
        "convection_diffusion3d?n=7&wind=0.1,-3,7",
        "shifted_laplace2d?n=14&k=3.3&beta=-0.7",
        "shifted_laplace3d?n=5",
        "toeplitz?n=100&gamma=0.3",
    ];
    for name in names {
        match parse(name).unwrap().on_grid() {
            Ok(Some(OnGrid::Real(A))) => {
                same(&gpu, &jit, &A);
                same(&gpu, &jit, &A.map_values(|value| value as f32));
            }
            Ok(Some(OnGrid::Complex(A))) => {
                same(&gpu, &jit, &A);
                same(&gpu, &jit, &A.map_values(|value| c32::new(value.re as f32, value.im as f32)));
            }
            Ok(None) => panic!("{name} is no grid"),
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

/// Any stencil on any box, with more points than a warp has lanes, and values whose bits must not be touched.
#[test]
fn any_stencil_is_born_on_any_grid() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    let wide: Vec<Point<f64>> =
        (-3..4).flat_map(|x| (-3..4).map(move |y| ([x, y, x * y % 2], (7 * x + y) as f64))).collect();
    let odd = vec![([0, 0, 0], -0.0), ([2, 0, 0], f64::INFINITY), ([-1, 1, 0], 1e-310), ([0, 0, -9], 3.0)];
    for size in [[1, 1, 1], [5, 3, 2], [2, 9, 4], [33, 1, 3], [4, 4, 20], [64, 7, 1]] {
        same(&gpu, &jit, &GridMatrix::new(size, wide.clone()).unwrap());
        same(&gpu, &jit, &GridMatrix::new(size, odd.clone()).unwrap());
    }
    let empty = GridMatrix::new([0, 4, 4], odd).unwrap();
    assert_eq!((empty.rows(), empty.nnz()), (0, 0));
    same(&gpu, &jit, &empty);
}

/// 27-point Poisson on 432^3, more than 2^31 entries, as rows and as slices: the product with whole numbers is exact in
/// every row.
#[test]
#[ignore = "needs 60 GB of memory on the GPU"]
fn more_than_two_to_the_31_entries_are_born_and_stored() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    let Some(OnGrid::Real(A)) = parse("poisson3d?n=432").unwrap().on_grid().unwrap() else { panic!("a grid") };
    assert!(A.nnz() > 1 << 31);
    let x: Vec<f64> = (0..A.rows()).map(|i| (i % 7) as f64).collect();
    let there = born(&gpu, &jit, &A).unwrap();
    let rows = Tuning { balanced: Some(false), ..Tuning::default() };
    for (format, tuning) in [(Format::Csr, rows), (Format::Sell { height: 32, sigma: 1 }, Tuning::default())] {
        let map = stored(&gpu, &jit, &there, format, &tuning).unwrap().expect("both are made here");
        let y = product(&gpu, &jit, &map, &x, usize::MAX);
        let expected = |i: usize| A.row(i).map(|(j, value)| value * x[j]).sum::<f64>();
        let wrong = (0..A.rows()).into_par_iter().find_first(|&i| y[i] != expected(i));
        assert!(wrong.is_none(), "{format}: row {wrong:?}");
    }
}
