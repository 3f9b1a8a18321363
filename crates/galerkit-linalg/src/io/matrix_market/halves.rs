//! Symmetric files that list entries on both sides of the diagonal, against the format: clear where the halves agree,
//! or where an entry stands on one side only.

use super::header::Symmetry;
use crate::scalar::Scalar;
use crate::sparse::{Coo, Csr};

/// The full matrix from what a file lists; the place of an entry whose image is another number, if there is one.
pub(super) fn join<S: Scalar>(listed: &Csr<S>, symmetry: Symmetry) -> Result<Csr<S>, (usize, usize)> {
    let mut triples = Vec::with_capacity(2 * listed.nnz());
    for i in 0..listed.rows() {
        for (j, value) in listed.row(i) {
            triples.push((i, j, value));
            let image = symmetry.image(value);
            match listed.row(j).find(|&(k, _)| k == i) {
                _ if i == j => (),
                Some((_, other)) if other == image => (),
                Some(_) => return Err((i.max(j), i.min(j))),
                None => triples.push((j, i, image)),
            }
        }
    }
    let full = Coo::from_triples(listed.rows(), listed.cols(), &triples).map(|full| full.to_csr().0);
    Ok(full.expect("places inside of a matrix that was read"))
}
