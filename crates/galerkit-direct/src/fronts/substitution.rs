//! Forward and backward substitution by fronts, in the new order.
#![allow(clippy::assign_op_pattern)] // complex `-=` is a function that is not inlined from another crate, `-` is

use super::elimination::Factors;
use super::shares::{Group, Place, Shares};
use super::tree::{Node, Tree};
use faer::traits::ComplexField;
use galerkit_linalg::{Scalar, parallel};

/// Columns that are substituted before what is below them is told.
const PANEL: usize = 64;
/// Rows that a thread takes at a time, and how many of them are worth other threads.
const ROWS: usize = 256;
const SHARED: usize = 1024;

/// Sums of a dot product.
const SUMS: usize = 8;

/// L U y = b, in place. Groups of subtrees go side by side, forward before what is above them and backward after it;
/// above them threads share the rows of each front.
pub fn solve<T: Scalar + ComplexField>(tree: &Tree, shares: &Shares, factors: &[Factors<T>], y: &mut [T]) {
    let Shares { groups, above, places } = shares;
    let at = |row: usize, within: usize| match places[row] {
        Place::Within(i) => i,
        Place::Above(i) => within + i,
    };
    let forth = |k: usize| {
        let Group { nodes, rows } = &groups[k];
        let mut own: Vec<T> = rows.iter().map(|&row| y[row]).collect();
        own.resize(rows.len() + above.rows.len(), T::zero());
        nodes.iter().for_each(|&s| forward(&tree.nodes[s], &factors[s], &mut own, &|row| at(row, rows.len())));
        own
    };
    let mut held = parallel::values(groups.len(), &forth);
    let mut top: Vec<T> = above.rows.iter().map(|&row| y[row]).collect();
    for (own, group) in held.iter().zip(groups) {
        top.iter_mut().zip(&own[group.rows.len()..]).for_each(|(y, &update)| *y = *y + update);
    }
    above.nodes.iter().for_each(|&s| forward(&tree.nodes[s], &factors[s], &mut top, &|row| at(row, 0)));
    above.nodes.iter().rev().for_each(|&s| backward(&tree.nodes[s], &factors[s], &mut top, &|row| at(row, 0)));

    let pieces = held.iter_mut().zip(groups).collect();
    parallel::each_piece(pieces, &|(own, Group { nodes, rows }): (&mut Vec<T>, &Group)| {
        own[rows.len()..].copy_from_slice(&top);
        nodes.iter().rev().for_each(|&s| backward(&tree.nodes[s], &factors[s], own, &|row| at(row, rows.len())));
    });
    for (own, group) in held.iter().chain([&top]).zip(groups.iter().chain([above])) {
        group.rows.iter().zip(own).for_each(|(&row, &value)| y[row] = value);
    }
}

/// L y = b on the rows of a front, which stand `at` somewhere in y.
fn forward<T: Scalar + ComplexField>(node: &Node, front: &Factors<T>, y: &mut [T], at: &dyn Fn(usize) -> usize) {
    let rows = || node.columns.clone().chain(node.below.iter().copied());
    let pivots = front.pivots.iter().map(|&i| node.columns.start + i);
    let mut v: Vec<T> = pivots.chain(node.below.iter().copied()).map(|row| y[at(row)]).collect();
    unit_lower(front, &mut v);
    rows().zip(v).for_each(|(row, value)| y[at(row)] = value);
}

/// L v = b in place, on the rows of F11 alone or on all rows of the front.
fn unit_lower<T: Scalar + ComplexField>(front: &Factors<T>, v: &mut [T]) {
    let own = front.pivots.len();
    for start in (0..own).step_by(PANEL) {
        let end = (start + PANEL).min(own);
        for j in start..end {
            let value = v[j];
            v[j + 1..end]
                .iter_mut()
                .zip(&front.columns.col_as_slice(j)[j + 1..end])
                .for_each(|(y, &l)| *y = *y - l * value);
        }
        let (known, rest) = v.split_at_mut(end);
        in_rows(rest, &|first, rest| {
            for (j, &value) in known.iter().enumerate().skip(start) {
                rest.iter_mut()
                    .zip(&front.columns.col_as_slice(j)[end + first..])
                    .for_each(|(y, &l)| *y = *y - l * value);
            }
        });
    }
}

/// U y = b likewise, where what is below is known.
fn backward<T: Scalar + ComplexField>(node: &Node, front: &Factors<T>, y: &mut [T], at: &dyn Fn(usize) -> usize) {
    let below: Vec<T> = node.below.iter().map(|&row| y[at(row)]).collect();
    let mut v: Vec<T> = node.columns.clone().map(|row| y[at(row)]).collect();
    match &front.rows {
        Some(U12) => in_rows(&mut v, &|first, v| {
            for (j, &value) in below.iter().enumerate() {
                v.iter_mut().zip(&U12.col_as_slice(j)[first..]).for_each(|(y, &u)| *y = *y - u * value);
            }
        }),
        None => subtract_symmetric(front, &below, &mut v),
    }
    for start in (0..v.len()).step_by(PANEL).rev() {
        let end = (start + PANEL).min(v.len());
        for j in (start..end).rev() {
            let column = front.columns.col_as_slice(j);
            v[j] = v[j] / column[j];
            let value = v[j];
            v[start..j].iter_mut().zip(&column[start..]).for_each(|(y, &u)| *y = *y - u * value);
        }
        let (rest, known) = v.split_at_mut(start);
        in_rows(rest, &|first, rest| {
            for j in (start..end).rev() {
                let value = known[j - start];
                rest.iter_mut().zip(&front.columns.col_as_slice(j)[first..]).for_each(|(y, &u)| *y = *y - u * value);
            }
        });
    }
    node.columns.clone().zip(v).for_each(|(row, value)| y[at(row)] = value);
}

/// y -= U12 x, with U12 = L11^-1 P U11^T L21^T.
fn subtract_symmetric<T: Scalar + ComplexField>(front: &Factors<T>, x: &[T], y: &mut [T]) {
    let own = y.len();
    let mut t = vec![T::zero(); own]; // L21^T x
    in_rows(&mut t, &|first, t| {
        t.iter_mut().enumerate().for_each(|(j, t)| *t = dot(&front.columns.col_as_slice(first + j)[own..], x));
    });
    let mut w = vec![T::zero(); own]; // U11^T t
    in_rows(&mut w, &|first, w| {
        w.iter_mut().enumerate().for_each(|(j, w)| *w = dot(&front.columns.col_as_slice(first + j)[..=first + j], &t));
    });
    let mut v: Vec<T> = front.pivots.iter().map(|&i| w[i]).collect();
    unit_lower(front, &mut v);
    y.iter_mut().zip(v).for_each(|(y, v)| *y = *y - v);
}

/// Rows, with the number of the first: many are shared by threads.
fn in_rows<T: Send>(rows: &mut [T], work: &(dyn Fn(usize, &mut [T]) + Sync)) {
    if rows.len() < SHARED { work(0, rows) } else { parallel::each_chunk(rows, ROWS, work) }
}

/// U^T L^T y = b, in place.
pub fn solve_transposed<T: Scalar + ComplexField>(tree: &Tree, factors: &[Factors<T>], y: &mut [T]) {
    for (node, front) in tree.nodes.iter().zip(factors) {
        let (before, after) = y.split_at_mut(node.columns.end);
        let own = &mut before[node.columns.start..];
        for j in 0..own.len() {
            let column = front.columns.col_as_slice(j);
            own[j] = (own[j] - dot(&column[..j], own)) / column[j];
        }
        let U12 = front.rows.as_ref().expect("what is symmetric is its own transpose");
        for (j, &i) in node.below.iter().enumerate() {
            let at = i - node.columns.end;
            after[at] = after[at] - dot(U12.col_as_slice(j), own);
        }
    }
    for (node, front) in tree.nodes.iter().zip(factors).rev() {
        let mut own = y[node.columns.clone()].to_vec();
        for j in (0..own.len()).rev() {
            let (upper, lower) = front.columns.col_as_slice(j).split_at(own.len());
            let below = node.below.iter().zip(lower).fold(T::zero(), |sum, (&i, &l)| sum + l * y[i]);
            own[j] = own[j] - dot(&upper[j + 1..], &own[j + 1..]) - below;
        }
        front.pivots.iter().zip(own).for_each(|(&i, value)| y[node.columns.start + i] = value);
    }
}

/// Without conjugation, in sums side by side, as far as both go.
fn dot<T: Scalar>(a: &[T], b: &[T]) -> T {
    let both = a.len().min(b.len());
    let (a, b) = (&a[..both], &b[..both]);
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<SUMS>(), b.as_chunks::<SUMS>());
    let mut sums = [T::zero(); SUMS];
    for (a, b) in a.iter().zip(b) {
        (0..SUMS).for_each(|k| sums[k] = sums[k] + a[k] * b[k]);
    }
    let rest = a_rest.iter().zip(b_rest).fold(T::zero(), |sum, (&a, &b)| sum + a * b);
    sums.into_iter().fold(rest, |sum, part| sum + part)
}
