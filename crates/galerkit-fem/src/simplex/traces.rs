//! Dirichlet data as coefficients. Lagrange functions have values at nodes; hierarchical ones have, on each facet, the
//! coefficients of the polynomial with these values, which on an edge or at a vertex are those of all facets around.

use super::functions::Functions;
use super::space::SimplexSpace;
use crate::basis::dense::Dense;

/// The coefficients of the fixed functions from the values at their nodes.
pub fn coefficients(space: &SimplexSpace, values: Vec<f64>) -> Vec<f64> {
    if space.kind() == Functions::Lagrange {
        return values;
    }
    let mut found = values.clone();
    for facet in space.boundary() {
        let e = facet.cell;
        let on_facet = |&i: &usize| space.local_nodes()[i][facet.opposite] == 0;
        let local: Vec<usize> = (0..space.local_nodes().len()).filter(on_facet).collect();
        let number = |i: &usize| (space.functions(e)[*i] as usize).checked_sub(space.unknowns());
        let Some(fixed) = local.iter().map(number).collect::<Option<Vec<usize>>>() else { continue };
        let at = |r: usize| space.functions_at(e, &space.place(&space.local_nodes()[local[r]]));
        let rows: Vec<_> = (0..local.len()).map(at).collect();
        let V = Dense::new(local.len(), local.len(), |r, c| rows[r][local[c]].0);
        let wanted: Vec<f64> = fixed.iter().map(|&i| values[i]).collect();
        // V^T V c = V^T v: small, and well-conditioned enough for four degrees
        let normal = Dense::new(local.len(), local.len(), |i, j| (0..local.len()).map(|r| V[(r, i)] * V[(r, j)]).sum());
        let L = normal.cholesky().expect("functions of a facet are independent at its nodes");
        let c = L.cholesky_solve(&V.transposed().times(&wanted));
        fixed.iter().zip(c).for_each(|(&i, c)| found[i] = c);
    }
    found
}
