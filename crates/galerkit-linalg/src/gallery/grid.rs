//! Constant stencils on a box of grid points: row (x, y, z) couples to (x, y, z) + offset with one value for each
//! offset. Points outside the box are Dirichlet points and drop out. Point (x, y, z) has number x + nx (y + ny z).
//!
//! Everything about such a matrix is a formula. A point p of the stencil is in the rows of a box, w_x by w_y by w_z of
//! them from (l_x, l_y, l_z) on, so of the rows before (x, y, z) it is in w_x w_y (z - l_z) + w_x (y - l_y) + x - l_x,
//! each difference cut to its side of the box, the later ones only if z, then y, is inside; the sum over all points is
//! where the row starts. A machine can write the rows in any order, and a GPU does (`convert/born.rs` of
//! galerkit-cuda).

use crate::error::{Error, Result};
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::{Csr, Pattern, build, index};

/// One point of a stencil: offset in x, y, z, and value.
pub type Point<S> = ([i64; 3], S);

/// A square matrix given by a stencil on a grid, without its rows.
///
/// ```
/// use galerkit_linalg::gallery::GridMatrix;
/// use galerkit_linalg::sparse::Pattern;
///
/// // -u'' on a line of four points.
/// let A = GridMatrix::new([4, 1, 1], vec![([-1, 0, 0], -1.0), ([0, 0, 0], 2.0), ([1, 0, 0], -1.0)])?;
/// assert_eq!((A.rows(), A.nnz()), (4, 10));
/// assert_eq!(A.to_csr()?.val(), [2.0, -1.0, -1.0, 2.0, -1.0, -1.0, 2.0, -1.0, -1.0, 2.0]);
/// # Ok::<(), galerkit_linalg::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GridMatrix<S> {
    size: [usize; 3],
    /// In the order of their columns.
    stencil: Vec<Point<S>>,
    /// Where each of them has an entry.
    boxes: Vec<Rows>,
    nnz: usize,
}

/// The rows of a box: first and one behind the last along each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rows([(usize, usize); 3]);

impl Rows {
    /// Those that still are in a box of this size when moved by an offset.
    fn of(size: [usize; 3], offset: [i64; 3]) -> Self {
        Self([0, 1, 2].map(|d| {
            let far = (offset[d].unsigned_abs() as usize).min(size[d]);
            if offset[d] < 0 { (far, size[d]) } else { (0, size[d] - far) }
        }))
    }
    fn contains(&self, place: [usize; 3]) -> bool {
        (0..3).all(|d| (self.0[d].0..self.0[d].1).contains(&place[d]))
    }
    /// How many of them come before a place.
    fn before(&self, place: [usize; 3]) -> usize {
        let cut = |d: usize| place[d].clamp(self.0[d].0, self.0[d].1) - self.0[d].0;
        let inside = |d: usize| (self.0[d].0..self.0[d].1).contains(&place[d]);
        let [wide, high] = [0, 1].map(|d| self.0[d].1 - self.0[d].0);
        let in_line = if inside(1) { cut(0) } else { 0 };
        let in_plane = if inside(2) { wide * cut(1) + in_line } else { 0 };
        wide * high * cut(2) + in_plane
    }
    fn count(&self) -> usize {
        self.0.iter().map(|(first, end)| end - first).product()
    }
}

impl<S: Scalar> GridMatrix<S> {
    /// The matrix of a stencil on a grid of `size` points; an offset may be given once.
    pub fn new(size: [usize; 3], mut stencil: Vec<Point<S>>) -> Result<Self> {
        count(size)?;
        let offsets: Vec<[i64; 3]> = stencil.iter().map(|(offset, _)| *offset).collect();
        stencil = by_column(&offsets).into_iter().map(|k| stencil[k]).collect();
        if let Some(pair) = stencil.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let (value, expected) = (format!("{:?} twice", pair[0].0), "each offset once");
            return Err(Error::InvalidParameter { name: "stencil", value, expected });
        }
        let boxes: Vec<Rows> = stencil.iter().map(|(offset, _)| Rows::of(size, *offset)).collect();
        let nnz = boxes.iter().map(Rows::count).sum();
        Ok(Self { size, stencil, boxes, nnz })
    }

    /// Points along x, y and z.
    pub fn size(&self) -> [usize; 3] {
        self.size
    }
    /// The points of the stencil, in the order of their columns.
    pub fn stencil(&self) -> &[Point<S>] {
        &self.stencil
    }
    /// The value at an offset; zero where the stencil has no point.
    pub fn value_at(&self, offset: [i64; 3]) -> S {
        self.stencil.iter().find(|(known, _)| *known == offset).map_or(S::zero(), |(_, value)| *value)
    }
    /// In how many rows each point of the stencil is, in its order.
    pub fn rows_of_points(&self) -> impl Iterator<Item = usize> + '_ {
        self.boxes.iter().map(Rows::count)
    }
    /// The boxes of rows that the points are in, point by point: the first along x, one behind the last along x, then y
    /// and z.
    pub fn boxes(&self) -> [Vec<u32>; 6] {
        let side = |k: usize| move |rows: &Rows| if k.is_multiple_of(2) { rows.0[k / 2].0 } else { rows.0[k / 2].1 };
        [0, 1, 2, 3, 4, 5].map(|k| self.boxes.iter().map(side(k)).map(|bound| bound as u32).collect())
    }
    /// How far the column of each point is from the diagonal.
    pub fn steps(&self) -> Vec<i64> {
        self.stencil.iter().map(|(offset, _)| self.step(*offset) as i64).collect()
    }
    /// Rows that have the same points of the stencil: the first of each kind, and how many there are.
    pub fn kinds(&self) -> Vec<(usize, usize)> {
        kinds_of(self.size, &self.boxes)
    }
    /// Bytes of its compressed rows.
    pub fn bytes(&self) -> usize {
        (self.rows() + 1) * size_of::<u64>() + self.nnz * (size_of::<u32>() + size_of::<S>())
    }
    /// The same stencil with other values.
    pub fn map_values<T: Scalar>(&self, map: impl Fn(S) -> T) -> GridMatrix<T> {
        let stencil = self.stencil.iter().map(|&(offset, value)| (offset, map(value))).collect();
        GridMatrix { size: self.size, stencil, boxes: self.boxes.clone(), nnz: self.nnz }
    }

    /// The points that are in a row, with their columns.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, S)> + '_ {
        let place = coordinates(self.size, i);
        let present = self.stencil.iter().zip(&self.boxes).filter(move |(_, rows)| rows.contains(place));
        present.map(move |((offset, value), _)| (i.wrapping_add_signed(self.step(*offset)), *value))
    }

    /// Its compressed rows.
    pub fn to_csr(&self) -> Result<Csr<S>> {
        to_csr(self)
    }

    fn compressed(&self) -> Result<Csr<S>> {
        build::check_memory::<S>("this gallery matrix", self.rows() as u128, self.nnz as u128)?;
        let start = self.all_starts();
        let steps: Vec<isize> = self.stencil.iter().map(|(offset, _)| self.step(*offset)).collect();
        Ok(build::fill_rows(
            self.rows(),
            start,
            || (),
            |(), i, col, val| {
                let place = coordinates(self.size, i);
                let all = col.len() == self.stencil.len(); // most rows: nothing to test
                let points = self.stencil.iter().zip(&steps).zip(&self.boxes);
                let present = points.filter(|(_, rows)| all || rows.contains(place));
                for ((((_, value), step), _), (col, val)) in present.zip(col.iter_mut().zip(val)) {
                    *col = i.wrapping_add_signed(*step) as u32;
                    *val = *value;
                }
            },
        ))
    }

    /// How far the column of a point is from the diagonal.
    fn step(&self, [x, y, z]: [i64; 3]) -> isize {
        // Offsets that lead out of every grid wrap, and are in no row.
        let plane = (self.size[1] as i64).wrapping_mul(z).wrapping_add(y);
        (self.size[0] as i64).wrapping_mul(plane).wrapping_add(x) as isize
    }

    /// Where row i starts.
    fn start(&self, i: usize) -> u64 {
        start_of(self.size, &self.boxes, i)
    }

    fn all_starts(&self) -> Vec<u64> {
        let mut start = vec![0; self.rows() + 1];
        crate::parallel::each_chunk(&mut start, 1 << 14, &|first, out| self.starts(first, out));
        start
    }
}

per_scalar! {
    fn to_csr<S>(A: &GridMatrix<S>) -> Result<Csr<S>> = GridMatrix::compressed;
}

/// The order of column numbers.
fn by_column(offsets: &[[i64; 3]]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..offsets.len()).collect();
    order.sort_by_key(|&k| {
        let [x, y, z] = offsets[k];
        [z, y, x]
    });
    order
}

fn kinds_of(size: [usize; 3], boxes: &[Rows]) -> Vec<(usize, usize)> {
    let sides = [0, 1, 2].map(|d| {
        let bounds = boxes.iter().flat_map(|rows| [rows.0[d].0, rows.0[d].1]);
        let mut cuts: Vec<usize> = bounds.chain([0, size[d]]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        cuts.windows(2).map(|pair| (pair[0], pair[1] - pair[0])).collect::<Vec<_>>()
    });
    let mut kinds = Vec::new();
    for (z, deep) in &sides[2] {
        for (y, high) in &sides[1] {
            for (x, wide) in &sides[0] {
                kinds.push((x + size[0] * (y + size[1] * z), wide * high * deep));
            }
        }
    }
    kinds
}

/// Where the rows from `first` on start, without the boxes' values.
fn starts_of(size: [usize; 3], boxes: &[Rows], first: usize, out: &mut [u64]) {
    let rows = size.iter().product();
    let mut cuts: Vec<usize> = boxes.iter().flat_map(|rows| [rows.0[0].0, rows.0[0].1]).collect();
    cuts.push(size[0]);
    cuts.sort_unstable();
    let (mut i, mut start, mut rest) = (first, start_of(size, boxes, first), out);
    while !rest.is_empty() && i < rows {
        let place = coordinates(size, i);
        let length = boxes.iter().filter(|rows| rows.contains(place)).count() as u64;
        let alike = cuts[cuts.partition_point(|&cut| cut <= place[0])] - place[0];
        let (run, behind) = rest.split_at_mut(alike.min(rest.len()));
        for slot in run.iter_mut() {
            *slot = start;
            start += length;
        }
        (i, rest) = (i + run.len(), behind);
    }
    rest.fill(start);
}

fn start_of(size: [usize; 3], boxes: &[Rows], i: usize) -> u64 {
    if i >= size.iter().product() {
        return boxes.iter().map(Rows::count).sum::<usize>() as u64;
    }
    let place = coordinates(size, i);
    boxes.iter().map(|rows| rows.before(place) as u64).sum()
}

impl<S: Scalar> Pattern for GridMatrix<S> {
    fn rows(&self) -> usize {
        self.size.iter().product()
    }
    fn cols(&self) -> usize {
        self.rows()
    }
    fn nnz(&self) -> usize {
        self.nnz
    }
    /// The first by the formula; rows of a line are equally long from where it enters or leaves a box to where it does
    /// so again.
    fn starts(&self, first: usize, out: &mut [u64]) {
        starts_of(self.size, &self.boxes, first, out);
    }
    fn columns<'a>(&'a self, i: usize, room: &'a mut Vec<u32>) -> &'a [u32] {
        room.clear();
        room.extend(self.row(i).map(|(j, _)| j as u32));
        room
    }
    fn column(&self, k: usize) -> u32 {
        let (mut low, mut high) = (0, self.rows()); // the row of entry k is in low..high
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.start(middle) <= k as u64 { low = middle } else { high = middle }
        }
        let place = k - self.start(low) as usize;
        self.row(low).nth(place).map_or(0, |(j, _)| j as u32)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gallery::stencils::{cube, full_box, star};

    /// A stencil that reaches two points, to one side only, and out of small grids.
    fn lopsided() -> Vec<Point<f64>> {
        vec![([-2, 0, 0], 3.0), ([0, 0, 0], 5.0), ([0, 1, 0], -1.0), ([1, -1, 2], 7.0), ([0, 0, -9], 2.0)]
    }

    fn grids() -> Vec<GridMatrix<f64>> {
        let sizes = [[1, 1, 1], [2, 1, 1], [7, 1, 1], [3, 5, 1], [1, 4, 3], [4, 2, 6], [5, 5, 5], [0, 3, 3]];
        let stencils = [full_box(3), star(6.0, &[(-1.0, -2.0); 3]), lopsided()];
        sizes.iter().flat_map(|&size| stencils.clone().map(|stencil| GridMatrix::new(size, stencil).unwrap())).collect()
    }

    /// Column and value of every entry of row (x, y, z), by trying every point.
    fn tried(A: &GridMatrix<f64>, i: usize) -> Vec<(usize, f64)> {
        let place = coordinates(A.size, i).map(|c| c as i64);
        let mut found = Vec::new();
        for (offset, value) in &A.stencil {
            let to = [0, 1, 2].map(|d| place[d] + offset[d]);
            if (0..3).all(|d| (0..A.size[d] as i64).contains(&to[d])) {
                found.push((to[0] as usize + A.size[0] * (to[1] as usize + A.size[1] * to[2] as usize), *value));
            }
        }
        found
    }

    #[test]
    fn rows_are_what_the_stencil_says() {
        for A in grids() {
            let rows = A.to_csr().unwrap();
            assert_eq!((rows.rows(), rows.nnz()), (A.rows(), A.nnz()));
            for i in 0..A.rows() {
                assert_eq!(rows.row(i).collect::<Vec<_>>(), tried(&A, i), "{:?}, row {i}", A.size);
            }
        }
    }

    #[test]
    fn the_formulas_agree_with_the_rows() {
        for A in grids() {
            let (rows, n) = (A.to_csr().unwrap(), A.rows());
            for first in 0..=n {
                let mut starts = vec![0; n + 1 - first];
                A.starts(first, &mut starts);
                assert_eq!(starts, rows.start()[first..], "{:?} from {first}", A.size);
                assert_eq!(A.start(first), rows.start()[first]);
            }
            let (mut one, mut other) = (Vec::new(), Vec::new());
            assert!((0..n).all(|i| A.columns(i, &mut one) == rows.columns(i, &mut other)));
            assert!((0..A.nnz()).all(|k| A.column(k) == rows.col()[k]));
            assert_eq!(A.rows_of_points().sum::<usize>(), A.nnz());
        }
    }

    #[test]
    fn kinds_cover_every_row_once() {
        for A in grids() {
            let kinds = A.kinds();
            assert_eq!(kinds.iter().map(|(_, count)| count).sum::<usize>(), A.rows());
            let entries: usize = kinds.iter().map(|&(first, count)| A.row(first).count() * count).sum();
            assert_eq!(entries, A.nnz());
        }
        assert_eq!(GridMatrix::new(cube(3, 9), full_box(3)).unwrap().kinds().len(), 27);
    }

    #[test]
    fn an_offset_may_be_given_once() {
        let twice = GridMatrix::new([3, 1, 1], vec![([1, 0, 0], 1.0), ([1, 0, 0], 2.0)]).unwrap_err().to_string();
        assert!(twice.contains("[1, 0, 0] twice"), "{twice}");
        assert!(GridMatrix::new([1 << 20, 1 << 20, 1], star(1.0, &[])).is_err(), "too many rows");
    }
}
