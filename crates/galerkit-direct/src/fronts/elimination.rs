//! Fronts are summed up from entries of A and from what their children left, and eliminated.
#![allow(clippy::assign_op_pattern)] // complex `+=` is a function that is not inlined from another crate, `+` is

use super::tree::Tree;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::factor::{lu_in_place, lu_in_place_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_unit_lower_triangular_in_place};
use faer::traits::ComplexField;
use faer::{Accum, Mat, Par, get_global_parallelism};
use galerkit_linalg::Scalar;
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::Csr;
use std::collections::HashMap;

/// Multiplications of a front from which on threads share it.
const SHARED: usize = 10_000_000;

/// A front, summed up: F11 above F21, F12, F22. A symmetric one has no F12, and of F11 and F22 what is on and below the
/// diagonal.
struct Front<T> {
    columns: Mat<T>,
    rows: Option<Mat<T>>,
    rest: Mat<T>,
}

/// What a front keeps when it is eliminated. P F11 = L11 U11, L21 = F21 U11^-1, U12 = L11^-1 P F12.
pub struct Factors<T> {
    /// L11 and U11 in one square, and L21 below it.
    pub columns: Mat<T>,
    /// U12; none where that follows from the columns.
    pub rows: Option<Mat<T>>,
    /// P: which row of the front stands where.
    pub pivots: Vec<usize>,
}

/// What a front leaves to its parent, F22 - L21 U12, and which front that was.
type Left<T> = (usize, Mat<T>);

/// Fronts of A, which is its transpose where there is none.
struct Elimination<'a, T> {
    tree: &'a Tree,
    rows: &'a Csr<T>,
    transpose: Option<Csr<T>>,
}

/// What becomes of some fronts.
struct Done<T> {
    factors: Vec<(usize, Factors<T>)>,
    /// For fronts that are not among them.
    left: Vec<Left<T>>,
}

/// All fronts, children first; none where a pivot is zero. Subtrees are eliminated side by side, and above them threads
/// share each front.
pub fn all<T: Scalar + ComplexField>(A: &Csr<T>, tree: &Tree, is_symmetric: bool) -> Option<Vec<Factors<T>>> {
    let transpose = (!is_symmetric).then(|| A.transpose());
    let elimination = Elimination { tree, rows: A, transpose };
    let (subtrees, above) = tree.subtrees();
    let done = parallel::values(subtrees.len(), &|k| elimination.of(&subtrees[k], Vec::new(), Par::Seq));
    let (mut factors, mut left) = (Vec::new(), Vec::new());
    for done in done {
        let done = done?;
        factors.extend(done.factors);
        left.extend(done.left);
    }
    left.sort_by_key(|&(child, _)| child);
    factors.extend(elimination.of(&above, left, get_global_parallelism())?.factors);
    factors.sort_by_key(|&(s, _)| s);
    Some(factors.into_iter().map(|(_, factors)| factors).collect())
}

impl<T: Scalar + ComplexField> Elimination<'_, T> {
    /// Some fronts, children first, with what others have left to them.
    fn of(&self, nodes: &[usize], left: Vec<Left<T>>, par: Par) -> Option<Done<T>> {
        let mut waiting: HashMap<usize, Vec<Left<T>>> = HashMap::new();
        let parent = |child: usize| self.tree.nodes[child].parent.expect("it has left something");
        left.into_iter().for_each(|left| waiting.entry(parent(left.0)).or_default().push(left));
        let (mut place, mut factors) = (vec![0; self.tree.order.len()], Vec::with_capacity(nodes.len()));
        for &s in nodes {
            let front = self.front(s, &waiting.remove(&s).unwrap_or_default(), &mut place);
            let (kept, rest) = eliminate(front, par)?;
            factors.push((s, kept));
            if let Some(parent) = self.tree.nodes[s].parent {
                waiting.entry(parent).or_default().push((s, rest));
            }
        }
        Some(Done { factors, left: waiting.into_values().flatten().collect() })
    }

    /// Entries of A whose row or column is eliminated here, and what children have left.
    fn front(&self, s: usize, left: &[Left<T>], place: &mut [usize]) -> Front<T> {
        let (tree, node) = (self.tree, &self.tree.nodes[s]);
        let (own, below) = (node.columns.len(), node.below.len());
        node.columns.clone().chain(node.below.iter().copied()).enumerate().for_each(|(local, row)| place[row] = local);
        let place_of = |j: usize| Some(tree.position[j]).filter(|&j| j >= node.columns.start).map(|j| place[j]);
        let mut front = Front {
            columns: Mat::zeros(own + below, own),
            rows: self.transpose.as_ref().map(|_| Mat::zeros(own, below)),
            rest: Mat::zeros(below, below),
        };
        for (local, row) in node.columns.clone().enumerate() {
            let column = self.transpose.as_ref().unwrap_or(self.rows).row(tree.order[row]);
            let to = front.columns.col_as_slice_mut(local);
            column.filter_map(|(i, a)| Some((place_of(i)?, a))).for_each(|(i, a)| to[i] = a);
            let Some(rows) = &mut front.rows else { continue };
            let row = self.rows.row(tree.order[row]).filter_map(|(j, a)| Some((place_of(j)?.checked_sub(own)?, a)));
            row.for_each(|(j, a)| rows[(local, j)] = a);
        }
        for (child, update) in left {
            let places: Vec<usize> = tree.nodes[*child].below.iter().map(|&row| place[row]).collect();
            front.add(update, &places);
        }
        front
    }
}

impl<T: Scalar + ComplexField> Front<T> {
    /// Adds what a child has left, whose rows and columns have these places, which rise.
    fn add(&mut self, update: &Mat<T>, places: &[usize]) {
        let own = self.columns.ncols();
        let above = places.partition_point(|&place| place < own);
        for (j, &column) in places.iter().enumerate() {
            let from = update.col_as_slice(j);
            let first = if self.rows.is_some() { 0 } else { j };
            if column < own {
                add_at(self.columns.col_as_slice_mut(column), &places[first..], &from[first..], 0);
                continue;
            }
            if let Some(rows) = &mut self.rows {
                add_at(rows.col_as_slice_mut(column - own), &places[..above], &from[..above], 0);
            }
            let first = first.max(above);
            add_at(self.rest.col_as_slice_mut(column - own), &places[first..], &from[first..], own);
        }
    }
}

/// Adds values at places, counted from one of them on.
fn add_at<T: Scalar>(to: &mut [T], places: &[usize], values: &[T], first: usize) {
    places.iter().zip(values).for_each(|(&place, &value)| to[place - first] = to[place - first] + value);
}

/// Eliminates the first columns of a front; the rest is for its parent.
fn eliminate<T: Scalar + ComplexField>(front: Front<T>, par: Par) -> Option<(Factors<T>, Mat<T>)> {
    let Front { mut columns, rows: F12, mut rest } = front;
    let (size, own) = columns.shape();
    let par = if own * size * size < SHARED { Par::Seq } else { par };
    if F12.is_none() {
        mirror(&mut columns, own);
    }
    let pivots = factorise(&mut columns, own, par)?;
    let mut U12 = match &F12 {
        Some(F12) => permuted(F12, &pivots),
        None => transposed(&columns, own, &pivots),
    };
    let (F11, mut F21) = columns.as_mut().split_at_row_mut(own);
    solve_unit_lower_triangular_in_place(F11.as_ref(), U12.as_mut(), par);
    solve_lower_triangular_in_place(F11.as_ref().transpose(), F21.as_mut().transpose_mut(), par);
    let (L21, minus) = (F21.as_ref(), -T::one());
    if F12.is_some() {
        matmul(rest.as_mut(), Accum::Add, L21, U12.as_ref(), minus, par);
        return Some((Factors { columns, rows: Some(U12), pivots }, rest));
    }
    let [lower, all] = [BlockStructure::TriangularLower, BlockStructure::Rectangular];
    triangular::matmul(rest.as_mut(), lower, Accum::Add, L21, all, U12.as_ref(), all, minus, par);
    Some((Factors { columns, rows: None, pivots }, rest))
}

/// P F11 = L11 U11, in place: P; none where a pivot is zero.
fn factorise<T: Scalar + ComplexField>(columns: &mut Mat<T>, own: usize, par: Par) -> Option<Vec<usize>> {
    let [mut pivots, mut inverse] = [vec![0; own], vec![0; own]];
    let mut memory = MemBuffer::try_new(lu_in_place_scratch::<usize, T>(own, own, par, Default::default())).ok()?;
    let (F11, stack) = (columns.as_mut().split_at_row_mut(own).0, MemStack::new(&mut memory));
    let _ = lu_in_place(F11, &mut pivots, &mut inverse, par, stack, Default::default());
    let is_regular = (0..own).all(|i| columns[(i, i)] != T::zero() && Scalar::finite(columns[(i, i)]));
    is_regular.then_some(pivots)
}

/// Copies what is below the diagonal of the first rows to above it.
fn mirror<T: Scalar>(columns: &mut Mat<T>, rows: usize) {
    for j in 0..rows {
        let below = columns.col_as_slice(j)[j + 1..rows].to_vec();
        below.into_iter().zip(j + 1..).for_each(|(a, i)| columns.col_as_slice_mut(i)[j] = a);
    }
}

/// P A.
fn permuted<T: Scalar + ComplexField>(A: &Mat<T>, pivots: &[usize]) -> Mat<T> {
    let mut PA = Mat::zeros(A.nrows(), A.ncols());
    for j in 0..A.ncols() {
        let from = A.col_as_slice(j);
        PA.col_as_slice_mut(j).iter_mut().zip(pivots).for_each(|(to, &i)| *to = from[i]);
    }
    PA
}

/// P F21^T, of columns whose rows from `own` on are F21.
fn transposed<T: Scalar + ComplexField>(columns: &Mat<T>, own: usize, pivots: &[usize]) -> Mat<T> {
    let from: Vec<&[T]> = pivots.iter().map(|&i| &columns.col_as_slice(i)[own..]).collect();
    let mut PF = Mat::zeros(own, columns.nrows() - own);
    for j in 0..PF.ncols() {
        PF.col_as_slice_mut(j).iter_mut().zip(&from).for_each(|(to, from)| *to = from[j]);
    }
    PF
}
