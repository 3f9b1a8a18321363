//! Whether exact triangular solves on a GPU want the rows colour by colour. A model, for A x and two solves on A's pattern:
//!
//! ```text
//! seconds of an application = steps * STEP + bytes / bandwidth       steps: levels of both triangles
//! seconds of an iteration   = that + bytes of A and vectors / bandwidth
//! colours win if            MORE_ITERATIONS * iteration(colours) < iteration(as it would be otherwise)
//! ```
//!
//! Rows of one colour wait for nobody of theirs, so there are as many levels as colours, where a grid in natural order has
//! about as many as rows along its edges; but what a multicolour ordering drops makes incomplete factors, and SSOR, weaker
//! (Saad, Iterative methods, 2nd ed., section 12.4.3; Duff and Meurant, BIT 29 (1989) 635-657).

use super::Chosen;
use crate::error::Result;
use galerkit_cuda::launch::Properties;
use galerkit_cuda::tune::read_bandwidth;
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::{Csr, Levels, Permutation, colouring};

/// Seconds from one level to the next: a number is published, a trip through the second-level cache brings it to the rows
/// that wait, and they sum. On an H200 (benches/results, triangular.txt) 0.2 to 1.5 us where rows are short, 4.7 us with 50
/// entries a row.
const STEP: f64 = 1.2e-6;
/// How many times the iterations colours take. With ilu0 on 26 real matrices and 3 grids that converge in both orders: the
/// mean is 2.05 against the natural order and 2.14 against reverse Cuthill-McKee, the median 1.5 (grids at most 1.2, a
/// quarter above 2.8, the worst 6.4). Time is what is weighed, so the mean counts.
const MORE_ITERATIONS: f64 = 2.1;
/// The part of the read bandwidth that triangular solves get beside waiting: 2 M rows of 7 points by colours, the same.
const EFFICIENCY: f64 = 0.25;
/// Vectors that an iteration reads or writes beside its product and its solves.
const VECTORS: usize = 12;

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
    let bandwidth = EFFICIENCY * read_bandwidth(properties);
    let least = iteration(A, 2, bandwidth);
    if MORE_ITERATIONS * least >= iteration(A, levels, bandwidth) {
        return Ok(None); // even two colours would not do
    }
    let colouring = colouring(A)?;
    let order = colouring.order();
    let steps = 2 * colouring.count();
    let (coloured, usual) = (iteration(A, steps, bandwidth), iteration(A, levels, bandwidth));
    if MORE_ITERATIONS * coloured >= usual {
        return Ok(None);
    }
    let reason = format!(
        "triangular solves take {steps} steps by colours and {levels} otherwise: {:.0} us an iteration expected, {:.0} us otherwise",
        1e6 * coloured,
        1e6 * usual
    );
    Ok(Some(Chosen::new(order, reason)))
}

/// Levels of both triangles.
fn steps<S: Scalar>(A: &Csr<S>) -> usize {
    Levels::lower(A).count() + Levels::upper(A).count()
}

/// Seconds of an iteration whose solves take so many steps.
fn iteration<S: Scalar>(A: &Csr<S>, steps: usize, bandwidth: f64) -> f64 {
    let bytes = 2 * A.bytes() + VECTORS * A.rows() * size_of::<S>(); // the factors are about as large as A
    steps as f64 * STEP + bytes as f64 / bandwidth
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::gallery::{Stencil, poisson1d, poisson2d};

    fn properties() -> Properties {
        Properties {
            ordinal: 0,
            name: "a GPU".into(),
            capability: (9, 0),
            memory: 140 << 30,
            l2: 50 << 20,
            processors: 132,
            shared: 227 << 10,
            driver: (13, 0),
        }
    }

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
