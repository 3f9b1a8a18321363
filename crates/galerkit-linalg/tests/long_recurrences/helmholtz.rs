//! The counts of spec 04, section 5: -lap u - k^2 u = 0 on the unit square, du/dn - i k u = g all around, the plane
//! wave exp(i k d.x) with d = (cos 0.4, sin 0.4), 16 x 16 bilinear squares: A = K - k^2 M - i k B, b_i = (g, phi_i).

use super::{Problem, all, unbreakable};
use galerkit_linalg::backend::{Cpu, Reference};
use galerkit_linalg::engine::{Immediate, Recorded};
use galerkit_linalg::krylov::{Krylov, Outcome, Stop};
use galerkit_linalg::{c32, c64};
use galerkit_testkit::{bits, distance, problems};

/// Gauss points and weights on (0, 1), four of them.
const GAUSS: [(f64, f64); 4] = [
    (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
    (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
];

fn plane_wave(k: f64, x: f64, y: f64) -> c64 {
    c64::from_polar(1.0, k * (0.4f64.cos() * x + 0.4f64.sin() * y))
}

type Triples = Vec<(usize, usize, c64)>;

/// The node in column i and row j of the grid of n x n squares.
fn node(n: usize, i: usize, j: usize) -> usize {
    j * (n + 1) + i
}

/// K - k^2 M
fn squares(k: f64, n: usize) -> Triples {
    let h = 1.0 / n as f64;
    let corners = [(0, 0), (1, 0), (1, 1), (0, 1)]; // around the square: neighbours are one apart, opposites two
    let mut triples = Vec::new();
    for (i, j) in (0..n * n).map(|e| (e % n, e / n)) {
        for (a, p) in corners.iter().enumerate() {
            for (b, q) in corners.iter().enumerate() {
                let apart = [0, 1, 2, 1][a.abs_diff(b)];
                let (stiffness, mass) = ([4.0, -1.0, -2.0][apart] / 6.0, h * h * [4.0, 2.0, 1.0][apart] / 36.0);
                let value = c64::new(stiffness - k * k * mass, 0.0);
                triples.push((node(n, i + p.0, j + p.1), node(n, i + q.0, j + q.1), value));
            }
        }
    }
    triples
}

/// All edges on the boundary: the grid points at both ends, and d.n.
fn boundary(n: usize) -> Vec<([(usize, usize); 2], f64)> {
    let (d_x, d_y) = (0.4f64.cos(), 0.4f64.sin());
    let around = |s: usize| {
        let horizontal = [(0, -d_y), (n, d_y)].map(|(j, d_n)| ([(s, j), (s + 1, j)], d_n));
        let vertical = [(0, -d_x), (n, d_x)].map(|(i, d_n)| ([(i, s), (i, s + 1)], d_n));
        horizontal.into_iter().chain(vertical)
    };
    (0..n).flat_map(around).collect()
}

/// The system on n x n squares.
fn impedance_square(k: f64, n: usize) -> Problem<c64> {
    let h = 1.0 / n as f64;
    let mut triples = squares(k, n);
    let mut b = vec![c64::new(0.0, 0.0); (n + 1) * (n + 1)];
    for (ends, d_n) in boundary(n) {
        let rows = ends.map(|(i, j)| node(n, i, j));
        for (a, &row) in rows.iter().enumerate() {
            for (c, &column) in rows.iter().enumerate() {
                triples.push((row, column, c64::new(0.0, -k * h * if a == c { 2.0 } else { 1.0 } / 6.0))); // -i k B
            }
            for (t, weight) in GAUSS {
                let along = |from: usize, to: usize| h * (from as f64 * (1.0 - t) + to as f64 * t);
                let u = plane_wave(k, along(ends[0].0, ends[1].0), along(ends[0].1, ends[1].1));
                let g = c64::new(0.0, k * (d_n - 1.0)) * u;
                b[row] += g * (h * weight * if a == 0 { 1.0 - t } else { t });
            }
        }
    }
    Problem::new(problems::from_triples(b.len(), b.len(), &triples), b)
}

/// The assembler itself: A is symmetric and not Hermitian, and the discrete solution is the wave within 6.5 %.
#[test]
fn assembly() {
    let problem = impedance_square(10.0, 16);
    let transpose = problem.A.transpose();
    assert_eq!(problem.A.col(), transpose.col());
    assert!(problem.A.val().iter().zip(transpose.val()).all(|(a, t)| (a - t).norm() <= 1e-15));
    assert!(problem.A.val().iter().any(|a| a.im.abs() > 0.01));
    let x = galerkit_direct::sparse_lu(&problem.A).and_then(|factor| factor.solve(&problem.b));
    let wave: Vec<c64> = (0..289).map(|i| plane_wave(10.0, (i % 17) as f64 / 16.0, (i / 17) as f64 / 16.0)).collect();
    let error = distance(&x.expect("the matrix is regular"), &wave);
    assert!((0.03..0.1).contains(&error), "{error}"); // the spec's L2 error of this mesh is 6.516e-2
}

/// The published counts: full ones within 2 %, restarted ones within 5 %.
#[test]
fn published_counts() {
    let table = [(5.0, [65, 150, 85]), (10.0, [72, 159, 100])];
    for (k, counts) in table {
        let problem = impedance_square(k, 16);
        for (restart, count, tolerance) in [(120, counts[0], 0.02), (20, counts[1], 0.05), (50, counts[2], 0.05)] {
            for method in all(restart) {
                let solved = problem.run(&mut Immediate::new(Cpu), method, &Stop::default());
                assert_eq!(solved.run.outcome, Outcome::Converged, "k = {k}, {method}");
                let off = solved.run.iterations.abs_diff(count) as f64 / count as f64;
                assert!(off <= tolerance, "k = {k}, {method}: {} iterations, not {count}", solved.run.iterations);
                let truth = problems::norm(&problem.residual(&solved.x));
                assert!(truth <= 1.0001e-8 * problems::norm(&problem.b), "k = {k}, {method}: {truth:e}");
                let grown = solved.run.history.windows(2).find(|pair| pair[1] > pair[0] * (1.0 + 1e-12));
                assert!(grown.is_none(), "k = {k}, {method}: {grown:?}");
            }
        }
    }
}

/// Both engines, through several restarts.
#[test]
fn same_bits() {
    let problem = impedance_square(10.0, 16);
    for method in all(20) {
        let immediate = problem.run(&mut Immediate::new(Cpu), method, &Stop::default());
        let recorded = problem.run(&mut Recorded::new(Cpu), method, &Stop::default());
        assert_eq!(bits(&immediate.run.history), bits(&recorded.run.history), "{method}");
        assert_eq!(bits(&immediate.x), bits(&recorded.x), "{method}");
    }
}

/// Complex f32 gets to 1e-6 with restarts and not to 1e-8, which it says.
#[test]
fn single_precision_has_a_floor() {
    let double = impedance_square(10.0, 16);
    let narrow = |value: &c64| c32::new(value.re as f32, value.im as f32);
    let problem = Problem::new(double.A.map_values(|a| narrow(&a)), double.b.iter().map(narrow).collect());
    for method in unbreakable(50).into_iter().chain([Krylov::Gcr { restart: 50 }]) {
        let stop = Stop { rtol: 1e-6, ..Stop::default() };
        let (_, reached) = problem.verify_on(&mut Immediate::new(Reference), method, &stop);
        assert_eq!(reached.run.outcome, Outcome::Converged, "{method}");
        let stop = Stop { rtol: 1e-8, limit: 1000, patience: 200, ..Stop::default() };
        let (x, refused) = problem.verify_on(&mut Immediate::new(Reference), method, &stop);
        let outcome = refused.run.outcome;
        let floor = refused.true_residual / refused.start;
        assert!(matches!(outcome, Outcome::Stagnated | Outcome::IterationLimit), "{method}: {outcome:?}");
        assert!((1e-8..1e-6).contains(&floor), "{method}: {floor:e}");
        assert!(x.iter().all(|x| x.is_finite()));
    }
}
