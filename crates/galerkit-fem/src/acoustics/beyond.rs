//! The medium beyond the boundary that cuts the domain off. BGT of second order and infinite elements are solutions of
//! one medium all around, so that density and wave speed must be the same along that boundary.

use super::condition::Condition;
use super::helmholtz::Helmholtz;
use super::medium::Medium;
use super::wave_space::{Side, WaveSpace};
use crate::error::{Error, Result};
use crate::forest::geometry::Point;
use crate::form::Site;

/// By how much it may vary, relatively: cells meet a curved boundary only so well.
const VARIES: f64 = 1e-4;

/// 1 / rho and 1 / c there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beyond {
    /// 1 / rho.
    pub lightness: f64,
    /// 1 / c.
    pub slowness: f64,
}

impl Beyond {
    /// Of a problem; 1 and 1 where no condition needs it.
    ///
    /// # Errors
    /// If density or wave speed vary along the boundary.
    pub fn of<V: WaveSpace>(problem: &Helmholtz<V>) -> Result<Self> {
        let (space, medium, mut first) = (&*problem.space, &*problem.medium, None);
        if medium.is_uniform() {
            return Self::at(medium, [0.0; 3], 0);
        }
        let needs = |side: &Side| {
            let condition = problem.conditions.get(&side.tag);
            matches!(condition, Some(Condition::Bgt2 { .. } | Condition::Infinite { .. }))
        };
        for e in 0..space.cells() {
            for side in space.sides(e).into_iter().filter(needs) {
                for sample in space.side_samples(e, side, 0)? {
                    let here = Self::at(medium, sample.point, space.region(e))?;
                    here.require_like(first.get_or_insert(here), sample.point)?;
                }
            }
        }
        Ok(first.unwrap_or(Self { lightness: 1.0, slowness: 1.0 }))
    }

    fn at(medium: &Medium, point: Point, region: i32) -> Result<Self> {
        let (lightness, slowness) = medium.at(&Site { point, region })?;
        Ok(Self { lightness, slowness })
    }

    fn require_like(&self, other: &Self, point: Point) -> Result<()> {
        let differs = |a: f64, b: f64| (a - b).abs() > VARIES * b;
        let (what, value) = match other {
            _ if differs(self.slowness, other.slowness) => ("the wave speed", 1.0 / self.slowness),
            _ if differs(self.lightness, other.lightness) => ("the density", 1.0 / self.lightness),
            _ => return Ok(()),
        };
        let needed = "the same along the boundary where the domain is cut off: bgt2 and infinite elements continue one \
                      medium outwards (take impedance, bgt1 or a layer, or let it vary inside alone)";
        Err(Error::InvalidCoefficient { what, value, point, needed })
    }
}
