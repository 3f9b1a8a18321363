//! The solvers, and where and how each is run.

use super::Place;
use galerkit::{Device, Krylov, Method};
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::sparse::Format;
use std::fmt;

/// A solver of chapter 4 of the source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solver {
    /// Conjugate gradients with this preconditioner.
    Cg(Preconditioner),
    /// L U of a sparse matrix.
    Lu,
    /// L L^T of a sparse matrix.
    Cholesky,
    /// Gaussian elimination with all zeros stored.
    Elimination,
}

impl Solver {
    /// All of them.
    pub const ALL: [Solver; 6] = [
        Solver::Cg(Preconditioner::None),
        Solver::Cg(Preconditioner::Jacobi),
        Solver::Cg(Preconditioner::Ssor { omega: 1.0 }),
        Solver::Cholesky,
        Solver::Lu,
        Solver::Elimination,
    ];

    /// The method of the facade.
    pub(super) fn method(self) -> Method {
        match self {
            Solver::Cg(_) => Krylov::Cg.into(),
            Solver::Lu => Method::Lu,
            Solver::Cholesky => Method::Cholesky,
            Solver::Elimination => Method::Dense,
        }
    }

    /// Its preconditioner.
    pub(super) fn preconditioner(self) -> Preconditioner {
        match self {
            Solver::Cg(preconditioner) => preconditioner,
            Solver::Lu | Solver::Cholesky | Solver::Elimination => Preconditioner::None,
        }
    }

    /// Whether it iterates.
    pub fn iterates(self) -> bool {
        matches!(self, Solver::Cg(_))
    }

    /// Its time grows with this power of the dimension: sparse elimination in space, dense elimination, iterations.
    pub(super) fn growth(self) -> i32 {
        match self {
            Solver::Cg(_) => 1,
            Solver::Lu | Solver::Cholesky => 2,
            Solver::Elimination => 3,
        }
    }
}

impl fmt::Display for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Solver::Cg(Preconditioner::None) => f.write_str("cg"),
            Solver::Cg(preconditioner) => write!(f, "cg + {preconditioner}"),
            Solver::Lu => f.write_str("lu"),
            Solver::Cholesky => f.write_str("cholesky"),
            Solver::Elimination => f.write_str("elimination"),
        }
    }
}

/// A solver in a place, with the format of the matrix; elimination has its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    /// The solver.
    pub solver: Solver,
    /// COO or CSR, for iterations.
    pub format: Option<Format>,
    /// Where.
    pub place: Place,
}

/// What is run at each dimension, the place that others are compared to first: one core has the iterations in CSR, the
/// others have them in both formats; elimination has all cores.
pub fn cases(places: &[Place]) -> Vec<Case> {
    let mut cases = Vec::new();
    for &place in places {
        let formats = if place == Place::ONE_CORE { &[Format::Csr][..] } else { &[Format::Csr, Format::Coo][..] };
        for solver in Solver::ALL.into_iter().filter(|solver| solver.iterates()) {
            cases.extend(formats.iter().map(|&format| Case { solver, format: Some(format), place }));
        }
    }
    if let Some(&place) = places.iter().rev().find(|place| place.device == Device::Cpu) {
        let eliminations = Solver::ALL.into_iter().filter(|solver| !solver.iterates());
        cases.extend(eliminations.map(|solver| Case { solver, format: None, place }));
    }
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elimination_runs_once_and_iterations_in_every_place() {
        let all = Place::whole(Device::Cpu);
        let found = cases(&[Place::ONE_CORE, all, Place::whole(Device::Cuda(0))]);
        let count = |solver: Solver| found.iter().filter(|case| case.solver == solver).count();
        assert_eq!(Solver::ALL.map(count), [5, 5, 5, 1, 1, 1]);
        assert!(found.iter().all(|case| case.solver.iterates() || case.place == all));
        assert_eq!(cases(&[Place::ONE_CORE]).len(), 6);
        let names = Solver::ALL.map(|solver| solver.to_string());
        assert_eq!(names, ["cg", "cg + jacobi", "cg + ssor:1", "cholesky", "lu", "elimination"]);
    }
}
