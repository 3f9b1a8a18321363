//! Near-null vectors as they were given, for matrices of any scalar.

use crate::choice::Ordering;
use crate::error::Result;
use galerkit_linalg::multigrid::amg::Amg;
use galerkit_linalg::multigrid::amg::vectors::at_usual_scale;
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::sparse::Permutation;
use galerkit_linalg::{Error, Scalar, c64};
use std::fmt;
use std::sync::Arc;

/// Vectors that a matrix nearly maps to zero; copies share them.
#[derive(Clone, Default)]
pub(crate) struct NearNull(Arc<Vec<Vec<c64>>>);

impl NearNull {
    pub(crate) fn new<S: Scalar>(vectors: &[Vec<S>]) -> Self {
        let wide = |value: &S| c64::new(value.parts().0, value.parts().1);
        Self(Arc::new(vectors.iter().map(|vector| vector.iter().map(wide).collect()).collect()))
    }
    /// Whether there are any.
    pub(crate) fn is_given(&self) -> bool {
        !self.0.is_empty()
    }
    /// For a matrix of this scalar, in the order of its rows.
    pub(crate) fn vectors<S: Scalar>(&self, order: Option<&Permutation>) -> Result<Vec<Vec<S>>> {
        let narrow = |value: &c64| S::from_parts(value.re, value.im);
        let ordered = |vector: &Vec<c64>| -> Result<Vec<S>> {
            let is_lost = |value: &&c64| !S::KIND.is_complex() && value.im != 0.0;
            if let Some(value) = vector.iter().find(is_lost) {
                let expected = "the matrix is real, and so are its near-null vectors: give real and imaginary parts \
                                as two vectors";
                return Err(Error::InvalidParameter { name: "near_null", value: value.to_string(), expected }.into());
            }
            let values: Vec<S> = at_usual_scale(vector).iter().map(narrow).collect(); // before f32 overflows
            match order {
                Some(order) if order.len() == values.len() => Ok(order.gather(&values)?),
                _ => Ok(values), // of a wrong length: the set-up says so
            }
        };
        self.0.iter().map(ordered).collect()
    }
}

impl fmt::Debug for NearNull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} vectors", self.0.len())
    }
}

/// The multigrid of rows in some order: nodes of several rows must stay together.
pub(crate) fn require_whole_nodes(named: Option<Preconditioner>, ordering: Ordering, is_moved: bool) -> Result<()> {
    match named {
        Some(Preconditioner::Amg(Amg { block: 2.., .. })) if is_moved => {
            let expected = "amg with block=N needs the rows of a node together: keep the natural order";
            Err(Error::InvalidParameter { name: "ordering", value: ordering.to_string(), expected }.into())
        }
        _ => Ok(()),
    }
}
