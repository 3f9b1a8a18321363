//! Dirichlet data as coefficients of functions: vertices by value, then edges, then faces by projection of what is
//! left.

use crate::basis::dense::Dense;
use crate::basis::interpolate::{SAMPLED_DEGREE, coefficients, project_on_face, sample_points};
use crate::error::{Error, Result};
use crate::forest::Part;
use crate::forest::coarse::Orientation;
use crate::forest::part::HIGH;
use crate::space::Space;

/// The data on the boundary piece of a tag, at a point.
pub type BoundaryData<'a> = &'a (dyn Fn(i32, &[f64; 3]) -> f64 + Sync);

/// Coefficients of all functions that do not hang: the data's interpolant on the Dirichlet boundary, 0 for unknowns.
pub fn lift(space: &Space, data: BoundaryData) -> Result<Vec<f64>> {
    let mut masters = vec![0.0; space.counts().masters];
    for dim in 0..space.dim() {
        let known = space.complete(masters.clone());
        for entity in 0..space.entities().len() {
            let first = space.numbering().of_entity[entity] as usize;
            let is_next = space.entities().keys[entity].dim() == dim && space.entities().functions(entity) > 0;
            let Some(tag) = space.fixed_by(entity) else { continue };
            if is_next && !space.entities().hangs(entity) {
                let values = Interpolated::new(space, entity).coefficients(&|x| data(tag, x), &known)?;
                masters[first..first + values.len()].copy_from_slice(&values);
            }
        }
    }
    Ok(masters)
}

/// An entity as a part of its first cell.
struct Interpolated<'a> {
    space: &'a Space,
    e: usize,
    part: Part,
    lies: Orientation,
    degree: usize,
}

impl<'a> Interpolated<'a> {
    fn new(space: &'a Space, entity: usize) -> Self {
        let (e, part) = space.entities().owner[entity];
        let (_, lies) = space.forest().entity(e as usize, part);
        Self { space, e: e as usize, part, lies, degree: space.entities().degree[entity] as usize }
    }

    fn coefficients(&self, data: &dyn Fn(&[f64; 3]) -> f64, known: &[f64]) -> Result<Vec<f64>> {
        let n = SAMPLED_DEGREE + 1;
        let points = sample_points();
        match self.part.dim() {
            0 => Ok(vec![self.sample(data, &[])?]),
            1 => {
                let samples = points.iter().map(|&t| self.sample(data, &[t])).collect::<Result<_>>()?;
                Ok(coefficients(1, samples)[2..=self.degree].to_vec())
            }
            _ => {
                let pairs = points.iter().flat_map(|&s| points.iter().map(move |&t| [s, t]));
                let samples = pairs.map(|at| self.sample(data, &at)).collect::<Result<_>>()?;
                let mut r = Dense { rows: n, cols: n, val: coefficients(2, samples) };
                self.subtract(known, &mut r);
                Ok(project_on_face(self.degree, &r))
            }
        }
    }

    /// The data at coordinates along the entity's own axes.
    fn sample(&self, data: &dyn Fn(&[f64; 3]) -> f64, at: &[f64]) -> Result<f64> {
        let mut t = self.part.0.map(|side| if side == HIGH { 1.0 } else { -1.0 });
        for (k, &at) in at.iter().enumerate() {
            t[self.lies.axes[k] as usize] = if self.lies.flip[k] { -at } else { at };
        }
        let point = self.space.forest().map(self.e).at(&t).0;
        let value = data(&point);
        let (what, needed) = ("the Dirichlet data", "finite");
        if value.is_finite() { Ok(value) } else { Err(Error::InvalidCoefficient { what, value, point, needed }) }
    }

    /// Takes what vertices and edges contribute on a face away from coefficients by the face's own axes.
    fn subtract(&self, known: &[f64], r: &mut Dense) {
        let (p, dim) = (self.space.degree(self.e), self.space.dim());
        for (local, c) in self.space.local(self.e, known).into_iter().enumerate() {
            let index =
                [0, 1, 2].map(|a| if a < dim { local / (p + 1).pow((dim - 1 - a) as u32) % (p + 1) } else { 0 });
            let on_face = (0..dim).all(|a| self.part.0[a] == 2 || index[a] == self.part.0[a] as usize);
            if on_face && c != 0.0 {
                let (i, along_first) = self.own(0, index);
                let (j, along_second) = self.own(1, index);
                r[(i, j)] -= along_first * along_second * c;
            }
        }
    }

    /// The index along the entity's axis k, and the sign by which the function differs.
    fn own(&self, k: usize, index: [usize; 3]) -> (usize, f64) {
        match (self.lies.flip[k], index[self.lies.axes[k] as usize]) {
            (true, end @ 0..2) => (1 - end, 1.0),
            (true, j) if j % 2 == 1 => (j, -1.0),
            (_, j) => (j, 1.0),
        }
    }
}
