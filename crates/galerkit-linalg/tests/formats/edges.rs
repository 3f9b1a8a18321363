//! Section 8 of the spec: sizes around a warp, empty and dense rows, rectangles, and what is refused.

use super::{csr, formats, product, whole_numbers, with_lengths};
use galerkit_linalg::sparse::statistics::predicted_slots;
use galerkit_linalg::sparse::{Csr, Format, Matrix, Variant};
use galerkit_linalg::{Error, Scalar, c32, c64};

/// Product, round trip and slots of every format against plain loops over rows.
fn works<S: Scalar>(A: &Csr<S>) {
    let x = whole_numbers::<S>(A.cols());
    let y: Vec<S> = (0..A.rows()).map(|i| A.row(i).map(|(j, a)| a * x[j]).sum()).collect();
    for format in formats(A.rows(), A.cols()).into_iter().chain(Format::all()) {
        if matches!(format, Format::EllWarp { variant, .. } if variant.renumbers() && A.rows() != A.cols()) {
            continue; // refused; see below
        }
        let stored = Matrix::from_csr(A, format).unwrap();
        assert_eq!(product(&stored, &x), y, "{format}");
        assert_eq!(&stored.to_csr(), A, "{format}");
        assert_eq!(stored.slots() as u64, predicted_slots(A, format), "{format}");
    }
}

/// Rows of 0, 1 and 3 entries in turn, an explicit zero in each third row, one dense row.
fn mixed<S: Scalar>(n: usize) -> Csr<S> {
    let mut triples = Vec::new();
    for i in (0..n).filter(|i| i % 3 != 1) {
        triples.push((i, i, i as f64 % 4.0));
        if i % 3 == 0 {
            triples.extend([(i, (i + 7) % n, -2.0), (i, (i + 2) % n, 0.0)]);
        }
    }
    triples.extend((0..n).map(|j| (n / 2, j, 1.0)));
    csr(n, n, &triples)
}

#[test]
fn sizes_around_a_warp() {
    for n in [1, 2, 31, 32, 33, 65] {
        works(&mixed::<f32>(n));
        works(&mixed::<f64>(n));
        works(&mixed::<c32>(n));
        works(&mixed::<c64>(n));
    }
}

#[test]
fn nothing_at_all() {
    for (rows, cols) in [(0, 0), (0, 5), (5, 0), (1, 1), (33, 33), (65, 3)] {
        works(&csr::<f64>(rows, cols, &[]));
    }
    let empty = csr::<f64>(33, 33, &[]);
    for format in formats(33, 33) {
        let width = if let Format::Hyb { width: Some(width) } = format { width } else { 0 };
        assert_eq!(Matrix::from_csr(&empty, format).unwrap().slots(), 33 * width, "{format}");
    }
}

#[test]
fn one_dense_row_and_rectangles() {
    for (rows, cols) in [(1, 70), (70, 1), (33, 65), (65, 33)] {
        let dense: Vec<_> = (0..cols).map(|j| (rows / 2, j, j as f64)).collect();
        works(&csr::<f64>(rows, cols, &dense));
        works(&csr::<c64>(rows, cols, &dense));
    }
    works(&with_lengths(&[0, 0, 5, 0, 0, 1, 0, 40, 0, 0], 41));
}

#[test]
fn renumbering_needs_a_square_matrix() {
    let A = csr::<f64>(3, 4, &[(0, 3, 1.0)]);
    for variant in Variant::ALL {
        let result = Matrix::from_csr(&A, Format::EllWarp { variant, warp: 32, threshold: 16 });
        match variant.renumbers() {
            true => assert!(matches!(result, Err(Error::NotSquare { rows: 3, cols: 4, .. })), "{variant:?}"),
            false => assert!(result.is_ok(), "{variant:?}"),
        }
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    let A = Csr::<f64>::identity(3);
    let warp = |variant, warp, threshold| Format::EllWarp { variant, warp, threshold };
    let refused = [
        Format::Bsr { block: 0 },
        Format::Sell { height: 0, sigma: 1 },
        Format::Sell { height: 1, sigma: 0 },
        warp(Variant::K2, 32, 0),
        warp(Variant::K1, 0, 16),
        warp(Variant::K1rs, 24, 16),
        warp(Variant::K2r, 2048, 16),
    ];
    for format in refused {
        assert!(matches!(Matrix::from_csr(&A, format), Err(Error::InvalidParameter { .. })), "{format}");
        assert!(predicted_slots(&A, format) >= 3, "{format}");
    }
}

#[test]
fn more_slots_than_memory_are_refused() {
    let A = Csr::<f64>::identity(3);
    let error = |format| Matrix::from_csr(&A, format).unwrap_err();
    let absurd = [
        Format::Bsr { block: 1 << 40 },
        Format::Bsr { block: usize::MAX },
        Format::Sell { height: 1 << 60, sigma: 1 },
        Format::Sell { height: usize::MAX, sigma: usize::MAX },
        Format::Hyb { width: Some(1 << 62) },
        Format::Hyb { width: Some(usize::MAX) },
    ];
    for format in absurd {
        assert!(matches!(error(format), Error::IndexOverflow { .. }), "{format}");
        assert!(predicted_slots(&A, format) > 1 << 58, "{format}");
    }
    // Addressable, but far beyond what a 64-bit process can map.
    let refused = error(Format::Hyb { width: Some(1 << 50) });
    assert!(matches!(refused, Error::OutOfMemory { needed, .. } if needed == 12 << 50));
    assert!(refused.to_string().contains("12582912.0 GiB"), "{refused}");
}

#[test]
fn contradictory_arrays_are_refused() {
    let refused = |start: &[u64], col: &[u32]| {
        let result = Csr::new(2, 3, start.to_vec(), col.to_vec(), vec![1.0; col.len()]);
        assert!(matches!(result, Err(Error::InvalidStructure { .. })), "{start:?} {col:?}");
    };
    refused(&[0, 1, 2], &[0, 3]); // column beyond the last
    refused(&[0, 2, 1], &[0]); // falling starts
    refused(&[0, 1, 3], &[0, 1]); // the last start is not nnz
    refused(&[0, 2, 2], &[1, 0]); // unsorted
    refused(&[1, 1, 2], &[0, 1]); // does not begin at 0
}
