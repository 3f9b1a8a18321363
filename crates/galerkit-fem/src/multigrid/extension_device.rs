//! The maps of `extension.rs` on a GPU: kernel source and arrays.

use super::interiors::Interiors;
use crate::basis::MAX_DEGREE;
use galerkit_linalg::Scalar;
use galerkit_linalg::map::{DeviceSource, Grid, Protocol, Word};

const SOURCE: &str = include_str!("../../kernels/extension.cu");

/// Source and arrays of the extension or of its transpose, with the c_j of each degree; none for complex scalars.
pub(super) fn device<S: Scalar>(
    interiors: &Interiors,
    ends: &[Vec<[S; 2]>],
    is_transposed: bool,
) -> Option<DeviceSource> {
    if S::KIND.is_complex() || interiors.cells.is_empty() {
        return None;
    }
    let source = format!(
        "constexpr unsigned DIM = {}, HIGHEST = {MAX_DEGREE};\nconstexpr bool TRANSPOSED = {is_transposed};\n{SOURCE}",
        interiors.dim
    );
    let start: Vec<u32> =
        (0..ends.len()).map(|p| ends[..p].iter().map(|c| 2 * c.len()).sum::<usize>() as u32).collect();
    let numbers: Vec<S> = ends.iter().flatten().flatten().copied().collect();
    let cells: Vec<u32> = interiors.cells.iter().flat_map(|cell| [cell.degree, cell.interior, cell.first]).collect();
    let mut words = interiors.counts.map(|n| Word::Number(n as u64)).to_vec();
    words.push(Word::Number(interiors.cells.len() as u64));
    words.extend([&cells, &start, &interiors.index, &interiors.sum_start].map(|data| Word::array(data)));
    let places = &interiors.sum_place;
    words.push(if places.is_empty() { Word::Number(0) } else { Word::array(places) });
    words.push(Word::array(&numbers));
    words.push(Word::Room(interiors.index.len() * size_of::<S>()));
    let protocol = Protocol::Alone { passes: if is_transposed { 2 } else { 1 } };
    Some(DeviceSource { source, protocol, words, lanes: 1, grid: Grid::Rows })
}
