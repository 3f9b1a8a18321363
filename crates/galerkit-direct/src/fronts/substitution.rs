//! Forward and backward substitution by fronts, in the new order.
#![allow(clippy::assign_op_pattern)] // complex `-=` is a function that is not inlined from another crate, `-` is

use super::elimination::Factors;
use super::tree::Tree;
use faer::traits::ComplexField;
use galerkit_linalg::Scalar;

/// L U y = b, in place.
pub fn solve<T: Scalar + ComplexField>(tree: &Tree, factors: &[Factors<T>], y: &mut [T]) {
    for (node, front) in tree.nodes.iter().zip(factors) {
        let mut own: Vec<T> = front.pivots.iter().map(|&i| y[node.columns.start + i]).collect();
        for j in 0..own.len() {
            let (value, column) = (own[j], front.columns.col_as_slice(j));
            let (upper, lower) = column.split_at(own.len());
            own.iter_mut().zip(upper).skip(j + 1).for_each(|(y, &l)| *y = *y - l * value);
            node.below.iter().zip(lower).for_each(|(&i, &l)| y[i] = y[i] - l * value);
        }
        y[node.columns.clone()].copy_from_slice(&own);
    }
    for (node, front) in tree.nodes.iter().zip(factors).rev() {
        let (before, after) = y.split_at_mut(node.columns.end);
        let own = &mut before[node.columns.start..];
        for (j, &i) in node.below.iter().enumerate() {
            let value = after[i - node.columns.end];
            own.iter_mut().zip(front.rows.col_as_slice(j)).for_each(|(y, &u)| *y = *y - u * value);
        }
        for j in (0..own.len()).rev() {
            let column = front.columns.col_as_slice(j);
            own[j] = own[j] / column[j];
            let value = own[j];
            own[..j].iter_mut().zip(column).for_each(|(y, &u)| *y = *y - u * value);
        }
    }
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
        for (j, &i) in node.below.iter().enumerate() {
            let at = i - node.columns.end;
            after[at] = after[at] - dot(front.rows.col_as_slice(j), own);
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

/// Without conjugation.
fn dot<T: Scalar>(a: &[T], b: &[T]) -> T {
    a.iter().zip(b).fold(T::zero(), |sum, (&a, &b)| sum + a * b)
}
