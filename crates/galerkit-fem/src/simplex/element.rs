//! Matrices and right-hand sides of simplices, by quadrature.

use super::cells::BoundaryFacet;
use super::lagrange::Barycentric;
use super::map::Map;
use super::rule::rule;
use super::space::SimplexSpace;
use crate::basis::dense::Dense;
use crate::error::{Error, Result};
use crate::forest::geometry::Point;
use crate::form::{Form, Integrand, Site};
use crate::problem::Problem;
use std::sync::Arc;

/// A point of a rule, with its weight and the functions there.
pub struct Sample {
    /// Barycentric coordinates.
    pub lambda: Barycentric,
    /// Its weight on the reference simplex.
    pub weight: f64,
    /// Values and derivatives by barycentric coordinates, for each order of corners.
    pub functions: Vec<Vec<(f64, Barycentric)>>,
}

/// The samples of a space: n points in each direction.
pub fn samples(space: &SimplexSpace, n: usize) -> Vec<Sample> {
    let sample = |(lambda, weight): (Barycentric, f64)| {
        let of = |order| space.kind().at(space.local_nodes(), space.degree(), order, &lambda);
        Sample { lambda, weight, functions: space.orders().iter().map(of).collect() }
    };
    rule(space.dim(), n).into_iter().map(sample).collect()
}

/// The sum of forms at a point.
pub fn integrand(forms: &[Arc<dyn Form>], site: &Site) -> Result<Integrand> {
    forms.iter().try_fold(Integrand::default(), |sum, form| Ok::<_, Error>(sum.plus(&form.at(site)?)))
}

/// K_e and f_e of a cell, without boundary terms.
pub fn cell_system(problem: &Problem<SimplexSpace>, e: usize, samples: &[Sample]) -> Result<(Dense, Vec<f64>)> {
    let (space, map) = (problem.space(), problem.space().map(e));
    let n = space.local_nodes().len();
    let (mut K, mut f) = (Dense::zeros(n, n), vec![0.0; n]);
    for Sample { lambda, weight, functions } in samples {
        let (placed, functions) = (map.at(lambda)?, &functions[space.order_of(e)]);
        let site = Site { point: placed.point, region: space.region(e) };
        let w = weight * placed.volume;
        let a = integrand(&problem.forms, &site)?;
        let source = problem.source.as_ref().map_or(Ok(0.0), |source| source.at(&site))?;
        let gradients: Vec<Point> = functions.iter().map(|(_, slopes)| placed.gradient(slopes)).collect();
        let fluxes: Vec<Point> = gradients.iter().map(|g| a.diffusion.map(|row| dot(&row, g))).collect();
        for i in 0..n {
            f[i] += w * source * functions[i].0;
            for j in 0..n {
                K[(i, j)] += w * (dot(&gradients[i], &fluxes[j]) + a.reaction * functions[i].0 * functions[j].0);
            }
        }
    }
    Ok((K, f))
}

fn dot(a: &Point, b: &Point) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Adds Neumann and Robin terms of a boundary facet of the cell.
pub fn add_facet(
    problem: &Problem<SimplexSpace>,
    map: &Map<'_>,
    facet: &BoundaryFacet,
    K: &mut Dense,
    f: &mut [f64],
) -> Result<()> {
    let space = problem.space();
    let has_data = problem.neumann.iter().map(|term| term.tag).chain(problem.robin.iter().map(|term| term.tag));
    if !has_data.into_iter().any(|tag| tag == facet.tag) {
        return Ok(());
    }
    for (within, weight) in rule(space.dim() - 1, problem.points()) {
        let mut lambda = [0.0; 4];
        (0..=space.dim()).filter(|&a| a != facet.opposite).zip(within).for_each(|(a, l)| lambda[a] = l);
        let (placed, functions) = (map.at(&lambda)?, space.functions_at(facet.cell, &lambda));
        let (normal, measure) = placed.facet(facet.opposite);
        let site = Site { point: placed.point, region: space.region(facet.cell) };
        let (mut g, mut alpha) = (0.0, 0.0);
        for term in problem.neumann.iter().filter(|term| term.tag == facet.tag) {
            g += term.at(&site, &normal)?;
        }
        for term in problem.robin.iter().filter(|term| term.tag == facet.tag) {
            alpha += term.at(&site)?;
        }
        let w = weight * measure;
        for i in 0..functions.len() {
            f[i] += w * g * functions[i].0;
            (0..functions.len()).for_each(|j| K[(i, j)] += w * alpha * functions[i].0 * functions[j].0);
        }
    }
    Ok(())
}
