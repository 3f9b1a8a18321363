//! New values into the slots of a matrix that was stored here: gathers like those the host makes of an index
//! (`linalg/map/gather.rs`), with the index and the tiles made on the GPU. A slice has neighbouring rows, whose entries
//! are neighbours too, so a tile is some slices.

use super::DeviceCsr;
use super::kernels::Kernels;
use super::slices::{LANES, Slices};
use super::stored::window;
use crate::error::Result;
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu};
use crate::map::{Map, Tuning, made};
use galerkit_linalg::map::{Gather, Tile};
use galerkit_linalg::sparse::Format;
use galerkit_linalg::{Scalar, per_scalar};
use std::sync::Arc;

/// What brings new values into a stored matrix.
pub struct Refills {
    /// From the entries of the pattern into all slots.
    pub values: Map,
    /// From the slots into the diagonal; none where an entry of it is not stored.
    pub diagonal: Option<Map>,
}

per_scalar! {
    /// The gathers of a matrix that [`stored`](super::stored) has made; `start` are its row starts on the host. None
    /// for formats that only the host makes, and for more entries than 32 bits number.
    pub fn refills<S>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>, start: &[u64], format: Format, tuning: &Tuning) -> Result<Option<Refills>> = refills_of;
}

fn refills_of<S: Scalar>(
    gpu: &Arc<Gpu>,
    jit: &Jit,
    A: &DeviceCsr<S>,
    start: &[u64],
    format: Format,
    tuning: &Tuning,
) -> Result<Option<Refills>> {
    let Some(sigma) = window(format).filter(|_| A.nnz < u32::MAX as usize) else { return Ok(None) };
    let slices = Slices::new(gpu, jit, A, sigma, tuning)?;
    let slots = slices.slots();
    if slots >= u32::MAX as usize {
        return Ok(None);
    }
    let mut diagonal = Buffer::filled(gpu, "where the diagonal is", 4 * A.rows, 0xff)?;
    let (sources, found) = slices.sources(&mut diagonal)?;
    let first = slices.slot_starts()?;
    let tiles = if sigma == 1 { tiles::<S>(&first, start, A.rows) } else { None };
    let values = match tiles {
        Some((tiles, source_of)) => {
            let local = local(slices.kernels(), &sources, &first, &source_of)?;
            let tiles = Buffer::from_slice(gpu, "the tiles of a gather", bytemuck::cast_slice::<Tile, u8>(&tiles))?;
            made::tiled_gather(gpu, (slots, A.nnz), tiles, local)?
        }
        None => made::gather(gpu, (slots, A.nnz), sources)?,
    };
    let diagonal = (found == A.rows).then(|| made::gather(gpu, (A.rows, slots), diagonal)).transpose()?;
    Ok(Some(Refills { values, diagonal }))
}

/// As many whole slices a tile as it holds, and the first entry of each slice's tile; none where a slice is too large
/// for one.
fn tiles<S>(first: &[u64], start: &[u64], rows: usize) -> Option<(Vec<Tile>, Vec<u32>)> {
    let capacity = Gather::capacity::<S>() as u64;
    let entry = |slice: usize| start[rows.min(slice * LANES)];
    let slices = first.len() - 1;
    let (mut tiles, mut source_of) = (Vec::new(), Vec::with_capacity(slices));
    let mut begin = 0;
    while begin < slices {
        let mut end = begin + 1;
        while end < slices && first[end + 1] - first[begin] <= capacity {
            end += 1;
        }
        let slots = first[end] - first[begin];
        if slots > capacity {
            return None;
        }
        let count = (entry(end) - entry(begin)) as u32;
        tiles.push(Tile::of_neighbours(first[begin], slots as u32, entry(begin) as u32, count));
        source_of.resize(end, entry(begin) as u32);
        begin = end;
    }
    Some((tiles, source_of))
}

/// The place of each slot's source in its tile.
fn local(kernels: &Kernels, sources: &Buffer, first: &[u64], source_of: &[u32]) -> Result<Buffer> {
    let gpu = kernels.gpu();
    let local = Buffer::new(gpu, "the places of a gather", sources.bytes() / 2)?;
    let first_slots = Buffer::from_slice(gpu, "the places of a gather", first)?;
    let firsts = Buffer::from_slice(gpu, "the places of a gather", source_of)?;
    let addresses = [&first_slots, &firsts, sources, &local].map(Buffer::address);
    kernels.launch("localise", LANES * source_of.len(), &[&[source_of.len() as u64][..], &addresses].concat());
    Ok(local)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_is_as_many_slices_as_it_holds() {
        // Three slices of 32 rows with 20, 20 and 30 slots a row, the last with 10 rows; a tile of f64 has 2048 slots.
        let first = [0, 640, 1280, 2240];
        let start: Vec<u64> = (0..=74).map(|i| 19 * i).collect();
        let (made, source_of) = tiles::<f64>(&first, &start, 74).expect("slices are small");
        let expected = [(0, 1280, 0, 19 * 64), (1280, 960, 19 * 64, 19 * 10)];
        assert_eq!(
            made,
            expected.map(|(first, slots, source, count)| Tile::of_neighbours(first, slots, source, count))
        );
        assert_eq!(source_of, [0, 0, 19 * 64]);
        assert!(tiles::<f64>(&[0, 2080], &start, 32).is_none(), "a slice too wide");
    }
}
