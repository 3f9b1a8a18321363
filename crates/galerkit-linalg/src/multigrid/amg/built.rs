//! A hierarchy in the precision that was asked for, as maps for an engine. In single precision inside double the matrix
//! is scaled by a power of four first, so that its largest diagonal entry is in [1, 4): nothing overflows or vanishes,
//! and the rounding is that of the entries alone.

use super::choices::Relaxation;
use super::levels::{Coarsest, Levels};
use super::settings::Amg;
use super::summary::Summary;
use crate::error::Result;
use crate::map::{Diagonal, LinearMap, diagonal_map, matrix_map, single_map};
use crate::multigrid::hierarchy::{Bottom, Hierarchy, Level};
use crate::multigrid::recurrence::Interval;
use crate::multigrid::smoother::Polynomial;
use crate::scalar::{Precision, Scalar, per_scalar};
use crate::sparse::{Csr, Format, Matrix};
use std::any::Any;
use std::sync::Arc;

/// Chebyshev's polynomial of the first kind is least from here to 1, the bound of the spectrum.
const LEAST: f64 = 0.1;
/// The step of damped Jacobi: 1 - 4/3 t is at most 1/3 on the upper half of the spectrum.
const DAMPED: f64 = 4.0 / 3.0;

/// Degree of the smoother where it must do alone.
pub const ALONE: usize = 8;

/// What the set-up has made.
#[derive(Clone, Debug)]
pub struct Built<S: Scalar> {
    amg: Amg,
    levels: Precise<S>,
}

#[derive(Clone, Debug)]
enum Precise<S: Scalar> {
    Full(Levels<S>),
    /// With the finest matrix, which is scaled, and by what.
    Single(Levels<S::Single>, Csr<S::Single>, f64),
    /// Maps that somebody else has made, such as a GPU, where they stay; with what there is to report.
    Elsewhere(Box<Elsewhere<S>>),
}

#[derive(Clone, Debug)]
struct Elsewhere<S: Scalar> {
    hierarchy: Hierarchy<S>,
    summary: Summary,
    precision: Precision,
    /// What it was made of, for whoever makes it of other values.
    origin: Option<Arc<dyn Any + Send + Sync>>,
}

per_scalar! {
    fn built<S>(A: &Csr<S>, asks_hermitian: bool, amg: &Amg, near_null: &[Vec<S>]) -> Result<Built<S>> = Built::made;
    fn refilled<S>(built: &mut Built<S>, A: &Csr<S>) -> Result<bool> = Built::take;
    fn hierarchy<S>(built: Built<S>, format: &dyn Fn(&dyn crate::sparse::Pattern) -> Format) -> Hierarchy<S> = Built::maps;
}

impl<S: Scalar> Built<S> {
    /// Sets up for A. `asks_hermitian`: the method demands a Hermitian preconditioner. Near-null vectors are of the
    /// finest level; none is the constant.
    pub fn new(A: &Csr<S>, asks_hermitian: bool, amg: &Amg, near_null: &[Vec<S>]) -> Result<Self> {
        built(A, asks_hermitian, amg, near_null)
    }

    fn made(A: &Csr<S>, asks_hermitian: bool, amg: &Amg, near_null: &[Vec<S>]) -> Result<Self> {
        if amg.precision == Precision::Full || size_of::<S>() == size_of::<S::Single>() {
            let levels = Levels::new(A, asks_hermitian, amg, near_null)?;
            return Ok(Self { amg: *amg, levels: Precise::Full(levels) });
        }
        A.require_finite()?;
        let (finest, scale) = in_single(A);
        let near: Vec<Vec<S::Single>> =
            near_null.iter().map(|b| b.iter().map(|value| value.to_single()).collect()).collect();
        let levels = Levels::new(&finest, asks_hermitian, amg, &near)?;
        Ok(Self { amg: *amg, levels: Precise::Single(levels, finest, scale) })
    }

    /// What somebody else has set up, for vectors in this precision.
    pub fn elsewhere(amg: &Amg, hierarchy: Hierarchy<S>, summary: Summary, precision: Precision) -> Self {
        let made = Elsewhere { hierarchy, summary, precision, origin: None };
        Self { amg: *amg, levels: Precise::Elsewhere(Box::new(made)) }
    }

    /// The same with what it was made of elsewhere, for whoever makes it of other values.
    pub fn with_origin(mut self, origin: Arc<dyn Any + Send + Sync>) -> Self {
        if let Precise::Elsewhere(made) = &mut self.levels {
            made.origin = Some(origin);
        }
        self
    }

    /// What it was made of elsewhere, if it was kept.
    pub fn origin<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let Precise::Elsewhere(made) = &self.levels else { return None };
        made.origin.clone()?.downcast().ok()
    }

    /// Takes other values of the matrix; false where it must be set up anew.
    pub fn refill(&mut self, A: &Csr<S>) -> Result<bool> {
        refilled(self, A)
    }

    fn take(&mut self, A: &Csr<S>) -> Result<bool> {
        match &mut self.levels {
            Precise::Full(levels) => levels.refill(A),
            Precise::Single(levels, finest, scale) => {
                (*finest, *scale) = in_single(A);
                levels.refill(finest)
            }
            Precise::Elsewhere(_) => Ok(false),
        }
    }

    /// Moves the levels out; what is left has none.
    pub fn take_levels(&mut self) -> Self {
        let none = Built { amg: self.amg, levels: Precise::Full(Levels::none()) };
        std::mem::replace(self, none)
    }
    /// Its parameters.
    pub fn settings(&self) -> &Amg {
        &self.amg
    }
    /// In which precision vectors of the cycle are.
    pub fn precision(&self) -> Precision {
        match self.levels {
            Precise::Full(_) => Precision::Full,
            Precise::Single(..) => Precision::Single,
            Precise::Elsewhere(ref made) => made.precision,
        }
    }
    /// What there is to report.
    pub fn summary(&self) -> Summary {
        match &self.levels {
            Precise::Full(levels) => Summary::new(levels, &self.amg),
            Precise::Single(levels, ..) => Summary::new(levels, &self.amg),
            Precise::Elsewhere(made) => made.summary.clone(),
        }
    }
    /// Whether every number of it is finite.
    pub fn is_finite(&self) -> bool {
        match &self.levels {
            Precise::Full(levels) => levels.is_finite(),
            Precise::Single(levels, ..) => levels.is_finite(),
            Precise::Elsewhere(_) => true, // whoever has made it has looked
        }
    }
    /// Bytes that a cycle must move beside its input and output, if a product with the finest A reads so many: about 2
    /// products with each matrix for each degree, each with five vectors, and one with each transfer.
    pub fn traffic(&self, matrix: usize) -> usize {
        let (summary, products) = (self.summary(), 2 * self.amg.degree);
        let vectors: usize = summary.levels.iter().map(|level| 5 * level.rows * size_of::<S>()).sum();
        products * (vectors + (matrix as f64 * summary.operator_complexity) as usize) + summary.bytes()
    }
    /// The levels in full precision, if they are.
    pub fn levels(&self) -> Option<&Levels<S>> {
        match &self.levels {
            Precise::Full(levels) => Some(levels),
            Precise::Single(..) | Precise::Elsewhere(_) => None,
        }
    }

    /// As maps, each stored in the format that is said for its pattern.
    pub fn hierarchy(self, format: &dyn Fn(&dyn crate::sparse::Pattern) -> Format) -> Hierarchy<S> {
        hierarchy(self, format)
    }

    fn maps(self, format: &dyn Fn(&dyn crate::sparse::Pattern) -> Format) -> Hierarchy<S> {
        match self.levels {
            Precise::Full(levels) => {
                let stored = |A: Csr<S>| matrix_map(stored(A, format));
                joined(levels, None, &self.amg, (&stored, &|d| diagonal_map(Diagonal::new(d))), 1.0)
            }
            Precise::Single(levels, finest, scale) => {
                let stored = |A: Csr<S::Single>| single_map(matrix_map(stored(A, format)));
                let diagonal = |d| single_map(diagonal_map(Diagonal::new(d)));
                joined(levels, Some(finest), &self.amg, (&stored, &diagonal), scale)
            }
            Precise::Elsewhere(made) => made.hierarchy,
        }
    }

    /// The same in single precision.
    pub fn rounded(&self) -> Built<S::Single> {
        match &self.levels {
            Precise::Full(levels) => Built { amg: self.amg, levels: Precise::Full(levels.rounded()) },
            Precise::Single(levels, ..) => Built { amg: self.amg, levels: Precise::Full(levels.rounded()) },
            Precise::Elsewhere(made) => {
                Built::elsewhere(&self.amg, made.hierarchy.rounded(), made.summary.clone(), Precision::Full)
            }
        }
    }
}

/// A times a power of four, rounded; and the power.
fn in_single<S: Scalar>(A: &Csr<S>) -> (Csr<S::Single>, f64) {
    let most = A.diagonal().iter().fold(0.0, |most: f64, d| most.max(d.modulus().parts().0));
    let power = if most > 0.0 && most.is_finite() { (most.log2() / 2.0).floor() as i32 } else { 0 };
    let scale = 2.0f64.powi(-2 * power);
    (A.map_values(|a| (a * S::from_f64(scale)).to_single()), scale)
}

fn stored<T: Scalar>(A: Csr<T>, format: &dyn Fn(&dyn crate::sparse::Pattern) -> Format) -> Matrix<T> {
    match format(&A) {
        Format::Csr => Matrix::Csr(A),
        other => Matrix::from_csr(&A, other).unwrap_or(Matrix::Csr(A)),
    }
}

/// How matrices and diagonals become maps.
type Makers<'a, S, T> = (&'a dyn Fn(Csr<T>) -> Box<dyn LinearMap<S>>, &'a dyn Fn(Vec<T>) -> Box<dyn LinearMap<S>>);

/// What smooths.
pub(super) fn polynomial(amg: &Amg) -> Polynomial {
    match amg.smoother {
        Relaxation::FourthKind => Polynomial::FourthKind { degree: amg.degree },
        Relaxation::FirstKind => {
            let interval = Interval::new(amg.degree - 1, LEAST, 1.0).expect("a degree of 1 to 100");
            Polynomial::Chebyshev(interval)
        }
        Relaxation::Jacobi => Polynomial::Richardson { steps: amg.degree, length: DAMPED },
    }
}

fn joined<S: Scalar, T: Scalar>(
    levels: Levels<T>,
    finest: Option<Csr<T>>,
    amg: &Amg,
    (matrix, diagonal): Makers<'_, S, T>,
    scale: f64,
) -> Hierarchy<S> {
    let (mut finest, is_hermitian) = (finest, levels.class == super::restrict::Class::Hermitian);
    let polynomial = polynomial(amg);
    let mut made = Vec::new();
    for level in levels.levels {
        let A = level.A.or_else(|| finest.take()).map(matrix);
        let inverse = vec![diagonal(level.weights)];
        made.push(Level { A, inverse, polynomial, prolongation: matrix(level.P), restriction: matrix(level.R) });
    }
    let bottom = match levels.coarsest {
        Coarsest::Inverse(inverse) => Bottom::Inverse(matrix(inverse.to_csr())),
        Coarsest::Smoother(weights) => Bottom::Smoother {
            A: levels.A.or_else(|| finest.take()).map(matrix),
            inverse: vec![diagonal(weights)],
            polynomial: Polynomial::FourthKind { degree: ALONE },
        },
    };
    Hierarchy { levels: made, bottom, shape: amg.cycle, is_hermitian, scale }
}
