//! Which layout a matrix has: by its columns, by its diagonals, by the lengths of its rows; what is refused; bytes.
//! What the kernels make of layouts is tested by `tests/tunings.rs`, on a GPU or an emulated one.

use super::{Interface, Layout, Tuning};
use crate::error::Error;
use galerkit_linalg::sparse::{Coo, Csr, Format, Matrix};
use galerkit_testkit::problems;

#[test]
fn wide_columns_where_narrow_ones_do_not_fit() {
    for (distance, narrow) in [(65_534, true), (65_535, false)] {
        let triples = [(0, 3, 1.0), (1, 3 + distance, 2.0), (1, 70_001, 4.0)];
        let A: Csr<f64> = Coo::from_triples(2, 70_002, &triples).unwrap().to_csr().0;
        let A = Matrix::from_csr(&A, "sell:32:1".parse().unwrap()).unwrap();
        let layout = Layout::of_matrix(&A, &Tuning::default()).unwrap();
        assert_eq!(layout.source.contains("typedef unsigned short Column;"), narrow, "{distance}");
    }
}

#[test]
fn few_diagonals_have_no_columns() {
    let on = |rows: usize, cols: usize, offsets: &[i64], hole: usize| {
        let mut triples = Vec::new();
        for i in (0..rows).filter(|i| i % hole != hole - 1) {
            let columns = offsets.iter().filter_map(|offset| usize::try_from(i as i64 + offset).ok());
            triples.extend(columns.filter(|&j| j < cols).map(|j| (i, j, 1.0 + ((i + 2 * j) % 7) as f64)));
        }
        let A: Csr<f64> = Coo::from_triples(rows, cols, &triples).unwrap().to_csr().0;
        let sliced = Matrix::from_csr(&A, Format::Sell { height: 32, sigma: 1 }).unwrap();
        Layout::of_matrix(&sliced, &Tuning::default()).unwrap().source
    };
    for (rows, cols) in [(100, 100), (64, 70), (96, 90)] {
        for (offsets, hole) in [(&[-2, 0, 1][..], usize::MAX), (&[-9, -1, 0, 1, 9], 10), (&[0], 40)] {
            let source = on(rows, cols, offsets, hole);
            assert!(source.contains(&format!(" WIDTH = {};", offsets.len())), "{source}");
            assert!(source.contains(&format!(" COMPLETE = {};", hole == usize::MAX)), "{source}");
        }
    }
    let nine: Vec<i64> = (-4..5).collect();
    assert!(!on(100, 100, &nine, usize::MAX).contains("COMPLETE"), "nine are many");
}

#[test]
fn what_cannot_run_says_what_to_change() {
    let refused = |format: &str, tuning: Tuning| {
        let A = Matrix::from_csr(&Csr::<f64>::identity(3), format.parse().unwrap()).unwrap();
        match Layout::of_matrix(&A, &tuning).map(|_| ()) {
            Err(Error::Unsupported { what, reason }) => format!("{what}: {reason}"),
            other => panic!("{format}: {other:?}"),
        }
    };
    let default = Tuning::default();
    assert!(refused("k2:64:2", default).ends_with("use k2:32"));
    assert!(refused("csr", Tuning { lanes: Some(3), ..default }).contains("lanes = 3"));
    assert!(refused("csr", Tuning { lanes: Some(64), ..default }).contains("lanes = 64"));
    assert!(refused("sell", Tuning { unroll: Some(0), ..default }).contains("unroll = 0"));
}

#[test]
fn rules_and_bytes() {
    let interface = |A: &Csr<f64>| Layout::of_matrix(&Matrix::Csr(A.clone()), &Tuning::default()).unwrap().interface;
    assert_eq!(interface(&problems::from_lengths(129, &[1, 1, 128, 1])), Interface::Rows);
    let mut uneven = vec![1; 200];
    uneven[7] = 400;
    assert_eq!(interface(&problems::from_lengths(400, &uneven)), Interface::Split);
    let bytes = |format: &str, tuning| {
        let A = Matrix::from_csr(&problems::from_lengths::<f64>(9, &[8; 64]), format.parse().unwrap()).unwrap();
        Layout::of_matrix(&A, &tuning).unwrap().bytes
    };
    let wide = Tuning { narrow: Some(false), ..Tuning::default() };
    assert_eq!(bytes("csr", wide), 65 * 8 + 512 * 12);
    assert_eq!(bytes("sell:32:1", wide), 512 * 12, "rows of 8 have their place without a table");
    assert_eq!(bytes("sell:32:1", Tuning::default()), 512 * 10 + 16 * 4);
    let A = Matrix::from_csr(&problems::from_lengths::<f64>(9, &[9; 64]), "sell:32:1".parse().unwrap()).unwrap();
    assert_eq!(Layout::of_matrix(&A, &wide).unwrap().bytes, 3 * 8 + 576 * 12);
    assert_eq!(bytes("ell-r", wide), 64 * 4 + 512 * 12);
}
