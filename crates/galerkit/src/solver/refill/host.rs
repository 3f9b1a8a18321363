//! What the host computes for a preconditioner of new values: factors where no GPU solves, or it has no room.

use super::super::iterative::Iterative;
use super::precond::Target;
use galerkit_linalg::Scalar;
use galerkit_linalg::map::LinearMap;
use galerkit_linalg::precond::{Factors, Prepared, Recipe};
use galerkit_linalg::sparse::Csr;

impl<S: Scalar> Iterative<S> {
    /// The numbers of factors, computed by the host, in its order; none if they are refused.
    pub(super) fn host_numbers(&mut self, A: &Csr<S>) -> Option<Vec<S>> {
        let ordered = match &self.order {
            Some(order) => A.permute_symmetric(order).ok()?,
            None => A.clone(),
        };
        let single = self.is_preconditioned_in_single();
        let (_, Target { M, name, class, .. }) = self.target();
        let numbers = match (&mut *M, name.recipe()) {
            (Prepared::Sweeps(_), Some(recipe)) => {
                let mut factors = recipe.factorise(&ordered).ok()?;
                name.of_factors(factors.clone(), class).ok()?; // refuses pivots that do not suit
                factors.take_values()
            }
            (Prepared::Map(old), Some(recipe)) => {
                let factors = refilled(old.known::<Factors<S>>()?, recipe, &ordered)?;
                let Prepared::Map(made) = name.of_factors(factors, class).ok()? else { return None };
                *old = made;
                old.clone().take_values()
            }
            _ => return None,
        };
        let fits = numbers.iter().all(|value| value.finite() && (!single || value.to_single().finite()));
        fits.then_some(numbers)
    }
}

/// The factors of A on a pattern that is there.
fn refilled<S: Scalar>(factors: &Factors<S>, recipe: Recipe, A: &Csr<S>) -> Option<Factors<S>> {
    if let Recipe::FixedPoint { .. } = recipe {
        return recipe.factorise(A).ok();
    }
    let mut factors = factors.clone();
    factors.refill(&*recipe.matrix(A).ok()?).ok()?;
    Some(factors)
}
