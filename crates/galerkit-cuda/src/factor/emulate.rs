//! The kernels of factor.cu, transcribed lane by lane, against the factorisations of the host: same bits, same refusals;
//! and no row may need one that comes later in the order, or a slot that nobody has published.

use super::structure::Structure;
use galerkit_linalg::gallery::{self, Stencil};
use galerkit_linalg::precond::{Factorisation, Factors, Pattern, ic0, ilu0, ilu0_fixed_point, iluk};
use galerkit_linalg::sparse::{Coo, Csr};
use galerkit_linalg::{Error, Scalar, c64};
use galerkit_testkit::{problems, strategies};
use proptest::prelude::*;

/// What the kernels write.
struct Device<S> {
    F: Structure,
    a: Vec<S>,
    f: Vec<Option<S>>,
    inverse: Vec<Option<S>>,
    failed: Option<(usize, S)>,
}

/// `find` of factor.cu.
fn find(col: &[u32], first: usize, end: usize, j: u32) -> usize {
    let (mut low, mut high) = (first, end);
    while low < high {
        let middle = (low + high) / 2;
        if col[middle] < j { low = middle + 1 } else { high = middle }
    }
    if low < end && col[low] == j { low } else { end }
}

impl<S: Scalar> Device<S> {
    fn new(A: &Csr<S>, blank: &Factors<S>) -> Self {
        let F = Structure::of(blank);
        let a = F.spread(A, blank).unwrap();
        let (f, inverse) = (vec![None; a.len()], vec![None; F.rows()]);
        Self { F, a, f, inverse, failed: None }
    }

    fn range(&self, i: usize) -> (usize, usize, usize) {
        (self.F.start[i] as usize, self.F.start[i + 1] as usize, self.F.diagonal[i] as usize)
    }

    /// `conclude` of factor.cu.
    fn conclude(&mut self, i: usize, pivot: S, kind: Factorisation) {
        let inverse = kind.invert(pivot, i);
        if inverse.is_err() && self.failed.is_none_or(|(row, _)| i < row) {
            self.failed = Some((i, pivot));
        }
        self.inverse[i] = Some(inverse.unwrap_or(S::from_f64(f64::NAN)));
    }

    /// `factor_rows` of factor.cu; the lanes of a team do not need each other between two entries of L.
    fn eliminate(&mut self, kind: Factorisation) {
        let cholesky = kind == Factorisation::Ic;
        for i in self.F.order.clone().into_iter().map(|i| i as usize) {
            let (first, end, diagonal) = self.range(i);
            let mut work: Vec<S> = self.a[first..end].to_vec();
            if cholesky {
                work.fill(S::zero());
            }
            let mut pivot = self.a[diagonal];
            for s in first..diagonal {
                let k = self.F.col[s] as usize;
                let known = if cholesky { self.a[s] - work[s - first] } else { work[s - first] };
                let l = known * self.inverse[k].expect("an earlier row");
                self.f[s] = Some(l);
                let (from, last) = (self.F.diagonal[k] as usize + 1, self.F.start[k + 1] as usize);
                for t in s + 1..if cholesky { diagonal } else { end } {
                    let u = find(&self.F.col, from, last, self.F.col[t]);
                    if u < last {
                        let lu = l * self.f[u].expect("published by an earlier row");
                        work[t - first] = if cholesky { work[t - first] + lu } else { work[t - first] - lu };
                    }
                }
                pivot -= S::from_real(l.modulus_squared());
            }
            for t in first..end {
                if cholesky && t < diagonal {
                    let mirror = self.F.mirror[t] as usize;
                    assert!(self.F.col[mirror] as usize == i && self.f[mirror].is_none());
                    self.f[mirror] = self.f[t].map(S::conj);
                }
                if !cholesky && t > diagonal {
                    self.f[t] = Some(work[t - first]);
                }
            }
            let pivot = if cholesky { pivot } else { work[diagonal - first] };
            self.conclude(i, pivot, kind);
        }
    }

    /// `factor_pivots`, `factor_sweep` and `factor_scale` of factor.cu, stopping where factor.rs stops.
    fn sweep(&mut self, sweeps: usize) {
        let mut f = self.a.clone();
        for round in 0..=sweeps {
            if round > 0 {
                f = self.swept(&f);
            }
            (0..self.F.rows()).for_each(|i| self.conclude(i, f[self.F.diagonal[i] as usize], Factorisation::Ilu));
            if self.failed.is_some() {
                return;
            }
        }
        for i in 0..self.F.rows() {
            let (first, _, diagonal) = self.range(i);
            (first..diagonal).for_each(|s| f[s] *= self.inverse[self.F.col[s] as usize].unwrap());
        }
        self.f = f.into_iter().map(Some).collect();
    }

    fn swept(&self, old: &[S]) -> Vec<S> {
        let mut next = self.a.clone();
        for i in 0..self.F.rows() {
            let (first, end, diagonal) = self.range(i);
            for (t, next) in (first..end).zip(&mut next[first..end]) {
                for s in first..t.min(diagonal) {
                    let k = self.F.col[s] as usize;
                    let last = self.F.start[k + 1] as usize;
                    let u = find(&self.F.col, self.F.diagonal[k] as usize + 1, last, self.F.col[t]);
                    if u < last {
                        *next -= old[s] * self.inverse[k].unwrap() * old[u];
                    }
                }
            }
        }
        next
    }

    fn factors(&self, blank: &Factors<S>) -> Factors<S> {
        let on_diagonal = |slot: usize| self.F.diagonal.contains(&(slot as u64));
        let value = |(slot, f): (usize, &Option<S>)| match f {
            Some(f) => *f,
            None if on_diagonal(slot) => S::zero(),
            None => panic!("slot {slot} has no value"),
        };
        let f: Vec<S> = self.f.iter().enumerate().map(value).collect();
        let (lower, upper) = self.F.split(&f);
        let inverse: Vec<S> = self.inverse.iter().map(|inverse| inverse.unwrap()).collect();
        let mut factors = blank.clone();
        factors.set_numbers(&lower, &upper, &inverse).unwrap();
        factors
    }
}

/// The host's factors, or its refusal, from what the kernels do.
fn check<S: Scalar>(A: &Csr<S>, expected: Result<Factors<S>, Error>, kind: Factorisation, fill: usize, shift: f64) {
    let blank = Pattern::of(A, fill).unwrap().blank::<S>(kind, shift).unwrap();
    let mut device = Device::new(A, &blank);
    device.eliminate(kind);
    judge(&device, &blank, expected, kind);
}

fn check_sweeps<S: Scalar>(A: &Csr<S>, sweeps: usize) {
    let blank = Pattern::of(A, 0).unwrap().blank::<S>(Factorisation::Ilu, 0.0).unwrap();
    let mut device = Device::new(A, &blank);
    device.sweep(sweeps);
    judge(&device, &blank, ilu0_fixed_point(A, sweeps), Factorisation::Ilu);
}

fn judge<S: Scalar>(device: &Device<S>, blank: &Factors<S>, expected: Result<Factors<S>, Error>, kind: Factorisation) {
    match (expected, device.failed) {
        (Ok(expected), None) => assert_eq!(device.factors(blank), expected),
        (Err(expected), Some((row, pivot))) => {
            assert_eq!(kind.invert(pivot, row).unwrap_err().to_string(), expected.to_string());
        }
        (expected, failed) => panic!("the host says {:?}, the kernels {failed:?}", expected.err()),
    }
}

fn check_all<S: Scalar>(A: &Csr<S>) {
    check(A, ilu0(A), Factorisation::Ilu, 0, 0.0);
    check(A, iluk(A, 2), Factorisation::Ilu, 2, 0.0);
    check(A, ic0(A), Factorisation::Ic, 0, 0.0);
    check(A, Pattern::of(A, 0).unwrap().ic(A, 0.25), Factorisation::Ic, 0, 0.25);
    [0, 1, 3].into_iter().for_each(|sweeps| check_sweeps(A, sweeps));
}

#[test]
fn the_drawing() {
    let A = problems::dense::<f64>(&[&[4.0, 1.0, 0.0], &[1.0, 4.0, 1.0], &[0.0, 1.0, 4.0]]);
    let F = Structure::of(&ic0(&A).unwrap());
    assert_eq!((&F.start[..], &F.diagonal[..]), (&[0u64, 2, 5, 7][..], &[0u64, 3, 6][..]));
    assert_eq!((&F.col[..], &F.order[..], F.widest), (&[0u32, 1, 0, 1, 2, 1, 2][..], &[0u32, 1, 2][..], 1));
    assert_eq!((F.mirror[2], F.mirror[5]), (1, 4));
    assert_eq!(F.lanes(), 8);
}

#[test]
fn grids_as_the_host() {
    check_all(&Csr::<f64>::identity(0));
    check_all(&Csr::<f64>::identity(5));
    check_all(&gallery::poisson1d(50).unwrap());
    check_all(&gallery::poisson2d(12, Stencil::Points9).unwrap());
    check_all(&gallery::poisson3d(6, Stencil::Points27).unwrap());
    check_all(&problems::hermitian::<c64>(9));
}

#[test]
fn refusals_as_the_host() {
    let cancels = problems::dense::<f64>(&[&[1.0, 2.0, 0.0], &[2.0, 4.0, 0.0], &[0.0, 0.0, -1.0]]);
    let indefinite = problems::dense::<f64>(&[&[1.0, 2.0], &[2.0, 1.0]]);
    let overflows = problems::dense::<f64>(&[&[1e-200, 1e200], &[1e200, 1.0]]);
    for A in [&cancels, &indefinite, &overflows] {
        check(A, ilu0(A), Factorisation::Ilu, 0, 0.0);
        check(A, ic0(A), Factorisation::Ic, 0, 0.0);
        [0, 1, 2, 3].into_iter().for_each(|sweeps| check_sweeps(A, sweeps));
    }
    // New numbers must fit the old pattern.
    let blank = ilu0(&Csr::<f64>::identity(2)).unwrap();
    let refused = Structure::of(&blank).spread(&indefinite, &blank).unwrap_err().to_string();
    assert_eq!(refused, blank.clone().refill(&indefinite).unwrap_err().to_string());
}

proptest! {
    #![proptest_config(strategies::config(64))]
    #[test]
    fn any_positive_matrix_as_the_host(A in strategies::positive_definite::<c64>(40)) {
        check_all(&A);
    }

    #[test]
    fn any_pattern_as_the_host(A in strategies::square::<f64>(40)) {
        let off = (0..A.rows()).flat_map(|i| A.row(i).filter(move |e| e.0 != i).map(move |(j, a)| (i, j, a)));
        let triples: Vec<_> = off.chain((0..A.rows()).map(|i| (i, i, 9.0))).collect();
        let A = Coo::from_triples(A.rows(), A.rows(), &triples).unwrap().to_csr().0;
        check(&A, ilu0(&A), Factorisation::Ilu, 0, 0.0);
        check(&A, iluk(&A, 1), Factorisation::Ilu, 1, 0.0);
        check_sweeps(&A, 2);
    }
}
