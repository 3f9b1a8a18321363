//! What elimination would cost, next to iterations: asked of the pattern of a matrix, at most once for each
//! factorisation.

use crate::choice::Method;
use crate::matrix::MatrixRef;
use galerkit_direct::Fill;
use galerkit_linalg::Scalar;
use std::sync::OnceLock;

/// Up to so many entries an order is found within half a second.
const ORDERED: usize = 2_000_000;
/// Multiplications for each entry of A that make Cholesky cheap: fewer than some 150 iterations of CG take, with their
/// vectors.
const CHEAP_CHOLESKY: f64 = 300.0;
/// The same for LU, where iterations may fail altogether.
const CHEAP_LU: f64 = 1500.0;
/// The same where the count is a bound that real factors stay far below.
const CHEAP_BOUND: f64 = 5000.0;
/// So much is done while a user looks up: some tenths of a second at most.
const AT_ONCE: f64 = 2e8;
/// Some ten seconds on two cores (cage10: 4.1e10 by the bound of LU, 5.4 s).
pub(super) const AFFORDABLE: f64 = 5e10;
/// Up to this order elimination is still worth waiting for when nothing else has worked.
const LAST_RESORT: usize = 100_000;

/// The price of a factorisation, from below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Price {
    /// Less than that of iterations.
    Cheap,
    /// Worth paying once iterations have failed.
    Affordable,
    /// Worth paying when nothing else has worked.
    Dear,
    /// The factors would not fit, or nobody would wait for them.
    TooMuch,
}

/// What the factorisations of one pattern take.
#[derive(Debug, Default)]
pub(super) struct Elimination {
    cholesky: OnceLock<Option<Fill>>,
    lu: OnceLock<Option<Fill>>,
}

impl Elimination {
    /// The price of a method: of Cholesky, or else of LU.
    pub(super) fn price<S: Scalar>(&self, method: Method, A: MatrixRef<'_, S>) -> Price {
        let is_cholesky = method == Method::Cholesky;
        match self.fill(is_cholesky, A) {
            Some(fill) => price(fill, (is_cholesky, A.nnz()), fill.fits::<S>()),
            None if A.rows() <= LAST_RESORT => Price::Dear,
            None => Price::TooMuch,
        }
    }

    /// Products with A that multiply as often as a factorisation, where that is affordable.
    pub(super) fn products<S: Scalar>(&self, method: Method, A: MatrixRef<'_, S>) -> Option<usize> {
        let fill = self.fill(method == Method::Cholesky, A).filter(|_| self.price(method, A) <= Price::Affordable)?;
        Some((fill.multiplications / A.nnz().max(1) as f64) as usize)
    }

    /// What a cheap factorisation takes, for a sentence.
    pub(super) fn words<S: Scalar>(&self, method: Method, A: MatrixRef<'_, S>) -> String {
        let fill = self.fill(method == Method::Cholesky, A);
        let each = fill.map_or(0.0, |fill| (fill.multiplications / A.nnz().max(1) as f64).ceil());
        let most = if fill.is_some_and(|fill| fill.is_bound) { "at most " } else { "" };
        format!("elimination takes {most}{each} multiplications for each of its entries")
    }

    /// Whether a matrix of so many entries is small enough to find out.
    pub(super) fn looks_at(nnz: usize) -> bool {
        nnz <= ORDERED
    }

    fn fill<S: Scalar>(&self, is_cholesky: bool, A: MatrixRef<'_, S>) -> Option<Fill> {
        let A = if Self::looks_at(A.nnz()) { A.host().ok()? } else { return None };
        match is_cholesky {
            true => *self.cholesky.get_or_init(|| Fill::of_cholesky(A)),
            false => *self.lu.get_or_init(|| Fill::of_lu(A)),
        }
    }
}

fn price(fill: Fill, (is_cholesky, nnz): (bool, usize), fits: bool) -> Price {
    let (each, least) = match (is_cholesky, fill.is_bound) {
        (true, _) => (CHEAP_CHOLESKY, 0.0),
        (false, true) => (CHEAP_BOUND, AT_ONCE),
        (false, false) => (CHEAP_LU, AT_ONCE),
    };
    match fill.multiplications {
        _ if !fits => Price::TooMuch,
        work if work <= least.max(each * nnz as f64).min(AFFORDABLE) => Price::Cheap,
        work if work <= AFFORDABLE => Price::Affordable,
        _ => Price::Dear,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::gallery::{Stencil, poisson2d, poisson3d};

    #[test]
    fn prices_rise_with_the_work_and_the_memory() {
        let bound = |multiplications| Fill { entries: 1.0, multiplications, is_bound: true };
        let priced = |multiplications, is_cholesky, fits| price(bound(multiplications), (is_cholesky, 1_000_000), fits);
        let counted = |multiplications| Fill { is_bound: false, ..bound(multiplications) };
        assert_eq!(price(counted(1.4e9), (false, 1_000_000), true), Price::Cheap);
        assert_eq!(price(counted(1.6e9), (false, 1_000_000), true), Price::Affordable);
        assert_eq!(priced(2.9e8, true, true), Price::Cheap);
        assert_eq!(priced(3.1e8, true, true), Price::Affordable);
        assert_eq!([priced(4.9e9, false, true), priced(5.1e9, false, true)], [Price::Cheap, Price::Affordable]);
        assert_eq!([priced(5.1e10, false, true), priced(1.0, true, false)], [Price::Dear, Price::TooMuch]);
        let tiny = bound(1e8);
        assert_eq!([price(tiny, (false, 1), true), price(tiny, (true, 1), true)], [Price::Cheap, Price::Affordable]);
    }

    #[test]
    fn squares_are_cheap_and_cubes_are_not() {
        let square = poisson2d(40, Stencil::Points5).unwrap();
        let cube = poisson3d(20, Stencil::Points7).unwrap();
        let cholesky = |A| Elimination::default().price(Method::Cholesky, MatrixRef::Rows(A));
        assert_eq!([cholesky(&square), cholesky(&cube)], [Price::Cheap, Price::Affordable]);
        let words = Elimination::default().words(Method::Cholesky, MatrixRef::Rows(&square));
        assert!(words.starts_with("elimination takes ") && words.ends_with(" for each of its entries"), "{words}");
    }
}
