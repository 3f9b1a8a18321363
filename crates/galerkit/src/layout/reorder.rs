//! Whether reverse Cuthill-McKee pays over the iterations of one solve:
//!
//! ```text
//! saved    (bytes of a product before - after) / bandwidth         by the model of linalg/sparse/locality.rs
//! cost     entries * (ordering + permuting)                        rates below; ordering on a GPU where that is faster
//! pays     if iterations * saved > cost
//! ```
//!
//! Before an order is computed, x read once bounds what it can save; after that only permuting is still to be paid. On
//! a CPU both sides are seconds of one thread, so that the choice, and with it every bit of x, is the same for any
//! number of threads.

mod rates;

use super::Chosen;
use crate::choice::{Choice, Ordering};
use crate::error::Result;
use crate::matrix::MatrixRef;
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::ordering::order_of;
use galerkit_linalg::Scalar;
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::sparse::{Advice, Csr, Locality, Permutation, locality_in, may_gain, reverse_cuthill_mckee};
use rates::{Cost, Rates};
use std::fmt;
use std::sync::Arc;

/// Which order was asked for, and what is known of the solve that it is for.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) ordering: Choice<Ordering>,
    /// The preconditioner that would be another one in another order; it keeps the order where that is left open.
    pub(crate) keeps: Option<Preconditioner>,
    /// The most iterations; none: it is not known what the order is for, and bytes alone decide.
    pub(crate) limit: Option<usize>,
    /// Who solves, if a GPU does.
    pub(crate) gpu: Option<&'a Arc<Gpu>>,
}

/// How many iterations are expected.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Expected {
    /// No more are allowed.
    Limit(usize),
    /// Those of conjugate gradients on a mesh in space.
    Mesh(usize),
}

impl Expected {
    /// Nothing is heard from the other end of a mesh before as many iterations as it has rows along an edge: at least
    /// the cube root of all rows. Conjugate gradients take some times that: 213 on 60^3 rows of `gallery:tetra` to a
    /// residual of 1e-8.
    fn of(rows: usize, limit: usize) -> Self {
        const TIMES: f64 = 3.0;
        let mesh = (TIMES * (rows as f64).cbrt()).ceil() as usize;
        if limit < mesh { Expected::Limit(limit) } else { Expected::Mesh(mesh) }
    }

    fn iterations(self) -> f64 {
        match self {
            Expected::Limit(count) | Expected::Mesh(count) => count as f64,
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Limit(count) => write!(f, "at most {count} iterations, the limit"),
            Expected::Mesh(count) => write!(f, "about {count} iterations, 3 for each row along the edge of a cube"),
        }
    }
}

/// The order that pays, if one does, and why.
pub(super) fn weigh<S: Scalar>(A: MatrixRef<'_, S>, asked: Asked<'_>) -> Result<Chosen<Option<Permutation>>> {
    let before = match may_gain(A.pattern(), size_of::<S>()) {
        Ok(before) => before,
        Err(stay) => return Ok(Chosen::new(None, stay.to_string())),
    };
    let Some(limit) = asked.limit else {
        let advice = advice(A.host()?, before, asked.gpu)?;
        let reason = advice.to_string();
        return Ok(Chosen::new(advice.permutation, reason));
    };
    let (rates, expected) = (Rates::of(asked.gpu.map(|gpu| gpu.properties())), Expected::of(A.rows(), limit));
    let cost = rates.cost(A.rows(), A.nnz());
    let most = rates.seconds(before.bytes() - before.least_bytes());
    if expected.iterations() * most <= cost.total() {
        let reason = format!("not reordered: would save at most {}", sentence(most, &cost, expected, &rates));
        return Ok(Chosen::new(None, reason));
    }
    let advice = advice(A.host()?, before, asked.gpu)?;
    let saved = rates.seconds(before.bytes() - advice.after.map_or(before.bytes(), |after| after.bytes()));
    let pays = advice.permutation.is_some() && expected.iterations() * saved > cost.permuting;
    let verdict = if pays || advice.permutation.is_none() { advice.to_string() } else { "not reordered".into() };
    let reason = format!("{verdict}; saves {}", sentence(saved, &cost, expected, &rates));
    Ok(Chosen::new(advice.permutation.filter(|_| pays), reason))
}

/// "1.2 ms a product, costs 150 ms, pays after 125 of about 400 iterations".
fn sentence(saved: f64, cost: &Cost, expected: Expected, rates: &Rates) -> String {
    let (product, all) = (Seconds(saved), Seconds(cost.total()));
    let after =
        if saved > 0.0 { format!("pays after {:.0}", (cost.total() / saved).ceil()) } else { "never pays".into() };
    format!("{product} a product, costs {all} ({rates}), {after}; expected: {expected}")
}

fn advice<S: Scalar>(A: &Csr<S>, before: Locality, gpu: Option<&Arc<Gpu>>) -> Result<Advice> {
    let order = rcm(A, gpu)?;
    let after = locality_in(A, &order);
    Ok(Advice::of(order, before, after))
}

/// Reverse Cuthill-McKee where it is faster; the order is the same. What a GPU cannot do, the host does.
pub(super) fn rcm<S: Scalar>(A: &Csr<S>, gpu: Option<&Arc<Gpu>>) -> Result<Permutation> {
    let gpu = gpu.filter(|gpu| Rates::of(Some(gpu.properties())).cost(A.rows(), A.nnz()).on_gpu);
    let there = gpu.and_then(|gpu| order_of(gpu, &Jit::new(gpu), A).ok()?.ok()?.download().ok());
    there.map_or_else(|| Ok(reverse_cuthill_mckee(A)?), Ok)
}

/// A time with its unit.
struct Seconds(f64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            s if s < 1e-3 => write!(f, "{:.0} us", 1e6 * s),
            s if s < 1.0 => write!(f, "{:.1} ms", 1e3 * s),
            s => write!(f, "{s:.1} s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::gallery::{Order, tetra};

    fn asked(limit: Option<usize>) -> Asked<'static> {
        Asked { ordering: Choice::Auto, keeps: None, limit, gpu: None }
    }

    #[test]
    fn the_limit_decides_whether_an_order_pays() {
        let A = tetra(52, Order::Random, 1).unwrap(); // x is just larger than the cache
        let weighed = |limit| weigh(MatrixRef::Rows(&A), asked(limit)).unwrap();
        let (many, few, unknown) = (weighed(Some(10_000)), weighed(Some(3)), weighed(None));
        assert!(many.value.is_some() && many.value == unknown.value);
        assert!(many.reason.starts_with("reordered: lines of x fetched"), "{}", many.reason);
        assert!(many.reason.contains("; expected: about 156 iterations"), "{}", many.reason);
        assert!(few.value.is_none());
        assert!(few.reason.starts_with("not reordered: would save at most "), "{}", few.reason);
        assert!(few.reason.ends_with("; expected: at most 3 iterations, the limit"), "{}", few.reason);
        assert!(!unknown.reason.contains("expected"), "{}", unknown.reason);
    }

    #[test]
    fn what_cannot_gain_is_not_weighed() {
        let A = tetra(52, Order::Natural, 1).unwrap();
        let stays = weigh(MatrixRef::Rows(&A), asked(Some(1000))).unwrap();
        assert!(stays.value.is_none() && stays.reason.starts_with("not reordered: lines of x are fetched only"));
    }

    #[test]
    fn the_choice_is_the_same_on_any_number_of_threads() {
        let A = tetra(52, Order::Random, 1).unwrap();
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| weigh(MatrixRef::Rows(&A), asked(Some(40))).unwrap())
        };
        let (one, three) = (on(1), on(3));
        assert!(one.value == three.value && one.reason == three.reason, "{} and {}", one.reason, three.reason);
    }

    #[test]
    fn expected_iterations() {
        assert_eq!(Expected::of(1_000_000, 10_000), Expected::Mesh(300));
        assert_eq!(Expected::of(1_000_000, 300), Expected::Mesh(300));
        assert_eq!(Expected::of(1_000_000, 299), Expected::Limit(299));
        assert_eq!(Expected::of(0, 10), Expected::Mesh(0));
    }

    #[test]
    fn seconds_have_units() {
        let texts = [4.2e-5, 0.0012, 0.15, 2.5].map(|s| Seconds(s).to_string());
        assert_eq!(texts, ["42 us", "1.2 ms", "150.0 ms", "2.5 s"]);
    }
}
