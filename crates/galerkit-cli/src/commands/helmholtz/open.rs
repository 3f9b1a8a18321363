//! A(k) as an operator, with the shifted Laplacian or its diagonal: in double precision, in single, or in double with
//! the preconditioner in single, which is most of the work.

use super::Session;
use super::open_sweep::OpenSweep;
use super::shifted::Family;
use anyhow::Result;
use galerkit::fem::acoustics::{Equations, WaveSpace};
use galerkit::linalg::krylov::{Outcome, norm, residual};
use galerkit::linalg::map::{LinearMap, matrix_map};
use galerkit::linalg::program::Precision as Of;
use galerkit::linalg::sparse::{Csr, Matrix};
use galerkit::linalg::{Scalar, c32, c64};
use galerkit::{Choice, OpenMap, OpenSystem, Precision, Solution, Solver};

/// Equations with what preconditions them, and k.
type System<'a, V> = (&'a Equations<V>, Option<&'a Family<V>>, c64);
/// Right-hand sides, and answers of another k to begin with.
type Sides<'a, S> = (&'a [Vec<S>], &'a [Vec<S>]);

/// Solves for one right-hand side after the other, with one preconditioner for all of them.
pub fn solve<V: WaveSpace>(
    session: &Session<'_>,
    solver: &Solver,
    system: System<'_, V>,
    sides: Sides<'_, c64>,
    standing: &mut Option<OpenSweep>,
) -> Result<Vec<Solution<c64>>> {
    let precision = session.plan.place.precision;
    if let (Choice::Given(Precision::Single), Some(family)) = (precision, system.1) {
        return single(session, solver, (system, family), sides);
    }
    let of = if precision == Choice::Given(Precision::Hybrid) && system.1.is_some() { Of::Single } else { Of::Full };
    let solver = solver.clone().precision(Precision::Double);
    let mut solutions = match system {
        (equations, Some(family), k) if equations.is_assembled() => {
            standing_by(session, &solver, (equations, family, k), of, (sides, standing))?
        }
        _ => in_turn(session, &solver, session.during("set-up", || map(system, of))?, sides)?,
    };
    if of == Of::Single {
        for Solution { report, .. } in &mut solutions {
            report.precision.inner = Some(c32::KIND);
            report.precision_reason = "asked for: the preconditioner is in single precision".into();
        }
    }
    Ok(solutions)
}

/// By a system that stays for the next k.
fn standing_by<V: WaveSpace>(
    session: &Session<'_>,
    solver: &Solver,
    of: (&Equations<V>, &Family<V>, c64),
    precision: Of,
    ((bs, last), standing): (Sides<'_, c64>, &mut Option<OpenSweep>),
) -> Result<Vec<Solution<c64>>> {
    let sweep = session.during("set-up", || match standing {
        Some(sweep) => sweep.renew(of).map(|()| sweep),
        None => Ok(standing.insert(OpenSweep::new(of, precision)?)),
    })?;
    Ok(session.watched(solver, &bs[0], |solver| each_in_turn(sweep.system(&solver)?, (bs, last)))?)
}

/// A(k) with what preconditions it: without a family its diagonal, where there is no matrix.
fn map<V: WaveSpace>((equations, family, k): System<'_, V>, precision: Of) -> Result<OpenMap<c64>> {
    let A: Box<dyn LinearMap<c64>> = match equations.is_assembled() {
        true => matrix_map(Matrix::Csr(equations.matrix(k)?)),
        false => equations.operator(k)?.boxed(),
    };
    Ok(match family {
        Some(family) => OpenMap::new(A).preconditioned_by(family.preconditioner(equations, k, precision)?),
        None => OpenMap::new(A).diagonal(equations.diagonal(k)?),
    })
}

/// Everything in single precision; answers are judged in double.
fn single<V: WaveSpace>(
    session: &Session<'_>,
    solver: &Solver,
    ((equations, _, k), family): (System<'_, V>, &Family<V>),
    (bs, last): Sides<'_, c64>,
) -> Result<Vec<Solution<c64>>> {
    let all = |vectors: &[Vec<c64>]| vectors.iter().map(|x| rounded(x)).collect::<Vec<_>>();
    let (A, map) = session.during("set-up", || {
        let A = equations.matrix(k)?;
        let own = matrix_map(Matrix::Csr(A.map_values(Scalar::to_single)));
        let map = OpenMap::new(own).preconditioned_by(family.preconditioner(equations, k, Of::Full)?.rounded());
        anyhow::Ok((A, map))
    })?;
    let solutions = in_turn(session, solver, map, (&all(bs), &all(last)))?;
    Ok(solutions.into_iter().zip(bs).map(|(solution, b)| judged(solution, &A, b)).collect())
}

fn rounded(x: &[c64]) -> Vec<c32> {
    x.iter().map(|x| x.to_single()).collect()
}

/// An answer in double precision, with its residual there.
fn judged(Solution { x, mut report }: Solution<c32>, A: &Csr<c64>, b: &[c64]) -> Solution<c64> {
    let x: Vec<c64> = x.into_iter().map(c64::widen).collect();
    report.true_residual = norm(&residual(A, b, &x)) / norm(b).max(f64::MIN_POSITIVE);
    if report.converged && report.true_residual > report.tolerance() {
        (report.converged, report.outcome) = (false, Outcome::Stagnated);
    }
    report.precision_reason = "asked for".into();
    Solution { x, report }
}

fn in_turn<S: Scalar>(
    session: &Session<'_>,
    solver: &Solver,
    map: OpenMap<S>,
    (bs, last): Sides<'_, S>,
) -> Result<Vec<Solution<S>>> {
    Ok(session.watched(solver, &bs[0], |solver| each_in_turn(&mut solver.prepare_map(map)?, (bs, last)))?)
}

/// Each right-hand side from its last answer, if there is one.
fn each_in_turn<S: Scalar>(system: &mut OpenSystem<S>, (bs, last): Sides<'_, S>) -> galerkit::Result<Vec<Solution<S>>> {
    let one = |(case, b): (usize, &Vec<S>)| match last.get(case) {
        Some(start) => system.solve_from(b, start),
        None => system.solve(b),
    };
    bs.iter().enumerate().map(one).collect()
}
