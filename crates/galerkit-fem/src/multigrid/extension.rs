//! The maps of `interiors.rs`: [`Extension`] from unknowns and hanging functions to unknowns, [`Reduction`] its
//! transpose. On threads each task has cells whose interior unknowns follow each other; sums have a fixed order.

use super::extension_device::device;
use super::interiors::{Cell, Interiors, NONE, SIGN, ends, extend, inner_lines, reduce};
use galerkit_linalg::map::DeviceSource;
use galerkit_linalg::parallel;
use galerkit_linalg::{LinearMap, Scalar};
use std::sync::Arc;

/// Cells of a task.
const CELLS: usize = 16;
/// Functions that a task sums.
const ROWS: usize = 4096;

/// Interior coefficients from those of the boundary; others stay.
#[derive(Clone, Debug)]
pub struct Extension<S> {
    interiors: Arc<Interiors>,
    ends: Arc<Vec<Vec<[S; 2]>>>,
}

/// The transpose.
#[derive(Clone, Debug)]
pub struct Reduction<S> {
    interiors: Arc<Interiors>,
    ends: Arc<Vec<Vec<[S; 2]>>>,
}

/// Both, for a space.
pub fn extension_and_reduction(interiors: Interiors) -> (Extension<f64>, Reduction<f64>) {
    let (interiors, ends) = (Arc::new(interiors), Arc::new(ends()));
    (Extension { interiors: interiors.clone(), ends: ends.clone() }, Reduction { interiors, ends })
}

fn signed<S: Scalar>(bits: u32, value: S) -> S {
    if bits & SIGN == 0 { value } else { -value }
}

impl<S: Scalar> Extension<S> {
    /// The interior unknowns of some cells, which y begins with.
    fn extend(&self, cells: &[Cell], x: &[S], y: &mut [S]) {
        let interiors = &*self.interiors;
        let (mut u, mut rest) = (Vec::new(), y);
        for cell in cells {
            let (p, own) = (cell.degree as usize, interiors.interior(cell));
            let gathered =
                |&bits: &u32| if bits == NONE { S::zero() } else { signed(bits, x[(bits & !SIGN) as usize]) };
            u.clear();
            u.extend(interiors.index[interiors.of(cell)].iter().map(gathered));
            inner_lines(interiors.dim, p).for_each(|at| u[at..at + p - 1].fill(S::zero()));
            extend(interiors.dim, &self.ends[p], &mut u);
            let into = rest.split_off_mut(..own.len()).expect("cells have all interior unknowns");
            let lines = into.chunks_exact_mut(p - 1).zip(x[own].chunks_exact(p - 1));
            for ((y, x), at) in lines.zip(inner_lines(interiors.dim, p)) {
                y.iter_mut().zip(x).zip(&u[at..]).for_each(|((y, &x), &u)| *y = x - u);
            }
        }
    }
}

impl<S: Scalar> Reduction<S> {
    /// What the interiors of some cells hand to the functions of these cells.
    fn reduce(&self, cells: &[Cell], x: &[S], local: &mut [S]) {
        let (interiors, mut rest) = (&*self.interiors, local);
        for cell in cells {
            let (p, own) = (cell.degree as usize, interiors.interior(cell));
            let u = rest.split_off_mut(..interiors.of(cell).len()).expect("a place for each function");
            u.fill(S::zero());
            for (x, at) in x[own].chunks_exact(p - 1).zip(inner_lines(interiors.dim, p)) {
                u[at..at + p - 1].copy_from_slice(x);
            }
            reduce(interiors.dim, &self.ends[p], u);
        }
    }

    fn sum(&self, slot: usize, local: &[S]) -> S {
        let Interiors { sum_start, sum_place, .. } = &*self.interiors;
        let places = &sum_place[sum_start[slot] as usize..sum_start[slot + 1] as usize];
        places.iter().fold(S::zero(), |sum, &place| sum + signed(place, local[(place & !SIGN) as usize]))
    }
}

fn bytes(interiors: &Interiors) -> usize {
    size_of_val(&interiors.index[..]) + size_of_val(&interiors.sum_start[..]) + size_of_val(&interiors.sum_place[..])
}

fn rounded<S: Scalar>(ends: &[Vec<[S; 2]>]) -> Arc<Vec<Vec<[S::Single; 2]>>> {
    let low = |c: &Vec<[S; 2]>| c.iter().map(|c| c.map(|c| c.to_single())).collect();
    Arc::new(ends.iter().map(low).collect())
}

impl<S: Scalar> LinearMap<S> for Extension<S> {
    fn shape(&self) -> (usize, usize) {
        (self.interiors.counts[1], self.interiors.counts[2])
    }
    fn name(&self) -> &'static str {
        "an extension into interiors"
    }
    fn bytes(&self) -> usize {
        bytes(&self.interiors)
    }
    fn apply(&self, _: &[S], x: &[S], y: &mut [S]) {
        let [interface, ..] = self.interiors.counts;
        y[..interface].copy_from_slice(&x[..interface]);
        self.extend(&self.interiors.cells, x, &mut y[interface..]);
    }
    fn apply_on_threads(&self, _: &[S], x: &[S], y: &mut [S]) {
        let [interface, ..] = self.interiors.counts;
        let (boundary, mut rest) = y.split_at_mut(interface);
        boundary.copy_from_slice(&x[..interface]);
        let piece = |cells: &[Cell]| {
            let length = cells.iter().map(|cell| self.interiors.interior(cell).len()).sum();
            rest.split_off_mut(..length).expect("cells have all interior unknowns")
        };
        let pieces: Vec<&mut [S]> = self.interiors.cells.chunks(CELLS).map(piece).collect();
        let tasks = self.interiors.cells.chunks(CELLS).zip(pieces).collect();
        parallel::each_piece(tasks, &|(cells, y): (&[Cell], &mut [S])| self.extend(cells, x, y));
    }
    fn device_source(&self) -> Option<DeviceSource> {
        device(&self.interiors, &self.ends, false)
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        Some(Box::new(Extension { interiors: self.interiors.clone(), ends: rounded(&self.ends) }))
    }
}

impl<S: Scalar> LinearMap<S> for Reduction<S> {
    fn shape(&self) -> (usize, usize) {
        (self.interiors.counts[2], self.interiors.counts[1])
    }
    fn name(&self) -> &'static str {
        "a reduction from interiors"
    }
    fn bytes(&self) -> usize {
        bytes(&self.interiors)
    }
    fn apply(&self, _: &[S], x: &[S], y: &mut [S]) {
        let [interface, unknowns, _] = self.interiors.counts;
        let mut local = vec![S::zero(); self.interiors.index.len()];
        self.reduce(&self.interiors.cells, x, &mut local);
        y[interface..unknowns].copy_from_slice(&x[interface..unknowns]);
        (0..interface).for_each(|i| y[i] = x[i] - self.sum(i, &local));
        (unknowns..y.len()).for_each(|i| y[i] = -self.sum(interface + i - unknowns, &local));
    }
    fn apply_on_threads(&self, _: &[S], x: &[S], y: &mut [S]) {
        let [_, unknowns, _] = self.interiors.counts;
        let mut local = vec![S::zero(); self.interiors.index.len()];
        let mut rest = &mut local[..];
        let piece = |cells: &[Cell]| {
            let length = cells.iter().map(|cell| self.interiors.of(cell).len()).sum();
            rest.split_off_mut(..length).expect("a place for each function")
        };
        let pieces: Vec<&mut [S]> = self.interiors.cells.chunks(CELLS).map(piece).collect();
        let tasks = self.interiors.cells.chunks(CELLS).zip(pieces).collect();
        parallel::each_piece(tasks, &|(cells, local): (&[Cell], &mut [S])| self.reduce(cells, x, local));
        parallel::each_chunk(y, ROWS, &|first, y| {
            for (y, i) in y.iter_mut().zip(first..) {
                let kept = if i < unknowns { x[i] } else { S::zero() };
                let slot = Interiors::slot(self.interiors.counts, i);
                *y = slot.map_or(kept, |slot| kept - self.sum(slot, &local));
            }
        });
    }
    fn device_source(&self) -> Option<DeviceSource> {
        device(&self.interiors, &self.ends, true)
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        Some(Box::new(Reduction { interiors: self.interiors.clone(), ends: rounded(&self.ends) }))
    }
}
