//! Right-hand sides of cells: int f v, and the terms of boundary facets, int_G g v and int_G alpha u v.

use super::element::checked_inverse;
use super::moments::Tables;
use super::rules::Rules;
use crate::basis::dense::Dense;
use crate::error::Result;
use crate::forest::Part;
use crate::form::{Neumann, Robin, Site, Source};
use crate::quadrature::Patch;
use crate::space::Space;

/// int f v for the local functions of cell e.
pub fn cell_load(space: &Space, e: usize, source: &Source, rules: &Rules) -> Result<Vec<f64>> {
    let (forest, p) = (space.forest(), space.degree(e));
    let mut load = vec![0.0; space.functions(e).len()];
    for patch in rules.cell(forest, e, p) {
        let weight = |(t, w): ([f64; 3], f64)| {
            let (point, J) = forest.map(e).at(&t);
            let (volume, _) = checked_inverse(&J, e)?;
            Ok(w * volume * source.at(&Site { point, region: forest.region(e) })?)
        };
        let weights = patch.points().map(weight).collect::<Result<_>>()?;
        add(&mut load, &Tables::new(p, &patch).moments(weights, None));
    }
    Ok(load)
}

fn add(sum: &mut [f64], terms: &[f64]) {
    sum.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
}

/// Adds int_G g v over the boundary facets of cell e.
pub fn add_neumann(space: &Space, e: usize, data: &[Neumann], rules: &Rules, load: &mut [f64]) -> Result<()> {
    let p = space.degree(e);
    for facet in Part::facets(space.dim()).filter(|_| !data.is_empty()) {
        let Some(tag) = space.forest().boundary_tag(e, facet) else { continue };
        for neumann in data.iter().filter(|neumann| neumann.tag == tag) {
            for patch in rules.facet(space.forest(), e, p, facet) {
                let weights = on_facet(space, e, facet, &patch, |site, normal| neumann.at(site, normal))?;
                add(load, &Tables::new(p, &patch).moments(weights, None));
            }
        }
    }
    Ok(())
}

/// Adds int_G alpha u v over the boundary facets of cell e.
pub fn add_robin(space: &Space, e: usize, data: &[Robin], rules: &Rules, K: &mut Dense) -> Result<()> {
    let p = space.degree(e);
    for facet in Part::facets(space.dim()).filter(|_| !data.is_empty()) {
        let Some(tag) = space.forest().boundary_tag(e, facet) else { continue };
        for robin in data.iter().filter(|robin| robin.tag == tag) {
            for patch in rules.facet(space.forest(), e, p, facet) {
                let weights = on_facet(space, e, facet, &patch, |site, _| robin.at(site))?;
                Tables::new(p, &patch).products(weights, [None, None], K);
            }
        }
    }
    Ok(())
}

/// Data times weights and surface measure at the points of a facet. The outer normal times that measure is |J| J^-T
/// times the reference one.
fn on_facet(
    space: &Space,
    e: usize,
    facet: Part,
    patch: &Patch,
    data: impl Fn(&Site, &[f64; 3]) -> Result<f64>,
) -> Result<Vec<f64>> {
    let (forest, dim) = (space.forest(), space.dim());
    let (axis, is_high) = facet.normal(dim);
    let sign = if is_high { 1.0 } else { -1.0 };
    let weight = |(t, w): ([f64; 3], f64)| {
        let (point, J) = forest.map(e).at(&t);
        let (volume, inverse) = checked_inverse(&J, e)?;
        let outward = inverse[axis].map(|g| sign * volume * g);
        let measure = outward.iter().map(|n| n * n).sum::<f64>().sqrt();
        let site = Site { point, region: forest.region(e) };
        Ok(w * measure * data(&site, &outward.map(|n| n / measure))?)
    };
    patch.points().map(weight).collect()
}
