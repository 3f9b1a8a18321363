//! The matrices: linear elements on the unit square or cube, Laplace with soft walls for real scalars, Helmholtz with
//! impedance walls and stabilised elements for complex ones, ten cells a wavelength. Both precisions of a size are one
//! problem: to assemble and to order it takes longer than most of what is timed.

use super::Case;
use crate::{Error, Result};
use galerkit::fem::acoustics::{Condition, Data, Gls, Helmholtz};
use galerkit::fem::mesh::generate;
use galerkit::fem::{Forest, Space};
use galerkit::layout::Layout;
use galerkit::linalg::sparse::{Csr, Format, Matrix};
use galerkit::linalg::{c32, c64};
use galerkit::{AnyMatrix, Choice, Device};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Cells a wavelength.
const CELLS: f64 = 10.0;

/// Which scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// f32.
    RealSingle,
    /// f64.
    RealDouble,
    /// c32.
    ComplexSingle,
    /// c64.
    ComplexDouble,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 4] = [Kind::RealSingle, Kind::RealDouble, Kind::ComplexSingle, Kind::ComplexDouble];

    /// As reports call it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::RealSingle => "f32",
            Kind::RealDouble => "f64",
            Kind::ComplexSingle => "c32",
            Kind::ComplexDouble => "c64",
        }
    }
    /// Whether it is complex.
    pub fn is_complex(self) -> bool {
        matches!(self, Kind::ComplexSingle | Kind::ComplexDouble)
    }
    /// Whether it is in single precision.
    pub fn is_single(self) -> bool {
        matches!(self, Kind::RealSingle | Kind::ComplexSingle)
    }
}

/// A size of real or complex problems.
pub struct Problem {
    of: Case,
    /// In the order that products are fastest in.
    A: Csr<c64>,
}

impl Problem {
    /// That of a case.
    ///
    /// # Errors
    /// If it is too large.
    pub fn new(case: Case) -> Result<Self> {
        let A = assembled(case).map_err(galerkit::Error::from).map_err(Error::from)?;
        let ordered = Layout::new(&A, Choice::Auto, Format::Csr, Device::Cpu)?.into_matrix()?;
        Ok(Self { of: case, A: if let Matrix::Csr(ordered) = ordered { ordered } else { A } })
    }

    /// Whether it is that of a case.
    pub fn serves(&self, case: Case) -> bool {
        let size = |case: Case| (case.kind.is_complex(), case.dimension, case.side);
        size(self.of) == size(case)
    }

    /// The matrix in a precision.
    pub fn matrix(&self, kind: Kind) -> AnyMatrix {
        let A = &self.A;
        match kind {
            Kind::RealSingle => AnyMatrix::F32(A.map_values(|a| a.re as f32)),
            Kind::RealDouble => AnyMatrix::F64(A.map_values(|a| a.re)),
            Kind::ComplexSingle => AnyMatrix::C32(A.map_values(|a| c32::new(a.re as f32, a.im as f32))),
            Kind::ComplexDouble => AnyMatrix::C64(A.clone()),
        }
    }
}

fn assembled(case: Case) -> galerkit::fem::Result<Csr<c64>> {
    let Case { kind, dimension, side } = case;
    let mesh = match dimension {
        2 => generate::rectangle([0.0; 2], [1.0; 2], [side; 2])?,
        _ => generate::brick([0.0; 3], [1.0; 3], [side; 3])?,
    };
    let walls: Vec<i32> = (1..=2 * dimension as i32).collect();
    let forest = Forest::new(&mesh)?;
    let degrees = vec![1; forest.cells().len()];
    let space = Arc::new(Space::new(forest, &degrees, if kind.is_complex() { &[] } else { &walls })?);
    let h = 1.0 / side as f64;
    let (condition, k) = match kind.is_complex() {
        true => (Condition::sommerfeld(), TAU / (CELLS * h)),
        false => (Condition::Soft(Data::Zero), 0.0),
    };
    let problem = walls.iter().fold(Helmholtz::new(space), |problem, &tag| problem.condition(tag, condition.clone()));
    let problem = problem.gls(Gls { h, angle: Gls::ANGLE, on_walls: false });
    problem.assemble()?.matrix(c64::new(k, 0.0))
}
