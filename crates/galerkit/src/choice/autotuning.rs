//! Whether a GPU decides by times or by a model.

/// How what is left to the program is decided on a GPU: format, kernel parameters, triangular solves. Decisions that were
/// timed are cached; equal decisions give equal bits.
///
/// ```
/// use galerkit::{Autotuning, Solver};
///
/// let reproducible = Solver::new().autotuning(Autotuning::Modelled);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autotuning {
    /// The candidates that a model puts first are timed at the beginning of a long solve, and the fastest is kept.
    #[default]
    Timed,
    /// A model decides alone, always in the same way.
    Modelled,
}
