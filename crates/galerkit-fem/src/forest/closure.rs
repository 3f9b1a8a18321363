//! 1-irregularity: neighbours across a face or an edge differ by one level at most. Then no cell that shares a vertex
//! with the interior of another's edge or face is smaller than half of it either.

use super::cell::{Cell, SIDE};
use super::coarse::{Coarse, Orientation};
use super::key::Key;
use super::part::{FREE, HIGH, LOW, Part};
use galerkit_linalg::parallel;
use std::collections::HashSet;

/// The name of a part of a cell, and how the axes of the named entity lie in the cell.
pub fn entity(coarse: &Coarse, cell: &Cell, part: Part) -> (Key, Orientation) {
    let side = cell.side();
    let low = [0, 1, 2].map(|a| cell.place[a] * side + if part.0[a] == HIGH { side } else { 0 });
    let within = |a: usize| match (part.0[a], low[a]) {
        (FREE, _) => FREE,
        (_, 0) => LOW,
        (_, SIDE) => HIGH,
        _ => FREE,
    };
    let around = Part([within(0), within(1), within(2)]);
    let (id, lies) = coarse.part(cell.tree, around);
    let mut key = Key { coarse: id, corner: [0; 3], level: 0, along: 0 };
    let (mut orientation, mut axes) = (Orientation::default(), 0);
    for k in 0..around.dim() {
        let (a, flip) = (lies.axes[k] as usize, lies.flip[k]);
        let extends = part.0[a] == FREE;
        let length = if extends { side } else { 0 };
        key.corner[k] = if flip { SIDE - low[a] - length } else { low[a] };
        if extends {
            key.along |= 1 << k;
            key.level = cell.level;
            (orientation.axes[axes], orientation.flip[axes]) = (a as u8, flip);
            axes += 1;
        }
    }
    (key, orientation)
}

/// The cells that are more than one level above a neighbour.
pub fn too_large(coarse: &Coarse, cells: &[Cell]) -> Vec<bool> {
    let dim = coarse.dim();
    let (least, most) = cells.iter().fold((u8::MAX, 0), |(l, m), cell| (l.min(cell.level), m.max(cell.level)));
    if most < least + 2 || cells.is_empty() {
        return vec![false; cells.len()];
    }
    let inner = |part: &Part| (1..dim).contains(&part.dim());
    let keys = |cell: &Cell| {
        let cell = *cell;
        Part::all(dim).filter(inner).map(move |part| entity(coarse, &cell, part).0).collect::<Vec<_>>()
    };
    let present: HashSet<u128> = cells.iter().flat_map(keys).map(|key| key.packed()).collect();
    let far_above = |key: Key| key.ancestors().skip(1).map(|key| key.packed()).collect::<Vec<_>>();
    let above = |e: usize| {
        let found = keys(&cells[e]).into_iter().flat_map(far_above);
        found.filter(|key| present.contains(key)).collect::<Vec<_>>()
    };
    let cut: HashSet<u128> = parallel::values(cells.len(), &above).into_iter().flatten().collect();
    parallel::values(cells.len(), &|e| keys(&cells[e]).iter().any(|key| cut.contains(&key.packed())))
}
