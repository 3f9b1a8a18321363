//! The one error type of this crate. Every variant carries its data and says what to change.

/// What can be wrong with the input of a public function.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A mesh that no space can stand on.
    #[error("invalid mesh at {place}: {problem}")]
    InvalidMesh {
        /// Cell, point or block where it was seen, by number.
        place: String,
        /// What is wrong there.
        problem: String,
    },
    /// An error of the algebra below.
    #[error(transparent)]
    Linalg(#[from] galerkit_linalg::Error),
}

/// The result of everything here that can fail.
pub type Result<T> = std::result::Result<T, Error>;
