//! The error of measurements: everything the facade can say, and what only a comparison finds out.

/// What can go wrong while something is measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Said by the solver, the algebra or the GPU below.
    #[error(transparent)]
    Galerkit(#[from] galerkit::Error),
    /// A product that is not A x.
    #[error("{what} computes {found} in row {}, where {expected} is right: it is not timed; please report this", .row + 1)]
    WrongProduct {
        /// What computed it.
        what: String,
        /// 0-based row.
        row: usize,
        /// What it says.
        found: String,
        /// What is right.
        expected: String,
    },
    /// An order that is not that of reverse Cuthill-McKee on one thread.
    #[error("{who} put another row at position {position} than one thread does: it is not timed; please report this")]
    OtherOrder {
        /// Who ordered.
        who: String,
        /// The first position that differs.
        position: usize,
    },
    /// There is no cuSPARSE to compare with.
    #[error(
        "cuSPARSE not found: `pip install nvidia-cusparse`, or set GALERKIT_CUSPARSE to libcusparse or its folder (looked at: {looked})"
    )]
    NoCusparse {
        /// The places, in their order.
        looked: String,
    },
}

impl From<galerkit_linalg::Error> for Error {
    fn from(error: galerkit_linalg::Error) -> Self {
        Error::Galerkit(error.into())
    }
}

impl From<galerkit_cuda::Error> for Error {
    fn from(error: galerkit_cuda::Error) -> Self {
        Error::Galerkit(error.into())
    }
}

/// Result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;
