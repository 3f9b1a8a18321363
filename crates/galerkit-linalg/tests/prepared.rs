//! Preconditioners as methods meet them: prepared on the host, loaded into an engine. Those spoken in verbs do what
//! their formulas say, with the same bits immediate and recorded; iteration counts fall as they should; names.

mod bounds;
mod rounded;
mod swept;

use galerkit_linalg::backend::{Backend, Cpu, Reference};
use galerkit_linalg::engine::{Engine, Immediate, Recorded};
use galerkit_linalg::io::matrix_market::read_matrix;
use galerkit_linalg::krylov::{Krylov, Stop, Verified, cg, verified};
use galerkit_linalg::map::Triangular;
use galerkit_linalg::precond::{
    Chebyshev, Class, Factors, JacobiSweeps, Preconditioner, Prepared, Recipe, ic0, ilu0, ilu0_fixed_point,
};
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{AnyCsr, Csr, Levels, Matrix};
use galerkit_linalg::{Error, LinearMap, Scalar, c32, c64};
use galerkit_testkit::problems::{dense, diagonal, hermitian, inner, laplacian, norm, rhs_of_ones, scattered};
use galerkit_testkit::{assert_close, bits, data_file, summary};

fn matrix<S: Scalar>(A: &Csr<S>) -> Box<dyn LinearMap<S>> {
    Box::new(Matrix::Csr(A.clone()))
}

/// M^-1 x on any engine.
fn apply_on<E: Engine>(e: &mut E, A: &Csr<E::Scalar>, M: Prepared<E::Scalar>, x: &[E::Scalar]) -> Vec<E::Scalar> {
    let A = e.load(matrix(A));
    let M = M.load(e, &A, Precision::Full);
    let x = e.upload(x);
    let mut y = e.zeros_like(&x);
    M.apply(e, &x, &mut y);
    M.apply(e, &x, &mut y); // what the first left behind must not matter
    e.download(&y)
}

/// M^-1 x, the same bits on both engines of each backend.
fn apply<S: Scalar>(A: &Csr<S>, M: &Prepared<S>, x: &[S]) -> Vec<S> {
    let y = apply_on(&mut Immediate::new(Reference), A, M.clone(), x);
    assert_eq!(bits(&y), bits(&apply_on(&mut Recorded::new(Reference), A, M.clone(), x)));
    let fast = apply_on(&mut Immediate::new(Cpu), A, M.clone(), x);
    assert_eq!(bits(&fast), bits(&apply_on(&mut Recorded::new(Cpu), A, M.clone(), x)));
    if !x.is_empty() {
        assert_close(&fast, &y, 4.0, "CPU and reference"); // several products in turn
    }
    y
}

fn solved<S: Scalar>(M: &Factors<S>, x: &[S]) -> Vec<S> {
    let mut y = vec![S::zero(); x.len()];
    M.solve(x, &mut y);
    y
}

fn sweeps_approach_the_solve<S: Scalar>() {
    let A = hermitian::<S>(6);
    let x = scattered::<S>(36, 4);
    for M in [ilu0(&A).unwrap(), ic0(&A).unwrap()] {
        let exact = solved(&M, &x);
        let levels = Levels::lower(M.lower()).count();
        let swept = |sweeps| apply(&A, &Prepared::Sweeps(JacobiSweeps::new(&M, sweeps)), &x);
        assert_close(&swept(levels - 1), &exact, 4.0, "as many sweeps as there are levels, less one");
        assert_close(&swept(levels + 3), &exact, 4.0, "more sweeps change nothing");
        let difference = |y: &[S]| norm(&y.iter().zip(&exact).map(|(&a, &b)| a - b).collect::<Vec<_>>());
        let errors: Vec<f64> = (0..6).map(|sweeps| difference(&swept(sweeps))).collect();
        assert!(errors.windows(2).all(|pair| pair[1] < 0.8 * pair[0]), "{errors:?}");
    }
}

#[test]
fn jacobi_sweeps_approach_the_triangular_solves() {
    sweeps_approach_the_solve::<f32>();
    sweeps_approach_the_solve::<f64>();
    sweeps_approach_the_solve::<c32>();
    sweeps_approach_the_solve::<c64>();
}

/// A = [2 4; 1 6]: L = [1; 1/2 1], U = [2 4; 4]. No sweep: D^-1 x. One: u = (x_0, x_1 - x_0/2), y = c - (0, 2; 0, 0) c.
#[test]
fn jacobi_sweeps_by_hand() {
    let A = dense::<f64>(&[&[2.0, 4.0], &[1.0, 6.0]]);
    let M = ilu0(&A).unwrap();
    let swept = |sweeps| apply(&A, &Prepared::Sweeps(JacobiSweeps::new(&M, sweeps)), &[8.0, 20.0]);
    assert_eq!(swept(0), [4.0, 5.0]);
    assert_eq!(swept(1), [-4.0, 4.0]); // exact: two levels
    assert_eq!(swept(2), [-4.0, 4.0]);
    assert_eq!(swept(3), solved(&M, &[8.0, 20.0]));
}

/// T_k(t) for t outside of [-1, 1] too.
fn chebyshev_polynomial(k: usize, t: f64) -> f64 {
    let (mut before, mut now) = (1.0, t);
    for _ in 1..k {
        (before, now) = (now, 2.0 * t * now - before);
    }
    if k == 0 { 1.0 } else { now }
}

/// [4 c; conj(c) 4] with |c| = 3: D^-1 A has the eigenvalues 1/4 and 7/4. There the residual 1 - lambda q(lambda) of
/// the polynomial q of degree k is T_{k+1}((theta - lambda)/delta) / T_{k+1}(theta/delta).
fn polynomial<S: Scalar>() {
    let A = dense::<S>(&[&[4.0, 3.0], &[3.0, 4.0]]);
    for (lower, upper) in [(0.25, 1.75), (0.125, 2.0), (0.5, 1.5)] {
        let (theta, delta) = ((upper + lower) / 2.0, (upper - lower) / 2.0);
        for degree in 1..8 {
            let M = Prepared::Chebyshev(Chebyshev::with_bounds(&A, degree, lower, upper).unwrap());
            for (lambda, sign) in [(0.25, -1.0), (1.75, 1.0)] {
                let T = |t| chebyshev_polynomial(degree + 1, t);
                let residual: f64 = T((theta - lambda) / delta) / T(theta / delta);
                let q = (1.0 - residual) / (4.0 * lambda); // D^-1 = 1/4
                let found = apply(&A, &M, &[S::one(), S::from_f64(sign)]);
                let expected = [S::from_f64(q), S::from_f64(sign * q)];
                assert_close(&found, &expected, 8.0, &format!("degree {degree}")); // a recurrence of the degree
            }
        }
    }
}

#[test]
fn chebyshev_is_the_polynomial_it_says() {
    polynomial::<f32>();
    polynomial::<f64>();
    polynomial::<c32>();
    polynomial::<c64>();
}

#[test]
fn chebyshev_bounds() {
    let A = laplacian::<f64>(30, 2);
    let M = Chebyshev::from_csr(&A, 3).unwrap();
    let (lower, upper) = M.bounds();
    assert!(upper == 1.0 && (upper / lower - 30.0).abs() < 1e-12, "{lower} {upper}");
    assert!(M.inverse()[0] == 1.0 / 6.0 && M.inverse()[31] == 1.0 / 8.0, "a corner and a row inside");
    // A diagonal matrix: L^-1 A is the identity.
    let M = Chebyshev::from_csr(&diagonal::<c32>(&[4.0, -16.0]), 1).unwrap();
    assert_eq!(M.inverse(), [c32::new(0.25, 0.0), c32::new(-0.0625, 0.0)]);
    for (lower, upper) in [(0.0, 1.0), (2.0, 1.0), (1.0, 1.0), (1.0, f64::INFINITY), (f64::NAN, 1.0)] {
        let refused = Chebyshev::with_bounds(&A, 2, lower, upper);
        assert!(matches!(refused, Err(Error::InvalidParameter { name: "eigenvalue bounds", .. })));
    }
    for degree in [0, 101] {
        assert!(matches!(Chebyshev::from_csr(&A, degree), Err(Error::InvalidParameter { name: "degree", .. })));
    }
}

/// Verified CG on both engines over a backend, every bit compared.
fn solve_on<S: Scalar, B: Backend<S> + Clone>(backend: B, A: &Csr<S>, M: &Prepared<S>) -> Verified {
    fn run<E: Engine>(e: &mut E, A: &Csr<E::Scalar>, M: Prepared<E::Scalar>) -> (Vec<E::Scalar>, Verified) {
        let b = e.upload(&rhs_of_ones(A));
        let mut x = e.zeros_like(&b);
        let A = e.load(matrix(A));
        let M = M.load(e, &A, Precision::Full);
        let stop = Stop { rtol: 1e-5, replacement: 7, ..Stop::default() };
        let result = verified(e, &cg, &A, &*M, &b, &mut x, &stop);
        (e.download(&x), result)
    }
    let (x, result) = run(&mut Immediate::new(backend.clone()), A, M.clone());
    let (recorded_x, recorded) = run(&mut Recorded::new(backend), A, M.clone());
    assert_eq!(bits(&x), bits(&recorded_x));
    assert_eq!(summary(&result), summary(&recorded));
    assert!(result.run.outcome.converged());
    result
}

fn iterations<S: Scalar>(A: &Csr<S>, name: &str) -> usize {
    let preconditioner: Preconditioner = name.parse().unwrap();
    let M = preconditioner.prepare(A, Class::of(Krylov::Cg)).unwrap();
    let found = solve_on(Reference, A, &M).run.iterations;
    let fast = solve_on(Cpu, A, &M).run.iterations;
    assert!(found.abs_diff(fast) <= 1, "{name}: {found} and {fast} iterations"); // dot products are summed otherwise
    found
}

fn counts_fall<S: Scalar>() {
    let A = hermitian::<S>(24);
    let count = |name: &str| iterations(&A, name);
    let [none, jacobi, ssor, ic] = ["none", "jacobi", "ssor:1", "ic0"].map(count);
    assert!(none >= jacobi && jacobi > ssor && ssor > ic, "{none} {jacobi} {ssor} {ic}"); // equal: a constant diagonal
    assert_eq!(count("ilu0"), ic, "the same preconditioner");
    let [one, two] = ["ilu:1", "ilu:2"].map(count);
    assert!(ic > one && one > two, "{ic} {one} {two}");
    let blocks = ["ilu0-blocks:1", "ilu0-blocks:4", "ilu0-blocks:576"].map(count);
    assert_eq!([blocks[0], blocks[2]], [ic, jacobi], "all couplings, and none");
    assert!(ic < blocks[1] && blocks[1] < jacobi, "{blocks:?}");
    let swept = ["ilu0-sweeps:0", "ilu0-sweeps:1", "ilu0-sweeps:3"].map(count);
    assert!(swept.is_sorted_by(|a, b| a > b) && swept[2] <= ic + 1, "{swept:?} {ic}");
    assert_eq!(count("ilu0-sweeps:60"), ic, "more sweeps than levels are exact");
    let chebyshev = ["chebyshev:1", "chebyshev:2", "chebyshev:4"].map(count);
    assert!(chebyshev.iter().all(|&count| count < jacobi), "{jacobi} {chebyshev:?}");
    // The couplings that turn leave few eigenvalues near zero: there the bounds are too wide for a higher degree to
    // pay.
    assert!(S::KIND.is_complex() || chebyshev.is_sorted_by(|a, b| a > b), "{chebyshev:?}");
}

#[test]
fn iteration_counts_of_cg_fall() {
    counts_fall::<f32>();
    counts_fall::<f64>();
    counts_fall::<c32>();
    counts_fall::<c64>();
}

/// Rows and columns scaled by 1, 3 and 10: Jacobi and the others undo what CG without them suffers from.
#[test]
fn a_badly_scaled_laplacian() {
    let A = laplacian::<f64>(16, 2);
    let scale = |i: usize| [1.0, 3.0, 10.0][i % 3];
    let mut scaled = A.clone();
    for i in 0..A.rows() {
        for k in A.range(i) {
            scaled.val_mut()[k] *= scale(i) * scale(A.col()[k] as usize);
        }
    }
    let counts = ["none", "jacobi", "ssor:1", "ic0"].map(|name| iterations(&scaled, name));
    assert!(counts.is_sorted_by(|a, b| a > b), "{counts:?}");
}

fn real_matrix(name: &str) -> Option<Csr<f64>> {
    let file = read_matrix(data_file(&format!("suitesparse/{name}.mtx.gz"))?).unwrap();
    let AnyCsr::Real(A) = file.matrix else { panic!("{name} is real") };
    Some(A)
}

/// A power grid, and a stiffness matrix of which IC(0) does not exist without a shift.
#[test]
fn real_matrices() {
    let Some(A) = real_matrix("1138_bus") else { return };
    let counts = ["jacobi", "ssor:1", "ic0", "ilu:2"].map(|name| iterations(&A, name));
    assert!(counts.is_sorted_by(|a, b| a > b), "{counts:?}");
    let Some(A) = real_matrix("bcsstk09") else { return };
    let refused = Preconditioner::Ic0 { shift: 0.0 }.prepare(&A, Class::PositiveDefinite).unwrap_err();
    assert!(matches!(refused, Error::NotPositivePivot { row: 243, .. }), "{refused}");
    let counts = ["jacobi", "ic0:0.1", "ilu:2"].map(|name| iterations(&A, name));
    assert!(counts.is_sorted_by(|a, b| a > b), "{counts:?}");
}

/// Three fixed-point sweeps make nearly as good a preconditioner as the exact ILU(0).
#[test]
fn fixed_point_factors_precondition_as_well() {
    let A = laplacian::<f64>(40, 2);
    let count = |M: Factors<f64>| solve_on(Reference, &A, &Prepared::Map(Box::new(M))).run.iterations;
    let exact = count(ilu0(&A).unwrap());
    let counts = [0, 1, 3, 5].map(|sweeps| count(ilu0_fixed_point(&A, sweeps).unwrap()));
    assert!(counts.is_sorted_by(|a, b| a >= b) && counts[2] <= exact + 2, "{counts:?}, exact {exact}");
}

/// A preconditioner is what its recipe and its name say, whoever computes the factors.
#[test]
fn fixed_point_factors_by_name() {
    let A = hermitian::<c64>(6);
    let prepare = |name: &str| name.parse::<Preconditioner>().unwrap().prepare(&A, Class::PositiveDefinite).unwrap();
    let Prepared::Map(found) = prepare("parilu0:2") else { panic!("a map") };
    assert_eq!(found.known(), Some(&ilu0_fixed_point(&A, 2).unwrap()));
    let x = scattered::<c64>(36, 3);
    let swept = JacobiSweeps::new(&ilu0_fixed_point(&A, 2).unwrap(), 3);
    let (found, expected) = (apply(&A, &prepare("parilu0:2:3"), &x), apply(&A, &Prepared::Sweeps(swept), &x));
    assert_eq!(bits(&found), bits(&expected));
    let recipe = |name: &str| name.parse::<Preconditioner>().unwrap().recipe();
    assert_eq!(recipe("parilu0:2:3"), Some(Recipe::FixedPoint { sweeps: 2 }));
    assert_eq!(recipe("ilu0-sweeps:3"), recipe("ilu0"));
    assert_eq!(recipe("ilu0-blocks:3"), Some(Recipe::Ilu0Blocks { blocks: 3 }));
    assert_eq!((recipe("ic0:0.5"), recipe("ssor:1")), (Some(Recipe::Ic { shift: 0.5 }), None));
    let solves = |name: &str| name.parse::<Preconditioner>().unwrap().solves_triangles();
    assert!(["ssor:1", "ilu0", "ic0", "parilu0:3"].into_iter().all(solves));
    let others = ["none", "jacobi", "ilu:1", "ilu0-blocks:2", "ilu0-sweeps:3", "parilu0:3:3", "chebyshev:2"];
    assert!(!others.into_iter().any(solves));
}

/// (x, M^-1 y) = (M^-1 x, y) and (x, M^-1 x) > 0: what CG needs of operators in verbs.
#[test]
fn operators_in_verbs_are_hermitian_and_positive() {
    let A = hermitian::<c64>(7);
    let (x, y) = (scattered::<c64>(49, 1), scattered::<c64>(49, 2));
    for name in [
        "ilu0-sweeps:0",
        "ilu0-sweeps:1",
        "ilu0-sweeps:2",
        "parilu0:1",
        "parilu0:3",
        "parilu0:2:1",
        "chebyshev:1",
        "chebyshev:4",
        "ic0",
        "ilu0",
        "ilu0-blocks:3",
    ] {
        let M = name.parse::<Preconditioner>().unwrap().prepare(&A, Class::PositiveDefinite).unwrap();
        let (Mx, My) = (apply(&A, &M, &x), apply(&A, &M, &y));
        assert!((inner(&x, &My) - inner(&Mx, &y)).abs() <= 1e-12 * norm(&x) * norm(&My), "{name}");
        assert!(inner(&x, &Mx) > 0.0, "{name}");
    }
}

#[test]
fn what_is_empty_or_tiny_is_prepared_too() {
    for name in [
        "none",
        "jacobi",
        "block-jacobi:2",
        "ssor:1",
        "ilu0",
        "ilu:2",
        "ic0",
        "ilu0-blocks:1",
        "ilu0-sweeps:2",
        "parilu0:2",
        "parilu0:2:1",
        "chebyshev:3",
    ] {
        let preconditioner: Preconditioner = name.parse().unwrap();
        let empty = Csr::<f64>::identity(0);
        let M = preconditioner.prepare(&empty, Class::PositiveDefinite).unwrap();
        assert_eq!(apply(&empty, &M, &[]), [], "{name}");
        let one = Csr::<c64>::identity(1);
        let M = preconditioner.prepare(&one, Class::General).unwrap();
        let x = c64::new(3.0, 1.0);
        let y = apply(&one, &M, &[x])[0];
        // A polynomial for a whole interval of eigenvalues only comes nearer.
        let nearer = name.starts_with("chebyshev") && (y - x).norm() < x.norm();
        assert!(y == x || nearer, "{name}: {y}");
    }
}

/// What reports and memory estimates read off.
#[test]
fn accounts() {
    let A = laplacian::<f64>(10, 2);
    let prepare = |name: &str| name.parse::<Preconditioner>().unwrap().prepare(&A, Class::General).unwrap();
    let vector = 100 * size_of::<f64>();
    let M = prepare("jacobi");
    assert_eq!((M.map_bytes(), M.vectors(), M.is_elementwise(), M.traffic(1)), (vec![vector], 0, true, vector));
    assert_eq!((prepare("none").traffic(1), prepare("none").is_elementwise()), (0, true));
    let Prepared::Map(map) = prepare("ilu0") else { panic!("a map") };
    let factors = map.known::<Factors<f64>>().expect("factors");
    assert_eq!(prepare("ilu0").traffic(7), factors.bytes() + 2 * vector);
    let triangles = factors.lower().bytes() + factors.upper().bytes();
    let swept = prepare("ilu0-sweeps:2");
    assert_eq!(swept.map_bytes().iter().sum::<usize>(), triangles + vector);
    assert_eq!(swept.traffic(7), 2 * (triangles + 6 * vector) + vector);
    assert_eq!(prepare("chebyshev:3").traffic(1000), 3 * (1000 + 5 * vector) + 2 * vector);
    assert!(!swept.is_elementwise() && swept.vectors() == 4 && prepare("chebyshev:3").vectors() == 3);
}

#[test]
fn names() {
    let parse = |text: &str| text.parse::<Preconditioner>();
    for text in [
        "ilu0",
        "ilu:3",
        "ic0",
        "ic0:0.01",
        "ilu0-blocks:7",
        "ilu0-sweeps:5",
        "ilu0-sweeps:0",
        "parilu0:3",
        "parilu0:2:4",
        "chebyshev:2",
    ] {
        assert_eq!(parse(text).unwrap().to_string(), text);
    }
    assert_eq!(parse("ilu:0").unwrap(), Preconditioner::Ilu { fill: 0 });
    assert_eq!(parse("ic0").unwrap(), Preconditioner::Ic0 { shift: 0.0 });
    assert_eq!(parse("ilu0-sweeps").unwrap(), Preconditioner::Ilu0Sweeps { sweeps: 3 });
    assert_eq!(parse("parilu0").unwrap(), Preconditioner::ParIlu0 { sweeps: 5, solves: None });
    assert_eq!(parse("chebyshev").unwrap(), Preconditioner::Chebyshev { degree: 4 });
    for (text, name) in [
        ("ilu:101", "fill"),
        ("ilu:-1", "fill"),
        ("ilu:x", "fill"),
        ("ic0:-1", "shift"),
        ("ic0:nan", "shift"),
        ("ilu0-blocks:0", "blocks"),
        ("ilu0-blocks:-1", "blocks"),
        ("ilu0-blocks:", "blocks"),
        ("ilu0-sweeps:101", "sweeps"),
        ("parilu0:101", "sweeps"),
        ("parilu0:3:", "sweeps"),
        ("parilu0:3:x", "sweeps"),
        ("chebyshev:0", "degree"),
        ("chebyshev:1.5", "degree"),
    ] {
        let Err(Error::InvalidParameter { name: found, .. }) = parse(text) else { panic!("{text}") };
        assert_eq!(found, name, "{text}");
    }
    for text in ["ilu", "ilu0:1", "ic", "ILU0", "ilu0-blocks", "cheb:2"] {
        assert!(matches!(parse(text), Err(Error::UnknownName { .. })), "{text}");
    }
    assert_eq!(Class::of(Krylov::Minres), Class::PositiveDefinite);
    assert_eq!(Class::of(Krylov::Bicgstab), Class::General);
    // What is no single map cannot be built as one.
    let refused = Preconditioner::Chebyshev { degree: 2 }.build(&Csr::<f64>::identity(2)).unwrap_err();
    assert!(matches!(refused, Error::InvalidParameter { name: "preconditioner", .. }));
}
