//! How an iteration ended, with a stable name for machines and a diagnosis for people.

/// How an iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The watched norm fell below the tolerance.
    Converged,
    /// The iteration limit came first.
    IterationLimit,
    /// (p, A p) was not positive: A is not positive definite.
    NotPositiveDefinite,
    /// (r, M r) was not positive: the preconditioner is not positive definite.
    PreconditionerNotPositiveDefinite,
    /// A division by zero in the recurrence.
    Breakdown,
    /// No new least residual for as long as the patience lasted, or restarts from the true residual gained nothing.
    Stagnated,
    /// The residual grew beyond the divergence factor.
    Diverged,
    /// NaN or infinity appeared.
    NonFinite,
    /// The user stopped it.
    Interrupted,
}

impl Outcome {
    /// Whether the answer is good.
    pub fn converged(self) -> bool {
        self == Outcome::Converged
    }

    /// The name in JSON reports; never changes.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Converged => "converged",
            Outcome::IterationLimit => "iteration_limit",
            Outcome::NotPositiveDefinite => "not_positive_definite",
            Outcome::PreconditionerNotPositiveDefinite => "preconditioner_not_positive_definite",
            Outcome::Breakdown => "breakdown",
            Outcome::Stagnated => "stagnated",
            Outcome::Diverged => "diverged",
            Outcome::NonFinite => "non_finite",
            Outcome::Interrupted => "interrupted",
        }
    }

    /// What that means and what to try.
    pub fn advice(self) -> &'static str {
        match self {
            Outcome::Converged => "the true residual is below the tolerance",
            Outcome::IterationLimit => {
                "the residual was still above the tolerance at the last iteration: allow more iterations or choose a \
                 stronger preconditioner"
            }
            Outcome::NotPositiveDefinite => {
                "the matrix is not Hermitian positive definite, which CG needs: check signs and boundary conditions, or \
                 choose a method for indefinite or nonsymmetric systems"
            }
            Outcome::PreconditionerNotPositiveDefinite => {
                "the preconditioner is not positive definite, which CG needs: choose another one"
            }
            Outcome::Breakdown => {
                "the recurrence divided by zero or its numbers underflowed: scale the system, use double precision or \
                 choose another method"
            }
            Outcome::Stagnated => {
                "the residual stopped falling, which is what rounding allows or what a singular system gives: loosen \
                 the tolerance, use double precision or a stronger preconditioner"
            }
            Outcome::Diverged => {
                "the residual grew far beyond its start: the system is singular and inconsistent, or the method does \
                 not suit this matrix"
            }
            Outcome::NonFinite => {
                "NaN or infinity appeared: look for them in the input, or scale the system if its numbers overflow"
            }
            Outcome::Interrupted => "stopped on request: the solution so far is returned",
        }
    }
}
