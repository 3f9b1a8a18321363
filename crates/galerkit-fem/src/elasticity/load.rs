//! Forces on nodes: b_a = int f phi_a + int_G t phi_a.

use super::cells::At;
use super::solid::{Solid, Traction};
use crate::error::{Error, Result};
use crate::form::Site;
use crate::mesh::facets::{facet_shape, facets};
use crate::mesh::volume::rule;
use crate::mesh::{Facet, Geometry};
use galerkit_linalg::parallel;

impl Solid {
    /// The force on each node, held or not.
    ///
    /// # Errors
    /// If a force is not finite, or a cell is folded.
    pub fn loads(&self) -> Result<Vec<[f64; 3]>> {
        let mut loads = vec![[0.0; 3]; self.mesh.points.len()];
        if let Some(force) = &self.force {
            let of_cell = |e: usize| {
                let mut sums = vec![[0.0; 3]; self.cells.nodes(&self.mesh, e).len()];
                self.cells.visit(&self.mesh, e, At::Data, &mut |_, at| {
                    let f = checked("the force", force(&at.x), at.x)?;
                    add(&mut sums, at.values, f.map(|f| at.weight * f));
                    Ok(())
                })?;
                Ok::<_, Error>(sums)
            };
            for (e, sums) in parallel::try_values(self.cells.count(), &of_cell)?.into_iter().enumerate() {
                spread(&mut loads, self.cells.nodes(&self.mesh, e), &sums);
            }
        }
        for (tag, traction) in &self.tractions {
            for facet in self.boundary.iter().filter(|facet| facet.tag == *tag) {
                let (nodes, sums) = self.on_facet(*facet, traction)?;
                spread(&mut loads, &nodes, &sums);
            }
        }
        Ok(loads)
    }

    /// The nodes of a facet, and what acts on them.
    fn on_facet(&self, facet: Facet, traction: &Traction) -> Result<(Vec<u32>, Vec<[f64; 3]>)> {
        let block = &self.mesh.blocks[facet.block];
        let shape = facet_shape(facets(block.shape)[facet.side].len());
        let (geometry, nodes) = (Geometry::new(shape, block.order)?, self.mesh.facet_nodes(facet));
        let mut sums = vec![[0.0; 3]; nodes.len()];
        for (xi, weight) in rule(shape, block.order + 3) {
            let functions = geometry.at(xi);
            let mapped = functions.map(&self.mesh.points, &nodes);
            let (x, normal) = (mapped.point, mapped.normal().unwrap_or([0.0; 3])); // as long as its area
            let t = match traction {
                Traction::Vector(t) => t(&x).map(|t| t * mapped.measure()),
                Traction::Pressure(p) => {
                    let p = p.at(&Site { point: x, region: block.tags[facet.cell] });
                    normal.map(|n| -p * n)
                }
            };
            add(&mut sums, &functions.values, checked("the traction", t, x)?.map(|t| weight * t));
        }
        Ok((nodes, sums))
    }
}

fn add(sums: &mut [[f64; 3]], values: &[f64], f: [f64; 3]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        (0..3).for_each(|d| sum[d] += value * f[d]);
    }
}

fn spread(loads: &mut [[f64; 3]], nodes: &[u32], sums: &[[f64; 3]]) {
    for (&node, sum) in nodes.iter().zip(sums) {
        (0..3).for_each(|d| loads[node as usize][d] += sum[d]);
    }
}

fn checked(what: &'static str, f: [f64; 3], point: [f64; 3]) -> Result<[f64; 3]> {
    match f.into_iter().find(|x| !x.is_finite()) {
        None => Ok(f),
        Some(value) => Err(Error::InvalidCoefficient { what, value, point, needed: "finite" }),
    }
}
