//! The last step of T (`low_energy.rs`) and its transpose, cell by cell: interior coefficients from those of the cell's
//! boundary. With e_a the map from both ends of axis a to the bubbles along it, by the c_j of the cell's degree,
//!
//! ```text
//! u_interior = w_interior - (prod over axes (1 - e_a)) u_boundary
//! ```
//!
//! As rows of a sparse matrix that would be 27 entries for each interior function, most of what T has; this way it is a
//! gather. Vectors in front of this step have the hanging functions behind the unknowns.

use crate::basis::MAX_DEGREE;
use crate::basis::nodal::Nodal;
use crate::space::Space;
use galerkit_linalg::Scalar;
use std::ops::Range;

/// No function: fixed, or left out by the minimum rule.
pub(super) const NONE: u32 = u32::MAX;
/// The function counts with the other sign.
pub(super) const SIGN: u32 = 1 << 31;

/// Cells with interior functions, and what their local functions are.
#[derive(Debug)]
pub struct Interiors {
    pub(super) dim: usize,
    /// Unknowns on vertices, edges and faces; all unknowns; these and hanging functions.
    pub(super) counts: [usize; 3],
    pub(super) cells: Vec<Cell>,
    /// Functions of cells in tensor order, with signs.
    pub(super) index: Vec<u32>,
    /// Where a function of the interface, and behind these each hanging one, stands among the functions of cells.
    pub(super) sum_start: Vec<u32>,
    pub(super) sum_place: Vec<u32>,
}

/// A cell: its degree, its first interior unknown, and where its functions begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub degree: u32,
    pub interior: u32,
    pub first: u32,
}

impl Interiors {
    /// Of a space; cells of degree 1 have none.
    pub fn new(space: &Space) -> Self {
        let counts = space.counts();
        let (mut cells, mut index) = (Vec::new(), Vec::new());
        for e in (0..space.cells()).filter(|&e| space.degree(e) > 1) {
            let (degree, interior) = (space.degree(e) as u32, space.numbering().of_interior[e]);
            cells.push(Cell { degree, interior, first: index.len() as u32 });
            index.extend(space.functions(e).iter().map(|function| match function.get() {
                Some((i, _)) if (counts.unknowns..counts.masters).contains(&i) => NONE,
                Some((i, sign)) => {
                    let i = if i < counts.unknowns { i } else { i - counts.masters + counts.unknowns };
                    i as u32 | if sign < 0.0 { SIGN } else { 0 }
                }
                None => NONE,
            }));
        }
        let counts = [counts.interface, counts.unknowns, counts.unknowns + space.constraints().len()];
        let (sum_start, sum_place) = sums(counts, &index);
        Self { dim: space.dim(), counts, cells, index, sum_start, sum_place }
    }

    /// The functions of a cell.
    pub(super) fn of(&self, cell: &Cell) -> Range<usize> {
        let first = cell.first as usize;
        first..first + (cell.degree as usize + 1).pow(self.dim as u32)
    }
    /// Interior unknowns of a cell.
    pub(super) fn interior(&self, cell: &Cell) -> Range<usize> {
        let first = cell.interior as usize;
        first..first + (cell.degree as usize - 1).pow(self.dim as u32)
    }
    /// The place of a function that is summed; none for interior ones.
    pub(super) fn slot([interface, unknowns, _]: [usize; 3], function: usize) -> Option<usize> {
        match function {
            i if i < interface => Some(i),
            i => Some(interface + i.checked_sub(unknowns)?),
        }
    }
}

/// For each function of the interface and each hanging one the places that are summed, with signs.
fn sums(counts: [usize; 3], index: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let slots = counts[0] + counts[2] - counts[1];
    let slot = |bits: u32| Interiors::slot(counts, (bits & !SIGN) as usize).filter(|_| bits != NONE);
    let mut start = vec![0u32; slots + 1];
    index.iter().filter_map(|&bits| slot(bits)).for_each(|slot| start[slot + 1] += 1);
    (0..slots).for_each(|slot| start[slot + 1] += start[slot]);
    let (mut next, mut place) = (start.clone(), vec![0; start[slots] as usize]);
    for (at, &bits) in index.iter().enumerate() {
        if let Some(slot) = slot(bits) {
            place[next[slot] as usize] = at as u32 | (bits & SIGN);
            next[slot] += 1;
        }
    }
    (start, place)
}

/// c_j of all degrees: for j = 2, ..., p those of both ends.
pub(super) fn ends<S: Scalar>() -> Vec<Vec<[S; 2]>> {
    let of = |p: usize| Nodal::of(p).ends.iter().map(|c| c.map(S::from_f64)).collect();
    (0..=MAX_DEGREE).map(|p| if p > 1 { of(p) } else { Vec::new() }).collect()
}

/// Where lines of interior functions begin in a cube of p + 1 entries in each direction; each has p - 1.
pub(super) fn inner_lines(dim: usize, p: usize) -> impl Iterator<Item = usize> {
    let (n, bubbles) = (p + 1, p - 1);
    (0..bubbles.pow(dim as u32 - 1)).map(move |line| {
        let (i, j) = (line / bubbles, line % bubbles);
        if dim == 3 { ((i + 2) * n + j + 2) * n + 2 } else { (line + 2) * n + 2 }
    })
}

/// u = (1 - e_a) u for every axis, in a cube of p + 1 entries in each direction.
pub(super) fn extend<S: Scalar>(dim: usize, ends: &[[S; 2]], u: &mut [S]) {
    for line in u.chunks_exact_mut(ends.len() + 2) {
        let (low, high) = (line[0], line[1]);
        line[2..].iter_mut().zip(ends).for_each(|(u, c)| *u -= c[0] * low + c[1] * high);
    }
    each_slower_axis(dim, ends.len() + 2, u, |low, high, bubbles| {
        for (c, bubbles) in ends.iter().zip(bubbles.chunks_exact_mut(low.len())) {
            for ((u, low), high) in bubbles.iter_mut().zip(&*low).zip(&*high) {
                *u -= c[0] * *low + c[1] * *high;
            }
        }
    });
}

/// The transpose of [`extend`].
pub(super) fn reduce<S: Scalar>(dim: usize, ends: &[[S; 2]], u: &mut [S]) {
    for line in u.chunks_exact_mut(ends.len() + 2) {
        let (two, bubbles) = line.split_at_mut(2);
        for (u, c) in bubbles.iter().zip(ends) {
            two[0] -= c[0] * *u;
            two[1] -= c[1] * *u;
        }
    }
    each_slower_axis(dim, ends.len() + 2, u, |low, high, bubbles| {
        for (c, bubbles) in ends.iter().zip(bubbles.chunks_exact(low.len())) {
            for ((u, low), high) in bubbles.iter().zip(&mut *low).zip(&mut *high) {
                *low -= c[0] * *u;
                *high -= c[1] * *u;
            }
        }
    });
}

/// Along each axis of a cube but the fastest: entries at the low end, at the high end, and those of bubbles one after
/// the other.
fn each_slower_axis<S>(dim: usize, n: usize, u: &mut [S], mut step: impl FnMut(&mut [S], &mut [S], &mut [S])) {
    for stride in (1..dim as u32).map(|axis| n.pow(axis)) {
        for slab in u.chunks_exact_mut(n * stride) {
            let (ends, bubbles) = slab.split_at_mut(2 * stride);
            let (low, high) = ends.split_at_mut(stride);
            step(low, high, bubbles);
        }
    }
}
