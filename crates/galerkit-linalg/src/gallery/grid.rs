//! Constant stencils on a box of grid points: row (x, y, z) couples to (x, y, z) + offset with one value for each offset.
//! Points outside the box are Dirichlet points and drop out. Point (x, y, z) has number x + nx (y + ny z).

use crate::error::Result;
use crate::scalar::Scalar;
use crate::sparse::{Csr, build, index};

/// One point of a stencil: offset in x, y, z, and value.
pub(super) type Point<S> = ([i64; 3], S);

/// The matrix of a stencil on a grid of `size` points.
pub(super) fn on_grid<S: Scalar>(size: [usize; 3], mut stencil: Vec<Point<S>>) -> Result<Csr<S>> {
    let rows = count(size)?;
    build::check_memory::<S>("this gallery matrix", rows as u128, rows as u128 * stencil.len() as u128)?;
    stencil.sort_by_key(|([x, y, z], _)| [*z, *y, *x]); // the order of their column numbers
    let [nx, ny, _] = size;
    let step = |[x, y, z]: [i64; 3]| x + nx as i64 * (y + ny as i64 * z);
    let points: Vec<(Point<S>, i64)> = stencil.into_iter().map(|point| (point, step(point.0))).collect();
    let reach = points.iter().flat_map(|((offset, _), _)| offset.map(i64::abs)).max().unwrap_or(0) as usize;
    let deep = |place: [usize; 3]| (0..3).all(|d| place[d] >= reach && place[d] + reach < size[d]);
    let scratch = || ();
    let start = build::row_starts(rows, scratch, |(), i| match coordinates(size, i) {
        place if deep(place) => points.len(),
        place => points.iter().filter(|((offset, _), _)| inside(size, place, *offset)).count(),
    });
    Ok(build::fill_rows(rows, start, scratch, |(), i, col, val| {
        let place = coordinates(size, i);
        let all = deep(place); // most rows: nothing to test
        let present = points.iter().filter(|((offset, _), _)| all || inside(size, place, *offset));
        for (((_, value), step), (col, val)) in present.zip(col.iter_mut().zip(val)) {
            *col = (i as i64 + step) as u32;
            *val = *value;
        }
    }))
}

/// Number of grid points, if they can be numbered by `u32`.
pub(super) fn count(size: [usize; 3]) -> Result<usize> {
    let rows = index::slots("the number of rows", index::slots("the number of rows", size[0], size[1])?, size[2])?;
    index::check_u32("the number of rows", rows)?;
    Ok(rows)
}

/// Coordinates of point i.
pub(super) fn coordinates(size: [usize; 3], i: usize) -> [usize; 3] {
    [i % size[0], i / size[0] % size[1], i / size[0] / size[1]]
}

fn inside(size: [usize; 3], place: [usize; 3], offset: [i64; 3]) -> bool {
    (0..3).all(|d| ((place[d] as i64 + offset[d]) as u64) < size[d] as u64) // below zero becomes huge
}

/// The stencil of a diagonal and one value for each direction: `low` behind, `high` ahead along each axis.
pub(super) fn star<S: Scalar>(diagonal: S, axes: &[(S, S)]) -> Vec<Point<S>> {
    let mut stencil = vec![([0; 3], diagonal)];
    for (d, &(low, high)) in axes.iter().enumerate() {
        let mut offset = [0; 3];
        offset[d] = -1;
        stencil.push((offset, low));
        offset[d] = 1;
        stencil.push((offset, high));
    }
    stencil
}

/// The stencil of a box of 3 points along each of the first `dimension` axes: a diagonal, and -1 everywhere else.
pub(super) fn full_box(dimension: usize) -> Vec<Point<f64>> {
    let points = 3usize.pow(dimension as u32);
    let reach = |p: usize, d: usize| if d < dimension { (p / 3usize.pow(d as u32) % 3) as i64 - 1 } else { 0 };
    let value = |offset| if offset == [0; 3] { points as f64 - 1.0 } else { -1.0 };
    (0..points).map(|p| [reach(p, 0), reach(p, 1), reach(p, 2)]).map(|offset| (offset, value(offset))).collect()
}
