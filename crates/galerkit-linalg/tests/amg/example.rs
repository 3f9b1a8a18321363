//! tridiag(-1, 2, -1) of order 9, down to 4 rows, array for array.

use super::{named, solve};
use galerkit_linalg::backend::Reference;
use galerkit_linalg::engine::{Engine, Immediate, Operator};
use galerkit_linalg::gallery::poisson1d;
use galerkit_linalg::multigrid::amg::{Built, Coarsest, Levels, hash::hash, norms::norms, strength::strength};
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{Csr, Format, Matrix};

fn A() -> Csr<f64> {
    poisson1d(9).expect("a matrix")
}

fn rows(A: &Csr<f64>, factor: f64) -> Vec<Vec<f64>> {
    let dense = |i: usize| {
        let mut row = vec![0.0; A.cols()];
        A.row(i).for_each(|(j, a)| row[j] = (a * factor * 1e9).round() / 1e9);
        row
    };
    (0..A.rows()).map(dense).collect()
}

#[test]
fn stages_array_for_array() {
    let A = A();
    let expected = [948447758, 463349658, 28383046, 1042476586, 114188890, 351463363, 186689199, 828441806, 263806500];
    assert_eq!([0, 1, 2, 3, 4, 5, 6, 7, 8].map(|i| hash(i) >> 34), expected);
    let known = norms(&A);
    let l1: Vec<f64> = known.l1.iter().map(|l| (l * 1e9).round() / 1e9).collect(); // sqrt(2) rounds
    assert_eq!(l1, [3.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 3.0]);
    let graph = strength(&A, &known, 0.25);
    assert_eq!((graph.neighbours(0), graph.neighbours(4)), (&[1u32][..], &[3u32, 5][..]));
    let levels = Levels::new(&A, true, &named("amg,coarse=4"), &[]).expect("levels");
    let level = &levels.levels[0];
    assert_eq!(level.aggregates.of, [0, 0, 1, 1, 1, 1, 2, 2, 2]);
    assert_eq!((level.aggregates.count, level.aggregates.rounds), (3, 2));
    assert_eq!(level.aggregates.first, [0, 3, 7]);
    let P = [[5, 0, 0], [6, 3, 0], [3, 6, 0], [0, 9, 0], [0, 9, 0], [0, 6, 3], [0, 3, 6], [0, 0, 9], [0, 0, 5]];
    assert_eq!(rows(&level.P, 9.0), P.map(|row| row.map(f64::from).to_vec()));
    let coarse = [[44, -15, 0], [-15, 54, -27], [0, -27, 68]];
    assert_eq!(rows(levels.A.as_ref().expect("a coarse matrix"), 81.0), coarse.map(|row| row.map(f64::from).to_vec()));
    let Coarsest::Inverse(inverse) = &levels.coarsest else { panic!("three rows are inverted") };
    let expected = [
        [2.087563051702, 0.723518284994, 0.287279319042],
        [0.723518284994, 2.122320302648, 0.842686002522],
        [0.287279319042, 0.842686002522, 1.525772383354],
    ];
    let near = |found: &f64, expected: &f64| (found - expected).abs() < 1e-11;
    assert!(inverse.val.iter().zip(expected.as_flattened()).all(|(a, b)| near(a, b)), "{:?}", inverse.val);
}

fn cycle(b: &[f64]) -> Vec<f64> {
    let mut e = Immediate::new(Reference);
    let built = Built::new(&A(), true, &named("amg,coarse=4"), &[]).expect("levels");
    let A = e.load(Box::new(Matrix::Csr(A())));
    let M = built.hierarchy(&|_| Format::Csr).load_whole(&mut e, &A, Precision::Full);
    let (b, mut x) = (e.upload(b), e.zeros(9, Precision::Full));
    M.apply(&mut e, &b, &mut x);
    e.download(&x)
}

#[test]
fn the_cycle_of_two_vectors() {
    let mut first = vec![0.0; 9];
    first[0] = 1.0;
    let expected = [
        0.852991102704,
        0.750691467003,
        0.662482135351,
        0.573036990332,
        0.484474569147,
        0.422137452711,
        0.335419293821,
        0.222522068096,
        0.111079234973,
    ];
    let apart =
        |found: Vec<f64>, expected: &[f64]| found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart(cycle(&first), &expected) < 1e-11);
    let expected = [
        4.414834314138,
        7.959884405212,
        10.234306431274,
        11.526240016814,
        11.655189155107,
        11.178963850357,
        9.725249054224,
        7.325758722152,
        4.087700364299,
    ];
    assert!(apart(cycle(&[1.0; 9]), &expected) < 1e-10);
}

#[test]
fn six_iterations() {
    let solved = solve(&A(), &[1.0; 9], "amg,coarse=4", true).expect("a hierarchy");
    assert_eq!((solved.iterations, solved.converged), (6, true));
}
