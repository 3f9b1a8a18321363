//! Every format with every choice of its loader, in several launch shapes, on small matrices: exactly as the reference,
//! and NaN in x reaches the rows that store its column and no other. They run on the emulated GPU with every
//! `cargo xtask test`.

mod together;

use galerkit_cuda::jit::Jit;
use galerkit_cuda::map::{Layout, Tuning};
use galerkit_cuda::testing;
use galerkit_linalg::backend::reference::spmv;
use galerkit_linalg::sparse::{Coo, Csr, Format, Matrix};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::conformance::integers;
use galerkit_testkit::{problems, strategies};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use together::Together;

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

/// What a loader of the format can be told.
fn tunings(format: Format) -> Vec<Tuning> {
    let default = Tuning::default();
    let lanes = [1, 2, 32].map(|lanes| Tuning { lanes: Some(lanes), balanced: Some(false), ..default });
    let more = match format {
        Format::Csr => [&lanes[..], &[true, false].map(|it| Tuning { balanced: Some(it), ..default })].concat(),
        Format::Bsr { .. } => lanes.into(),
        Format::Ell | Format::EllR => vec![Tuning { row_major: true, ..default }],
        Format::Sell { .. } | Format::EllWarp { .. } => {
            [true, false].map(|narrow| Tuning { narrow: Some(narrow), ..default }).into()
        }
        _ => Vec::new(),
    };
    [vec![default, Tuning { unroll: Some(3), ..default }], more].concat()
}

/// Matrices in the formats that take them.
fn stored<'a, S: Scalar>(all: &'a [Csr<S>], formats: &'a [&str]) -> impl Iterator<Item = (Format, Matrix<S>)> + 'a {
    let renumbers = |format| matches!(format, Format::EllWarp { variant, .. } if variant.renumbers());
    let formats = formats.iter().map(|name| name.parse::<Format>().unwrap());
    let each = all.iter().flat_map(move |A| formats.clone().map(move |format| (format, A)));
    let legal = each.filter(move |&(format, A)| A.rows() == A.cols() || !renumbers(format));
    legal.map(|(format, A)| (format, Matrix::from_csr(A, format).unwrap()))
}

/// All choices of all formats on some matrices.
fn agree<S: Scalar>(all: &[Csr<S>], formats: &[&str], shapes: &[(usize, usize)]) {
    let Some(gpu) = testing::gpu() else { return };
    let mut sources = Vec::new();
    for (format, A) in stored(all, formats) {
        let layouts = tunings(format).into_iter().map(|tuning| Layout::of_matrix(&A, &tuning).unwrap());
        sources.extend(layouts.map(|layout| (layout.interface, layout.source)));
    }
    let together = Together::new::<S>(&Jit::new(&gpu), sources);
    for (format, A) in stored(all, formats) {
        for tuning in tunings(format) {
            let map = Layout::of_matrix(&A, &tuning).unwrap().upload(&gpu).unwrap();
            for &shape in shapes {
                let what = format!("{format} {} x {} {tuning:?} {shape:?}", A.rows(), A.cols());
                agrees(&A, &what, |x| together.product(&gpu, &map, x, shape));
            }
        }
    }
}

/// One product, without and with NaN in x_0.
fn agrees<S: Scalar>(A: &Matrix<S>, what: &str, product: impl Fn(&[S]) -> Vec<S>) {
    let mut x = integers::<S>(A.cols(), 5);
    for poisoned in [false, true] {
        if let Some(first) = x.first_mut().filter(|_| poisoned) {
            *first = S::from_parts(f64::NAN, f64::NAN);
        }
        let mut y = vec![S::zero(); A.rows()];
        spmv(S::one(), A, &x, S::zero(), &mut y);
        let found = product(&x);
        let same = |(a, b): (&S, &S)| a == b || (!a.finite() && !b.finite());
        assert!(found.iter().zip(&y).all(same), "{what}: {found:?} is not {y:?}");
    }
}

/// Sizes around a warp, rows without entries, one full row; `wider` times as many columns as rows.
fn around_a_warp<S: Scalar>(wider: usize) -> Vec<Csr<S>> {
    let of_size = |n: usize| {
        let lengths: Vec<usize> = (0..n).map(|i| if i == n / 2 { n } else { [3, 0, 1][i % 3].min(n) }).collect();
        problems::from_lengths(wider * n, &lengths)
    };
    [1, 31, 32, 33, 65].map(of_size).into()
}

/// The same matrices every time.
fn some<S: Scalar>(strategy: impl Strategy<Value = Csr<S>>) -> Vec<Csr<S>> {
    let mut runner = TestRunner::new(strategies::config(1));
    (0..24).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

const SHAPES: [(usize, usize); 2] = [(1, 32), (3, 64)];

// One test a scalar: what is compiled takes longer than what is run.
#[test]
fn every_choice_f32() {
    agree(&around_a_warp::<f32>(1), &FORMATS, &SHAPES);
}
#[test]
fn every_choice_f64() {
    let empty = [(0, 0), (0, 5), (5, 0), (1, 1), (33, 33), (65, 3)];
    let empty = empty.map(|(rows, cols)| problems::from_lengths::<f64>(cols, &vec![0; rows]));
    agree(&[empty.into(), some(strategies::matrix(70))].concat(), &FORMATS, &SHAPES);
}
#[test]
fn every_choice_c32() {
    agree(&around_a_warp::<c32>(2), &FORMATS, &SHAPES);
}
#[test]
fn every_choice_c64() {
    agree(&[around_a_warp::<c64>(1), some(strategies::square(70))].concat(), &FORMATS, &SHAPES);
}

#[test]
fn rows_across_tiles_and_blocks() {
    let webbase: Vec<usize> = (0..3000).map(|i| if i % 997 == 5 { 2500 } else { [0, 1, 1, 2, 5][i % 5] }).collect();
    let matrices = [
        problems::from_lengths::<f64>(9000, &[0, 3, 9000, 0, 0, 9000, 1, 0, 2600, 0]),
        problems::from_lengths(70_000, &[70_000]),
        problems::from_lengths(2, &[0; 6000]),
        problems::from_lengths(2500, &webbase),
    ];
    let shapes = [(1, 32), (2, 64), (5, 96), (70, 32), (33, 256)];
    agree(&matrices, &["coo", "csr", "hyb:0", "hyb:3"], &shapes);
}

#[test]
fn triples_in_any_order() {
    let Some(gpu) = testing::gpu() else { return };
    let (row, col) = (vec![4, 0, 4, 2, 0, 4], vec![1, 0, 1, 2, 2, 0]);
    let A = Matrix::Coo(Coo::new(6, 3, row, col, vec![1.0, 2.0, 4.0, 8.0, 16.0, 32.0]).unwrap());
    let layout = Layout::of_matrix(&A, &Tuning::default()).unwrap();
    let together = Together::new::<f64>(&Jit::new(&gpu), vec![(layout.interface, layout.source.clone())]);
    let y = together.product(&gpu, &layout.upload(&gpu).unwrap(), &[1.0, 10.0, 100.0], (2, 32));
    assert_eq!(y, [1602.0, 0.0, 800.0, 0.0, 82.0, 0.0]);
}

/// Columns as far from each other as 16 bits can tell, and one further.
#[test]
fn columns_far_apart() {
    let far = [65_534, 65_535].map(|distance| {
        let triples = [(0, 3, 1.0), (1, 3 + distance, 2.0), (1, 70_001, 4.0)];
        Coo::from_triples(2, 70_002, &triples).unwrap().to_csr().0
    });
    agree(&far, &["sell:32:1", "k1", "k2:32:1"], &[(1, 32)]);
}

/// Diagonals with all their entries and with holes, beyond either end, and in matrices that are not square.
#[test]
fn few_diagonals() {
    let on = |(rows, cols): (usize, usize), offsets: &[i64], hole: usize| {
        let mut triples = Vec::new();
        for i in (0..rows).filter(|i| i % hole != hole - 1) {
            let columns = offsets.iter().filter_map(|offset| usize::try_from(i as i64 + offset).ok());
            triples.extend(columns.filter(|&j| j < cols).map(|j| (i, j, 1.0 + ((i + 2 * j) % 7) as f64)));
        }
        Coo::from_triples(rows, cols, &triples).unwrap().to_csr().0
    };
    let mut matrices: Vec<Csr<f64>> = Vec::new();
    for shape in [(100, 100), (64, 70), (96, 90)] {
        let kinds = [(&[-2, 0, 1][..], usize::MAX), (&[-9, -1, 0, 1, 9], 10), (&[0], 40)];
        matrices.extend(kinds.map(|(offsets, hole)| on(shape, offsets, hole)));
    }
    agree(&matrices, &["sell:32:1", "k1r:32"], &[(1, 32)]);
}
