//! A matching that a system was prepared with.

use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::sparse::Matching;

/// The matching, whose factors it was made for, and why.
pub(super) struct Matched {
    pub(super) matching: Matching,
    pub(super) name: Preconditioner,
    pub(super) reason: String,
}
