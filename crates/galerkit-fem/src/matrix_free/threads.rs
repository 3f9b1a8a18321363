//! The product on threads, in four steps: values of hanging functions; cells, task by task, into local results and
//! interior unknowns; sums of hanging functions; sums of interface unknowns, with their share of hanging ones. No step
//! writes where another thread does, and sums have a fixed order: bits do not depend on threads.

use super::batch::Batch;
use super::cells::{Cells, LANES, Task};
use super::numbers::Numbers;
use super::rows::Rows;
use super::sums::SIGN;
use galerkit_linalg::Scalar;
use galerkit_linalg::parallel;
use std::sync::{Mutex, PoisonError};

/// Interface unknowns that a task sums.
const ROWS: usize = 4096;

/// Cells of a kind, by their places in it.
type Chosen = (usize, std::ops::Range<usize>);

/// y = A x; `local` is room for the results of cells.
pub(super) fn apply<S: Scalar>(cells: &Cells, numbers: &Numbers<S>, local: &mut Vec<S>, (x, y): (&[S], &mut [S])) {
    local.resize(cells.places(), S::zero());
    let hanging = numbers.constraints.all_times(x);
    let (interface, interior) = y.split_at_mut(cells.interface);
    let tasks = pieces(cells, local, interior);
    let spare = Mutex::new(Vec::new()); // one batch for each thread that takes part
    let spare = || spare.lock().unwrap_or_else(PoisonError::into_inner);
    parallel::each_piece(tasks, &|(task, local, interior): (&Task, &mut [S], &mut [S])| {
        let found = spare().pop();
        let mut batch = found.unwrap_or_else(|| Batch::new(cells));
        for (k, range) in &task.batches {
            let chosen = (*k as usize, range.start as usize..range.end as usize);
            multiply(cells, numbers, &chosen, (x, &hanging), &mut batch);
            scatter(cells, task, &chosen, &batch, (local, interior));
        }
        spare().push(batch);
    });
    sum(cells, numbers, local, interface);
}

/// y = y + B x for the matrix beside cells, if there is one.
pub(super) fn add_beside<S: Scalar>(beside: &Rows<S>, x: &[S], y: &mut [S]) {
    if beside.len() > 0 {
        parallel::each_chunk(y, ROWS, &|first, y| {
            y.iter_mut().zip(first..).for_each(|(y, i)| *y += beside.times(i, x))
        });
    }
}

/// Local results and interior unknowns of each task.
fn pieces<'a, S>(
    cells: &'a Cells,
    mut local: &'a mut [S],
    mut interior: &'a mut [S],
) -> Vec<(&'a Task, &'a mut [S], &'a mut [S])> {
    let piece = |task: &'a Task| {
        let places = (cells.first[task.cells.end] - cells.first[task.cells.start]) as usize;
        let of_cells = local.split_off_mut(..places).expect("a place for each local function");
        let of_interior = interior.split_off_mut(..task.interior.len()).expect("interiors in the order of cells");
        (task, of_cells, of_interior)
    };
    cells.tasks.iter().map(piece).collect()
}

/// K_e u for at most [`LANES`] cells of a kind, by their places in it.
fn multiply<S: Scalar>(
    cells: &Cells,
    numbers: &Numbers<S>,
    (k, places): &Chosen,
    (x, hanging): (&[S], &[S]),
    batch: &mut Batch<S>,
) {
    let kind = &cells.kinds[*k];
    batch.gather(cells, &kind.cells[places.clone()], x, hanging);
    let (size, all) = (kind.factors(cells.dim), numbers.factors(kind, *k));
    let factors: [&[S]; LANES] = std::array::from_fn(|lane| {
        let place = places.start + lane.min(places.len() - 1);
        &all[place * size..(place + 1) * size]
    });
    batch.multiply(cells.dim, kind, &numbers.tables[*k], &factors);
}

/// Writes the results of a batch: interior unknowns have no other cell, so theirs are final.
fn scatter<S: Scalar>(
    cells: &Cells,
    task: &Task,
    (k, places): &Chosen,
    batch: &Batch<S>,
    (local, interior): (&mut [S], &mut [S]),
) {
    for (lane, place) in places.clone().enumerate() {
        let e = cells.kinds[*k].cells[place] as usize;
        let first = (cells.first[e] - cells.first[task.cells.start]) as usize;
        for (i, &bits) in cells.index_of(e).iter().enumerate() {
            let value = batch.u[i][lane];
            match interior.get_mut(((bits & !SIGN) as usize).wrapping_sub(task.interior.start)) {
                Some(y) => *y = if bits & SIGN == 0 { value } else { -value },
                None => local[first + i] = value,
            }
        }
    }
}

/// Interface unknowns from local results.
fn sum<S: Scalar>(cells: &Cells, numbers: &Numbers<S>, local: &[S], interface: &mut [S]) {
    let (sums, transposed) = (&cells.sums, &numbers.transposed);
    let count = numbers.constraints.len();
    let hanging: Vec<S> = parallel::collect(count, &|i| sums.of(cells.interface + i, local));
    parallel::each_chunk(interface, ROWS, &|first, y| {
        for (y, i) in y.iter_mut().zip(first..) {
            *y = sums.of(i, local);
            if count > 0 {
                *y += transposed.times(i, &hanging);
            }
        }
    });
}

/// All unknowns from local results.
pub(super) fn summed<S: Scalar>(cells: &Cells, numbers: &Numbers<S>, local: &[S]) -> Vec<S> {
    let mut y = vec![S::zero(); cells.unknowns];
    for (&bits, &value) in cells.index.iter().zip(local) {
        let i = (bits & !SIGN) as usize;
        if (cells.interface..cells.unknowns).contains(&i) {
            y[i] = if bits & SIGN == 0 { value } else { -value };
        }
    }
    sum(cells, numbers, local, &mut y[..cells.interface]);
    y
}
