//! Section 6 of the spec: what follows from the published counts by formula alone, and the statistics themselves.

use super::with_lengths;
use galerkit_linalg::sparse::statistics::{predicted_slots, products_until_paid, sorting_gain};
use galerkit_linalg::sparse::{Csr, Format, RowLengths, Variant};

/// A matrix with exactly the published number of rows and entries, shortest and longest row.
fn stand_in(entries: usize, rows: usize, min: usize, max: usize) -> Csr<f64> {
    let mut lengths = vec![min; rows];
    lengths[0] = max;
    let mut missing = entries - (rows - 1) * min - max;
    let step = missing.div_ceil(rows.saturating_sub(2).max(1));
    for length in lengths.iter_mut().skip(1).take(rows - 2) {
        let more = step.min(missing).min(max - min);
        *length += more;
        missing -= more;
    }
    assert_eq!(missing, 0);
    with_lengths(&lengths, max)
}

fn ratio(A: &Csr<f64>, format: Format) -> f64 {
    predicted_slots(A, format) as f64 / A.nnz() as f64
}

#[test]
fn ell_padding_of_the_published_matrices() {
    let published = [
        (958_936, 170_998, 1, 353, 62.95, 0.005),
        (3_105_536, 1_000_005, 1, 4700, 1513.4, 0.05),
        (37_035, 3129, 5, 21, 1.774, 0.0005),
        (1_916_928, 49_152, 39, 39, 1.0, 0.0),
    ];
    for (entries, rows, min, max, expected, half_digit) in published {
        let A = stand_in(entries, rows, min, max);
        let lengths = RowLengths::of(&A);
        assert_eq!((lengths.rows, lengths.entries, lengths.min, lengths.max), (rows, entries as u64, min, max));
        assert!((ratio(&A, Format::Ell) - expected).abs() <= half_digit, "{rows} rows");
        assert_eq!(ratio(&A, Format::EllR), ratio(&A, Format::Ell));
    }
}

#[test]
fn k1_padding_of_the_published_matrices() {
    let K1 = Format::EllWarp { variant: Variant::K1, warp: 32, threshold: 16 };
    for (entries, rows, min, max, bound) in [(37_035, 3129, 5, 21, 1.0176), (3_105_536, 1_000_005, 1, 4700, 1.0469)] {
        let A = stand_in(entries, rows, min, max);
        let found = RowLengths::of(&A).k1_bound(32) as f64 / entries as f64;
        assert!((found - bound).abs() < 5e-5, "{found}");
        assert!((1.0..=found).contains(&ratio(&A, K1)));
    }
}

#[test]
fn sorting_gains() {
    assert_eq!(sorting_gain(&stand_in(1_916_928, 49_152, 39, 39), 32), 0.0); // QCD
    // Lengths 3 1 3 1 in slices of 2: 12 slots unsorted, 8 sorted.
    assert_eq!(sorting_gain(&with_lengths(&[3, 1, 3, 1], 3), 2), 100.0 * 4.0 / 12.0);
    assert_eq!(sorting_gain(&with_lengths(&[], 3), 32), 0.0);
    assert_eq!(sorting_gain(&with_lengths(&[0, 0], 3), 32), 0.0);
}

#[test]
fn a_small_histogram() {
    let lengths = RowLengths::of(&with_lengths(&[3, 1, 3, 1, 0, 4], 4));
    assert_eq!(lengths.histogram, [1, 2, 0, 2, 1]);
    assert_eq!((lengths.min, lengths.max, lengths.mean, lengths.variance), (0, 4, 2.0, 2.0));
    assert_eq!((lengths.rows_above(1), lengths.rows_above(4), lengths.rows_above(usize::MAX)), (3, 0, 0));
    assert_eq!((lengths.entries_above(0), lengths.entries_above(2), lengths.entries_above(9)), (12, 4, 0));
    let none = RowLengths::of(&with_lengths(&[], 0));
    assert_eq!((none.min, none.max, none.mean, none.variance, none.hyb_width()), (0, 0, 0.0, 0.0, 0));
}

/// Fewer than max(4096, n/3) rows may overflow.
#[test]
fn the_width_of_hyb() {
    let width = |short: usize, long: usize| {
        let lengths: Vec<usize> = std::iter::repeat_n(2, short).chain(std::iter::repeat_n(5, long)).collect();
        RowLengths::of(&with_lengths(&lengths, 5)).hyb_width()
    };
    assert_eq!(width(4000, 95), 0); // 4095 rows: all of them may overflow
    assert_eq!(width(4000, 96), 2);
    assert_eq!(width(6000, 4095), 2);
    assert_eq!(width(6000, 4096), 5); // 4096 of 10096 rows: no longer fewer than 4096, nor than a third
    assert_eq!(width(10_001, 5000), 2); // 5000 of 15001: fewer than a third
    assert_eq!(width(10_000, 5000), 5); // exactly a third
}

#[test]
fn conversions_pay_after_some_products() {
    assert_eq!(products_until_paid(10.0, 3.0, 1.0), Some(5));
    assert_eq!(products_until_paid(11.0, 3.0, 1.0), Some(6));
    assert_eq!(products_until_paid(1.0, 2.0, 2.0), None);
    assert_eq!(products_until_paid(1.0, 2.0, 3.0), None);
}
