//! The kernels transcribed, thread by thread and in sequence, over exactly the words that are uploaded, with the constants
//! that are injected; compared with the reference product on whole numbers, exactly. What this cannot show is races.

mod rows;
mod split;

use super::layout::Word;
use super::{Interface, Layout, Tuning};
use crate::error::Error;
use bytemuck::Pod;
use galerkit_linalg::backend::reference::spmv;
use galerkit_linalg::sparse::{Coo, Csr, Format, Matrix};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::conformance::integers;
use galerkit_testkit::strategies;
use proptest::prelude::*;

/// What a kernel sees: the members of its struct in order, and its constants.
struct Seen<'l, 'a> {
    layout: &'l Layout<'a>,
}

impl<'l> Seen<'l, '_> {
    fn number(&self, member: usize) -> usize {
        match &self.layout.words[member] {
            Word::Number(value) => *value as usize,
            _ => panic!("member {member} is no number"),
        }
    }
    fn array<T: Pod>(&self, member: usize) -> &'l [T] {
        match &self.layout.words[member] {
            Word::Array(_, data) | Word::Values(_, data) => bytemuck::cast_slice(data.bytes()),
            _ => panic!("member {member} is no array"),
        }
    }
    /// The value of `constexpr unsigned NAME` or `constexpr bool NAME`.
    fn constant(&self, name: &str) -> usize {
        let text = &self.layout.source;
        let line = text.lines().find(|line| line.contains(&format!(" {name} = "))).unwrap_or_else(|| panic!("{name}"));
        let value = line.split(" = ").nth(1).unwrap().trim_end_matches(';');
        value.parse().unwrap_or_else(|_| usize::from(value == "true"))
    }
    fn narrow(&self) -> bool {
        self.layout.source.contains("typedef unsigned short Column;")
    }
}

/// y as a kernel leaves it; every row must be written exactly once, before anything is added to it.
struct Written<S>(Vec<Option<S>>);

impl<S: Scalar> Written<S> {
    fn new(rows: usize) -> Self {
        Self(vec![None; rows])
    }
    fn write(&mut self, i: usize, sum: S) {
        assert!(self.0[i].replace(sum).is_none(), "row {i} is written twice");
    }
    fn add(&mut self, i: usize, rest: S) {
        *self.0[i].as_mut().unwrap_or_else(|| panic!("row {i} is added to before it is written")) += rest;
    }
    fn all(self) -> Vec<S> {
        self.0.into_iter().enumerate().map(|(i, y)| y.unwrap_or_else(|| panic!("row {i} is not written"))).collect()
    }
}

/// The product as the GPU computes it, by so many blocks and threads where that matters.
fn product<S: Scalar>(A: &Matrix<S>, tuning: &Tuning, x: &[S], shape: (usize, usize)) -> Vec<S> {
    let layout = Layout::of_matrix(A, tuning).unwrap();
    let seen = Seen { layout: &layout };
    let mut y = Written::new(A.rows());
    match (A, layout.interface) {
        (Matrix::Coo(_), _) => split::coo(&seen, x, shape, &mut y),
        (Matrix::Csr(_), Interface::Split) => split::csr_balanced(&seen, x, shape, &mut y),
        (Matrix::Csr(_), _) => rows::csr(&seen, x, &mut y),
        (Matrix::Bsr(_), _) => rows::bsr(&seen, x, &mut y),
        (Matrix::Ell(_) | Matrix::EllR(_), _) => rows::ell(&seen, x, &mut y),
        (Matrix::Hyb(_), _) => split::hyb(&seen, x, shape, &mut y),
        (Matrix::EllWarp(A), _) if A.variant().splits() => rows::ell_warp(&seen, x, &mut y),
        (Matrix::Sell(_) | Matrix::EllWarp(_), _) => rows::sell(&seen, x, &mut y),
    }
    y.all()
}

const FORMATS: [&str; 25] = [
    "coo",
    "csr",
    "ell",
    "ell-r",
    "hyb",
    "hyb:0",
    "hyb:2",
    "hyb:99",
    "bsr:1",
    "bsr:2",
    "bsr:3",
    "bsr:7",
    "sell:1:1",
    "sell:3:5",
    "sell:8:256",
    "sell:32:1",
    "k1:32",
    "k1:64",
    "k1r:4",
    "k1rs:32",
    "k2:32:1",
    "k2:4:2",
    "k2r:32:2",
    "k2rs:8:3",
    "k2:1:1",
];

fn tunings() -> Vec<Tuning> {
    let default = Tuning::default();
    let mut all = vec![default, Tuning { row_major: true, ..default }, Tuning { unroll: Some(3), ..default }];
    all.extend([true, false].map(|narrow| Tuning { narrow: Some(narrow), ..default }));
    all.extend([true, false].map(|balanced| Tuning { balanced: Some(balanced), ..default }));
    all.extend([1, 2, 32].map(|lanes| Tuning { lanes: Some(lanes), balanced: Some(false), ..default }));
    all
}

/// Every format and choice on one matrix, NaN in x[0] included: it must reach exactly the rows that store column 0.
fn agrees<S: Scalar>(A: &Csr<S>, formats: &[&str], shapes: &[(usize, usize)]) {
    for name in formats {
        let format: Format = name.parse().unwrap();
        if matches!(format, Format::EllWarp { variant, .. } if variant.renumbers() && A.rows() != A.cols()) {
            continue;
        }
        let A = Matrix::from_csr(A, format).unwrap();
        let mut x = integers::<S>(A.cols(), 5);
        for poisoned in [false, true] {
            if let Some(first) = x.first_mut().filter(|_| poisoned) {
                *first = S::from_parts(f64::NAN, f64::NAN);
            }
            let mut y = vec![S::zero(); A.rows()];
            spmv(S::one(), &A, &x, S::zero(), &mut y);
            for tuning in tunings() {
                for &shape in shapes {
                    let found = product(&A, &tuning, &x, shape);
                    let same = |(a, b): (&S, &S)| a == b || (!a.finite() && !b.finite());
                    assert!(found.iter().zip(&y).all(same), "{name} {tuning:?} {shape:?}: {found:?} is not {y:?}");
                }
            }
        }
    }
}

fn from_lengths<S: Scalar>(cols: usize, lengths: &[usize]) -> Csr<S> {
    let start = std::iter::once(0).chain(lengths.iter().scan(0, |end, &length| {
        *end += length as u64;
        Some(*end)
    }));
    let col: Vec<u32> = lengths.iter().flat_map(|&length| 0..length as u32).collect();
    let val = integers(col.len(), 11);
    Csr::new(lengths.len(), cols, start.collect(), col, val).unwrap()
}

#[test]
fn edges() {
    let shapes = [(1, 32), (3, 64)];
    for (rows, cols) in [(0, 0), (0, 5), (5, 0), (1, 1), (33, 33), (65, 3)] {
        agrees(&from_lengths::<f64>(cols, &vec![0; rows]), &FORMATS, &shapes);
    }
    for n in [1, 31, 32, 33, 65] {
        let lengths: Vec<usize> = (0..n).map(|i| if i == n / 2 { n } else { [3, 0, 1][i % 3].min(n) }).collect();
        agrees(&from_lengths::<f32>(n, &lengths), &FORMATS, &shapes);
        agrees(&from_lengths::<c64>(n, &lengths), &FORMATS, &shapes);
        agrees(&from_lengths::<c32>(2 * n, &lengths), &FORMATS, &shapes);
    }
}

#[test]
fn rows_across_tiles_and_blocks() {
    let split = ["coo", "csr", "hyb:0", "hyb:3"];
    let shapes = [(1, 32), (2, 64), (5, 96), (70, 32), (33, 256)];
    agrees(&from_lengths::<f64>(9000, &[0, 3, 9000, 0, 0, 9000, 1, 0, 2600, 0]), &split, &shapes);
    agrees(&from_lengths::<f64>(70_000, &[70_000]), &split, &shapes);
    agrees(&from_lengths::<f64>(2, &[0; 6000]), &split, &shapes);
    let webbase: Vec<usize> = (0..3000).map(|i| if i % 997 == 5 { 2500 } else { [0, 1, 1, 2, 5][i % 5] }).collect();
    agrees(&from_lengths::<f64>(2500, &webbase), &split, &shapes);
}

#[test]
fn triples_in_any_order() {
    let (row, col) = (vec![4, 0, 4, 2, 0, 4], vec![1, 0, 1, 2, 2, 0]);
    let A = Coo::new(6, 3, row, col, vec![1.0, 2.0, 4.0, 8.0, 16.0, 32.0]).unwrap();
    assert_eq!(
        product(&Matrix::Coo(A), &Tuning::default(), &[1.0, 10.0, 100.0], (2, 32)),
        [1602.0, 0.0, 800.0, 0.0, 82.0, 0.0]
    );
}

#[test]
fn wide_columns_where_narrow_ones_do_not_fit() {
    let far = |distance: usize| {
        let triples = [(0, 3, 1.0), (1, 3 + distance, 2.0), (1, 70_001, 4.0)];
        Coo::from_triples(2, 70_002, &triples).unwrap().to_csr().0
    };
    for (distance, narrow) in [(65_534, true), (65_535, false)] {
        let A = Matrix::from_csr(&far(distance), "sell:32:1".parse().unwrap()).unwrap();
        let layout = Layout::of_matrix(&A, &Tuning::default()).unwrap();
        assert_eq!(Seen { layout: &layout }.narrow(), narrow, "{distance}");
        agrees(&far(distance), &["sell:32:1", "k1", "k2:32:1"], &[(1, 32)]);
    }
}

/// Diagonals with all their entries and with holes, beyond either end, and in matrices that are not square.
#[test]
fn few_diagonals_have_no_columns() {
    let on = |rows: usize, cols: usize, offsets: &[i64], hole: usize| {
        let mut triples = Vec::new();
        for i in (0..rows).filter(|i| i % hole != hole - 1) {
            let columns = offsets.iter().filter_map(|offset| usize::try_from(i as i64 + offset).ok());
            triples.extend(columns.filter(|&j| j < cols).map(|j| (i, j, 1.0 + ((i + 2 * j) % 7) as f64)));
        }
        Coo::from_triples(rows, cols, &triples).unwrap().to_csr().0
    };
    let slices: Format = "sell:32:1".parse().unwrap();
    for (rows, cols) in [(100, 100), (64, 70), (96, 90)] {
        for (offsets, hole) in [(&[-2, 0, 1][..], usize::MAX), (&[-9, -1, 0, 1, 9], 10), (&[0], 40)] {
            let A: Csr<f64> = on(rows, cols, offsets, hole);
            let sliced = Matrix::from_csr(&A, slices).unwrap();
            let layout = Layout::of_matrix(&sliced, &Tuning::default()).unwrap();
            let seen = Seen { layout: &layout };
            assert_eq!((seen.constant("WIDTH"), seen.constant("COMPLETE") == 1), (offsets.len(), hole == usize::MAX));
            agrees(&A, &["sell:32:1", "k1r:32"], &[(1, 32)]);
        }
    }
    let nine: Vec<i64> = (-4..5).collect();
    let sliced = Matrix::from_csr(&on(100, 100, &nine, usize::MAX), slices).unwrap();
    assert!(!Layout::of_matrix(&sliced, &Tuning::default()).unwrap().source.contains("COMPLETE"), "nine are many");
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
    assert_eq!(interface(&from_lengths(129, &[1, 1, 128, 1])), Interface::Rows);
    let mut uneven = vec![1; 200];
    uneven[7] = 400;
    assert_eq!(interface(&from_lengths(400, &uneven)), Interface::Split);
    let bytes = |format: &str, tuning| {
        let A = Matrix::from_csr(&from_lengths::<f64>(9, &[8; 64]), format.parse().unwrap()).unwrap();
        Layout::of_matrix(&A, &tuning).unwrap().bytes
    };
    let wide = Tuning { narrow: Some(false), ..Tuning::default() };
    assert_eq!(bytes("csr", wide), 65 * 8 + 512 * 12);
    assert_eq!(bytes("sell:32:1", wide), 512 * 12, "rows of 8 have their place without a table");
    assert_eq!(bytes("sell:32:1", Tuning::default()), 512 * 10 + 16 * 4);
    let A = Matrix::from_csr(&from_lengths::<f64>(9, &[9; 64]), "sell:32:1".parse().unwrap()).unwrap();
    assert_eq!(Layout::of_matrix(&A, &wide).unwrap().bytes, 3 * 8 + 576 * 12);
    assert_eq!(bytes("ell-r", wide), 64 * 4 + 512 * 12);
}

proptest! {
    #![proptest_config(strategies::config(24))]

    #[test]
    fn whole_numbers_agree(A in strategies::matrix::<f64>(70)) {
        agrees(&A, &FORMATS, &[(2, 32)]);
    }

    #[test]
    fn square_ones_agree(A in strategies::square::<c64>(70)) {
        agrees(&A, &FORMATS, &[(3, 64)]);
    }
}
