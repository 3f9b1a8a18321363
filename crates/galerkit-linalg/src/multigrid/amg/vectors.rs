//! Tentative prolongation of several near-null vectors: in each aggregate they are orthonormalised by modified
//! Gram-Schmidt over its rows in ascending order, Q R = B; T has Q, and R are the near-null vectors of the next level,
//! whose nodes have a row for each vector. A vector that shrinks below 1e-8 of its norm is dead: its column of T is
//! zero, and never moves.

use super::aggregate::{Aggregates, NONE};
use crate::scalar::Scalar;
use crate::sparse::Csr;
use num_traits::Float;

/// A vector that is left with less than this part of its norm was one of the others.
const LEAST: f64 = 1e-8;
/// Vectors whose largest entry is within so many powers of two of 1 stay as they are.
const USUAL: i32 = 20;

/// T, and the near-null vectors of the next level; aggregates are of nodes of so many rows.
pub fn tentative_of<S: Scalar>(aggregates: &Aggregates, block: usize, B: &[Vec<S>]) -> (Csr<S>, Vec<Vec<S>>) {
    let (m, rows) = (B.len(), aggregates.of.len() * block);
    let mut members = vec![Vec::new(); aggregates.count];
    for (node, &number) in aggregates.of.iter().enumerate().filter(|(_, number)| **number != NONE) {
        members[number as usize].extend(node * block..(node + 1) * block);
    }
    let mut coarse = vec![vec![S::zero(); aggregates.count * m]; m];
    let mut q = vec![S::zero(); rows * m]; // by rows
    for (number, rows) in members.iter().enumerate() {
        let mut columns: Vec<Vec<S>> = B.iter().map(|b| rows.iter().map(|&i| b[i]).collect()).collect();
        orthonormalise(&mut columns, &mut |c, k, value| coarse[k][number * m + c] = value);
        for (c, column) in columns.iter().enumerate() {
            rows.iter().zip(column).for_each(|(&i, &value)| q[i * m + c] = value);
        }
    }
    let (mut start, mut col, mut val) = (vec![0], Vec::new(), Vec::new());
    for i in 0..rows {
        let number = aggregates.of[i / block];
        if number != NONE {
            col.extend((0..m).map(|c| number * m as u32 + c as u32));
            val.extend_from_slice(&q[i * m..(i + 1) * m]);
        }
        start.push(col.len() as u64);
    }
    (Csr::from_parts_trusted(aggregates.count * m, start, col, val), coarse)
}

/// Makes columns orthonormal; `factor(c, k, r_ck)` is told the entries of R.
fn orthonormalise<S: Scalar>(columns: &mut [Vec<S>], factor: &mut dyn FnMut(usize, usize, S)) {
    let norm = |x: &[S]| x.iter().map(|value| value.modulus_squared().parts().0).sum::<f64>().sqrt();
    for k in 0..columns.len() {
        let (known, rest) = columns.split_at_mut(k);
        let whole = norm(&rest[0]);
        let column = &mut rest[0];
        for (c, q) in known.iter().enumerate() {
            let dot = q.iter().zip(&*column).fold(S::zero(), |sum, (&q, &x)| sum + q.conj() * x);
            column.iter_mut().zip(q).for_each(|(x, &q)| *x -= dot * q);
            factor(c, k, dot);
        }
        let left = norm(column);
        if left > LEAST * whole {
            column.iter_mut().for_each(|x| *x /= S::from_f64(left));
            factor(k, k, S::from_f64(left));
        } else {
            column.fill(S::zero());
        }
    }
}

/// A vector whose squares can be computed with, whatever its scale: multiplied by a power of two, which rounds nothing,
/// where its largest entry is far from 1; and with zeros for entries whose squares would be lost beside that, so that a
/// column of T is dead or can be divided by.
pub fn at_usual_scale<S: Scalar>(b: &[S]) -> Vec<S> {
    let size = |value: &S| value.parts().0.abs().max(value.parts().1.abs());
    let most = b.iter().map(size).fold(0.0, f64::max);
    let exponent = most.log2().floor().clamp(-1000.0, 1000.0) as i32;
    let factor = if exponent.abs() > USUAL { 2f64.powi(-exponent) } else { 1.0 };
    let smallest: S::Real = Float::min_positive_value();
    let least = smallest.parts().0.powf(0.4) * most;
    let scaled = |value: &S| match value.parts() {
        _ if size(value) < least => S::zero(),
        _ if factor == 1.0 => *value,
        (re, im) => S::from_parts(re * factor, im * factor),
    };
    b.iter().map(scaled).collect()
}

/// The unit vectors of nodes of so many rows.
pub fn unit_vectors<S: Scalar>(rows: usize, block: usize) -> Vec<Vec<S>> {
    let unit = |c: usize| (0..rows).map(|i| if i % block == c { S::one() } else { S::zero() }).collect();
    (0..block).map(unit).collect()
}

/// Translations and rotations of a body with nodes at these points, in 2 or 3 dimensions: 3 or 6 vectors with as many
/// rows a node as dimensions.
///
/// ```
/// use galerkit_linalg::multigrid::amg::vectors::rigid_body_modes;
///
/// let modes: Vec<Vec<f64>> = rigid_body_modes(&[vec![0.0, 0.0], vec![2.0, 1.0]]);
/// assert_eq!(modes[2], [0.5, -1.0, -0.5, 1.0]); // -y and x about the middle
/// ```
pub fn rigid_body_modes<S: Scalar>(points: &[Vec<f64>]) -> Vec<Vec<S>> {
    let dimensions = points.first().map_or(0, Vec::len);
    let middle: Vec<f64> =
        (0..dimensions).map(|d| points.iter().map(|x| x[d]).sum::<f64>() / points.len() as f64).collect();
    let turns: &[(usize, usize)] = if dimensions == 2 { &[(0, 1)] } else { &[(0, 1), (1, 2), (2, 0)] };
    let turned = |&(a, b): &(usize, usize)| {
        let at = |x: &Vec<f64>, d: usize| match d {
            _ if d == a => -(x[b] - middle[b]),
            _ if d == b => x[a] - middle[a],
            _ => 0.0,
        };
        points.iter().flat_map(|x| (0..dimensions).map(move |d| S::from_f64(at(x, d)))).collect()
    };
    unit_vectors(points.len() * dimensions, dimensions.max(1)).into_iter().chain(turns.iter().map(turned)).collect()
}
