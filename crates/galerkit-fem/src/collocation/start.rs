//! Initial data: sources spread by a Gaussian, f(x) = exp(-|x - xi|^2 / eta^2) / (eta sqrt pi)^d of mass 1, or any
//! function; interpolated or collocated.
//!
//! Interpolation is of fourth order only if D f_x is continuous at interfaces and f_n = 0 on the boundary, else of
//! second. Collocation has the mass of the Gauss sum of f.

use super::bands::Bands;
use super::layers::invalid;
use super::line::Line;
use super::space::Collocation;
use crate::error::{Error, Result};
use galerkit_direct::sparse_lu;
use std::f64::consts::PI;

/// How coefficients are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// Values and slopes at nodes, those from the right.
    #[default]
    Interpolated,
    /// Values at Gauss points.
    Collocated,
}

/// A point source.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Its centre, a number for each axis.
    pub centre: Vec<f64>,
    /// Its width.
    pub eta: f64,
}

impl Source {
    /// exp(-(x - xi)^2 / eta^2) / (eta sqrt pi) along an axis, and its derivative.
    fn along(&self, axis: usize, x: f64) -> [f64; 2] {
        let away = x - self.centre[axis];
        let value = (-(away / self.eta).powi(2)).exp() / (self.eta * PI.sqrt());
        [value, -2.0 * away / (self.eta * self.eta) * value]
    }

    fn check(&self, space: &Collocation) -> Result<()> {
        if !(self.eta > 0.0 && self.eta.is_finite()) {
            return Err(invalid("eta", self.eta.to_string(), "the width of a source is a finite number above 0"));
        }
        let ends = space.ends();
        let is_inside = |(x, [a, b]): (&f64, &[f64; 2])| a <= x && x <= b;
        if self.centre.len() != ends.len() || !self.centre.iter().zip(&ends).all(is_inside) {
            return Err(Error::SourceOutside { centre: self.centre.clone(), ends });
        }
        Ok(())
    }
}

impl Collocation {
    /// The sum of sources.
    ///
    /// # Errors
    /// If a source lies outside or its width is not positive.
    pub fn sources(&self, sources: &[Source], start: Start) -> Result<Vec<f64>> {
        sources.iter().try_for_each(|source| source.check(self))?;
        if self.tissue().is_some() && start == Start::Collocated {
            let at = |source: &Source, [x, y]: [f64; 2]| source.along(0, x)[0] * source.along(1, y)[0];
            return self.collocated(|point| sources.iter().map(|source| at(source, point)).sum());
        }
        let mut sum = vec![0.0; self.unknowns()];
        for source in sources {
            let along = of_line(self.x(), start, |x| source.along(0, x))?;
            let across = match self.y() {
                Some(y) => of_line(y, start, |y| source.along(1, y))?,
                None => vec![1.0],
            };
            let products = along.iter().flat_map(|x| across.iter().map(move |y| x * y));
            sum.iter_mut().zip(products).for_each(|(sum, product)| *sum += product);
        }
        Ok(sum)
    }

    /// The spline with the values and slopes of a function at nodes: f, f_x, f_y and f_xy of a point, slopes from the
    /// right.
    pub fn interpolated(&self, f: impl Fn([f64; 2]) -> [f64; 4]) -> Vec<f64> {
        let fast = self.shape()[1];
        let nodes = self.y().map_or(&[0.0][..], Line::nodes);
        let mut a = vec![0.0; self.unknowns()];
        for (i, &x) in self.x().nodes().iter().enumerate() {
            let along = [Some(self.x().value(i)), self.x().slope(i)];
            for (j, &y) in nodes.iter().enumerate() {
                let across = self.y().map_or([Some(0), None], |line| [Some(line.value(j)), line.slope(j)]);
                for (k, value) in f([x, y]).into_iter().enumerate() {
                    if let (Some(i), Some(j)) = (along[k % 2], across[k / 2]) {
                        a[i * fast + j] = value;
                    }
                }
            }
        }
        a
    }

    /// The spline with the values of a function at Gauss points.
    ///
    /// # Errors
    /// If C0 has no factors, which no mesh is known for.
    pub fn collocated(&self, f: impl Fn([f64; 2]) -> f64) -> Result<Vec<f64>> {
        let points = self.y().map_or(vec![0.0], Line::points);
        let along = self.x().points();
        let mut a: Vec<f64> = along.iter().flat_map(|&x| points.iter().map(move |&y| [x, y])).map(f).collect();
        if self.tissue().is_some() {
            return Ok(sparse_lu(&self.A0()?)?.solve(&a)?); // A0 is no Kronecker product
        }
        let [C0x, C0y] = self.C0().map(|C0| C0.clone().factor());
        solve_both(&C0x?, &C0y?, &mut a);
        Ok(a)
    }
}

/// Overwrites b by the solution of (X (x) Y) a = b, for factored X and Y.
fn solve_both(X: &Bands, Y: &Bands, b: &mut [f64]) {
    let (slow, fast) = (X.rows(), Y.rows());
    b.chunks_exact_mut(fast).for_each(|row| Y.solve(row));
    let mut column = vec![0.0; slow];
    for j in 0..fast {
        (0..slow).for_each(|i| column[i] = b[i * fast + j]);
        X.solve(&mut column);
        (0..slow).for_each(|i| b[i * fast + j] = column[i]);
    }
}

/// A function with its derivative on a line.
fn of_line(line: &Line, start: Start, f: impl Fn(f64) -> [f64; 2]) -> Result<Vec<f64>> {
    if start == Start::Collocated {
        let mut a: Vec<f64> = line.points().into_iter().map(|x| f(x)[0]).collect();
        line.C0().factor()?.solve(&mut a);
        return Ok(a);
    }
    let mut a = vec![0.0; line.unknowns()];
    for (i, &x) in line.nodes().iter().enumerate() {
        let [value, slope] = f(x);
        a[line.value(i)] = value;
        line.slope(i).into_iter().for_each(|j| a[j] = slope);
    }
    Ok(a)
}
