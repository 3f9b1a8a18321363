//! Cells between eight vertices with one coefficient: the map x(t) = c_0 + c_1 t_1 + c_2 t_2 + c_3 t_3 + c_4 t_1 t_2 + c_5 t_1 t_3 +
//! c_6 t_2 t_3 + c_7 t_1 t_2 t_3 has 21 numbers that matter, D at (p + 1)^3 points six times as many as it has unknowns. Where
//! memory is slow beside arithmetic, D is computed from the map again and again.

use crate::error::Result;
use crate::forest::geometry::Point;
use crate::form::{Integrand, Site};
use crate::problem::Problem;

/// Numbers of a cell: c_1 to c_7, kappa, and the coefficient of u.
pub const NUMBERS: usize = 23;

/// How far points of the map may lie from the polynomial, relative to the cell.
const ROUNDING: f64 = 1e-13;

/// Beyond this degree a thread has more to remember than registers for, and reading D is faster.
const HIGHEST_DEGREE: usize = 3;

/// The numbers of cell e, if it is one.
pub fn numbers(problem: &Problem, e: usize) -> Result<Option<[f64; NUMBERS]>> {
    let forest = problem.space().forest();
    let is_constant = problem.forms.iter().all(|form| form.is_constant_in_cells());
    if forest.dim() != 3 || !is_constant || problem.space().degree(e) > HIGHEST_DEGREE {
        return Ok(None);
    }
    let map = forest.map(e);
    let c = coefficients(&|t: &[f64; 3]| map.at(t).0);
    // A curve through the vertices would show in the middle of edges, faces and the cell.
    let between =
        [[0.0, 1.0, 1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0], [0.0, 0.0, -1.0], [0.0, 0.0, 0.0], [0.3, -0.4, 0.7]];
    let size = c[1..].iter().flatten().fold(0.0f64, |most, value| most.max(value.abs()));
    let apart = |t: &[f64; 3]| (0..3).map(|a| (map.at(t).0[a] - at(&c, t, a)).abs()).fold(0.0, f64::max);
    if between.iter().any(|t| apart(t) > ROUNDING * size.max(c[0].iter().fold(0.0, |most, x| most.max(x.abs())))) {
        return Ok(None);
    }
    let site = Site { point: c[0], region: forest.region(e) };
    let mut sum = Integrand::default();
    for form in &problem.forms {
        sum = sum.plus(&form.at(&site)?);
    }
    let kappa = sum.diffusion[0][0];
    let is_scalar = |a: usize, b: usize| sum.diffusion[a][b] == if a == b { kappa } else { 0.0 };
    if !(0..3).all(|a| (0..3).all(|b| is_scalar(a, b))) {
        return Ok(None);
    }
    let mut all = [0.0; NUMBERS];
    all[..21].copy_from_slice(c[1..].as_flattened());
    (all[21], all[22]) = (kappa, sum.reaction);
    Ok(Some(all))
}

/// Products of coordinates that belong to c_0, c_1, ...
fn products(t: &[f64; 3]) -> [f64; 8] {
    let [x, y, z] = *t;
    [1.0, x, y, z, x * y, x * z, y * z, x * y * z]
}

fn at(c: &[Point; 8], t: &[f64; 3], axis: usize) -> f64 {
    products(t).iter().zip(c).map(|(product, c)| product * c[axis]).sum()
}

/// c_0 to c_7 from the vertices: at corners the products are orthogonal.
fn coefficients(vertex: &dyn Fn(&[f64; 3]) -> Point) -> [Point; 8] {
    let mut c = [[0.0; 3]; 8];
    for corner in 0..8 {
        let t = [0, 1, 2].map(|a| if corner >> a & 1 == 1 { 1.0 } else { -1.0 });
        let x = vertex(&t);
        for (c, product) in c.iter_mut().zip(products(&t)) {
            (0..3).for_each(|a| c[a] += product * x[a] / 8.0);
        }
    }
    c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_determine_the_map() {
        let known: [Point; 8] = std::array::from_fn(|k| [k as f64, 1.0 / (1 + k) as f64, (k * k) as f64 - 3.0]);
        let found = coefficients(&|t| [0, 1, 2].map(|a| at(&known, t, a)));
        for (known, found) in known.iter().zip(found) {
            (0..3).for_each(|a| assert!((known[a] - found[a]).abs() < 1e-13, "{known:?} {found:?}"));
        }
    }
}
