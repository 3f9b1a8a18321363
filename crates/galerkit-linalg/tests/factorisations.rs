//! Incomplete factorisations: numbers checkable by hand, L U = A on the pattern, levels of fill, exact cases, refills,
//! refusals, fixed-point sweeps, and the same bits from every backend and engine.

use galerkit_linalg::backend::{Cpu, Reference};
use galerkit_linalg::map::Triangular;
use galerkit_linalg::precond::{
    Class, Factorisation, Factors, Pattern, Preconditioner, ic0, ilu0, ilu0_fixed_point, iluk,
};
use galerkit_linalg::sparse::{Csr, Levels, colouring};
use galerkit_linalg::{Error, Scalar, c32, c64};
use galerkit_testkit::conformance::thirds;
use galerkit_testkit::problems::{applied, dense, from_triples, hermitian, laplacian, product, scattered};
use galerkit_testkit::{assert_close, strategies};
use proptest::prelude::*;

fn apply<S: Scalar>(M: &Factors<S>, x: &[S]) -> Vec<S> {
    let mut y = vec![S::from_f64(f64::NAN); x.len()];
    M.solve(x, &mut y);
    y
}

fn triples<S: Scalar>(A: &Csr<S>) -> Vec<(usize, usize, S)> {
    (0..A.rows()).flat_map(|i| A.row(i).map(move |(j, a)| (i, j, a))).collect()
}

/// L and U with their diagonals.
fn whole<S: Scalar>(M: &Factors<S>) -> (Csr<S>, Csr<S>) {
    let diagonal = M.inverse().iter().enumerate().map(|(i, &d)| (i, i, S::one() / d));
    let units = (0..M.rows()).map(|i| (i, i, S::one()));
    let lower = match M.kind() {
        Factorisation::Ilu => triples(M.lower()).into_iter().chain(units).collect::<Vec<_>>(),
        Factorisation::Ic => triples(M.lower()).into_iter().chain(diagonal.clone()).collect(),
    };
    let upper: Vec<_> = triples(M.upper()).into_iter().chain(diagonal).collect();
    (from_triples(M.rows(), M.rows(), &lower), from_triples(M.rows(), M.rows(), &upper))
}

/// Fails unless (L U)_ij = a_ij wherever A has an entry.
fn assert_reproduces<S: Scalar>(A: &Csr<S>, M: &Factors<S>, factor: f64) {
    let (L, U) = whole(M);
    let LU = L.multiply(&U).unwrap();
    let found: Vec<S> = triples(A).iter().map(|&(i, j, _)| LU.get(i, j).unwrap_or(S::zero())).collect();
    assert_close(&found, A.val(), factor, "L U on the pattern");
}

/// Not symmetric, dominant diagonal; the strategy's matrix with its diagonal replaced.
fn dominant<S: Scalar>(A: &Csr<S>) -> Csr<S> {
    let off = triples(A).into_iter().filter(|t| t.0 != t.1);
    let sum = |i: usize| A.row(i).map(|(_, a)| a.parts().0.abs() + a.parts().1.abs()).sum::<f64>();
    let diagonal = (0..A.rows()).map(|i| (i, i, S::from_parts(sum(i) + 1.0, 1.0)));
    from_triples(A.rows(), A.rows(), &off.chain(diagonal).collect::<Vec<_>>())
}

/// L = [1; 1/2 1; 0 1/2 1], U = [2 4 0; 4 8; 16]: tridiagonal, so nothing is dropped and all numbers are exact.
#[test]
fn ilu_by_hand() {
    let A = dense::<f64>(&[&[2.0, 4.0, 0.0], &[1.0, 6.0, 8.0], &[0.0, 2.0, 20.0]]);
    let M = ilu0(&A).unwrap();
    assert_eq!(triples(M.lower()), [(1, 0, 0.5), (2, 1, 0.5)]);
    assert_eq!(triples(M.upper()), [(0, 1, 4.0), (1, 2, 8.0)]);
    assert_eq!((M.inverse(), M.kind(), M.nnz()), (&[0.5, 0.25, 0.0625][..], Factorisation::Ilu, 7));
    assert_eq!(apply(&M, &[10.0, 37.0, 64.0]), [1.0, 2.0, 3.0]); // A (1, 2, 3)
}

/// L = [2; 1 4; 0 2 1] and, in complex numbers, L = [2; i 1].
#[test]
fn ic_by_hand() {
    let A = dense::<f64>(&[&[4.0, 2.0, 0.0], &[2.0, 17.0, 8.0], &[0.0, 8.0, 5.0]]);
    let M = ic0(&A).unwrap();
    assert_eq!(triples(M.lower()), [(1, 0, 1.0), (2, 1, 2.0)]);
    assert_eq!(triples(M.upper()), [(0, 1, 1.0), (1, 2, 2.0)]);
    assert_eq!((M.inverse(), M.kind()), (&[0.5, 0.25, 1.0][..], Factorisation::Ic));
    assert_eq!(apply(&M, &product(&A, &[3.0, 1.0, -2.0])), [3.0, 1.0, -2.0]);

    let (one, i) = (c64::new(1.0, 0.0), c64::new(0.0, 1.0));
    let A = from_triples(2, 2, &[(0, 0, one * 4.0), (0, 1, -i * 2.0), (1, 0, i * 2.0), (1, 1, one * 2.0)]);
    let M = ic0(&A).unwrap();
    assert_eq!((triples(M.lower()), triples(M.upper())), (vec![(1, 0, i)], vec![(0, 1, -i)]));
    assert_eq!(M.inverse(), [one * 0.5, one]);
    assert_eq!(apply(&M, &product(&A, &[i, one])), [i, one]);
}

/// [2 2 2; 2 4 .; 2 . 4]: the fill at (1, 2) and (2, 1) is dropped by ILU(0) and kept by ILU(1).
#[test]
fn fill_is_dropped_or_kept() {
    let A = dense::<f64>(&[&[2.0, 2.0, 2.0], &[2.0, 4.0, 0.0], &[2.0, 0.0, 4.0]]);
    let M = ilu0(&A).unwrap();
    assert_eq!(triples(M.lower()), [(1, 0, 1.0), (2, 0, 1.0)]);
    assert_eq!(M.inverse(), [0.5, 0.5, 0.5]);
    let M = iluk(&A, 1).unwrap_err(); // the Schur complement [2 -2; -2 2] is singular
    assert!(matches!(M, Error::ZeroPivot { row: 2 }));
    let A = dense::<f64>(&[&[2.0, 2.0, 2.0], &[2.0, 4.0, 0.0], &[2.0, 0.0, 8.0]]);
    let M = iluk(&A, 1).unwrap();
    assert_eq!(triples(M.lower()), [(1, 0, 1.0), (2, 0, 1.0), (2, 1, -1.0)]);
    assert_eq!((triples(M.upper()), M.inverse()[2]), (vec![(0, 1, 2.0), (0, 2, 2.0), (1, 2, -2.0)], 0.25));
}

/// Row 3 needs column 0, row 0 has column 1, row 1 column 2: fill (3, 1) of level 1 and (3, 2) of level 2.
#[test]
fn levels_of_fill() {
    let mut entries: Vec<_> = (0..4).map(|i| (i, i, 1.0)).collect();
    entries.extend([(3, 0, 1.0), (0, 1, 1.0), (1, 2, 1.0)]);
    let A = from_triples::<f64>(4, 4, &entries);
    let sizes: Vec<usize> = [0, 1, 2, 3, usize::MAX].iter().map(|&k| Pattern::of(&A, k).unwrap().nnz()).collect();
    assert_eq!(sizes, [7, 8, 9, 9, 9]);
    // The Laplacian of a square of n points: ILU(1) adds one diagonal of (n - 1)^2 entries to each triangle.
    for n in [3, 8] {
        let A = laplacian::<f64>(n, 2);
        assert_eq!(Pattern::of(&A, 0).unwrap().nnz(), A.nnz());
        assert_eq!(Pattern::of(&A, 1).unwrap().nnz(), A.nnz() + 2 * (n - 1) * (n - 1));
    }
}

fn definitions<S: Scalar>() {
    let A = hermitian::<S>(9);
    let (lu, cholesky) = (ilu0(&A).unwrap(), ic0(&A).unwrap());
    assert_reproduces(&A, &lu, 1.0);
    assert_reproduces(&A, &cholesky, 1.0);
    // IC(0) is ILU(0) with the diagonal shared between both factors: L_ic = L_ilu D^1/2.
    let squares: Vec<S> = cholesky.inverse().iter().map(|&d| d * d).collect();
    assert_close(lu.inverse(), &squares, 1.0, "pivots");
    let scaled: Vec<S> = triples(cholesky.lower()).iter().map(|&(_, j, l)| l * cholesky.inverse()[j]).collect();
    assert_close(lu.lower().val(), &scaled, 1.0, "L");
    let x = scattered::<S>(A.rows(), 3);
    assert_close(&apply(&lu, &x), &apply(&cholesky, &x), 4.0, "applied"); // two recurrences
    // Enough fill: the exact factorisation.
    let exact = iluk(&A, 81).unwrap();
    assert_close(&apply(&exact, &product(&A, &x)), &x, 4.0, "complete LU");
    let exact = Pattern::of(&A, 81).unwrap().ic(&A, 0.0).unwrap();
    assert_close(&apply(&exact, &product(&A, &x)), &x, 4.0, "complete Cholesky");
    // A shifted diagonal is that of a matrix with a larger one.
    let larger: Vec<_> =
        triples(&A).iter().map(|&(i, j, a)| (i, j, if i == j { a * S::from_f64(1.5) } else { a })).collect();
    let larger = ic0(&from_triples(A.rows(), A.rows(), &larger)).unwrap();
    let shifted = Pattern::of(&A, 0).unwrap().ic(&A, 0.5).unwrap();
    assert_eq!((shifted.lower(), shifted.inverse(), shifted.shift()), (larger.lower(), larger.inverse(), 0.5));
}

#[test]
fn factors_are_what_they_say_for_every_scalar() {
    definitions::<f32>();
    definitions::<f64>();
    definitions::<c32>();
    definitions::<c64>();
}

/// No fill arises from the Kronecker product of tridiagonal matrices: ILU(0) is the exact LU (spec 05, section 3).
#[test]
fn kronecker_products_are_factorised_exactly() {
    let n = 7;
    let T = |i: usize, j: usize| [4.0, -1.0][i.abs_diff(j)] + (i % 2) as f64;
    let near = |i: usize| i.saturating_sub(1)..(i + 2).min(n);
    let mut entries = Vec::new();
    for (i, k) in (0..n * n).map(|r| (r / n, r % n)) {
        near(i).for_each(|j| near(k).for_each(|l| entries.push((i * n + k, j * n + l, T(i, j) * T(k, l)))));
    }
    let A = from_triples::<f64>(n * n, n * n, &entries);
    let x = scattered(n * n, 1);
    assert_close(&apply(&ilu0(&A).unwrap(), &product(&A, &x)), &x, 4.0, "ILU(0) of a Kronecker product");
}

#[test]
fn a_refill_has_the_bits_of_a_rebuild() {
    let A = hermitian::<c64>(8);
    let mut other = A.clone();
    other.val_mut().iter_mut().for_each(|a| *a = a.conj() * 1.25);
    for build in [ilu0::<c64>, ic0, |A: &Csr<c64>| iluk(A, 2)] {
        let mut M = build(&A).unwrap();
        M.refill(&other).unwrap();
        assert_eq!(M, build(&other).unwrap());
        // A part of the pattern will do, entries beyond it will not; a good matrix makes the factors good again.
        let n = A.rows();
        M.refill(&from_triples(n, n, &[(n - 1, n - 1, c64::new(1.0, 0.0))])).unwrap_err();
        let diagonal: Vec<_> = (0..n).map(|i| (i, i, c64::new(4.0, 0.0))).collect();
        M.refill(&from_triples(n, n, &diagonal)).unwrap();
        assert_eq!(apply(&M, &vec![c64::new(4.0, 0.0); n]), vec![c64::new(1.0, 0.0); n]);
        let far: Vec<_> = diagonal.iter().copied().chain([(0, n - 1, c64::i()), (n - 1, 0, -c64::i())]).collect();
        assert!(matches!(M.refill(&from_triples(n, n, &far)), Err(Error::InvalidStructure { .. })));
        M.refill(&A).unwrap();
        assert_eq!(M, build(&A).unwrap());
        assert!(matches!(M.refill(&Csr::identity(3)), Err(Error::DimensionMismatch { .. })));
    }
}

#[test]
fn one_pattern_serves_every_precision() {
    let A = laplacian::<f64>(6, 2);
    let pattern = Pattern::of(&A, 1).unwrap();
    let single = A.map_values(|a| a as f32);
    assert_eq!(pattern.ilu(&single, 0.0).unwrap(), iluk(&single, 1).unwrap());
    assert_eq!(pattern.rows(), 36);
}

#[test]
fn tiny_matrices() {
    let empty = Csr::<f64>::identity(0);
    for M in
        [ilu0(&empty).unwrap(), ic0(&empty).unwrap(), iluk(&empty, 3).unwrap(), ilu0_fixed_point(&empty, 2).unwrap()]
    {
        assert_eq!((M.rows(), apply(&M, &[])), (0, vec![]));
    }
    let one = dense::<f64>(&[&[-4.0]]);
    assert_eq!(apply(&ilu0(&one).unwrap(), &[2.0]), [-0.5]);
    assert_eq!(apply(&ilu0_fixed_point(&one, 1).unwrap(), &[2.0]), [-0.5]);
    assert_eq!(apply(&ic0(&dense(&[&[4.0]])).unwrap(), &[2.0]), [0.5]);
}

/// Numbers from elsewhere need the lengths of the pattern; the verdict on a pivot is that of the factorisations.
#[test]
fn numbers_from_elsewhere() {
    let A = dense::<f64>(&[&[2.0, 4.0, 0.0], &[1.0, 6.0, 8.0], &[0.0, 2.0, 20.0]]);
    let mut M = Pattern::of(&A, 0).unwrap().blank::<f64>(Factorisation::Ilu, 0.0).unwrap();
    M.set_numbers(&[0.5, 0.5], &[4.0, 8.0], &[0.5, 0.25, 0.0625]).unwrap();
    assert_eq!(M, ilu0(&A).unwrap());
    assert!(matches!(M.set_numbers(&[0.5], &[4.0, 8.0], &[0.5; 3]), Err(Error::DimensionMismatch { found: 1, .. })));
    // Of Cholesky the upper pattern mirrors the lower, whatever A has there.
    let half = from_triples::<f64>(2, 2, &[(0, 0, 1.0), (1, 0, 0.0), (1, 1, 1.0)]);
    let blank = Pattern::of(&half, 0).unwrap().blank::<f64>(Factorisation::Ic, 0.0).unwrap();
    assert_eq!((blank.lower().nnz(), blank.upper().nnz()), (1, 1));
    assert_eq!(Factorisation::Ilu.invert(4.0, 0).unwrap(), 0.25);
    assert_eq!(Factorisation::Ic.invert(4.0, 0).unwrap(), 0.5);
    assert!(matches!(Factorisation::Ilu.invert(0.0, 3), Err(Error::ZeroPivot { row: 3 })));
    assert!(matches!(Factorisation::Ilu.invert(f64::NAN, 3), Err(Error::NonFinite { .. })));
    assert!(matches!(Factorisation::Ic.invert(-1.0, 3), Err(Error::NotPositivePivot { row: 3, .. })));
}

#[test]
fn refusals() {
    let zero = |row| move |error: &Error| matches!(error, Error::ZeroPivot { row: found } if *found == row);
    let missing = dense::<f64>(&[&[1.0, 1.0], &[1.0, 0.0]]);
    let explicit = from_triples::<f64>(2, 2, &[(0, 0, 1.0), (1, 1, 0.0)]);
    assert!(zero(1)(&ilu0(&missing).unwrap_err()) && zero(1)(&ilu0(&explicit).unwrap_err()));
    assert!(zero(1)(&ilu0_fixed_point(&missing, 1).unwrap_err()));
    assert!(zero(1)(&ilu0_fixed_point(&explicit, 1).unwrap_err()));
    // Fill of level 1 gives the second row its pivot, 0 - 1 * 1.
    assert_eq!(iluk(&missing, 1).unwrap().inverse(), [1.0, -1.0]);
    let cancels = dense::<f64>(&[&[1.0, 2.0], &[2.0, 4.0]]);
    let error = ilu0(&cancels).unwrap_err();
    assert!(zero(1)(&error) && error.to_string().contains("row 2"), "{error}");
    assert!(zero(1)(&ilu0_fixed_point(&cancels, 3).unwrap_err()));
    // IC needs positive pivots and says what to try.
    for A in [dense::<f64>(&[&[1.0, 2.0], &[2.0, 1.0]]), dense(&[&[1.0, 0.0], &[0.0, -1.0]])] {
        let error = ic0(&A).unwrap_err();
        assert!(matches!(error, Error::NotPositivePivot { row: 1, .. }));
        let text = error.to_string();
        assert!(text.contains("row 2") && text.contains("shift the diagonal") && text.contains("ILU(0)"), "{text}");
        assert!(ilu0(&A).is_ok());
    }
    assert!(ic0(&cancels).is_err()); // the pivot is exactly zero
    let saved = Pattern::of(&cancels, 0).unwrap().ic(&cancels, 0.1).unwrap();
    assert!(saved.inverse().iter().all(|d| d.is_finite()));
    let lopsided = dense::<f64>(&[&[2.0, 1.0], &[0.0, 2.0]]);
    assert!(matches!(ic0(&lopsided), Err(Error::NotHermitian { row: 0, col: 1, .. })));
    let symmetric = from_triples(1, 1, &[(0, 0, c64::new(1.0, 0.5))]);
    assert!(matches!(ic0(&symmetric), Err(Error::NotHermitian { row: 0, col: 0, .. })));
    let wide = dense::<f64>(&[&[1.0, 2.0]]);
    assert!(matches!(ilu0(&wide), Err(Error::NotSquare { .. })) && matches!(ic0(&wide), Err(Error::NotSquare { .. })));
    assert!(matches!(ilu0_fixed_point(&wide, 1), Err(Error::NotSquare { .. })));
    let nan = dense::<f64>(&[&[f64::NAN]]);
    assert!(matches!(ilu0(&nan), Err(Error::NonFinite { .. })));
    for shift in [-0.1, f64::NAN, f64::INFINITY] {
        let refused = Pattern::of(&cancels, 0).unwrap().ilu(&cancels, shift);
        assert!(matches!(refused, Err(Error::InvalidParameter { name: "shift", .. })));
    }
}

/// For CG a negative pivot is refused, for others it is as good as any.
#[test]
fn classes() {
    let A = dense::<f64>(&[&[-2.0, 1.0], &[1.0, 3.0]]);
    for name in ["jacobi", "ssor:1.5", "ilu0", "ilu:1", "ilu0-blocks:2", "ilu0-sweeps:2", "chebyshev:2"] {
        let preconditioner: Preconditioner = name.parse().unwrap();
        assert!(preconditioner.prepare(&A, Class::General).is_ok(), "{name}");
        let refused = preconditioner.prepare(&A, Class::PositiveDefinite).unwrap_err();
        let fits = matches!(refused, Error::NegativeDiagonal { row: 0, .. } | Error::NotPositivePivot { row: 0, .. });
        assert!(fits, "{name}: {refused}");
        assert!(preconditioner.build(&A).is_err());
    }
    let zero = dense::<f64>(&[&[0.0, 1.0], &[1.0, 3.0]]);
    for name in ["jacobi", "ssor:1.5", "ilu0", "ilu:1", "ic0", "ilu0-blocks:1", "ilu0-sweeps:2", "chebyshev:2"] {
        let preconditioner: Preconditioner = name.parse().unwrap();
        let refused = preconditioner.prepare(&zero, Class::General).unwrap_err();
        assert!(
            matches!(refused, Error::ZeroDiagonal { row: 0, .. } | Error::ZeroPivot { row: 0 }),
            "{name}: {refused}"
        );
    }
}

/// The distance of L U from A on the pattern, relative to A.
fn defect(A: &Csr<f64>, M: &Factors<f64>) -> f64 {
    let (L, U) = whole(M);
    let LU = L.multiply(&U).unwrap();
    let squares =
        |f: &dyn Fn(usize, usize, f64) -> f64| triples(A).iter().map(|&(i, j, a)| f(i, j, a).powi(2)).sum::<f64>();
    (squares(&|i, j, a| a - LU.get(i, j).unwrap_or(0.0)) / squares(&|_, _, a| a)).sqrt()
}

/// Chow and Patel find a few sweeps enough; as many as the longest chain of entries give the exact factors.
#[test]
fn fixed_point_sweeps_approach_the_factors() {
    let A = laplacian::<f64>(20, 2);
    let start = ilu0_fixed_point(&A, 0).unwrap();
    assert_eq!(start.lower().val(), vec![-0.25; A.nnz() / 2 - 200]);
    let defects: Vec<f64> = (0..6).map(|sweeps| defect(&A, &ilu0_fixed_point(&A, sweeps).unwrap())).collect();
    assert!(defects.windows(2).all(|pair| pair[1] < 0.5 * pair[0]), "{defects:?}");
    let (exact, found) = (ilu0(&A).unwrap(), ilu0_fixed_point(&A, 120).unwrap());
    assert_close(found.lower().val(), exact.lower().val(), 1.0, "L");
    assert_close(found.inverse(), exact.inverse(), 1.0, "the pivots");
}

/// Couplings at distances 9000 and 9001: the CPU sweeps on all threads, with the same bits.
#[test]
fn several_threads_have_the_bits_of_natural_order() {
    let n = 80_000;
    let mut entries: Vec<_> = (0..n).map(|i| (i, i, 6.0)).collect();
    for distance in [9000, 9001] {
        entries.extend((distance..n).flat_map(|i| [(i, i - distance, -1.0), (i - distance, i, -1.0)]));
    }
    let A = from_triples::<f64>(n, n, &entries);
    let x = thirds::<f64>(n, 8);
    for M in [ilu0(&A).unwrap(), ic0(&A).unwrap()] {
        let natural = apply(&M, &x);
        for threads in [1, 2, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| applied(&Cpu, Box::new(M.clone()), &x));
            assert!(found == natural, "{threads} threads");
        }
    }
}

/// Five-point grids take 2 colours, nine-point grids 4, and the reordered triangles have so many levels.
#[test]
fn as_many_levels_as_colours() {
    use galerkit_linalg::gallery::{Stencil, poisson2d};
    for (stencil, colours) in [(Stencil::Points5, 2), (Stencil::Points9, 4)] {
        let A = poisson2d(12, stencil).unwrap();
        let colouring = colouring(&A).unwrap();
        assert_eq!(colouring.count(), colours);
        let ordered = A.permute_symmetric(&colouring.order()).unwrap();
        let M = ilu0(&ordered).unwrap();
        assert_eq!((Levels::lower(M.lower()).count(), Levels::upper(M.upper()).count()), (colours, colours));
        assert!(Levels::lower(ilu0(&A).unwrap().lower()).count() > 20);
    }
    assert_eq!(colouring(&Csr::<f64>::identity(0)).unwrap().count(), 0);
    assert_eq!(colouring(&Csr::<f64>::identity(5)).unwrap().count(), 1);
    assert!(matches!(colouring(&dense::<f64>(&[&[1.0, 2.0]])), Err(Error::NotSquare { .. })));
}

proptest! {
    #![proptest_config(strategies::config(64))]

    #[test]
    fn ilu0_reproduces_any_dominant_matrix_on_its_pattern(A in strategies::square::<c64>(40)) {
        let A = dominant(&A);
        assert_reproduces(&A, &ilu0(&A).unwrap(), 1.0);
        let x = scattered::<c64>(A.rows(), 5);
        let complete = iluk(&A, A.rows()).unwrap();
        assert_close(&apply(&complete, &product(&A, &x)), &x, 16.0, "complete LU"); // fill sums up to 40 products
    }

    #[test]
    fn the_reference_and_the_cpu_have_the_same_bits(A in strategies::positive_definite::<f64>(60)) {
        let x = scattered::<f64>(A.rows(), 6);
        for M in [ilu0(&A).unwrap(), ic0(&A).unwrap(), iluk(&A, 2).unwrap()] {
            let expected = apply(&M, &x);
            let (found, reference) =
                (applied(&Cpu, Box::new(M.clone()), &x), applied(&Reference, Box::new(M), &x));
            prop_assert!(found == expected && reference == expected);
        }
    }

    #[test]
    fn fixed_point_sweeps_end_at_the_factors(A in strategies::square::<f64>(20)) {
        let A = dominant(&A);
        let (exact, found) = (ilu0(&A).unwrap(), ilu0_fixed_point(&A, 2 * A.rows()).unwrap());
        prop_assert_eq!(found.lower().col(), exact.lower().col());
        assert_close(found.inverse(), exact.inverse(), 1.0, "the pivots");
        assert_close(found.lower().val(), exact.lower().val(), 1.0, "L");
        assert_close(found.upper().val(), exact.upper().val(), 1.0, "U");
    }

    #[test]
    fn levels_of_the_coloured_order_are_the_colours(A in strategies::square::<f64>(40)) {
        let A = dominant(&A);
        let colours = colouring(&A).unwrap();
        for (i, j, _) in triples(&A) {
            prop_assert!(i == j || colours.of(i) != colours.of(j));
        }
        let ordered = A.permute_symmetric(&colours.order()).unwrap();
        let both = Csr::combine(1.0, &ordered, 1.0, &ordered.transpose()).unwrap(); // one-sided couplings count for both
        prop_assert_eq!(Levels::lower(&both).count(), colours.count());
        prop_assert!(Levels::lower(&ordered).count() <= colours.count());
    }
}
