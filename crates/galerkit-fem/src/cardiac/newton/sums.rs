//! From elements to nodes and to the slots of the matrix, as sums in a fixed order without atomics: source 004's K_elem
//! . 1. The reaction adds one number an element to all entries that its nodes share, so the tangent is K plus sums over
//! elements.

use crate::cardiac::matrices::Incidence;
use crate::cardiac::tissue::Tissue;
use crate::error::Result;
use galerkit_linalg::map::GatherSums;
use galerkit_linalg::sparse::Csr;

/// Sums over the nodes of each element.
pub fn over_nodes(tissue: &Tissue) -> Result<GatherSums> {
    let start = (0..=tissue.elements()).map(|e| (e * tissue.corners()) as u64).collect();
    Ok(GatherSums::new(tissue.points().len(), start, tissue.all_nodes().to_vec())?)
}

/// Sums over the elements of each node, in ascending order.
pub fn over_elements(tissue: &Tissue, incidence: &Incidence) -> Result<GatherSums> {
    Ok(GatherSums::new(tissue.elements(), incidence.start.clone(), incidence.elements.clone())?)
}

/// Sums over the elements that have both nodes of an entry, straight into the slots of a stored matrix: `entry_of` says
/// for each slot which entry of the pattern it holds, counted from 1, or 0 for padding.
pub fn over_shared(tissue: &Tissue, incidence: &Incidence, pattern: &Csr<f64>, entry_of: &[f64]) -> Result<GatherSums> {
    let mut row_of = vec![0u32; pattern.nnz()];
    (0..pattern.rows()).for_each(|i| pattern.range(i).for_each(|k| row_of[k] = i as u32));
    let (mut start, mut index) = (vec![0u64], Vec::new());
    for &entry in entry_of {
        if entry > 0.0 {
            let k = entry as usize - 1;
            let column = pattern.col()[k];
            let shares = |e: &&u32| tissue.nodes(**e as usize).contains(&column);
            index.extend(incidence.of(row_of[k] as usize).iter().filter(shares).copied());
        }
        start.push(index.len() as u64);
    }
    Ok(GatherSums::new(tissue.elements(), start, index)?)
}
