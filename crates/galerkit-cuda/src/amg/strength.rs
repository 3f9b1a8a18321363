//! Row sums, isolated rows, strong edges and the filtered diagonal (spec 08, section 2, steps 1, 2 and 8). Kernels:
//! amg_strength.cu.

use super::tools::{Tools, level_words};
use crate::convert::DeviceCsr;
use crate::error::Result;
use crate::launch::Buffer;
use crate::pool::Piece;
use galerkit_linalg::{Error, Scalar};

/// What each row says of itself.
pub(super) struct Statistics<'a> {
    pub(super) diagonal: Piece<'a>,
    root: Piece<'a>,
    pub(super) isolated: Piece<'a>,
    strongest: Piece<'a>,
    pub(super) least: Piece<'a>,
    pub(super) filtered: Piece<'a>,
    pub(super) filtered_root: Piece<'a>,
    /// 1 / l_i, of the smoother.
    pub(super) weights: Buffer,
    /// Whether each entry stays in the filtered matrix, if somebody asks again.
    pub(super) kept: Option<Buffer>,
}

/// Strong edges: those of row i from the start of the row on.
pub(super) struct Graph<'a> {
    pub(super) degree: Piece<'a>,
    pub(super) edge: Piece<'a>,
    pub(super) key: Piece<'a>,
}

/// For messages.
const NAME: &str = "amg";
/// All ones: none has failed.
const NONE: u64 = u64::MAX;

impl Tools<'_> {
    /// Looks at every row twice. With `kept` from before, entries that were kept are kept.
    pub(super) fn statistics<S: Scalar>(
        &self,
        A: &DeviceCsr<S>,
        near_null: Option<&Buffer>,
        kept: Option<Buffer>,
    ) -> Result<Statistics<'_>> {
        let (n, size) = (A.rows, size_of::<S>());
        let is_refill = kept.is_some();
        let kept = match kept {
            None if self.options.refillable => Some(Buffer::new(self.gpu(), "kept entries", A.nnz)?),
            kept => kept,
        };
        let room = || self.pool().piece(n * size);
        let made = Statistics {
            diagonal: self.pool().cleared(n * size)?,
            root: self.pool().cleared(n * size)?,
            isolated: self.pool().piece(n)?,
            strongest: room()?,
            least: room()?,
            filtered: room()?,
            filtered_root: room()?,
            weights: Buffer::new(self.gpu(), "the weights of a smoother", n * size)?,
            kept,
        };
        let failed = Buffer::filled(self.gpu(), "a check of a matrix", 16, 0xff)?;
        let words = self.strength_words(A, near_null, &made, None, (&failed, is_refill));
        self.strength("amg_diagonal", A, &words);
        self.strength("amg_statistics", A, &words);
        let found = failed.download::<u64>(2)?;
        refuse(A, &made, (found[0], found[1]))?;
        Ok(made)
    }

    /// Finds the strong edges.
    pub(super) fn edges<S: Scalar>(&self, A: &DeviceCsr<S>, statistics: &Statistics<'_>) -> Result<Graph<'_>> {
        let room = |bytes: usize| self.pool().piece(bytes);
        let graph = Graph { degree: room(4 * A.rows)?, edge: room(4 * A.nnz)?, key: room(8 * A.rows)? };
        let words = self.strength_words(A, None, statistics, Some(&graph), (&statistics.diagonal, false));
        self.strength("amg_edges", A, &words);
        Ok(graph)
    }

    /// The words of `struct Strength`.
    fn strength_words<S: Scalar>(
        &self,
        A: &DeviceCsr<S>,
        near_null: Option<&Buffer>,
        statistics: &Statistics<'_>,
        graph: Option<&Graph<'_>>,
        (failed, is_refill): (&Buffer, bool),
    ) -> Vec<u64> {
        let Statistics { diagonal, root, isolated, strongest, least, filtered, filtered_root, weights, kept } =
            statistics;
        let thresholds = [self.options.theta * self.options.theta, self.options.theta_filter].map(f64::to_bits);
        let address = |piece: &Piece<'_>| piece.address();
        let rows = [address(diagonal), address(root), weights.address(), address(isolated), address(strongest)];
        let filter = [address(least), address(filtered), address(filtered_root)];
        let edges = graph.map_or([0; 3], |graph| [&graph.degree, &graph.edge, &graph.key].map(address));
        let last = [failed.address(), kept.as_ref().map_or(0, Buffer::address), is_refill as u64];
        [&level_words(A, near_null)[..], &thresholds, &rows, &filter, &edges, &last].concat()
    }
}

/// What the host says of the first entry that is not finite, or the first row without a positive diagonal.
fn refuse<S: Scalar>(A: &DeviceCsr<S>, made: &Statistics<'_>, (entry, row): (u64, u64)) -> Result<()> {
    if entry != NONE {
        let start = A.start.download::<u64>(A.rows + 1)?;
        let row = start.partition_point(|&first| first <= entry);
        let (entry, column) = (entry as usize, A.col.download_at::<u32>(entry as usize, 1)?[0] + 1);
        let value = A.val.download_at::<S>(entry, 1)?[0].to_string();
        return Err(Error::NonFinite { what: "the matrix", value, place: format!("row {row}, column {column}") }.into());
    }
    if row != NONE {
        let row = row as usize;
        let value = made.diagonal.download_at::<S>(row, 1)?[0];
        let error = match value == S::zero() {
            true => Error::ZeroDiagonal { row, preconditioner: NAME },
            false => Error::NegativeDiagonal { row, value: value.to_string(), preconditioner: NAME },
        };
        return Err(error.into());
    }
    Ok(())
}
