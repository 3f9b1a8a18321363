//! Waves on triangles and tetrahedra, straight or curved.

use super::wave_space::{RealData, Sample, Side, WaveSpace};
use crate::basis::dense::Dense;
use crate::error::{Error, Result};
use crate::forest::geometry::Point;
use crate::form::{Form, Site};
use crate::io::Contents;
use crate::simplex::lagrange::Barycentric;
use crate::simplex::placed::Placed;
use crate::simplex::rule::rule;
use crate::simplex::traces::coefficients;
use crate::simplex::{SimplexSolution, SimplexSpace};
use crate::space::row::Row;
use std::sync::Arc;

/// How far outside of a cell a point may lie by rounding, in barycentric coordinates.
const NEAR: f64 = 1e-9;

impl WaveSpace for SimplexSpace {
    fn dim(&self) -> usize {
        self.dim()
    }
    fn cells(&self) -> usize {
        self.cells()
    }
    fn unknowns(&self) -> usize {
        self.unknowns()
    }
    fn masters(&self) -> usize {
        self.dimension()
    }
    fn degree(&self, _: usize) -> usize {
        self.degree()
    }
    fn region(&self, e: usize) -> i32 {
        self.region(e)
    }
    fn boundary_tags(&self) -> Vec<i32> {
        let mut tags: Vec<i32> = self.boundary().iter().map(|facet| facet.tag).collect();
        tags.sort_unstable();
        tags.dedup();
        tags
    }
    fn sides(&self, e: usize) -> Vec<Side> {
        let first = self.boundary().partition_point(|facet| facet.cell < e);
        let of_cell = self.boundary()[first..].iter().take_while(|facet| facet.cell == e);
        of_cell.map(|facet| Side { tag: facet.tag, number: facet.opposite }).collect()
    }
    fn on_side(&self, _: usize, side: Side) -> Vec<usize> {
        (0..self.local_nodes().len()).filter(|&i| self.local_nodes()[i][side.number] == 0).collect()
    }
    fn rows(&self, e: usize) -> Vec<Row> {
        self.functions(e).iter().map(|&i| vec![(i, 1.0)]).collect()
    }
    fn matrix(&self, e: usize, form: &Arc<dyn Form>) -> Result<Dense> {
        if let Some(integrals) = self.integrals(e).filter(|_| form.is_constant_in_cells()) {
            let placed = self.map(e).centre()?;
            return Ok(integrals.matrix(&placed, &form.at(&Site { point: placed.point, region: self.region(e) })?));
        }
        let n = self.local_nodes().len();
        let mut K = Dense::zeros(n, n);
        for sample in self.samples(e, if form.is_constant_in_cells() { 1 } else { 3 })? {
            let a = form.at(&Site { point: sample.point, region: self.region(e) })?;
            let flux = |g: &Point| a.diffusion.map(|row| dot(&row, g));
            let fluxes: Vec<Point> = sample.gradients.iter().map(flux).collect();
            for i in 0..n {
                for j in 0..n {
                    let product = dot(&sample.gradients[i], &fluxes[j]);
                    K[(i, j)] += sample.weight * (product + a.reaction * sample.values[i] * sample.values[j]);
                }
            }
        }
        Ok(K)
    }
    fn coupling(&self, _: usize, _: &[Arc<dyn Form>]) -> Result<Option<Dense>> {
        Ok(None)
    }
    fn samples(&self, e: usize, extra: usize) -> Result<Vec<Sample>> {
        let points = rule(self.dim(), self.degree() + self.geometry_order() + extra);
        points.iter().map(|(lambda, w)| sample(self, e, lambda, |at| (w * at.volume, [0.0; 3]))).collect()
    }
    fn side_samples(&self, e: usize, side: Side, extra: usize) -> Result<Vec<Sample>> {
        let points = rule(self.dim() - 1, self.degree() + self.geometry_order() + extra);
        let at = |(within, w): &(Barycentric, f64)| {
            let mut lambda = [0.0; 4];
            (0..=self.dim()).filter(|&a| a != side.number).zip(within).for_each(|(a, l)| lambda[a] = *l);
            sample(self, e, &lambda, |at| {
                let (normal, measure) = at.facet(side.number);
                (w * measure, normal)
            })
        };
        points.iter().map(at).collect()
    }
    fn lift(&self, data: RealData) -> Result<Vec<f64>> {
        let value = |&(tag, point): &(i32, Point)| {
            let value = data(tag, &point);
            let (what, needed) = ("the pressure on a wall", "finite");
            if value.is_finite() { Ok(value) } else { Err(Error::InvalidCoefficient { what, value, point, needed }) }
        };
        let fixed: Vec<f64> = self.fixed().iter().map(value).collect::<Result<_>>()?;
        let mut masters = vec![0.0; self.unknowns()];
        masters.extend(coefficients(self, fixed));
        Ok(masters)
    }
    fn locate(&self, point: &Point) -> Option<(usize, Vec<f64>)> {
        let inside = |e: usize| {
            let lambda = self.map(e).inverse(point)?;
            lambda.iter().all(|l| *l > -NEAR).then_some((e, lambda))
        };
        let (e, lambda) = (0..self.cells()).find_map(inside)?;
        Some((e, self.functions_at(e, &lambda).into_iter().map(|(value, _)| value).collect()))
    }
    fn subdivided(self: &Arc<Self>, masters: Vec<f64>) -> Contents {
        SimplexSolution::new(self.clone(), masters).subdivided()
    }
}

/// A point of cell e; `placed` tells weight and normal.
fn sample(
    space: &SimplexSpace,
    e: usize,
    lambda: &Barycentric,
    placed: impl Fn(&Placed) -> (f64, Point),
) -> Result<Sample> {
    let at = space.map(e).at(lambda)?;
    let of = |(value, slopes): (f64, Barycentric)| (value, at.gradient(&slopes));
    let (values, gradients) = space.functions_at(e, lambda).into_iter().map(of).unzip();
    let (weight, normal) = placed(&at);
    Ok(Sample { point: at.point, weight, normal, values, gradients })
}

fn dot(a: &Point, b: &Point) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
