//! Block Jacobi of new values: blocks are gathered from the entries, inverted where they are, and gathered into the
//! loaded map.

use super::super::machine::{Engine as Recorded, Machine};
use super::into_slots::{Finish, into_slots};
use super::slots::Ordered;
use galerkit_cuda::map::block_diagonal;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Held, Resident, Routine};
use galerkit_linalg::map::{Gather, NO_SOURCE, gather_map};
use galerkit_linalg::precond::{BlockDiagonal, BlockInverses, block_inverses_map};
use galerkit_linalg::program::{Precision, Vector};

/// The routines that make the map; the last one has the largest value as its scalar, which is not finite where a block
/// is singular.
pub(super) fn inverted_blocks<S: Scalar>(
    e: &mut Recorded<S>,
    M: &BlockDiagonal<S>,
    ordered: &Ordered,
    entries: &Held<Vector>,
    map: &mut Resident<Recorded<S>>,
) -> Option<Vec<Routine>> {
    let count = u32::try_from(M.slots()).ok()?;
    let on_gpu = e.executor().cuda().is_some();
    let slots = if on_gpu { block_diagonal::sources(M)? } else { (0..count).collect() };
    let dense = e.load(gather_map(Gather::new(e.length(entries), dense(M, ordered)).ok()?));
    let inverses = e.load(block_inverses_map(BlockInverses::new(M.rows(), M.block())));
    let [mut blocks, mut inverted] = [(); 2].map(|()| e.zeros(M.slots(), Precision::Full));
    let invert = e.compile(|e| {
        e.apply_map(&dense, entries, &mut blocks);
        e.apply_map(&inverses, &blocks, &mut inverted);
        Vec::new()
    });
    let judge = |e: &mut Recorded<S>, values: &Held<Vector>| vec![e.norm_inf(values)];
    let into_map = into_slots(e, &inverted, slots, map, Finish { change: &|_, _| (), judge: &judge })?;
    Some(vec![invert, into_map])
}

/// Which entry of the input each entry of the blocks is.
fn dense<S: Scalar>(M: &BlockDiagonal<S>, ordered: &Ordered) -> Vec<u32> {
    let mut sources = vec![NO_SOURCE; M.slots()];
    for k in 0..M.blocks() {
        let (rows, slots) = M.block_at(k);
        for i in rows.clone() {
            for (j, entry) in ordered.row(i).filter(|(j, _)| rows.contains(j)) {
                sources[slots.start + (i - rows.start) * rows.len() + j - rows.start] = entry;
            }
        }
    }
    sources
}
