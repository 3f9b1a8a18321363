//! The hierarchy of a problem: on each level the same forms and conditions are discretised again, which for nested
//! spaces is the Galerkin product P^T A P wherever quadrature is exact.

use super::coarse::{self, Coarse, Solved};
use super::settings::{Operators, Settings};
use super::smoother::smoother;
use super::spaces::coarser_spaces;
use super::transfer::Transfer;
use crate::error::{Error, Result};
use crate::matrix_free::MatrixFree;
use crate::problem::{Interior, Problem, System};
use crate::space::Space;
use galerkit_linalg::LinearMap;
use galerkit_linalg::engine::{Engine, Operator};
use galerkit_linalg::map::matrix_map;
use galerkit_linalg::multigrid::{Cycle, Hierarchy, Level, MapSizes, Polynomial, Shape, bound_on_cpu};
use galerkit_linalg::precond::Interval;
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::Matrix;
use std::sync::Arc;
use std::time::Instant;

/// Lanczos steps for the largest eigenvalue of each level.
const STEPS: usize = 16;

/// A level in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelSize {
    /// Its highest degree; none below all spaces, where algebraic multigrid goes on.
    pub degree: Option<usize>,
    /// Its cells.
    pub cells: Option<usize>,
    /// Its unknowns.
    pub unknowns: usize,
    /// Entries of its matrix; 0 where there is none.
    pub nnz: usize,
    /// Bytes of its matrix or operator; on the coarsest of its inverse.
    pub operator_bytes: usize,
    /// Bytes of smoother and transfers, and of the operator below the finest.
    pub bytes: usize,
    /// Seconds of its set-up; on the coarsest of all below, too.
    pub seconds: f64,
}

/// p-multigrid for the system of a problem, in host memory.
#[derive(Clone, Debug)]
pub struct Multigrid {
    hierarchy: Hierarchy<f64>,
    spaces: Vec<Arc<Space>>,
    coarse: Coarse,
    precision: Precision,
    seconds: Vec<f64>, // of the set-up of each level that is a space
}

impl Multigrid {
    /// For the matrix of a problem with its interior functions kept. On a component of the domain without Dirichlet
    /// boundary, reaction and Robin term constants cost nothing on every level, and the coarsest solve leaves one
    /// vertex out.
    ///
    /// # Errors
    /// If coefficients are not what they must be.
    pub fn new(problem: &Problem, settings: &Settings) -> Result<Self> {
        Self::over(problem, None, settings)
    }

    /// The same where that matrix is assembled already.
    ///
    /// # Errors
    /// As [`new`](Self::new), and if a vertex is pinned in it, of which coarser levels know nothing: see
    /// [`assemble_semidefinite`](Problem::assemble_semidefinite).
    pub fn of_system(problem: &Problem, system: &System, settings: &Settings) -> Result<Self> {
        if system.is_pinned {
            let problem =
                "multigrid needs a matrix without a pinned vertex: assemble it by assemble_semidefinite".into();
            return Err(Error::NotSolved { problem });
        }
        Self::over(problem, Some(matrix_map(Matrix::Csr(system.A.clone()))), settings)
    }

    fn over(problem: &Problem, finest: Option<Box<dyn LinearMap<f64>>>, settings: &Settings) -> Result<Self> {
        let spaces = coarser_spaces(problem.space(), settings.explicit)?;
        let (coarsest, finer) = spaces.split_last().expect("the finest is one");
        let level = |(l, space): (usize, &Arc<Space>)| {
            let problem = problem.homogeneous_on(space.clone());
            let A = finest.clone().filter(|_| l == 0).map_or_else(|| operator(&problem, settings), Ok)?;
            level(&problem, A, &spaces[l + 1], settings)
        };
        let mut seconds = Vec::new();
        let timed = |place| {
            let begun = Instant::now();
            let level = level(place);
            seconds.push(begun.elapsed().as_secs_f64());
            level
        };
        let mut levels = finer.iter().enumerate().map(timed).collect::<Result<Vec<_>>>()?;
        let begun = Instant::now();
        let system = problem.homogeneous_on(coarsest.clone()).assemble_semidefinite(Interior::Kept)?;
        let Solved { how: coarse, levels: further, bottom } = coarse::solved(system, settings.explicit)?;
        levels.extend(further);
        seconds.push(begun.elapsed().as_secs_f64());
        let hierarchy = Hierarchy { levels, bottom, shape: Shape::V, is_hermitian: true, scale: 1.0 };
        Ok(Self { hierarchy, spaces, coarse, precision: settings.precision, seconds })
    }

    /// The V-cycle in an engine that has A, given by reference or by a handle, as an operator that preconditions CG.
    pub fn load<E: Engine<Scalar = f64>, F: Operator<E>>(&self, e: &mut E, A: F) -> Cycle<E, F> {
        self.hierarchy.load(e, A, self.precision)
    }
    /// Its levels.
    pub fn hierarchy(&self) -> &Hierarchy<f64> {
        &self.hierarchy
    }
    /// The spaces of its levels, the finest first.
    pub fn spaces(&self) -> &[Arc<Space>] {
        &self.spaces
    }
    /// Its levels with their sizes, the finest first.
    pub fn levels(&self) -> Vec<LevelSize> {
        let sizes = self.hierarchy.sizes();
        let of_level = |(l, size): (usize, &MapSizes)| LevelSize {
            degree: self.spaces.get(l).map(|space| space.degrees().into_iter().max().unwrap_or(1)),
            cells: self.spaces.get(l).map(|space| space.cells()),
            unknowns: size.rows,
            nnz: size.nnz,
            operator_bytes: size.operator_bytes,
            bytes: size.bytes,
            seconds: self.seconds.get(l).copied().unwrap_or(0.0),
        };
        sizes.iter().enumerate().map(of_level).collect()
    }
    /// Bytes that it takes in an engine.
    pub fn bytes(&self) -> usize {
        self.hierarchy.bytes(self.precision)
    }
    /// How the coarsest system is solved.
    pub fn coarse(&self) -> Coarse {
        self.coarse
    }

    /// What reports call it.
    pub fn name(&self) -> String {
        let is_single = self.precision == Precision::Single;
        if is_single { "p-multigrid in single precision".into() } else { "p-multigrid".into() }
    }
    /// The rows of the levels below all spaces.
    fn below(&self) -> Vec<String> {
        let rows = self.hierarchy.unknowns();
        rows.iter().skip(self.spaces.len()).map(usize::to_string).collect()
    }
    /// Levels and coarse solve in words.
    pub fn describe(&self) -> String {
        let level = |space: &Arc<Space>| {
            let degree = space.degrees().into_iter().max().unwrap_or(1);
            format!("degree {degree} on {} cells ({})", space.cells(), space.unknowns())
        };
        let levels: Vec<String> = self.spaces.iter().map(level).collect();
        let coarse = match self.coarse {
            Coarse::Explicit => "the last inverted explicitly".into(),
            Coarse::Algebraic => format!("the last continued by algebraic multigrid ({})", self.below().join(", ")),
        };
        let precision = if self.precision == Precision::Single { "; in single precision" } else { "" };
        format!("levels: {}; {coarse}{precision}", levels.join(", "))
    }
}

/// The matrix of a level.
fn operator(problem: &Problem, settings: &Settings) -> Result<Box<dyn LinearMap<f64>>> {
    let highest = problem.space().degrees().into_iter().max().unwrap_or(1);
    Ok(match settings.operators {
        Operators::MatrixFree if highest > 2 => Box::new(MatrixFree::new(problem)?),
        _ => matrix_map(Matrix::Csr(problem.assemble_semidefinite(Interior::Kept)?.A)),
    })
}

/// One level, above the next space.
fn level(problem: &Problem, A: Box<dyn LinearMap<f64>>, next: &Space, settings: &Settings) -> Result<Level<f64>> {
    let (space, inverse) = (problem.space(), smoother(problem)?);
    let upper = bound_on_cpu(A.clone(), inverse.clone(), STEPS);
    let interval = Interval::new(settings.degree, upper / settings.ratio, upper)?;
    let Transfer { prolongation, restriction } = Transfer::new(next, space)?;
    let polynomial = Polynomial::Chebyshev(interval);
    Ok(Level { A: Some(A), inverse, polynomial, prolongation, restriction })
}
