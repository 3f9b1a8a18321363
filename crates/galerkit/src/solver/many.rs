//! Several right-hand sides at once: the columns of A X = B are one vector, each pass over A multiplies all of them
//! ([`OnMultivector`]), and the method runs as it is, with inner products over all columns: global CG, BiCGSTAB or
//! GMRES. Each b is brought to norm 1, so that the residual of all columns bounds that of each. What cannot share a
//! pass is solved one by one.

use super::iterative::{Driven, Iterative};
use super::machine::{Engine as Recorded, Machine};
use super::routines::{Preconditioned, Routines, compile};
use super::selection::relative;
use super::{Solution, Solver};
use crate::error::Result;
use crate::family::method_properties;
use crate::stages::{Stage, Stages};
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Held, Operator, Resident};
use galerkit_linalg::krylov::{Krylov, Outcome, Reference, Stop, Verified, backward_error, norm, verify};
use galerkit_linalg::map::{Diagonal, LinearMap, OnMultivector, diagonal_map, multivector_map};
use galerkit_linalg::parallel;
use galerkit_linalg::precond::Prepared;
use galerkit_linalg::program::{Precision, Vector};
use galerkit_linalg::sparse::{Csr, Permutation};
use std::time::Instant;

/// Columns that share a pass, at most: more would only need more memory.
pub(crate) const MOST_COLUMNS: usize = 16;
/// Vectors beside those of a method: b, x, the residual, the preconditioner, and room.
const SPARE: usize = 6;

/// A method prepared for so many right-hand sides.
pub(crate) struct Many<S: Scalar> {
    columns: usize,
    engine: Recorded<S>,
    A: Resident<Recorded<S>>,
    M: Prepared<S>,
    map: Option<Resident<Recorded<S>>>,
    method: Krylov,
    b: Held<Vector>,
    x: Held<Vector>,
    compiled: Option<Routines>,
    order: Option<Permutation>,
    spent: Stages,
}

/// What came of the columns together.
struct Together<'a> {
    verified: &'a Verified,
    seconds: f64,
    /// Tolerance of each column, for b of norm 1.
    threshold: f64,
}

impl<S: Scalar> Many<S> {
    /// The same method and preconditioner for so many columns; none where it cannot share a pass: only CG, BiCGSTAB and
    /// GMRES do, with Jacobi or without preconditioner.
    pub(crate) fn prepare(one: &Iterative<S>, A: &Csr<S>, columns: usize) -> Result<Option<Self>> {
        let begun = Instant::now();
        let method = one.method;
        let shares = matches!(method, Krylov::Cg | Krylov::Bicgstab | Krylov::Gmres { .. });
        let (M, nested) = (&one.M, one.inner_solve.is_some());
        let jacobi = match M {
            Prepared::Identity => false,
            Prepared::Map(map) if map.known::<Diagonal<S>>().is_some() => true,
            _ => return Ok(None),
        };
        if !shares || nested {
            return Ok(None);
        }
        let ordered = one.order.as_ref().map(|order| A.permute_symmetric(order)).transpose()?;
        let A = ordered.as_ref().unwrap_or(A);
        let on_columns = OnMultivector::new(A, columns);
        if let Some(cuda) = one.engine.executor().cuda() {
            let vector = A.rows() * columns * size_of::<S>();
            let needed = LinearMap::bytes(&on_columns) + (method_properties(method).vectors + SPARE) * vector;
            if needed > cuda.gpu().free_memory()?.0 {
                return Ok(None);
            }
        }
        let mut engine = Recorded::over(one.engine.executor().another()?);
        let loaded = engine.load(multivector_map(on_columns));
        let M = if jacobi { Prepared::Map(diagonal_map(inverse_diagonal(A, columns))) } else { Prepared::Identity };
        let map = if let Prepared::Map(map) = &M { Some(engine.load(map.clone())) } else { None };
        let [b, x] = [(); 2].map(|()| engine.zeros(A.rows() * columns, Precision::Full));
        let (order, mut spent) = (one.order.clone(), Stages::default());
        spent.add(Stage::Conversion, begun.elapsed().as_secs_f64());
        let made = Self { columns, engine, A: loaded, M, map, method, b, x, compiled: None, order, spent };
        made.failure().map_or(Ok(Some(made)), Err)
    }

    /// For how many columns it is.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    fn failure(&self) -> Option<crate::Error> {
        self.engine.executor().cuda()?.failure().map(Into::into)
    }

    /// Solves for all columns, from a start of each or, without any, from x = 0.
    pub(crate) fn solve(
        &mut self,
        solver: &Solver,
        one: &Iterative<S>,
        (bs, starts): (&[&[S]], &[&[S]]),
    ) -> Result<Vec<Solution<S>>> {
        let norms: Vec<f64> = bs.iter().map(|b| norm(b)).collect();
        let B = rows_of(&self.ordered(bs)?, &norms);
        let start = match starts {
            [] => None,
            _ => Some(rows_of(&self.ordered(starts)?, &norms)),
        };
        self.engine.write(&mut self.b, &B);
        let threshold = |&norm: &f64| solver.rtol_for::<S>().max(if norm > 0.0 { solver.atol / norm } else { 1.0 });
        let threshold = norms.iter().map(threshold).fold(1.0, f64::min);
        let stop = Stop { rtol: threshold, atol: 0.0, reference: Reference::Given(1.0), ..one.stop(solver) };
        if self.compiled.as_ref().is_none_or(|compiled| !compiled.serves(&stop)) {
            let loaded = self.map.as_ref().map(|map| map as &dyn Operator<Recorded<S>>);
            let parts = Preconditioned { M: &self.M, loaded, inner_solve: None };
            self.compiled = Some(compile(&mut self.engine, self.method, &self.A, parts, (&self.b, &mut self.x), &stop));
        }
        let compiled = self.compiled.as_ref().expect("compiled a line above");
        let begun = Instant::now();
        let mut driven = match start {
            None => Driven::from_zero(&mut self.engine, compiled, Some(norm(&B)), &mut self.x),
            Some(X) => {
                self.engine.write(&mut self.x, &X);
                Driven::new(&mut self.engine, compiled)
            }
        };
        let verified = verify(&mut driven, S::eps(), &stop);
        let together = Together { verified: &verified, seconds: begun.elapsed().as_secs_f64(), threshold };
        let (x, r) = (self.engine.download(&self.x), self.engine.download(&compiled.r));
        self.failure().map_or(Ok(()), Err)?;
        let spent = std::mem::take(&mut self.spent);
        let (xs, rs) = (columns_of(&x, &norms), columns_of(&r, &norms));
        let column = |((x, r), &rhs): ((Vec<S>, Vec<S>), &f64)| {
            let x = self.order.as_ref().map_or(Ok(x.clone()), |order| order.scatter(&x))?;
            Ok(self.column(one, x, [rhs, norm(&r)], &together))
        };
        let mut solutions = xs.into_iter().zip(rs).zip(&norms).map(column).collect::<Result<Vec<_>>>()?;
        solutions[0].report.spend(&spent);
        Ok(solutions)
    }

    /// Right-hand sides or starts in the order of the iterations.
    fn ordered(&self, bs: &[&[S]]) -> Result<Vec<Vec<S>>> {
        let ordered = |b: &&[S]| match &self.order {
            Some(order) => Ok(order.gather(b)?),
            None => Ok(b.to_vec()),
        };
        bs.iter().map(ordered).collect()
    }

    /// The account of one column: its own residual decides, the time is its share.
    fn column(&self, one: &Iterative<S>, x: Vec<S>, [rhs, residual]: [f64; 2], all: &Together<'_>) -> Solution<S> {
        let mut report = one.report_template();
        let run = &all.verified.run;
        report.method = self.method.into();
        report.method_reason = format!("{} right-hand sides share each pass over the matrix", self.columns);
        (report.iterations, report.restarts, report.rhs_norm) = (run.iterations, all.verified.restarts, rhs);
        report.history = run.history.clone();
        report.recursive_residual = run.history[run.history.len() - 1];
        report.true_residual = relative(residual, rhs);
        report.backward_error = backward_error(residual, one.frobenius(), norm(&x), rhs);
        report.solve_seconds = all.seconds / self.columns as f64;
        let met = report.true_residual <= all.threshold;
        report.conclude(if met { Outcome::Converged } else { run.outcome });
        Solution { x, report }
    }
}

/// Rows that one task works on.
const TOGETHER: usize = 1024;

/// The columns divided by ||b||, row by row; zero where b is.
fn rows_of<S: Scalar>(bs: &[Vec<S>], norms: &[f64]) -> Vec<S> {
    let scale: Vec<S> = norms.iter().map(|&norm| S::from_f64(if norm > 0.0 { 1.0 / norm } else { 0.0 })).collect();
    let mut rows = vec![S::zero(); bs[0].len() * bs.len()];
    parallel::each_chunk(&mut rows, TOGETHER * bs.len(), &|first, rows| {
        for (i, row) in (first / bs.len()..).zip(rows.chunks_mut(bs.len())) {
            row.iter_mut().zip(bs.iter().zip(&scale)).for_each(|(row, (b, &scale))| *row = b[i] * scale);
        }
    });
    rows
}

/// The columns of what is stored row by row, times ||b||.
fn columns_of<S: Scalar>(all: &[S], norms: &[f64]) -> Vec<Vec<S>> {
    let column = |j: usize| {
        let scale = S::from_f64(norms[j]);
        all.iter().skip(j).step_by(norms.len()).map(|&value| value * scale).collect()
    };
    parallel::values(norms.len(), &column)
}

/// Jacobi's preconditioner, each entry once for every column.
fn inverse_diagonal<S: Scalar>(A: &Csr<S>, columns: usize) -> Diagonal<S> {
    let inverse = A.diagonal().into_iter().map(|d| S::one() / d);
    Diagonal::new(inverse.flat_map(|d| std::iter::repeat_n(d, columns)).collect())
}
