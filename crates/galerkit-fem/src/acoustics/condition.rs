//! What holds on the pieces of the boundary: walls, and where the unbounded domain is cut off. In a medium k stands for
//! k / c there, and du/dn is that of u itself, whatever the density.

use super::exact::Wave;
use crate::forest::geometry::Point;
use galerkit_linalg::c64;
use std::fmt;
use std::sync::Arc;

/// A complex function of k, a point and the outer normal there.
pub type BoundaryFunction = Arc<dyn Fn(c64, &Point, &Point) -> c64 + Send + Sync>;

/// Data on the boundary.
#[derive(Clone, Default)]
pub enum Data {
    /// 0.
    #[default]
    Zero,
    /// A function.
    Function(BoundaryFunction),
}

/// A condition on a piece of the boundary.
#[derive(Clone, Debug)]
pub enum Condition {
    /// du/dn = g: a rigid wall if g is 0, else one that vibrates.
    Velocity(Data),
    /// u = g.
    Soft(Data),
    /// du/dn - i k beta u = g: an absorbing wall; with beta = 1 and g = 0 Sommerfeld's condition.
    Impedance {
        /// beta.
        admittance: c64,
        /// g.
        data: Data,
    },
    /// Bayliss, Gunzburger and Turkel, first order: u_r = (i k - (d - 1) / (2 R)) u.
    Bgt1 {
        /// The centre that R is counted from.
        centre: Point,
    },
    /// The same of second order, on a circle or sphere.
    Bgt2 {
        /// R.
        radius: f64,
    },
    /// Conjugated infinite elements.
    Infinite {
        /// From where their rays come.
        centre: Point,
        /// The order, from 1 on.
        order: usize,
    },
}

impl Data {
    /// A function.
    pub fn of(function: impl Fn(c64, &Point, &Point) -> c64 + Send + Sync + 'static) -> Self {
        Self::Function(Arc::new(function))
    }
    /// Whether there is none.
    pub fn is_zero(&self) -> bool {
        matches!(self, Self::Zero)
    }
    /// Its value.
    pub fn at(&self, k: c64, x: &Point, normal: &Point) -> c64 {
        match self {
            Self::Zero => c64::new(0.0, 0.0),
            Self::Function(function) => function(k, x, normal),
        }
    }
    /// The same with k times a slowness in place of k: data of a wave in a medium.
    pub fn slowed(self, slowness: f64) -> Self {
        match self {
            Self::Function(function) => Self::of(move |k, x, n| function(k * slowness, x, n)),
            Self::Zero => Self::Zero,
        }
    }
    /// u of a wave.
    pub fn pressure(dim: usize, wave: Wave, factor: f64) -> Self {
        Self::of(move |k, x, _| wave.at(dim, k, x).0 * factor)
    }
    /// du/dn of a wave.
    pub fn velocity(dim: usize, wave: Wave, factor: f64) -> Self {
        Self::of(move |k, x, n| normal_slope(dim, wave, k, x, n) * factor)
    }
    /// du/dn - i k beta u of a wave.
    pub fn impedance(dim: usize, wave: Wave, admittance: c64) -> Self {
        Self::of(move |k, x, n| {
            normal_slope(dim, wave, k, x, n) - c64::new(0.0, 1.0) * k * admittance * wave.at(dim, k, x).0
        })
    }
}

fn normal_slope(dim: usize, wave: Wave, k: c64, x: &Point, n: &Point) -> c64 {
    let (_, gradient) = wave.at(dim, k, x);
    (0..3).map(|i| gradient[i] * n[i]).sum()
}

impl Condition {
    /// A rigid wall.
    pub fn rigid() -> Self {
        Self::Velocity(Data::Zero)
    }
    /// Sommerfeld's condition.
    pub fn sommerfeld() -> Self {
        Self::Impedance { admittance: c64::new(1.0, 0.0), data: Data::Zero }
    }
    /// What is given there.
    pub fn data(&self) -> &Data {
        match self {
            Self::Velocity(data) | Self::Soft(data) | Self::Impedance { data, .. } => data,
            Self::Bgt1 { .. } | Self::Bgt2 { .. } | Self::Infinite { .. } => &Data::Zero,
        }
    }
    /// Whether it fixes the pressure.
    pub fn is_soft(&self) -> bool {
        matches!(self, Self::Soft(_))
    }
}

impl fmt::Debug for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_zero() { "0" } else { "a function" })
    }
}
