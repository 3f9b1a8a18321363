//! What may be asked for: the parameters of spec 08, section 1, as far as they shape the hierarchy.

use galerkit_linalg::multigrid::amg::{Amg, Reuse};

/// How a hierarchy is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// An entry is strong from this fraction of the strongest of its row on.
    pub theta: f64,
    /// An entry stays in the filtered matrix from this fraction of the largest of its row on.
    pub theta_filter: f64,
    /// Free neighbours that a root of the second set must have; 0 for no second set.
    pub second: usize,
    /// Rows that are few enough to end with.
    pub coarse: usize,
    /// Most levels.
    pub levels: usize,
    /// Whether what [`refill`](super::refill) needs is kept.
    pub refillable: bool,
    /// Entries of A from which on products are computed in one pass instead of two.
    pub one_pass_from: usize,
    /// Whether stages are waited for, so that their times are those of the GPU.
    pub timed: bool,
}

impl Options {
    /// What the settings of a preconditioner ask for.
    pub fn of(amg: &Amg) -> Self {
        let Amg { theta, theta_f: theta_filter, second, coarse, levels, reuse, .. } = *amg;
        let refillable = reuse == Reuse::Aggregates;
        Self { theta, theta_filter, second, coarse, levels, refillable, ..Self::default() }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            theta: 0.25,
            theta_filter: 0.25,
            second: 4,
            coarse: 500,
            levels: 25,
            refillable: false,
            one_pass_from: 1 << 20,
            timed: false,
        }
    }
}
