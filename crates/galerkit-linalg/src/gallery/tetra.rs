//! The Laplacian of linear tetrahedra: a cube of (n+1)^3 cells, each cut into six tetrahedra along its body diagonal
//! (Kuhn), every node moved at random by up to 0.15 h along each axis, Dirichlet nodes eliminated, lengths in units of
//! h. A row couples to 14 neighbours, the offsets in {0,1}^3 and {0,-1}^3. The coupling of an edge (s, t) is the sum
//! over its tetrahedra (s, t, u, v) of V grad_s . grad_t = -(n_s . n_t) / (6 |det|), n_s = (u-t) x (v-t), n_t = (u-s) x
//! (v-s); computed once for each edge, so the matrix is symmetric to the last bit. In random order this is what costs
//! sparse products most.

use super::check::check_positive;
use super::grid;
use crate::error::Result;
use crate::parallel;
use crate::random::Random;
use crate::sparse::{Csr, Permutation, build};

/// In which order the unknowns are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Along the grid.
    Natural,
    /// Shuffled.
    Random,
}

/// Nodes move by up to this much of a cell, far from turning a tetrahedron inside out.
const JITTER: f64 = 0.15;
/// Classes of edges: offset (o & 1, o >> 1 & 1, o >> 2) for o in 1..8.
const EDGES: usize = 7;

type Vector = [f64; 3];

/// The matrix on n^3 interior nodes.
pub fn tetra(n: usize, order: Order, seed: u64) -> Result<Csr<f64>> {
    check_positive("n", n)?;
    let rows = grid::count([n, n, n])?;
    let side = n + 2; // nodes along a side, boundary included
    // The matrix once or, shuffled, twice; the couplings count as seven values a node more.
    build::check_memory::<f64>("this gallery matrix", rows as u128, rows as u128 * 38)?;
    let A = assemble(n, &couplings(side, &nodes(side, seed)));
    if order == Order::Natural {
        return Ok(A);
    }
    A.permute_symmetric(&Permutation::from_old(Random::for_index(seed, u64::MAX).shuffled(rows))?)
}

/// Positions of all nodes; those of the boundary stay in place.
fn nodes(side: usize, seed: u64) -> Vec<Vector> {
    let place = |i: usize| {
        let corner = grid::coordinates([side; 3], i);
        let inner = corner.iter().all(|&c| c > 0 && c + 1 < side);
        let mut random = Random::for_index(seed, i as u64);
        corner.map(|c| c as f64 + if inner { JITTER * (2.0 * random.unit() - 1.0) } else { 0.0 })
    };
    parallel::collect(side * side * side, &place)
}

/// A tetrahedron around an edge: steps (in node numbers) from the edge's lower end to its
/// upper end and to the two corners beside the edge.
struct Corner {
    upper: usize,
    others: [isize; 2],
}

/// The tetrahedra around an edge of each class: corners 0, a, a+b, a+b+c of a cell for each order (a, b, c) of the
/// axes.
fn surroundings(side: usize) -> [Vec<Corner>; EDGES] {
    let number = |o: usize| ((o & 1) + side * ((o >> 1 & 1) + side * (o >> 2))) as isize;
    let mut around: [Vec<Corner>; EDGES] = Default::default();
    for [a, b, c] in [[1, 2, 4], [1, 4, 2], [2, 1, 4], [2, 4, 1], [4, 1, 2], [4, 2, 1]] {
        let corners = [0, a, a + b, a + b + c];
        for s in 0..4 {
            for t in s + 1..4 {
                let class: usize = corners[t] - corners[s];
                let rest: Vec<usize> = (0..4).filter(|&k| k != s && k != t).collect();
                let from = corners[s];
                let others = [0, 1].map(|k| number(corners[rest[k]]) - number(from));
                around[class - 1].push(Corner { upper: number(class) as usize, others });
            }
        }
    }
    around
}

/// The coupling along each of the seven upward edges of each node; zero for edges that lie in the boundary.
fn couplings(side: usize, x: &[Vector]) -> Vec<[f64; EDGES]> {
    let around = surroundings(side);
    let of_node = |s: usize| {
        let place = grid::coordinates([side; 3], s);
        let mut sums = [0.0; EDGES];
        for (o, (sum, corners)) in sums.iter_mut().zip(&around).enumerate() {
            let class = o + 1;
            let up = [place[0] + (class & 1), place[1] + (class >> 1 & 1), place[2] + (class >> 2)];
            let inner = |p: [usize; 3]| p.iter().all(|&c| c > 0 && c + 1 < side);
            if inner(place) || inner(up) {
                *sum = corners.iter().map(|corner| coupling(x, s, corner)).sum();
            }
        }
        sums
    };
    parallel::collect(x.len(), &of_node)
}

/// V grad_s . grad_t of one tetrahedron.
fn coupling(x: &[Vector], s: usize, corner: &Corner) -> f64 {
    let t = s + corner.upper;
    let [u, v] = corner.others.map(|step| x[s.wrapping_add_signed(step)]);
    let normal_s = cross(minus(u, x[t]), minus(v, x[t]));
    let normal_t = cross(minus(u, x[s]), minus(v, x[s]));
    let determinant = dot(normal_s, minus(x[s], x[t]));
    -dot(normal_s, normal_t) / (6.0 * determinant.abs())
}

/// Rows of the interior nodes: couplings to both sides, and the diagonal that makes the sum with the boundary zero.
fn assemble(n: usize, couplings: &[[f64; EDGES]]) -> Csr<f64> {
    let (size, side) = ([n; 3], n + 2);
    let step = |o: usize, side: usize| (o & 1) + side * ((o >> 1 & 1) + side * (o >> 2));
    let has_lower = |place: [usize; 3], o: usize| (0..3).all(|d| o >> d & 1 <= place[d]);
    let has_upper = |place: [usize; 3], o: usize| (0..3).all(|d| place[d] + (o >> d & 1) < n);
    let start = build::row_starts(
        n * n * n,
        || (),
        |(), i| {
            let place = grid::coordinates(size, i);
            1 + (1..8).map(|o| has_lower(place, o) as usize + has_upper(place, o) as usize).sum::<usize>()
        },
    );
    build::fill_rows(
        n * n * n,
        start,
        || (),
        |(), i, col, val| {
            let place = grid::coordinates(size, i);
            let node = (place[0] + 1) + side * ((place[1] + 1) + side * (place[2] + 1));
            let (mut slot, mut sum) = (0, 0.0);
            let mut put = |j: usize, value: f64| {
                (col[slot], val[slot]) = (j as u32, value);
                slot += 1;
                slot - 1
            };
            for o in (1..8).rev() {
                let value = couplings[node - step(o, side)][o - 1];
                sum += value;
                if has_lower(place, o) {
                    put(i - step(o, n), value);
                }
            }
            let diagonal = put(i, 0.0);
            for o in 1..8 {
                let value = couplings[node][o - 1];
                sum += value;
                if has_upper(place, o) {
                    put(i + step(o, n), value);
                }
            }
            val[diagonal] = -sum;
        },
    )
}

fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_functions_are_harmonic() {
        // Linear elements reproduce linear functions: away from the boundary A x = 0 for each coordinate x.
        let (n, side) = (6, 8);
        let x = nodes(side, 5);
        let A = assemble(n, &couplings(side, &x));
        let node = |i: usize| {
            let [a, b, c] = grid::coordinates([n; 3], i);
            x[(a + 1) + side * ((b + 1) + side * (c + 1))]
        };
        let inner: Vec<usize> = (0..A.rows()).filter(|&i| A.row_length(i) == 15).collect();
        assert_eq!(inner.len(), 4 * 4 * 4);
        for i in inner {
            for d in 0..3 {
                let sum: f64 = A.row(i).map(|(j, a)| a * node(j)[d]).sum();
                let size: f64 = A.row(i).map(|(j, a)| (a * node(j)[d]).abs()).sum();
                assert!(sum.abs() <= 64.0 * f64::EPSILON * size, "row {i}, axis {d}: {sum}");
            }
        }
    }

    #[test]
    fn without_jitter_it_is_the_seven_point_stencil() {
        let (n, side) = (3, 5);
        let x: Vec<Vector> = (0..125).map(|i| grid::coordinates([side; 3], i).map(|c| c as f64)).collect();
        let A = assemble(n, &couplings(side, &x));
        let B = crate::gallery::poisson3d(n, crate::gallery::Stencil::Points7).unwrap();
        for i in 0..27 {
            for (j, a) in A.row(i) {
                assert!((a - B.get(i, j).unwrap_or(0.0)).abs() < 1e-14, "({i}, {j}): {a}");
            }
        }
    }
}
