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
    /// A file that cannot be opened, read or unpacked.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: std::path::PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file that breaks the rules of its format, or uses a part of it that is not supported.
    #[error("{}, {place}: {problem}", path.display())]
    File {
        /// The file.
        path: std::path::PathBuf,
        /// The line of a text, the byte of a binary file.
        place: String,
        /// What is wrong there, and what to change.
        problem: String,
    },
    /// An error of the algebra below.
    #[error(transparent)]
    Linalg(#[from] galerkit_linalg::Error),
}

/// The result of everything here that can fail.
pub type Result<T> = std::result::Result<T, Error>;
