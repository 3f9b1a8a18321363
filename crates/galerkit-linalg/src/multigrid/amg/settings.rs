//! What can be said about algebraic multigrid, by name: `amg`, `amg:classical`, `amg:pairs`, then options after commas.
//!
//! ```text
//! amg                                        smoothed aggregation, V-cycle, Chebyshev of degree 2
//! amg:sa,theta=0.25,cycle=W,precision=f32
//! amg:pairs,degree=2
//! ```

use super::choices::{Interpolation, Kind, Relaxation, Reuse, Scaling, named};
use crate::error::{Error, Result};
use crate::multigrid::shape::Shape;
use crate::scalar::Precision;
use std::fmt;
use std::str::FromStr;

/// Algebraic multigrid and its parameters.
///
/// ```
/// use galerkit_linalg::multigrid::{Shape, amg::Amg};
///
/// let amg: Amg = "amg:sa,cycle=W,coarse=100".parse()?;
/// assert_eq!((amg.cycle, amg.coarse), (Shape::W, 100));
/// assert_eq!(amg.to_string(), "amg,cycle=W,coarse=100");
/// # Ok::<(), galerkit_linalg::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amg {
    /// How a level becomes the next.
    pub kind: Kind,
    /// Couplings of at least this part of a row's strongest make edges.
    pub theta: f64,
    /// Entries of at least this part of a row's largest smooth the prolongator.
    pub theta_f: f64,
    /// Neighbours of its kind that a row needs to begin an aggregate in the second set; 0: there is no second set.
    pub second: usize,
    /// How classical points are interpolated.
    pub interpolation: Interpolation,
    /// What smooths.
    pub smoother: Relaxation,
    /// Degree of the smoother's polynomial, or sweeps.
    pub degree: usize,
    /// How often coarser levels are visited.
    pub cycle: Shape,
    /// A matrix of at most so many rows is inverted.
    pub coarse: usize,
    /// Most levels.
    pub levels: usize,
    /// Of the hierarchy.
    pub precision: Precision,
    /// Rows of a node.
    pub block: usize,
    /// What is kept when values change.
    pub reuse: Reuse,
    /// Steps of Lanczos' method that the smoother's bound is estimated by; none: scaled l1 norms, which need none.
    pub lanczos: Option<usize>,
}

impl Default for Amg {
    fn default() -> Self {
        Self::new(Kind::Smoothed)
    }
}

impl Amg {
    /// The options.
    pub const OPTIONS: &str = "theta, theta_f, second, interpolation, smoother, degree, cycle, coarse, levels, precision, block, near_null, \
                               reuse, lambda";
    /// The names.
    pub const NAMES: &str = "amg[:sa|classical|pairs][,KEY=VALUE...]";

    /// With the usual parameters.
    pub fn new(kind: Kind) -> Self {
        let (degree, cycle) = match kind {
            Kind::Smoothed => (2, Shape::V),
            Kind::Classical => (1, Shape::V),
            Kind::Pairs => (1, Shape::K),
        };
        Self {
            kind,
            theta: 0.25,
            theta_f: 0.25,
            second: 4,
            interpolation: Interpolation::Extended,
            smoother: Relaxation::FourthKind,
            degree,
            cycle,
            coarse: 500,
            levels: 25,
            precision: Precision::Full,
            block: 1,
            reuse: Reuse::None,
            lanczos: None,
        }
    }

    /// Whether it is another operator in each application, which only flexible methods accept.
    pub fn varies(&self) -> bool {
        self.cycle == Shape::K
    }

    /// What its smoother divides by.
    pub fn scaling(&self) -> Scaling {
        match (self.lanczos, self.smoother) {
            (Some(steps), _) => Scaling::Lanczos(steps),
            (None, Relaxation::Jacobi) => Scaling::Gershgorin,
            (None, Relaxation::FourthKind | Relaxation::FirstKind) => Scaling::RowNorms,
        }
    }

    /// Whether an option does something in a hierarchy of this kind.
    fn require_used(&self, name: &str, value: &str) -> Result<()> {
        let (name, has, expected) = match (name, self.kind) {
            ("interpolation", kind) => {
                ("interpolation", kind == Kind::Classical, "only amg:classical interpolates: leave it out")
            }
            ("theta", kind) => ("theta", kind != Kind::Pairs, "only amg and amg:classical have edges: leave it out"),
            ("theta_f", kind) => ("theta_f", kind == Kind::Smoothed, "only amg smooths its prolongator: leave it out"),
            ("second", kind) => ("second", kind == Kind::Smoothed, "only amg has a second set: leave it out"),
            ("block", kind) => ("block", kind == Kind::Smoothed, "only amg aggregates nodes: leave it out"),
            _ => return Ok(()),
        };
        if has { Ok(()) } else { Err(Error::InvalidParameter { name, value: value.into(), expected }) }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let refuse = |name, expected| Error::InvalidParameter { name, value: value.into(), expected };
        let fraction = |name| {
            let fits = |x: &f64| (0.0..=1.0).contains(x);
            value.parse().ok().filter(fits).ok_or_else(|| refuse(name, "a part of the largest is between 0 and 1"))
        };
        let count = |name, range: std::ops::RangeInclusive<usize>, expected| {
            value.parse().ok().filter(|count| range.contains(count)).ok_or_else(|| refuse(name, expected))
        };
        match name {
            "theta" => self.theta = fraction("theta")?,
            "theta_f" => self.theta_f = fraction("theta_f")?,
            "second" => self.second = count("second", 0..=1000, "0 (no second set) to 1000 neighbours")?,
            "degree" => self.degree = count("degree", 1..=100, "a polynomial has degree 1 to 100")?,
            "coarse" => self.coarse = count("coarse", 1..=4000, "matrices of 1 to 4000 rows can be inverted")?,
            "levels" => self.levels = count("levels", 1..=100, "1 to 100 levels")?,
            "block" => self.block = count("block", 1..=64, "a node has 1 to 64 rows")?,
            "cycle" => {
                let known = [
                    ("V", Shape::V),
                    ("v", Shape::V),
                    ("W", Shape::W),
                    ("w", Shape::W),
                    ("K", Shape::K),
                    ("k", Shape::K),
                ];
                self.cycle = named("cycle", value, &known, "V, W or K")?;
            }
            "interpolation" => {
                let known = [("extended", Interpolation::Extended), ("direct", Interpolation::Direct)];
                self.interpolation = named("interpolation", value, &known, "extended or direct")?;
            }
            "smoother" => {
                let [fourth, first, jacobi] = [Relaxation::FourthKind, Relaxation::FirstKind, Relaxation::Jacobi];
                let known = [("chebyshev4", fourth), ("chebyshev", first), ("jacobi", jacobi)];
                self.smoother = named("smoother", value, &known, "chebyshev4, chebyshev or jacobi")?;
            }
            "precision" => {
                let known = [("same", Precision::Full), ("f32", Precision::Single)];
                self.precision = named("precision", value, &known, "same or f32")?;
            }
            "near_null" => {
                named(
                    "near_null",
                    value,
                    &[("none", ())],
                    "none: vectors are given by --near-null FILE, or Solver::near_null",
                )?;
            }
            "reuse" => {
                let known = [("none", Reuse::None), ("aggregates", Reuse::Aggregates)];
                self.reuse = named("reuse", value, &known, "none or aggregates")?;
            }
            "lambda" => {
                let steps = |steps: &str| steps.parse().ok().filter(|steps| (1..=100).contains(steps));
                self.lanczos = match (value, value.strip_prefix("lanczos:").map(steps)) {
                    ("l1", _) => None,
                    ("lanczos", _) => Some(10),
                    (_, Some(Some(steps))) => Some(steps),
                    _ => return Err(refuse("lambda", "l1 or lanczos:STEPS, 1 to 100")),
                }
            }
            _ => {
                let (name, known) = (name.into(), Self::OPTIONS.into());
                return Err(Error::UnknownName { what: "option of amg", name, known });
            }
        }
        Ok(())
    }
}

impl FromStr for Amg {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let unknown =
            |what, name: &str, known: &str| Error::UnknownName { what, name: name.into(), known: known.into() };
        let mut parts = text.split(',');
        let mut amg = Self::new(match parts.next().unwrap_or_default() {
            "amg" | "amg:sa" => Kind::Smoothed,
            "amg:classical" => Kind::Classical,
            "amg:pairs" => Kind::Pairs,
            name => return Err(unknown("kind of amg", name, Self::NAMES)),
        });
        let mut given = Vec::new();
        for part in parts {
            let (name, value) = part.split_once('=').ok_or_else(|| unknown("option of amg", part, Self::OPTIONS))?;
            if given.contains(&name) {
                let (name, value) = ("precond", text.into());
                return Err(Error::InvalidParameter { name, value, expected: "each option of amg is given once" });
            }
            given.push(name);
            amg.set(name, value)?;
            amg.require_used(name, value)?;
        }
        Ok(amg)
    }
}

impl fmt::Display for Amg {
    /// What is not as usual is written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            Kind::Smoothed => "amg",
            Kind::Classical => "amg:classical",
            Kind::Pairs => "amg:pairs",
        })?;
        let usual = Self::new(self.kind);
        let mut option = |is_usual: bool, name: &str, value: &dyn fmt::Display| {
            if is_usual { Ok(()) } else { write!(f, ",{name}={value}") }
        };
        option(self.theta == usual.theta, "theta", &self.theta)?;
        option(self.theta_f == usual.theta_f, "theta_f", &self.theta_f)?;
        option(self.second == usual.second, "second", &self.second)?;
        option(self.interpolation == usual.interpolation, "interpolation", &self.interpolation)?;
        option(self.smoother == usual.smoother, "smoother", &self.smoother)?;
        option(self.degree == usual.degree, "degree", &self.degree)?;
        option(self.cycle == usual.cycle, "cycle", &self.cycle)?;
        option(self.coarse == usual.coarse, "coarse", &self.coarse)?;
        option(self.levels == usual.levels, "levels", &self.levels)?;
        option(self.precision == usual.precision, "precision", &"f32")?;
        option(self.block == usual.block, "block", &self.block)?;
        option(self.reuse == usual.reuse, "reuse", &"aggregates")?;
        self.lanczos.map_or(Ok(()), |steps| write!(f, ",lambda=lanczos:{steps}"))
    }
}
