//! Prolongation from a space to a larger one, on the same forest or on one that is cut further: P of geometric and
//! p-multigrid, its transpose the restriction. On a descendant of a cell, functions of the cell are combinations of the
//! descendant's: along each axis a product of S^L and S^R, one for each cut.

use super::hp::Space;
use super::row::{Row, summed};
use crate::basis::dense::Dense;
use crate::basis::halves::halves;
use crate::error::{Error, Result};
use crate::forest::Cell;
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::Csr;

/// Coefficients below this are rounding.
const ROUNDING: f64 = 1e-14;

/// P: one row for each unknown of the larger space, one column for each of the smaller.
pub fn prolongation(smaller: &Space, larger: &Space) -> Result<Csr<f64>> {
    let ancestor = ancestors(smaller, larger)?;
    let of_cell = |e: usize| {
        let wanted: Vec<(usize, usize, f64)> = owned(larger, e);
        if wanted.is_empty() { Vec::new() } else { rows(smaller, ancestor[e], larger, e, &wanted) }
    };
    let found = parallel::values(larger.cells(), &of_cell);
    let mut rows = vec![Row::new(); larger.unknowns()];
    found.into_iter().flatten().for_each(|(i, row)| rows[i] = row);
    let mut start = vec![0u64];
    rows.iter().for_each(|row| start.push(start[start.len() - 1] + row.len() as u64));
    let (col, val) = rows.into_iter().flatten().unzip();
    Ok(Csr::new(larger.unknowns(), smaller.unknowns(), start, col, val)?)
}

/// The cell of the smaller space that contains each cell of the larger one; leaves of both follow the same order.
fn ancestors(smaller: &Space, larger: &Space) -> Result<Vec<usize>> {
    let refuse = |problem| Err(Error::NotNested { problem });
    let mut ancestors = Vec::with_capacity(larger.cells());
    let mut at = 0;
    for (e, cell) in larger.forest().cells().iter().enumerate() {
        while at < smaller.cells() && !contains(&smaller.forest().cells()[at], cell) {
            at += 1;
        }
        if at == smaller.cells() {
            return refuse("the second forest is not a refinement of the first");
        }
        if smaller.degree(at) > larger.degree(e) {
            return refuse("the first has a higher degree somewhere");
        }
        ancestors.push(at);
    }
    let is_fixed = |space: &Space, entity: u32| space.coarse_fixed_by(entity).is_some();
    let coarse = smaller.forest().coarse();
    let is_same = coarse.entities() == larger.forest().coarse().entities();
    if !is_same || (0..coarse.entities() as u32).any(|entity| is_fixed(larger, entity) && !is_fixed(smaller, entity)) {
        return refuse("the second is fixed where the first is not");
    }
    Ok(ancestors)
}

fn contains(big: &Cell, small: &Cell) -> bool {
    let cuts = small.level.wrapping_sub(big.level);
    big.tree == small.tree && small.level >= big.level && (0..3).all(|a| small.place[a] >> cuts == big.place[a])
}

/// The unknowns whose coefficients are read from cell e: global number, local function, sign. Those of an entity from
/// the first cell that has it.
fn owned(space: &Space, e: usize) -> Vec<(usize, usize, f64)> {
    let (p, dim) = (space.degree(e), space.dim());
    let is_first = |local: usize| {
        let part =
            crate::forest::Part([0, 1, 2].map(|a| if a < dim { index(local, a, p, dim).min(2) as u8 } else { 0 }));
        part.dim() == dim || space.entities().owner[space.entities().of_cell(e, part) as usize] == (e as u32, part)
    };
    let functions = space.functions(e).iter().enumerate();
    let unknown = functions.filter_map(|(local, function)| function.get().map(|(i, sign)| (i, local, sign)));
    unknown.filter(|&(i, local, _)| i < space.unknowns() && is_first(local)).collect()
}

/// The index of a local function along an axis; the first axis is the slowest.
fn index(local: usize, axis: usize, p: usize, dim: usize) -> usize {
    local / (p + 1).pow((dim - 1 - axis) as u32) % (p + 1)
}

/// Rows of P that cell e of the larger space determines.
fn rows(smaller: &Space, big: usize, larger: &Space, e: usize, wanted: &[(usize, usize, f64)]) -> Vec<(usize, Row)> {
    let (dim, p, q) = (larger.dim(), smaller.degree(big), larger.degree(e));
    let (from, to) = (&smaller.forest().cells()[big], &larger.forest().cells()[e]);
    let traces: Vec<Dense> = (0..dim).map(|a| trace(p, to.level - from.level, to.place[a])).collect();
    let combinations = smaller.local_rows(big);
    let row = |&(i, local, sign): &(usize, usize, f64)| {
        let mut row = Row::new();
        for (c, combination) in combinations.iter().enumerate() {
            let along = |a: usize| {
                let j = index(local, a, q, dim);
                if j <= p { traces[a][(index(c, a, p, dim), j)] } else { 0.0 }
            };
            let factor: f64 = (0..dim).map(along).product();
            if factor.abs() > ROUNDING {
                let unknown = combination.iter().filter(|(j, _)| (*j as usize) < smaller.unknowns());
                row.extend(unknown.map(|&(j, value)| (j, sign * factor * value)));
            }
        }
        (i, summed(row))
    };
    wanted.iter().map(row).collect()
}

/// Functions of degree p on an interval as combinations of those on a descendant, whose place in binary tells the
/// halves.
fn trace(p: usize, cuts: u8, place: u32) -> Dense {
    let mut T = Dense::new(p + 1, p + 1, |i, j| f64::from(i == j));
    for cut in (0..cuts).rev() {
        let S = &halves()[(place >> cut & 1) as usize];
        T = Dense::new(p + 1, p + 1, |i, j| (0..=p).map(|k| T[(i, k)] * S[(k, j)]).sum());
    }
    T
}
