//! Section 7 of the spec as properties: on whole numbers equality is exact; on others there is one bound, in eps.

use super::{formats, in_scalar, matrices, product, whole_numbers};
use galerkit_linalg::backend::reference::spmv;
use galerkit_linalg::sparse::statistics::{predicted_slots, slots_by_height};
use galerkit_linalg::sparse::{Csr, EllWarp, Format, Matrix, RowLengths, Variant};
use galerkit_linalg::{Scalar, c32, c64};
use proptest::prelude::*;

/// The dense product, entry by entry.
fn dense_product<S: Scalar>(A: &Csr<S>, x: &[S]) -> Vec<S> {
    let entry = |i, j| A.get(i, j).unwrap_or(S::zero());
    (0..A.rows()).map(|i| (0..A.cols()).map(|j| entry(i, j) * x[j]).sum()).collect()
}

/// Exact product, round trip, and counts for every format in one scalar.
fn exact<S: Scalar>(A: &Csr<f64>) {
    let A = in_scalar::<S>(A);
    let x = whole_numbers::<S>(A.cols());
    let y = dense_product(&A, &x);
    for (height, slots) in slots_by_height(&A, 32) {
        assert_eq!(slots, predicted_slots(&A, Format::Sell { height, sigma: 1 }), "slices of {height} rows");
    }
    for format in formats(A.rows(), A.cols()) {
        let stored = Matrix::from_csr(&A, format).unwrap();
        assert_eq!(product(&stored, &x), y, "{format}");
        assert_eq!(stored.to_csr(), A, "{format}");
        assert_eq!((stored.rows(), stored.cols(), stored.nnz()), (A.rows(), A.cols(), A.nnz()), "{format}");
        assert_eq!(stored.slots() as u64, predicted_slots(&A, format), "{format}");
        assert!(stored.slots() >= stored.nnz() && stored.bytes() >= stored.slots() * size_of::<S>(), "{format}");
        let named = matches!(format, Format::Hyb { width: None }) || stored.format() == format;
        assert!(named, "{format} calls itself {}", stored.format());
    }
}

/// y = alpha A x + beta y, on whole numbers.
fn updates<S: Scalar>(A: &Csr<f64>) {
    let A = in_scalar::<S>(A);
    let (alpha, beta) = (S::from_parts(2.0, 1.0), S::from_parts(-3.0, 2.0));
    let (x, y) = (whole_numbers::<S>(A.cols()), whole_numbers::<S>(A.rows() + 3)[3..].to_vec());
    let expected: Vec<S> = dense_product(&A, &x).iter().zip(&y).map(|(&s, &y)| alpha * s + beta * y).collect();
    for format in formats(A.rows(), A.cols()) {
        let stored = Matrix::from_csr(&A, format).unwrap();
        let gather = |v: &[S]| stored.order().map_or(v.to_vec(), |order| order.gather(v).unwrap());
        let mut result = gather(&y);
        spmv(alpha, &stored, &gather(&x), beta, &mut result);
        assert_eq!(result, gather(&expected), "{format}");
    }
}

/// 4 len_i eps sum |a_ij x_j| in each row; the same bits as CSR where the order of the sum is the same.
fn rounds_like_csr<S: Scalar>(A: &Csr<f64>) {
    let A = A.map_values(|v| S::from_parts((v + 0.3).sin(), (v * 1.7).cos()));
    let x: Vec<S> = (0..A.cols()).map(|j| S::from_parts((j as f64 + 0.1).sin(), (j as f64).cos())).collect();
    let reference = product(&Matrix::Csr(A.clone()), &x);
    for format in formats(A.rows(), A.cols()) {
        let y = product(&Matrix::from_csr(&A, format).unwrap(), &x);
        let sequential = !matches!(format, Format::EllWarp { variant, .. } if variant.splits() || variant.sorts());
        for i in 0..A.rows() {
            let size: f64 = A.row(i).map(|(j, a)| (a.modulus() * x[j].modulus()).parts().0).sum();
            let error = (y[i] - reference[i]).modulus().parts().0;
            assert!(error <= 4.0 * A.row_length(i) as f64 * S::eps() * size, "{format}, row {i}: {error:e}");
            assert!(!sequential || bytemuck::bytes_of(&y[i]) == bytemuck::bytes_of(&reference[i]), "{format}, row {i}");
        }
    }
}

fn linear(A: &Csr<f64>) {
    let (x, z) = (whole_numbers::<f64>(A.cols()), whole_numbers::<f64>(A.cols() + 2)[2..].to_vec());
    let mixed: Vec<f64> = x.iter().zip(&z).map(|(x, z)| 2.0 * x - 3.0 * z).collect();
    for format in formats(A.rows(), A.cols()) {
        let stored = Matrix::from_csr(A, format).unwrap();
        let (Ax, Az) = (product(&stored, &x), product(&stored, &z));
        let expected: Vec<f64> = Ax.iter().zip(&Az).map(|(x, z)| 2.0 * x - 3.0 * z).collect();
        assert_eq!(product(&stored, &mixed), expected, "{format}");
        let row_sums: Vec<f64> = (0..A.rows()).map(|i| A.row(i).map(|(_, a)| a).sum()).collect();
        assert_eq!(product(&stored, &vec![1.0; A.cols()]), row_sums, "{format}");
        for j in [0, A.cols() / 2, A.cols() - 1] {
            let mut unit = vec![0.0; A.cols()];
            unit[j] = 1.0;
            let column: Vec<f64> = (0..A.rows()).map(|i| A.get(i, j).unwrap_or(0.0)).collect();
            assert_eq!(product(&stored, &unit), column, "{format}, column {j}");
        }
    }
}

/// Invariants 3 and 4: the slots by the formula, the bound, and the order of the rows.
fn sorted_groups(A: &Csr<f64>, warp: usize) {
    let K1 = EllWarp::from_csr(A, Variant::K1, warp, 1).unwrap();
    let mut lengths: Vec<usize> = (0..A.rows()).map(|i| A.row_length(i)).collect();
    lengths.sort_by(|a, b| b.cmp(a));
    assert_eq!(K1.slots(), lengths.chunks(warp).map(|group| warp * group[0]).sum::<usize>());
    assert!(A.nnz() <= K1.slots() && K1.slots() as u64 <= RowLengths::of(A).k1_bound(warp));
    assert_eq!(K1.warps(), A.rows().div_ceil(warp));
    for w in 0..K1.warps() {
        assert_eq!(K1.warp_offset()[w + 1] - K1.warp_offset()[w], warp as u64 * K1.max_rows()[w] as u64);
    }
    let position = |i: &u32| (std::cmp::Reverse(A.row_length(*i as usize)), *i);
    assert!(K1.row_order().old().is_sorted_by_key(position)); // falling lengths, ties in original order
}

/// Invariant 5, and every row in exactly one warp.
fn splitting(A: &Csr<f64>, warp: usize) {
    let built = |variant, threshold| EllWarp::from_csr(A, variant, warp, threshold).unwrap();
    let (K1, K2) = (built(Variant::K1, 70), built(Variant::K2, A.longest_row().max(1)));
    assert_eq!((K1.val(), K1.col(), K1.len()), (K2.val(), K2.col(), K2.len()));
    assert_eq!((K1.warp_offset(), K1.max_rows()), (K2.warp_offset(), K2.max_rows()));
    assert_eq!((K1.row_start(), K1.reduction()), (K2.row_start(), K2.reduction()));
    for threshold in [1, 3] {
        let K2 = built(Variant::K2, threshold);
        let mut next = 0;
        for w in 0..K2.warps() {
            assert_eq!(K2.row_start()[w] as usize, next);
            let t = K2.reduction()[w] as usize;
            let rows = next..A.rows().min(next + warp / t);
            let busiest = rows.clone().map(|s| (K2.len()[s] as usize).div_ceil(t)).max().unwrap();
            assert_eq!(K2.max_rows()[w] as usize, busiest);
            assert!(busiest <= threshold || t == warp); // T = 1: m = 1 for every row with len <= W
            next = rows.end;
        }
        assert_eq!(next, A.rows());
    }
}

/// Invariant 6: the r forms differ from the plain ones by the numbering alone, the s forms ascend along each lane.
fn renumbering(A: &Csr<f64>, warp: usize) {
    let built = |variant| EllWarp::from_csr(A, variant, warp, 2).unwrap();
    for (plain, r, rs) in [(Variant::K1, Variant::K1r, Variant::K1rs), (Variant::K2, Variant::K2r, Variant::K2rs)] {
        let (K, Kr, Krs) = (built(plain), built(r), built(rs));
        assert_eq!((K.val(), K.warp_offset(), K.row_order()), (Kr.val(), Kr.warp_offset(), Kr.row_order()));
        for w in 0..K.warps() {
            let t = K.reduction()[w] as usize;
            for lane in 0..warp {
                let s = K.row_start()[w] as usize + lane / t;
                let length = if s < A.rows() { K.len()[s] as usize } else { 0 };
                let slots = (lane % t..length).step_by(t).map(|e| K.warp_offset()[w] as usize + e / t * warp + lane);
                let slots: Vec<usize> = slots.collect();
                assert!(slots.iter().all(|&k| Kr.row_order().old()[Kr.col()[k] as usize] == K.col()[k]));
                assert!(slots.windows(2).all(|k| Krs.col()[k[0]] < Krs.col()[k[1]]));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn products_and_round_trips_are_exact(A in matrices()) {
        exact::<f32>(&A);
        exact::<f64>(&A);
        exact::<c32>(&A);
        exact::<c64>(&A);
    }
    #[test]
    fn products_update_y(A in matrices()) {
        updates::<f32>(&A);
        updates::<f64>(&A);
        updates::<c32>(&A);
        updates::<c64>(&A);
    }
    #[test]
    fn rounding_is_bounded(A in matrices()) {
        rounds_like_csr::<f32>(&A);
        rounds_like_csr::<f64>(&A);
        rounds_like_csr::<c32>(&A);
        rounds_like_csr::<c64>(&A);
    }
    #[test]
    fn products_are_linear(A in matrices()) {
        linear(&A);
    }
    #[test]
    fn warps_obey_the_spec(A in matrices(), power in 0u32..6) {
        let warp = 1 << power;
        sorted_groups(&A, warp);
        splitting(&A, warp);
        if A.rows() == A.cols() {
            renumbering(&A, warp);
        }
    }
}
