//! Matrices and right-hand sides of simplices, by quadrature.

use super::cells::BoundaryFacet;
use super::map::Map;
use super::rule::{Sample, rule};
use super::space::SimplexSpace;
use crate::basis::dense::Dense;
use crate::error::{Error, Result};
use crate::forest::geometry::Point;
use crate::form::{Form, Integrand, Site};
use crate::problem::Problem;
use std::sync::Arc;

/// The sum of forms at a point.
pub fn integrand(forms: &[Arc<dyn Form>], site: &Site) -> Result<Integrand> {
    forms.iter().try_fold(Integrand::default(), |sum, form| Ok::<_, Error>(sum.plus(&form.at(site)?)))
}

/// K_e and f_e of a cell, without boundary terms.
pub fn cell_system(problem: &Problem<SimplexSpace>, e: usize, samples: &[Sample]) -> Result<(Dense, Vec<f64>)> {
    let (space, map) = (problem.space(), problem.space().map(e));
    let n = space.local_nodes().len();
    let (constant, mut f) = (constant_matrix(problem, e)?, vec![0.0; n]);
    let mut K = Dense::zeros(n, n);
    for Sample { lambda, weight, functions } in samples {
        let (placed, functions) = (map.at(lambda)?, &functions[space.order_of(e)]);
        let site = Site { point: placed.point, region: space.region(e) };
        let w = weight * placed.volume;
        let source = problem.source.as_ref().map_or(Ok(0.0), |source| source.at(&site))?;
        f.iter_mut().zip(functions).for_each(|(f, (value, _))| *f += w * source * value);
        if constant.is_some() {
            continue;
        }
        let a = integrand(&problem.forms, &site)?;
        let gradients: Vec<Point> = functions.iter().map(|(_, slopes)| placed.gradient(slopes)).collect();
        let fluxes: Vec<Point> = gradients.iter().map(|g| a.diffusion.map(|row| dot(&row, g))).collect();
        for i in 0..n {
            for j in 0..n {
                K[(i, j)] += w * (dot(&gradients[i], &fluxes[j]) + a.reaction * functions[i].0 * functions[j].0);
            }
        }
    }
    Ok((constant.unwrap_or(K), f))
}

/// K_e of a straight cell with coefficients that are constant there.
fn constant_matrix(problem: &Problem<SimplexSpace>, e: usize) -> Result<Option<Dense>> {
    let is_constant = problem.forms.iter().all(|form| form.is_constant_in_cells());
    let space = problem.space();
    let Some(integrals) = space.integrals(e).filter(|_| is_constant) else { return Ok(None) };
    let placed = space.map(e).centre()?;
    let site = Site { point: placed.point, region: space.region(e) };
    Ok(Some(integrals.matrix(&placed, &integrand(&problem.forms, &site)?)))
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
