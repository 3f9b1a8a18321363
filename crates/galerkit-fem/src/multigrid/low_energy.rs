//! Another basis of an hp space, in which entities hardly couple: T leads from its coefficients w to those of the
//! hierarchical basis, u.
//!
//! A hierarchical function of a vertex, edge or face falls off linearly into the cells around it, which costs energy:
//! after diagonal scaling the condition number still grows like p^4 in 3D, and neither a polynomial of low degree nor
//! the blocks of entities bring the count of iterations at degree 8 below 50. Where N_0 is replaced by the Lagrange
//! function l_0 at Gauss-Lobatto points (`basis/nodal.rs`) the extension is short. The blended form of that (Gordon and
//! Hall): with c_j the coefficients of l_0 - N_0 and l_q - N_1,
//!
//! ```text
//! edge:      u_i   = w_i   + sum over ends c_i u
//! face:      u_ij  = w_ij  + sum over edges c_j u_i  - sum over vertices c_i c_j u
//! interior:  u_ijk = w_ijk + sum over faces c_k u_ij - sum over edges c_j c_k u_i + sum over vertices c_i c_j c_k u
//! ```
//!
//! with u of the closure: where that hangs, its functions follow from others, of a lower level. So entities are visited
//! by level, then dimension. Rows of T have up to 27 entries in 3D, more where functions hang.

use crate::basis::nodal::Nodal;
use crate::error::Result;
use crate::forest::Part;
use crate::forest::part::FREE;
use crate::space::Space;
use crate::space::function::Function;
use crate::space::row::{Row, summed};
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::Csr;

/// Rows of a matrix that are written together.
const BLOCK: usize = 1 << 13;

/// A basis of a space, by what hierarchical coefficients are in terms of its own.
pub struct Basis<'a> {
    space: &'a Space,
    rows: Vec<Row>, // of all functions; where interiors take from others, none for them
    extends: bool,
}

impl<'a> Basis<'a> {
    /// The hierarchical basis itself.
    pub fn hierarchical(space: &'a Space) -> Self {
        Self { space, rows: hierarchical_rows(space), extends: false }
    }
    /// The basis of low energy.
    pub fn low_energy(space: &'a Space) -> Self {
        Self { space, rows: interface_rows(space), extends: true }
    }
    /// The rows of all functions but fixed ones, hanging ones last, without what interior functions take from others.
    ///
    /// # Errors
    /// If it is too large for its indices.
    pub fn matrix(&self) -> Result<Csr<f64>> {
        let (unknowns, fixed) = (self.space.unknowns(), self.space.dimension() - self.space.unknowns());
        let number = |row: usize| if row < unknowns { row } else { row + fixed };
        let rows = self.rows.len() - fixed;
        let mut start = vec![0u64];
        (0..rows).for_each(|i| start.push(start[i] + self.length(number(i)) as u64));
        let of_block = |block: usize| -> (Vec<u32>, Vec<f64>) {
            (block * BLOCK..rows.min((block + 1) * BLOCK)).flat_map(|i| self.row(number(i))).unzip()
        };
        let (col, val) = parallel::values(rows.div_ceil(BLOCK), &of_block).into_iter().unzip();
        Ok(Csr::new(rows, unknowns, start, parallel::concatenated(col), parallel::concatenated(val))?)
    }
    /// Row i, without what an interior function takes from others.
    fn row(&self, i: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.is_own(i).then_some((i as u32, 1.0)).into_iter().chain(self.rows[i].iter().copied())
    }
    fn length(&self, i: usize) -> usize {
        if self.is_own(i) { 1 } else { self.rows[i].len() }
    }
    /// Whether function i lies within a cell, and its row is one of the identity but for what it takes from others.
    fn is_own(&self, i: usize) -> bool {
        self.extends && (self.space.counts().interface..self.space.counts().unknowns).contains(&i)
    }
    /// The space.
    pub fn space(&self) -> &'a Space {
        self.space
    }
    /// Whether interior functions take from others.
    pub fn extends(&self) -> bool {
        self.extends
    }
    /// The coefficients of cell e's local functions, without what interior functions take from others: the number of
    /// the unknown, the local function, the coefficient.
    pub fn coefficients(&self, e: usize) -> impl Iterator<Item = (u32, u32, f64)> {
        let signed = |(local, function): (usize, &Function)| {
            let (i, sign) = function.get()?;
            Some(self.row(i).map(move |(j, value)| (j, local as u32, sign * value)))
        };
        self.space.functions(e).iter().enumerate().filter_map(signed).flatten()
    }
}

/// T, with hanging functions: for each function, what its coefficient is in terms of w; nothing for fixed ones.
pub fn low_energy_rows(space: &Space) -> Vec<Row> {
    let mut rows = interface_rows(space);
    let interior = Part::interior(space.dim());
    let of_cell = |e: usize| extended(space, e, interior, space.degree(e), &rows);
    let found = parallel::values(space.cells(), &of_cell);
    found.into_iter().flatten().for_each(|(i, row)| rows[i] = row);
    rows
}

/// The same without rows of interior functions.
fn interface_rows(space: &Space) -> Vec<Row> {
    let (entities, counts) = (space.entities(), space.counts());
    let mut rows = vec![Row::new(); counts.total];
    let turn = |entity: usize| {
        let key = &entities.keys[entity];
        (key.lattice_level(), !entities.hangs(entity), key.dim())
    };
    let mut order: Vec<usize> = (0..entities.len()).collect();
    order.sort_by_key(|&entity| turn(entity));
    for at_once in order.chunk_by(|&one, &other| turn(one) == turn(other)) {
        let found = parallel::values(at_once.len(), &|k| entity_rows(space, at_once[k], &rows));
        found.into_iter().flatten().for_each(|(i, row)| rows[i] = row);
    }
    rows
}

/// The rows of an entity's functions, given those of entities whose turn was before; none for fixed ones.
fn entity_rows(space: &Space, entity: usize, rows: &[Row]) -> Vec<(usize, Row)> {
    let (entities, masters) = (space.entities(), space.counts().masters);
    if entities.hangs(entity) {
        let first = space.numbering().of_entity[entity] as usize;
        let row = |i: usize| {
            let parts = space.constraints().row(i - masters).iter();
            let parts = parts.flat_map(|&(j, c)| rows[j as usize].iter().map(move |&(k, v)| (k, c * v)));
            (i, summed(parts.collect()))
        };
        return (first..first + entities.functions(entity)).map(row).collect();
    }
    if space.fixed_by(entity).is_some() {
        return Vec::new();
    }
    let (e, part) = entities.owner[entity];
    extended(space, e as usize, part, entities.degree[entity] as usize, rows)
}

/// The rows of the identity in place of T: the hierarchical basis itself.
fn hierarchical_rows(space: &Space) -> Vec<Row> {
    let counts = space.counts();
    let of_master = |i: usize| if i < counts.unknowns { vec![(i as u32, 1.0)] } else { Row::new() };
    let mut rows: Vec<Row> = (0..counts.masters).map(of_master).collect();
    let is_unknown = |&&(j, _): &&(u32, f64)| (j as usize) < counts.unknowns;
    let hanging = 0..space.constraints().len();
    rows.extend(hanging.map(|i| space.constraints().row(i).iter().filter(is_unknown).copied().collect::<Row>()));
    rows
}

/// The rows of the functions of one part of a cell, given those of its closure.
fn extended(space: &Space, e: usize, part: Part, degree: usize, rows: &[Row]) -> Vec<(usize, Row)> {
    let functions = space.functions(e);
    let local = |index: &[usize; 3]| &functions[place(index, space.degree(e), space.dim())];
    let row = |index: [usize; 3]| {
        let (i, sign) = local(&index).get()?;
        let mut row = vec![(i as u32, 1.0)];
        for (index, coefficient) in blended(&index, part, degree) {
            row.extend(times(sign * coefficient, local(&index), rows));
        }
        Some((i, summed(row)))
    };
    indices(part, degree).into_iter().filter_map(row).collect()
}

fn times(factor: f64, function: &Function, rows: &[Row]) -> Row {
    let Some((i, sign)) = function.get() else { return Row::new() };
    rows[i].iter().map(|&(j, value)| (j, factor * sign * value)).collect()
}

/// The place of a local function in tensor order, the first axis slowest.
fn place(index: &[usize; 3], p: usize, dim: usize) -> usize {
    index[..dim].iter().fold(0, |at, i| at * (p + 1) + i)
}

/// The indices of the functions of a part along the axes.
fn indices(part: Part, degree: usize) -> Vec<[usize; 3]> {
    let along = |a: usize| if part.0[a] == FREE { 2..=degree } else { part.0[a] as usize..=part.0[a] as usize };
    along(0).flat_map(|i| along(1).flat_map(move |j| along(2).map(move |k| [i, j, k]))).collect()
}

/// The functions of the closure that a function blends, with their coefficients: those with N_0 or N_1 along one or
/// more of its axes.
fn blended(index: &[usize; 3], part: Part, degree: usize) -> Vec<([usize; 3], f64)> {
    let ends = &Nodal::of(degree).ends;
    let mut terms = vec![(*index, -1.0)];
    for a in part.axes() {
        for k in 0..terms.len() {
            let (from, factor) = terms[k];
            for (end, c) in ends[from[a] - 2].iter().enumerate() {
                let mut index = from;
                index[a] = end;
                terms.push((index, -factor * c));
            }
        }
    }
    terms.split_off(1)
}
