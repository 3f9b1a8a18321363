//! The diagonal. A cell without hanging functions contributes the diagonal of K_e, by sum factorisation of squares. In others an
//! unknown may be a combination c of local functions: c^T K_e c, by products of the cell with several c side by side.

use super::batch::Batch;
use super::cells::{Cells, LANES};
use super::kind::{Kind, Rule, entry};
use super::sums::{NONE, SIGN};
use super::{MatrixFree, Numbers, threads};
use crate::basis::dense::Dense;
use crate::basis::interval::Interval;
use crate::basis::table::Table;
use crate::basis::tensor::Tensor;
use crate::quadrature::gauss;
use rayon::prelude::*;

impl MatrixFree<f64> {
    /// The diagonal, without the matrix.
    pub fn diagonal(&self) -> Vec<f64> {
        let (cells, numbers) = (&*self.cells, &*self.numbers);
        let (mut local, mut combined) = (vec![0.0; cells.places()], Vec::new());
        for k in 0..cells.kinds.len() {
            let found: Vec<_> =
                (0..cells.kinds[k].cells.len()).into_par_iter().map(|at| of_cell(self, k, at)).collect();
            for (&e, found) in cells.kinds[k].cells.iter().zip(found) {
                match found {
                    Found::Local(values) => {
                        let first = cells.first[e as usize] as usize;
                        local[first..first + values.len()].copy_from_slice(&values);
                    }
                    Found::Combined(values) => combined.extend(values),
                }
            }
        }
        let mut diagonal = vec![0.0; cells.unknowns];
        threads::sum(cells, numbers, &local, &mut diagonal[..cells.interface]);
        for (&bits, value) in cells.index.iter().zip(&local) {
            if (cells.interface..cells.unknowns).contains(&((bits & !SIGN) as usize)) {
                diagonal[(bits & !SIGN) as usize] = if bits & SIGN == 0 { *value } else { -value };
            }
        }
        combined.into_iter().for_each(|(i, value)| diagonal[i as usize] += value);
        diagonal
    }
}

/// What a cell contributes: by local function, with the sign that sums take away; or by unknown.
enum Found {
    Local(Vec<f64>),
    Combined(Vec<(u32, f64)>),
}

fn of_cell(A: &MatrixFree<f64>, k: usize, at: usize) -> Found {
    let (cells, kind) = (&*A.cells, &A.cells.kinds[k]);
    let index = cells.index_of(kind.cells[at] as usize);
    let hangs = |&bits: &u32| bits != NONE && (bits & !SIGN) as usize >= cells.unknowns;
    if index.iter().any(hangs) {
        return Found::Combined(combined(cells, &A.numbers, k, at));
    }
    let size = kind.factors(cells.dim);
    let values = squares(cells.dim, kind, &A.numbers.factors[k][at * size..(at + 1) * size]);
    let signed = values.into_iter().zip(index).map(|(value, bits)| if bits & SIGN == 0 { value } else { -value });
    Found::Local(signed.collect())
}

/// The diagonal of K_e.
fn squares(dim: usize, kind: &Kind, factors: &[f64]) -> Vec<f64> {
    let n = kind.p + 1;
    match kind.rule {
        Rule::Stored => (0..n.pow(dim as u32)).map(|i| factors[i * (n.pow(dim as u32) + 1)]).collect(),
        Rule::Box => {
            let Interval { mass, stiffness, .. } = Interval::of(kind.p);
            let column = |A: &Dense| Dense::new(n, 1, |i, _| A[(i, i)]);
            let (M, K) = (column(mass), column(stiffness));
            let one = Tensor { shape: [1; 3], val: vec![1.0] };
            let term = |a: usize| one.along_each((0..dim).map(|axis| if axis == a { &K } else { &M })).val;
            sum((0..=dim).map(|a| (factors[a], term(a))), n.pow(dim as u32))
        }
        Rule::Points(q) => {
            let (table, points) = (Table::new(kind.p, &gauss(q).points), q.pow(dim as u32));
            let (B, G) = (&table.values, &table.derivatives);
            let product = |left: &Dense, right: &Dense| Dense::new(n, q, |i, k| left[(k, i)] * right[(k, i)]);
            let tables = [product(B, B), product(B, G), product(G, G)]; // by how many of both are derived
            let term = |at: usize, derived: [usize; 2]| {
                let w = Tensor::cube(dim, q, factors[at * points..(at + 1) * points].to_vec());
                let count = |axis: usize| derived.iter().filter(|&&a| a == axis).count();
                w.along_each((0..dim).map(|axis| &tables[count(axis)])).val
            };
            let pairs = (0..dim).flat_map(|a| (a..dim).map(move |b| [a, b]));
            let second = pairs.map(|[a, b]| (if a == b { 1.0 } else { 2.0 }, term(entry(dim, a, b), [a, b])));
            let zeroth = kind.reacts.then(|| (1.0, term(dim * (dim + 1) / 2, [dim, dim])));
            sum(second.chain(zeroth), n.pow(dim as u32))
        }
    }
}

fn sum(terms: impl Iterator<Item = (f64, Vec<f64>)>, n: usize) -> Vec<f64> {
    let mut sum = vec![0.0; n];
    for (factor, term) in terms {
        sum.iter_mut().zip(term).for_each(|(sum, value)| *sum += factor * value);
    }
    sum
}

/// c^T K_e c for the combination c of local functions that each unknown of a cell is.
fn combined(cells: &Cells, numbers: &Numbers<f64>, k: usize, at: usize) -> Vec<(u32, f64)> {
    let kind = &cells.kinds[k];
    let size = kind.factors(cells.dim);
    let factors = [&numbers.factors[k][at * size..(at + 1) * size]; LANES];
    let mut entries: Vec<(u32, u32, f64)> = Vec::new(); // unknown, local function, coefficient
    for (local, &bits) in cells.index_of(kind.cells[at] as usize).iter().enumerate().filter(|(_, bits)| **bits != NONE)
    {
        let (i, sign) = ((bits & !SIGN) as usize, if bits & SIGN == 0 { 1.0 } else { -1.0 });
        match i.checked_sub(cells.unknowns) {
            None => entries.push((i as u32, local as u32, sign)),
            Some(hanging) => {
                let row = numbers.constraints.row(hanging);
                entries.extend(row.map(|(j, c)| (j as u32, local as u32, sign * c)));
            }
        }
    }
    entries.sort_by_key(|&(i, local, _)| (i, local));
    let unknowns: Vec<&[(u32, u32, f64)]> = entries.chunk_by(|one, other| one.0 == other.0).collect();
    let (mut batch, mut found) = (Batch::new(cells), Vec::new());
    for some in unknowns.chunks(LANES) {
        batch.u.fill([0.0; LANES]);
        for (lane, c) in some.iter().enumerate() {
            c.iter().for_each(|&(_, local, c)| batch.u[local as usize][lane] += c);
        }
        batch.multiply(cells.dim, kind, &numbers.tables[k], &factors);
        for (lane, c) in some.iter().enumerate() {
            found.push((c[0].0, c.iter().map(|&(_, local, c)| c * batch.u[local as usize][lane]).sum()));
        }
    }
    found
}
