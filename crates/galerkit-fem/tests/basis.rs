//! Shape functions, their matrices and rules of quadrature, against section 1 and 3 of the specification.

use galerkit_fem::basis::dense::Dense;
use galerkit_fem::basis::halves::halves;
use galerkit_fem::basis::hierarchical::{derivatives, values};
use galerkit_fem::basis::interpolate::{coefficients, project_on_face, sample_points};
use galerkit_fem::basis::interval::Interval;
use galerkit_fem::basis::tensor::Tensor;
use galerkit_fem::quadrature::{Patch, gauss, graded};

#[test]
fn gauss_rules_are_exact_to_their_degree() {
    for n in 1..=24 {
        let rule = gauss(n);
        for degree in 0..2 * n {
            let sum: f64 = rule.points.iter().zip(&rule.weights).map(|(t, w)| w * t.powi(degree as i32)).sum();
            let exact = if degree % 2 == 0 { 2.0 / (degree as f64 + 1.0) } else { 0.0 };
            assert!((sum - exact).abs() < 1e-14, "{n} points, degree {degree}: {sum}");
        }
        assert!(rule.points.is_sorted());
    }
}

#[test]
fn graded_rules_integrate_powers_of_the_distance() {
    // int over (0,1)^2 of 1/r = 2 ln(1 + sqrt 2)
    for high in [[false, false, false], [true, false, false]] {
        let corner = high.map(|high| if high { 1.0 } else { -1.0 });
        let term = |(x, w): ([f64; 3], f64)| w * 0.5 / f64::hypot(x[0] - corner[0], x[1] - corner[1]);
        let sum: f64 =
            graded(2, 8, 40, high).iter().flat_map(|patch| patch.points().map(term).collect::<Vec<_>>()).sum();
        assert!((sum - 2.0 * (1.0 + 2f64.sqrt()).ln()).abs() < 1e-9, "{sum}");
    }
    assert_eq!(Patch::gauss(3, 4).len(), 64);
}

#[test]
fn functions_are_as_the_specification_says() {
    let Interval { mass, stiffness, mixed } = Interval::of(8);
    for i in 0..=8 {
        for j in 0..=8 {
            let expected = match (i, j) {
                (0 | 1, 0 | 1) => {
                    if i == j {
                        0.5
                    } else {
                        -0.5
                    }
                }
                _ => f64::from(i == j),
            };
            assert!((stiffness[(i, j)] - expected).abs() < 1e-13, "int phi_{i}' phi_{j}'");
            if i >= 2 && j >= 2 && ![0, 2].contains(&i.abs_diff(j)) {
                assert!(mass[(i, j)].abs() < 1e-14, "int phi_{i} phi_{j}");
            }
            // by parts: int u' v + int u v' is the difference of u v at the ends
            let ends = match (i, j) {
                (0, 0) => -1.0,
                (1, 1) => 1.0,
                _ => 0.0,
            };
            assert!((mixed[(i, j)] + mixed[(j, i)] - ends).abs() < 1e-13);
        }
    }
    for t in [-0.9, -0.3, 0.0, 0.7] {
        let (at, mirrored, slopes, ahead) = (values(9, t), values(9, -t), derivatives(9, t), values(9, t + 1e-6));
        for j in 2..=9 {
            let sign = if j % 2 == 0 { 1.0 } else { -1.0 };
            assert!((mirrored[j] - sign * at[j]).abs() < 1e-15);
            assert!((slopes[j] - (ahead[j] - at[j]) / 1e-6).abs() < 1e-4);
        }
    }
    assert!(values(9, 1.0)[2..].iter().chain(&values(9, -1.0)[2..]).all(|value| value.abs() < 1e-14));
}

#[test]
fn halves_are_the_table_of_the_specification() {
    let [left, right] = halves();
    let table = [
        [1.0, 0.5, 0.0, 0.0, 0.0],
        [0.0, 0.5, 0.0, 0.0, 0.0],
        [0.0, -0.61237244, 0.25, 0.0, 0.0],
        [0.0, 0.0, -0.48412292, 0.125, 0.0],
        [0.0, 0.23385359, 0.28641098, -0.36975499, 0.0625],
    ];
    for (i, row) in table.iter().enumerate() {
        for (j, expected) in row.iter().enumerate() {
            assert!((left[(i, j)] - expected).abs() < 1e-8, "S^L({i}, {j}) = {}", left[(i, j)]);
        }
    }
    for (S, end) in [(left, -1.0), (right, 1.0)] {
        for t in [-1.0, -0.4, 0.1, 0.8, 1.0] {
            let (big, small) = (values(10, 0.5 * (t + end)), values(10, t));
            let trace = S.times(&small);
            assert!(big.iter().zip(&trace).all(|(a, b)| (a - b).abs() < 1e-13), "at {t} of the half at {end}");
        }
    }
}

#[test]
fn matrices_along_axes_are_kronecker_products() {
    let A = Dense::new(2, 3, |i, j| (i * 3 + j) as f64 - 2.0);
    let B = Dense::new(4, 3, |i, j| (i + 2 * j) as f64 - 3.0);
    let x = Tensor::cube(2, 3, (0..9).map(|k| (k * k % 7) as f64).collect());
    let y = x.along_each([&A, &B]);
    assert_eq!(y.shape, [2, 4, 1]);
    for i in 0..2 {
        for j in 0..4 {
            let sum: f64 = (0..9).map(|k| A[(i, k / 3)] * B[(j, k % 3)] * x.val[k]).sum();
            assert_eq!(y.val[i * 4 + j], sum);
        }
    }
}

#[test]
fn interpolation_keeps_polynomials_and_projects_the_rest() {
    let t = sample_points();
    let u: Vec<f64> = t.iter().map(|&t| values(6, t)).map(|v| v[0] + 2.0 * v[3] - v[6]).collect();
    let c = coefficients(1, u);
    assert!(c.iter().zip([1.0, 0.0, 0.0, 2.0, 0.0, 0.0, -1.0, 0.0]).all(|(c, e)| (c - e).abs() < 1e-12), "{c:?}");
    // A face that sees a bubble of its own, and one of a side that has too low a degree for it.
    let side = 0.7;
    let w = |s: f64, t: f64| values(4, s)[3] * values(4, t)[2] + side * values(4, s)[2] * values(4, t)[0];
    let samples: Vec<f64> = t.iter().flat_map(|&s| t.iter().map(move |&t| w(s, t))).collect();
    let n = t.len();
    let c = coefficients(2, samples);
    let mut r = Dense { rows: n, cols: n, val: c };
    assert!((r[(2, 0)] - side).abs() < 1e-12);
    let with_side = project_on_face(3, &r);
    r[(2, 0)] = 0.0;
    let own = project_on_face(3, &r);
    assert!(own.iter().zip([0.0, 0.0, 1.0, 0.0]).all(|(c, e)| (c - e).abs() < 1e-12), "{own:?}");
    assert!((with_side[0] - own[0]).abs() > 0.1);
}
