//! u_h: the complex pressure, its errors, and what is shown of it.

use super::exact::Gradient;
use super::wave_space::{Sample, WaveSpace};
use crate::error::{Error, Result};
use crate::forest::geometry::Point;
use crate::io::{Contents, Field};
use galerkit_linalg::{c64, parallel};
use std::sync::Arc;

/// The pressure, with amplitudes as peak values.
pub struct Pressure<V> {
    space: Arc<V>,
    re: Vec<f64>,
    im: Vec<f64>,
}

/// Errors relative to the norms of the exact solution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WaveErrors {
    /// |u - u_h| / |u| in L2.
    pub l2: f64,
    /// |grad (u - u_h)| / |grad u| in L2; absolute where u is constant.
    pub h1: f64,
}

/// The amplitude of 20 micropascal, r.m.s., that sound-pressure levels refer to.
pub const REFERENCE_PRESSURE: f64 = 20e-6;

/// The sound-pressure level of an amplitude in Pa, in dB.
pub fn level(p: c64) -> f64 {
    20.0 * (p.norm() / (std::f64::consts::SQRT_2 * REFERENCE_PRESSURE)).max(1e-10).log10()
}

/// A function with its gradient.
type Exact<'a> = dyn Fn(&Point) -> (c64, Gradient) + Sync + 'a;

/// The squares of |u - u_h|, |u|, |grad (u - u_h)| and |grad u| over samples of a cell. It stands outside of what is
/// generic, which is compiled where it is used, in programs that are not optimised.
fn squares(samples: &[Sample], local: &[c64], exact: &Exact<'_>) -> [f64; 4] {
    let mut sums = [0.0; 4];
    for sample in samples {
        let (u, slopes) = exact(&sample.point);
        let (mut found, mut found_slopes) = (c64::default(), [c64::default(); 3]);
        for ((c, v), g) in local.iter().zip(&sample.values).zip(&sample.gradients) {
            found += c * v;
            found_slopes.iter_mut().zip(g).for_each(|(slope, g)| *slope += c * g);
        }
        let w = sample.weight;
        sums[0] += w * (u - found).norm_sqr();
        sums[1] += w * u.norm_sqr();
        for (slope, found) in slopes.iter().zip(&found_slopes) {
            sums[2] += w * (slope - found).norm_sqr();
            sums[3] += w * slope.norm_sqr();
        }
    }
    sums
}

impl<V: WaveSpace> Pressure<V> {
    /// From coefficients of all numbered functions.
    pub(super) fn new(space: Arc<V>, re: Vec<f64>, im: Vec<f64>) -> Self {
        Self { space, re, im }
    }
    /// Its space.
    pub fn space(&self) -> &Arc<V> {
        &self.space
    }
    /// u_h at a point; none outside of the domain.
    pub fn at(&self, point: &Point) -> Option<c64> {
        let (e, functions) = self.space.locate(point)?;
        let local = self.local(e);
        Some(local.iter().zip(functions).map(|(u, f)| u * f).sum())
    }
    fn local(&self, e: usize) -> Vec<c64> {
        let parts = self.space.local(e, &self.re).into_iter().zip(self.space.local(e, &self.im));
        parts.map(|(re, im)| c64::new(re, im)).collect()
    }

    /// The errors against a function with its gradient, on the cells of some regions.
    ///
    /// # Errors
    /// If a cell is inverted.
    pub fn errors(&self, exact: &Exact<'_>, counts: &(dyn Fn(i32) -> bool + Sync)) -> Result<WaveErrors> {
        let of_cell = |e: usize| {
            if !counts(self.space.region(e)) {
                return Ok([0.0; 4]);
            }
            Ok(squares(&self.space.samples(e, 3)?, &self.local(e), exact))
        };
        let all = parallel::try_values::<_, Error>(self.space.cells(), &of_cell)?;
        let sums = all.iter().fold([0.0; 4], |sum, of| std::array::from_fn(|i| sum[i] + of[i]));
        let ratio = |miss: f64, whole: f64| (miss / if whole > 0.0 { whole } else { 1.0 }).sqrt();
        Ok(WaveErrors { l2: ratio(sums[0], sums[1]), h1: ratio(sums[2], sums[3]) })
    }

    /// Straight pieces of cells with real and imaginary part, level in dB and phase in degrees.
    pub fn contents(&self) -> Contents {
        let mut contents = self.space.subdivided(self.re.clone());
        let imaginary = self.space.subdivided(self.im.clone());
        let parts = (contents.point_data.remove(0).values, imaginary.point_data.into_iter().next());
        let values: Vec<c64> = parts
            .0
            .into_iter()
            .zip(parts.1.map_or(Vec::new(), |f| f.values))
            .map(|(re, im)| c64::new(re, im))
            .collect();
        let field = |name: &str, of: &dyn Fn(c64) -> f64| Field {
            name: name.into(),
            components: 1,
            values: values.iter().map(|&p| of(p)).collect(),
        };
        contents.point_data = vec![
            field("real part", &|p| p.re),
            field("imaginary part", &|p| p.im),
            field("level in dB", &level),
            field("phase in degrees", &|p| p.arg().to_degrees()),
        ];
        contents
    }
}
