//! A(k) x = b(k): the pattern and the real values of each term are assembled once, another k is a sum of them.

use super::beyond::Beyond;
use super::condition::Condition;
use super::excitation::Excitation;
use super::extras::Extras;
use super::helmholtz::Helmholtz;
use super::infinite::require_convex;
use super::pressure::Pressure;
use super::split::Split;
use super::term::{Factor, Integral, Term, boundary_terms, cell_terms, infinite_matrix, side_matrix};
use super::wave_space::{Side, WaveSpace};
use crate::assemble::pattern::{Contribution, Pattern};
use crate::assemble::scatter::Scatter;
use crate::basis::dense::Dense;
use crate::error::{Error, Result};
use crate::form::Form;
use crate::matrix_free::MatrixFree;
use crate::space::row::Row;
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{c64, parallel};
use std::sync::{Arc, Mutex};

/// Entries that are summed up together.
const PART: usize = 1 << 14;

/// Who contributes: a cell, or what lies behind one of its sides.
#[derive(Clone, Copy, Debug)]
enum Piece {
    Cell(usize),
    Infinite(usize, Side),
}

/// The equations of a problem for every k.
pub struct Equations<V> {
    pub(super) problem: Helmholtz<V>,
    pub(super) split: Split,
    factors: Vec<Factor>,
    values: Vec<Vec<f64>>,           // of each term, on the pattern of A
    pub(super) known: Vec<Vec<f64>>, // the same, where columns are fixed functions
    extras: Extras,
    pub(super) apart: Vec<Term>, // terms of cells that are not assembled
}

impl<V: WaveSpace> Helmholtz<V> {
    /// Assembles what does not depend on k.
    ///
    /// # Errors
    /// If conditions or coefficients are not allowed.
    pub fn assemble(self) -> Result<Equations<V>> {
        let terms = cell_terms(&self.medium, self.gls);
        let pieces = self.pieces(&|_| true);
        self.assembled(terms, pieces, Vec::new())
    }

    /// Assembles what boundaries add, and leaves cells to [`operator`](Equations::operator): matrices are those of the
    /// boundary alone.
    ///
    /// # Errors
    /// If conditions or coefficients are not allowed.
    pub fn assemble_boundary(self) -> Result<Equations<V>> {
        let apart = cell_terms(&self.medium, self.gls);
        let pieces = self.pieces(&|e| self.adds(e));
        self.assembled(Vec::new(), pieces, apart)
    }

    /// Terms of cells and boundaries.
    fn assembled(self, mut terms: Vec<Term>, pieces: Vec<Piece>, apart: Vec<Term>) -> Result<Equations<V>> {
        self.check()?;
        let beyond = Beyond::of(&self)?;
        for (&tag, condition) in &self.conditions {
            terms.extend(boundary_terms(self.space.dim(), tag, condition, self.gls, beyond));
        }
        let extras = Extras::new(&self);
        let forms: Vec<Arc<dyn Form>> = terms.iter().filter_map(Term::form).collect();
        self.check_convex(&pieces)?;
        let contribution = |i: usize| self.contribution(pieces[i], &forms, &extras);
        let contributions = parallel::try_values::<_, Error>(pieces.len(), &contribution)?;
        let (unknowns, masters) = (self.space.unknowns(), self.space.masters());
        let pattern = Pattern::new(masters + extras.count, &contributions)?;
        let split = Split::new(pattern.zeros(), unknowns, masters);
        let (mut values, mut known) = (Vec::new(), Vec::new());
        for term in &terms {
            let full = self.values(term, &pieces, &contributions, &pattern)?;
            let (free, fixed) = split.values(full);
            values.push(free);
            known.push(fixed);
        }
        let factors = terms.into_iter().map(|term| term.factor).collect();
        Ok(Equations { problem: self, split, factors, values, known, extras, apart })
    }

    /// Whether the boundary adds terms to cell e.
    fn adds(&self, e: usize) -> bool {
        let has_terms = |side: &Side| self.conditions.get(&side.tag).is_some_and(|c| !c.is_soft());
        self.space.sides(e).iter().any(has_terms)
    }

    /// Some cells, and all infinite elements.
    fn pieces(&self, chosen: &dyn Fn(usize) -> bool) -> Vec<Piece> {
        let cells = (0..self.space.cells()).filter(|&e| chosen(e)).map(Piece::Cell);
        let is_infinite = |side: &Side| matches!(self.conditions.get(&side.tag), Some(Condition::Infinite { .. }));
        let behind =
            |e: usize| self.space.sides(e).into_iter().filter(is_infinite).map(move |side| Piece::Infinite(e, side));
        cells.chain((0..self.space.cells()).flat_map(behind)).collect()
    }

    /// The middle of each side with an infinite element, with its normal.
    fn check_convex(&self, pieces: &[Piece]) -> Result<()> {
        let mut middles = Vec::new();
        for piece in pieces {
            if let Piece::Infinite(e, side) = *piece {
                let samples = self.space.side_samples(e, side, 0)?;
                middles.extend(samples.get(samples.len() / 2).map(|sample| (sample.point, sample.normal)));
            }
        }
        require_convex(&middles)
    }

    fn contribution(&self, piece: Piece, forms: &[Arc<dyn Form>], extras: &Extras) -> Result<Contribution> {
        let limit = self.space.masters() + extras.count;
        let (rows, coupling) = match piece {
            Piece::Cell(e) => (self.space.rows(e), if self.adds(e) { None } else { self.space.coupling(e, forms)? }),
            Piece::Infinite(e, side) => {
                let rows = self.space.rows(e);
                let traces = self.space.on_side(e, side).into_iter().map(|f| rows[f].clone()).collect::<Vec<Row>>();
                (extras.rows(side.tag, &traces), None)
            }
        };
        let scatter = Scatter::of_rows(rows, limit);
        let entries = scatter.entries(coupling.as_ref());
        Ok(Contribution { scatter, entries })
    }

    /// The values of a term's matrix, over all numbered functions and the further unknowns.
    fn values(
        &self,
        term: &Term,
        pieces: &[Piece],
        contributions: &[Contribution],
        pattern: &Pattern,
    ) -> Result<Vec<f64>> {
        if !matches!(term.integral, Integral::Cells(_)) {
            return self.boundary_values(term, pieces, contributions, pattern);
        }
        let (entries, loads) = pattern.contributions();
        let (mut k, mut f) = (vec![0.0; entries], vec![0.0; loads]);
        let failed: Mutex<Option<Error>> = Mutex::new(None);
        let blocks: Vec<_> = pattern.split(&mut k, &mut f).into_iter().enumerate().collect();
        parallel::each_piece(blocks, &|(i, (block, _)): (usize, (&mut [f64], &mut [f64]))| match self
            .element(term, pieces[i])
        {
            Ok(Some(S)) => contributions[i].write(&S, block),
            Ok(None) => {}
            Err(error) => *failed.lock().expect("no thread panics with it") = Some(error),
        });
        match failed.into_inner().expect("no thread panics with it") {
            Some(error) => Err(error),
            None => Ok(pattern.values(&k)),
        }
    }

    /// The same of a term that few pieces have.
    fn boundary_values(
        &self,
        term: &Term,
        pieces: &[Piece],
        contributions: &[Contribution],
        pattern: &Pattern,
    ) -> Result<Vec<f64>> {
        let elements = parallel::try_values(pieces.len(), &|i| self.element(term, pieces[i]))?;
        let mut values = vec![0.0; pattern.zeros().nnz()];
        for (contribution, S) in contributions.iter().zip(elements) {
            if let Some(S) = S {
                pattern.add(contribution, &S, &mut values);
            }
        }
        Ok(values)
    }

    fn element(&self, term: &Term, piece: Piece) -> Result<Option<Dense>> {
        let space = &*self.space;
        match (&term.integral, piece) {
            (Integral::Cells(form), Piece::Cell(e)) => {
                let form: Arc<dyn Form> = form.clone();
                space.matrix(e, &form).map(Some)
            }
            (Integral::Sides(tag, on), Piece::Cell(e)) => {
                let mut sum: Option<Dense> = None;
                for side in space.sides(e).into_iter().filter(|side| side.tag == *tag) {
                    let B = side_matrix(space, &self.medium, e, side, *on)?;
                    match &mut sum {
                        Some(sum) => sum.val.iter_mut().zip(&B.val).for_each(|(sum, b)| *sum += b),
                        None => sum = Some(B),
                    }
                }
                Ok(sum)
            }
            (Integral::Infinite(tag, centre, order, part), Piece::Infinite(e, side)) if side.tag == *tag => {
                infinite_matrix(space, (e, side), (*centre, *order), *part).map(Some)
            }
            _ => Ok(None),
        }
    }
}

impl<V: WaveSpace> Equations<V> {
    /// How many unknowns there are, those of infinite elements included.
    pub fn unknowns(&self) -> usize {
        self.split.rows()
    }
    /// The problem they belong to.
    pub fn problem(&self) -> &Helmholtz<V> {
        &self.problem
    }
    /// For each unknown its number in a larger space, where function i has the number `functions[i]`.
    pub(super) fn numbers_in(&self, larger: &Self, functions: &[u32]) -> Vec<u32> {
        let further = self.extras.numbers_in(&larger.extras, functions).into_iter();
        let first = larger.problem.space.unknowns() as u32;
        let own = functions[..self.problem.space.unknowns()].iter().copied();
        own.chain(further.map(|number| first + number)).collect()
    }
    /// The factors of the terms for k.
    pub fn factors(&self, k: c64) -> Vec<c64> {
        self.factors.iter().map(|factor| factor(k)).collect()
    }
    /// The real values of each term, in the order of the matrix's compressed rows.
    pub fn terms(&self) -> &[Vec<f64>] {
        &self.values
    }
    /// The values of A(k), in the order of its compressed rows.
    pub fn values(&self, k: c64) -> Vec<c64> {
        summed(&self.factors(k), &self.values)
    }
    /// ||A(k)||_F.
    pub fn norm(&self, k: c64) -> f64 {
        norm_of_sum(&self.factors(k), &self.values)
    }
    /// A(k).
    ///
    /// # Errors
    /// If it is too large for its indices.
    pub fn matrix(&self, k: c64) -> Result<Csr<c64>> {
        self.split.matrix(self.values(k))
    }
    /// Whether the terms of cells are among the matrices.
    pub fn is_assembled(&self) -> bool {
        self.apart.is_empty()
    }
    /// The diagonal of A(k).
    ///
    /// # Errors
    /// If coefficients are not allowed.
    pub fn diagonal(&self, k: c64) -> Result<Vec<c64>> {
        let mut sum = self.matrix(k)?.diagonal();
        for term in &self.apart {
            let (c, Integral::Cells(form)) = ((term.factor)(k), &term.integral) else { continue };
            let own = self.problem.space.diagonal(form)?;
            sum.iter_mut().zip(own).for_each(|(sum, d)| *sum += c * d);
        }
        Ok(sum)
    }
    /// A(k) applied cell by cell, with the assembled terms beside: for equations of the boundary alone.
    ///
    /// # Errors
    /// If the cells have no such product, or coefficients are not allowed.
    pub fn operator(&self, k: c64) -> Result<MatrixFree<c64>> {
        let (space, medium) = (&self.problem.space, &self.problem.medium);
        let mass = self.apart.iter().find_map(|term| term.mass(k)).unwrap_or_default();
        match space.product(medium, mass, &self.matrix(k)?)? {
            Some(product) => Ok(product),
            None => Err(Error::NotSolved { problem: "only quadrilaterals and hexahedra do without a matrix".into() }),
        }
    }
    /// A(k) with the mass terms of k' and the others of k: with k'^2 = k^2 (1 + i s) the shifted Laplacian.
    ///
    /// # Errors
    /// If it is too large for its indices.
    pub fn shifted(&self, k: c64, shift: c64) -> Result<Csr<c64>> {
        self.with_values(summed(&self.shifted_factors(k, shift), &self.values))
    }
    /// The factors of its terms.
    pub fn shifted_factors(&self, k: c64, shift: c64) -> Vec<c64> {
        let mut factors = self.factors(k);
        let masses = self.problem.medium.parts().len() / 2;
        factors.iter_mut().skip(masses).take(masses).for_each(|factor| *factor *= shift);
        factors
    }
    /// The matrix on the pattern of A with other values, in the order of its compressed rows.
    ///
    /// # Errors
    /// If it is too large for its indices.
    pub fn with_values(&self, values: Vec<c64>) -> Result<Csr<c64>> {
        self.split.matrix(values)
    }

    /// u_h from x, driven by the problem's own data.
    ///
    /// # Errors
    /// If data are not finite.
    pub fn pressure(&self, k: c64, x: &[c64]) -> Result<Pressure<V>> {
        self.pressure_of(k, &self.problem.excitation(), x)
    }
    /// The same, driven by other data.
    ///
    /// # Errors
    /// If data are not finite.
    pub fn pressure_of(&self, k: c64, drive: &Excitation, x: &[c64]) -> Result<Pressure<V>> {
        let [mut re, mut im] = self.problem.lift(k, drive)?;
        for (i, x) in x.iter().take(self.problem.space.unknowns()).enumerate() {
            (re[i], im[i]) = (x.re, x.im);
        }
        Ok(Pressure::new(self.problem.space.clone(), re, im))
    }
}

// Loops over entries stand outside of what is generic: that is compiled where it is used, in programs that are not optimised.

/// sum c S, entry by entry.
pub(super) fn summed(factors: &[c64], terms: &[Vec<f64>]) -> Vec<c64> {
    parallel::collect(terms.first().map_or(0, Vec::len), &|at| combined(factors, terms, at))
}

/// One entry of it, in real numbers: sums of complex ones are functions that are not inlined from another crate.
#[inline]
fn combined(factors: &[c64], terms: &[Vec<f64>], at: usize) -> c64 {
    let mut sum = [0.0; 2];
    for (c, values) in factors.iter().zip(terms) {
        sum = [sum[0] + c.re * values[at], sum[1] + c.im * values[at]];
    }
    c64::new(sum[0], sum[1])
}

/// The Frobenius norm of the sum.
fn norm_of_sum(factors: &[c64], terms: &[Vec<f64>]) -> f64 {
    let entries = terms.first().map_or(0, Vec::len);
    let square = |at: usize| combined(factors, terms, at).norm_sqr();
    let part = |p: usize| (p * PART..entries.min((p + 1) * PART)).map(square).sum::<f64>();
    parallel::values(entries.div_ceil(PART), &part).into_iter().sum::<f64>().sqrt()
}
