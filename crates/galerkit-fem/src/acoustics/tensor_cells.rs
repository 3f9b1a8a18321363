//! Waves on quadrilaterals and hexahedra: hp spaces on forests.

use super::medium::{self, Medium, PartForm};
use super::wave_space::{RealData, Sample, Side, WaveSpace};
use crate::assemble::element::{cell_matrix, checked_inverse, coupling};
use crate::assemble::lift::lift;
use crate::assemble::rules::Rules;
use crate::basis::dense::Dense;
use crate::basis::hierarchical::{derivatives, values};
use crate::error::Result;
use crate::forest::Part;
use crate::forest::geometry::Point;
use crate::form::Form;
use crate::io::Contents;
use crate::matrix_free::MatrixFree;
use crate::problem::{Problem, Solution};
use crate::quadrature::Patch;
use crate::space::Space;
use crate::space::embed::embedding;
use crate::space::row::Row;
use galerkit_linalg::c64;
use galerkit_linalg::sparse::Csr;
use std::sync::Arc;

impl WaveSpace for Space {
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
    fn degree(&self, e: usize) -> usize {
        self.degree(e)
    }
    fn region(&self, e: usize) -> i32 {
        self.forest().region(e)
    }
    fn boundary_tags(&self) -> Vec<i32> {
        self.forest().coarse().boundary_tags()
    }
    fn sides(&self, e: usize) -> Vec<Side> {
        let side = |facet: Part| {
            let tag = self.forest().boundary_tag(e, facet)?;
            Some(Side { tag, number: facet.index() })
        };
        Part::facets(self.dim()).filter_map(side).collect()
    }
    fn on_side(&self, e: usize, side: Side) -> Vec<usize> {
        let (dim, n) = (self.dim(), self.degree(e) + 1);
        let (axis, is_high) = facet(side).normal(dim);
        let index = |local: usize| local / n.pow((dim - 1 - axis) as u32) % n;
        (0..n.pow(dim as u32)).filter(|&local| index(local) == usize::from(is_high)).collect()
    }
    fn is_nested(&self) -> bool {
        true
    }
    fn halved(&self) -> Result<Option<(Self, Vec<u32>)>> {
        if self.degrees().iter().all(|&p| p == 1) {
            return Ok(None);
        }
        let degrees: Vec<usize> = self.degrees().iter().map(|p| p.div_ceil(2)).collect();
        let smaller = Self::new(self.forest().clone(), &degrees, &self.dirichlet())?;
        let numbers = embedding(&smaller, self)?;
        Ok(Some((smaller, numbers)))
    }
    fn diagonal(self: &Arc<Self>, form: &Arc<PartForm>) -> Result<Vec<f64>> {
        Ok(MatrixFree::new(&Problem::new(self.clone()).form((**form).clone()))?.diagonal())
    }
    fn product(
        self: &Arc<Self>,
        medium: &Arc<Medium>,
        mass: c64,
        beside: &Csr<c64>,
    ) -> Result<Option<MatrixFree<c64>>> {
        let of = |parts: [medium::Part; 2]| {
            let form = |part| PartForm { medium: medium.clone(), part };
            Problem::new(self.clone()).form(form(parts[0])).form(form(parts[1]))
        };
        let real = of([medium::Part::Stiffness, medium::Part::Mass]);
        let loss = medium.layer.map(|_| of([medium::Part::StiffnessLoss, medium::Part::MassLoss]));
        MatrixFree::complex(&real, loss.as_ref(), mass, beside).map(Some)
    }
    fn rows(&self, e: usize) -> Vec<Row> {
        self.local_rows(e)
    }
    fn matrix(&self, e: usize, form: &Arc<dyn Form>) -> Result<Dense> {
        cell_matrix(self, e, std::slice::from_ref(form), &Rules::default())
    }
    fn coupling(&self, e: usize, forms: &[Arc<dyn Form>]) -> Result<Option<Dense>> {
        coupling(self, e, forms)
    }
    fn samples(&self, e: usize, extra: usize) -> Result<Vec<Sample>> {
        let patch = Patch::gauss(self.dim(), self.degree(e) + 1 + extra);
        patch.points().map(|(t, w)| sample(self, e, &t, |volume, _| (w * volume, [0.0; 3]))).collect()
    }
    fn side_samples(&self, e: usize, side: Side, extra: usize) -> Result<Vec<Sample>> {
        let (facet, rules) = (facet(side), Rules { extra, ..Rules::default() });
        let (axis, is_high) = facet.normal(self.dim());
        let sign = if is_high { 1.0 } else { -1.0 };
        let mut samples = Vec::new();
        for patch in rules.facet(self.forest(), e, self.degree(e), facet) {
            for (t, w) in patch.points() {
                // the outer normal times the measure of the side is |J| J^-T times the reference one
                let placed = |volume: f64, inverse: &[Point; 3]| {
                    let outward = inverse[axis].map(|g| sign * volume * g);
                    let measure = outward.iter().map(|n| n * n).sum::<f64>().sqrt();
                    (w * measure, outward.map(|n| n / measure))
                };
                samples.push(sample(self, e, &t, placed)?);
            }
        }
        Ok(samples)
    }
    fn lift(&self, data: RealData) -> Result<Vec<f64>> {
        lift(self, data)
    }
    fn locate(&self, point: &Point) -> Option<(usize, Vec<f64>)> {
        let (e, t) = self.forest().locate(point)?;
        Some((e, functions(self, e, &t).0))
    }
    fn subdivided(self: &Arc<Self>, masters: Vec<f64>) -> Contents {
        Solution::new(self.clone(), masters).subdivided()
    }
}

fn facet(side: Side) -> Part {
    Part::from_index(side.number as u8)
}

/// A point of cell e; `placed` tells weight and normal from |J| and J^-1.
fn sample(space: &Space, e: usize, t: &Point, placed: impl Fn(f64, &[Point; 3]) -> (f64, Point)) -> Result<Sample> {
    let (point, J) = space.forest().map(e).at(t);
    let (volume, inverse) = checked_inverse(&J, e)?;
    let (values, slopes) = functions(space, e, t);
    let dim = space.dim();
    let gradient = |s: &Point| [0, 1, 2].map(|i| (0..dim).map(|a| inverse[a][i] * s[a]).sum());
    let (weight, normal) = placed(volume, &inverse);
    Ok(Sample { point, weight, normal, values, gradients: slopes.iter().map(gradient).collect() })
}

/// The local functions at reference coordinates, and their derivatives by those; the first axis is the slowest.
fn functions(space: &Space, e: usize, t: &Point) -> (Vec<f64>, Vec<Point>) {
    let (dim, p) = (space.dim(), space.degree(e));
    let n = p + 1;
    let lines: Vec<_> = (0..dim).map(|a| (values(p, t[a]), derivatives(p, t[a]))).collect();
    let at = |local: usize| {
        let index = |a: usize| local / n.pow((dim - 1 - a) as u32) % n;
        let product = |derived: usize| -> f64 {
            (0..dim).map(|a| if a == derived { lines[a].1[index(a)] } else { lines[a].0[index(a)] }).product()
        };
        let mut slopes = [0.0; 3];
        slopes.iter_mut().enumerate().take(dim).for_each(|(a, slope)| *slope = product(a));
        (product(dim), slopes)
    };
    (0..n.pow(dim as u32)).map(at).unzip()
}
