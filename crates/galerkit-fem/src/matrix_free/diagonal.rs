//! The diagonal. A cell without hanging functions contributes the diagonal of K_e, by sum factorisation of squares. In
//! others an unknown may be a combination c of local functions: c^T K_e c, by products of the cell with several c side
//! by side.

use super::batch::Batch;
use super::cells::{Cells, LANES};
use super::kind::{Kind, Rule, entry};
use super::numbers::Numbers;
use super::operator::MatrixFree;
use super::sums::{NONE, SIGN};
use super::threads;
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
        let squares: Vec<Squares> = cells.kinds.iter().map(|kind| Squares::new(cells.dim, kind)).collect();
        let mut local = vec![0.0; cells.places()];
        let of_cell = |((k, at), into): ((usize, usize), &mut [f64])| {
            let kind = &cells.kinds[k];
            let index = cells.index_of(kind.cells[at] as usize);
            if index.iter().any(|&bits| bits != NONE && (bits & !SIGN) as usize >= cells.unknowns) {
                return combined(cells, numbers, k, at);
            }
            squares[k].of_cell(cells.dim, kind, &numbers.of_cell(cells.dim, kind, k, at), into);
            // Sums take the sign away.
            into.iter_mut().zip(index).filter(|(_, bits)| **bits & SIGN != 0).for_each(|(value, _)| *value = -*value);
            Vec::new()
        };
        let pieces = cells.split(&mut local);
        let combined: Vec<(u32, f64)> =
            places_in_kinds(cells).into_par_iter().zip(pieces).flat_map_iter(of_cell).collect();
        let mut diagonal = threads::summed(cells, numbers, &local);
        combined.into_iter().for_each(|(i, value)| diagonal[i as usize] += value);
        diagonal
    }
}

/// The kind of each cell and its place there.
fn places_in_kinds(cells: &Cells) -> Vec<(usize, usize)> {
    let mut places = vec![(0, 0); cells.first.len() - 1];
    for (k, kind) in cells.kinds.iter().enumerate() {
        kind.cells.iter().enumerate().for_each(|(at, &e)| places[e as usize] = (k, at));
    }
    places
}

/// What the diagonals of the cells of a kind are computed from.
enum Squares {
    /// The diagonals of matrices whose sum, each times its factor, a box has.
    Box(Vec<Vec<f64>>),
    /// Products of values and derivatives of one function at points, by how many of both are derived.
    Points([Dense; 3]),
    /// Nothing.
    Stored,
}

impl Squares {
    fn new(dim: usize, kind: &Kind) -> Self {
        match kind.rule {
            Rule::Box => Self::Box(terms_of_box(dim, kind.p)),
            Rule::Points(q) => {
                let Table { values: B, derivatives: G } = Table::new(kind.p, &gauss(q).points);
                let product =
                    |left: &Dense, right: &Dense| Dense::new(kind.p + 1, q, |i, k| left[(k, i)] * right[(k, i)]);
                Self::Points([product(&B, &B), product(&B, &G), product(&G, &G)])
            }
            Rule::Stored => Self::Stored,
        }
    }
    /// The diagonal of K_e.
    fn of_cell(&self, dim: usize, kind: &Kind, factors: &[f64], into: &mut [f64]) {
        let mut add =
            |factor: f64, term: &[f64]| into.iter_mut().zip(term).for_each(|(sum, value)| *sum += factor * value);
        match self {
            Self::Stored => (0..into.len()).for_each(|i| into[i] = factors[i * (into.len() + 1)]),
            Self::Box(terms) => factors.iter().zip(terms).for_each(|(&factor, term)| add(factor, term)),
            Self::Points(tables) => {
                let points = kind.points().pow(dim as u32);
                let term = |at: usize, derived: [usize; 2]| {
                    let w = Tensor::cube(dim, kind.points(), factors[at * points..(at + 1) * points].to_vec());
                    let count = |axis: usize| derived.iter().filter(|&&a| a == axis).count();
                    w.along_each((0..dim).map(|axis| &tables[count(axis)])).val
                };
                for [a, b] in (0..dim).flat_map(|a| (a..dim).map(move |b| [a, b])) {
                    add(if a == b { 1.0 } else { 2.0 }, &term(entry(dim, a, b), [a, b]));
                }
                if kind.reacts {
                    add(1.0, &term(dim * (dim + 1) / 2, [dim, dim]));
                }
            }
        }
    }
}

fn terms_of_box(dim: usize, p: usize) -> Vec<Vec<f64>> {
    let Interval { mass, stiffness, .. } = Interval::of(p);
    let column = |A: &Dense| Dense::new(p + 1, 1, |i, _| A[(i, i)]);
    let (M, K) = (column(mass), column(stiffness));
    let one = Tensor { shape: [1; 3], val: vec![1.0] };
    (0..=dim).map(|a| one.along_each((0..dim).map(|axis| if axis == a { &K } else { &M })).val).collect()
}

/// c^T K_e c for the combination c of local functions that each unknown of a cell is.
fn combined(cells: &Cells, numbers: &Numbers<f64>, k: usize, at: usize) -> Vec<(u32, f64)> {
    let kind = &cells.kinds[k];
    let factors = numbers.of_cell(cells.dim, kind, k, at);
    let factors = [&factors[..]; LANES];
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
