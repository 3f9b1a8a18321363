//! Whether exact triangular solves on a GPU want the rows colour by colour, by the model of `triangular_model.rs` for
//! solves on A's pattern: fewer steps against more iterations.

use super::Chosen;
use crate::error::Result;
use crate::triangular_model::{Cost, System};
use galerkit_cuda::launch::Properties;
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::{Csr, Levels, Permutation, colouring};

/// The multicolour order, if the model says that it is better than `other` (none: as given).
pub(super) fn better<S: Scalar>(
    A: &Csr<S>,
    other: Option<&Permutation>,
    properties: &Properties,
) -> Result<Option<Chosen<Permutation>>> {
    let levels = match other {
        Some(order) => steps(&A.permute_symmetric(order)?),
        None => steps(A),
    };
    let system = System::of_pattern(A, properties);
    let usual = Cost::exact(&system, levels);
    if Cost::colours(&system, 1).work() >= usual.work() {
        return Ok(None); // even one colour would not do
    }
    let colouring = colouring(A)?;
    let coloured = Cost::colours(&system, colouring.count());
    if coloured.work() >= usual.work() {
        return Ok(None);
    }
    let steps = 2 * colouring.count();
    let reason = format!(
        "triangular solves take {steps} steps by colours and {levels} otherwise: {:.0} us expected for an iteration's worth, {:.0} us otherwise",
        1e6 * coloured.work(),
        1e6 * usual.work()
    );
    Ok(Some(Chosen::new(colouring.order(), reason)))
}

/// Levels of both triangles.
fn steps<S: Scalar>(A: &Csr<S>) -> usize {
    Levels::lower(A).count() + Levels::upper(A).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triangular_model::tests::properties;
    use galerkit_linalg::gallery::{Stencil, poisson1d, poisson2d};

    /// A chain has as many levels as rows and two colours.
    #[test]
    fn a_long_chain_wants_two_colours() {
        let A = poisson1d(10_000).unwrap();
        assert_eq!(steps(&A), 20_000);
        let chosen = better(&A, None, &properties()).unwrap().expect("colours");
        assert!(chosen.reason.contains("take 4 steps by colours and 20000 otherwise"), "{}", chosen.reason);
        assert_eq!(&chosen.value.old()[..3], [0, 2, 4]);
        assert_eq!(steps(&A.permute_symmetric(&chosen.value).unwrap()), 4);
        // In that order already, there is nothing to gain.
        assert!(better(&A, Some(&chosen.value), &properties()).unwrap().is_none());
    }

    /// Few levels: colours only cost iterations.
    #[test]
    fn a_diagonal_and_an_empty_matrix_stay() {
        for rows in [0, 1, 1000] {
            assert!(better(&Csr::<f64>::identity(rows), None, &properties()).unwrap().is_none());
        }
    }

    #[test]
    fn a_plane_wants_colours_and_its_levels_say_so() {
        let A = poisson2d(200, Stencil::Points5).unwrap();
        assert_eq!(steps(&A), 2 * 399);
        let chosen = better(&A, None, &properties()).unwrap().expect("colours");
        assert!(chosen.reason.contains("4 steps by colours and 798 otherwise"), "{}", chosen.reason);
    }
}
