//! What comes after a method that failed, by how it failed and by what elimination would cost.

use super::elimination::Price;
use super::selection::{DIRECTIONS, gmres};
use crate::choice::Method;
use crate::report::Attempt;
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::{Krylov, Outcome};

/// Directions of GMRES when those at first were too few.
const MORE_DIRECTIONS: usize = 100;

/// Whether another method may do better. A small residual that is exact up to rounding is as good as any in this
/// precision; a large one with a huge x is not.
pub(super) fn is_worth_a_change<S: Scalar>(outcome: Outcome, backward_error: f64, true_residual: f64) -> bool {
    match outcome {
        Outcome::Converged | Outcome::IterationLimit | Outcome::Interrupted => false,
        Outcome::Stagnated => backward_error > 64.0 * S::eps() || true_residual > S::eps().sqrt(),
        Outcome::NotPositiveDefinite | Outcome::PreconditionerNotPositiveDefinite => true,
        Outcome::Breakdown | Outcome::Diverged | Outcome::NonFinite => true,
    }
}

/// What to try after the last of these attempts, none of them twice; `price` says what elimination costs, `iterative`
/// is the method for the matrix if there were no elimination.
pub(super) fn next(tried: &[Attempt], price: impl Fn(Method) -> Price, iterative: Method) -> Option<Method> {
    let last = tried.last()?;
    let is_new = |method: Method| !tried.iter().any(|attempt| attempt.method == method);
    let worth = |(method, most): &(Method, Price)| match method {
        Method::Krylov(_) => last.outcome != Some(Outcome::IterationLimit), // others would run out of them too
        method => price(*method) <= *most,
    };
    let fits = |candidate: &(Method, Price)| is_new(candidate.0) && worth(candidate);
    candidates(tried, last, iterative).into_iter().find(fits).map(|(method, _)| method)
}

/// Methods, and what they may cost at most if they eliminate.
fn candidates(tried: &[Attempt], last: &Attempt, iterative: Method) -> Vec<(Method, Price)> {
    let lu = |most| (Method::Lu, most);
    let krylov = |method: Method| (method, Price::TooMuch);
    let minres = krylov(Krylov::Minres.into());
    let indefinite = last.outcome == Some(Outcome::NotPositiveDefinite);
    match last.method {
        Method::Krylov(Krylov::Cg) if indefinite => vec![lu(Price::Cheap), minres],
        Method::Krylov(Krylov::Cg) => vec![(Method::Cholesky, Price::Affordable), lu(Price::Affordable), minres],
        Method::Krylov(Krylov::Minres | Krylov::Bicgstab) => vec![lu(Price::Affordable), krylov(gmres(DIRECTIONS))],
        Method::Krylov(Krylov::Gmres { restart }) if restart >= MORE_DIRECTIONS => vec![lu(Price::Dear)],
        Method::Krylov(_) => vec![lu(Price::Affordable), krylov(gmres(MORE_DIRECTIONS))],
        Method::Cholesky => vec![lu(Price::Affordable), minres],
        // Singular: iterations still solve what can be solved. An answer that is merely poor is as good as it gets.
        Method::Lu | Method::Dense if has_iterated(tried) || last.outcome.is_some() => Vec::new(),
        Method::Lu | Method::Dense => vec![krylov(iterative)],
    }
}

fn has_iterated(tried: &[Attempt]) -> bool {
    tried.iter().any(|attempt| attempt.method.krylov().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(method: Method, outcome: Option<Outcome>) -> Attempt {
        Attempt { outcome, ..Attempt::failed(method) }
    }

    /// What is tried if every method ends so, at prices of Cholesky and LU.
    fn chain(first: Method, outcome: Option<Outcome>, [cholesky, lu]: [Price; 2]) -> String {
        let price = |method| if method == Method::Cholesky { cholesky } else { lu };
        let mut tried = vec![attempt(first, outcome)];
        while let Some(follower) = next(&tried, price, Krylov::Bicgstab.into()) {
            tried.push(attempt(follower, outcome));
        }
        tried.iter().map(Attempt::name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn elimination_follows_at_once_where_it_is_affordable() {
        let stagnated = Some(Outcome::Stagnated);
        let bicgstab = Krylov::Bicgstab.into();
        assert_eq!(chain(Method::CG, stagnated, [Price::Affordable; 2]), "cg cholesky lu");
        assert_eq!(
            chain(Method::CG, stagnated, [Price::Affordable, Price::Dear]),
            "cg cholesky minres gmres:30 gmres:100 lu"
        );
        assert_eq!(chain(Method::CG, stagnated, [Price::TooMuch; 2]), "cg minres gmres:30 gmres:100");
        assert_eq!(chain(bicgstab, stagnated, [Price::Affordable; 2]), "bicgstab lu");
        assert_eq!(chain(bicgstab, stagnated, [Price::Dear; 2]), "bicgstab gmres:30 gmres:100 lu");
        assert_eq!(chain(gmres(DIRECTIONS), stagnated, [Price::Cheap; 2]), "gmres:30 lu");
    }

    #[test]
    fn indefinite_matrices_are_eliminated_only_where_that_is_cheap() {
        let indefinite = |price| {
            let tried = [attempt(Method::CG, Some(Outcome::NotPositiveDefinite))];
            next(&tried, |_| price, Method::CG).unwrap().to_string()
        };
        assert_eq!([indefinite(Price::Cheap), indefinite(Price::Affordable)], ["lu", "minres"]);
        let refused = [attempt(Method::Cholesky, None)];
        assert_eq!(next(&refused, |_| Price::Cheap, Method::CG), Some(Method::Lu));
    }

    #[test]
    fn who_is_out_of_iterations_needs_none() {
        let out = Some(Outcome::IterationLimit);
        assert_eq!(chain(Method::CG, out, [Price::Dear; 2]), "cg");
        assert_eq!(chain(Method::CG, out, [Price::Affordable; 2]), "cg cholesky lu");
    }

    #[test]
    fn singular_matrices_are_left_to_iterations_once() {
        assert_eq!(chain(Method::Lu, None, [Price::Cheap; 2]), "lu bicgstab gmres:30 gmres:100");
        assert_eq!(chain(Method::Dense, Some(Outcome::Stagnated), [Price::Cheap; 2]), "dense");
        assert_eq!(chain(Method::Cholesky, None, [Price::Cheap; 2]), "cholesky lu bicgstab gmres:30 gmres:100");
    }

    #[test]
    fn rounding_is_no_reason_to_change() {
        assert!(!is_worth_a_change::<f64>(Outcome::Stagnated, 1e-15, 1e-10));
        assert!(is_worth_a_change::<f64>(Outcome::Stagnated, 1e-6, 1e-10));
        assert!(is_worth_a_change::<f64>(Outcome::Stagnated, 1e-15, 0.5), "x is huge: A may be singular");
        assert!(is_worth_a_change::<f64>(Outcome::Breakdown, 1e-15, 1e-10));
        assert!(!is_worth_a_change::<f64>(Outcome::IterationLimit, 1.0, 1.0));
    }
}
