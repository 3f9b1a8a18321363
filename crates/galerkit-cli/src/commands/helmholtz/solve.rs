//! One wavenumber after the other: the same pattern with other values, each solve from the answer before. Right-hand
//! sides of one k are solved together. `auto` eliminates where that is affordable, because iterations on indefinite
//! systems are slow, and else iterates with the shifted Laplacian.

use super::shifted::Family;
use super::sweep::Sweep;
use super::{Session, notes, open};
use crate::interrupt;
use crate::plan::helmholtz::shifted::{Inverse, Shifted};
use crate::plan::helmholtz::usual_method;
use anyhow::{Result, bail};
use galerkit::fem::acoustics::{Equations, Excitation, Pressure, WaveSpace, price};
use galerkit::linalg::c64;
use galerkit::linalg::krylov::norm;
use galerkit::linalg::sparse::Csr;
use galerkit::{Choice, Method, Precision, Report, Solution, Solver};

/// The pressure for one k and one right-hand side.
pub struct Solved<V> {
    pub k: c64,
    /// Which of the right-hand sides.
    pub case: usize,
    pub pressure: Pressure<V>,
    pub report: Report,
    /// ||A||_F ||x|| / ||b||, which the condition number exceeds; none without a matrix.
    pub condition: Option<f64>,
}

/// How systems are solved.
enum How<V> {
    /// As real ones: k = 0.
    Real(Solver),
    /// By a prepared system.
    Prepared(Solver),
    /// As an operator, with the shifted Laplacian if there is one.
    Open(Solver, Option<Box<Family<V>>>),
}

/// All wavenumbers, and for each all right-hand sides; the mesh has so many cells a wavelength.
pub fn all<V: WaveSpace>(
    session: &Session<'_>,
    equations: &Equations<V>,
    drives: &[Excitation],
    cells: f64,
) -> Result<Vec<Solved<V>>> {
    let plan = session.plan;
    check(session, equations)?;
    let first = equations.matrix(plan.wavenumbers[0])?;
    let how = choose(session, equations, &first, cells)?;
    let (mut solved, mut last, mut sweep, mut standing) = (Vec::new(), Vec::new(), None, None);
    for &k in &plan.wavenumbers {
        let bs: Vec<Vec<c64>> = session
            .during("assembly", || drives.iter().map(|drive| equations.rhs_of(k, drive)).collect::<Result<_, _>>())?;
        if solved.is_empty() {
            notes::of_silence(session, &bs);
        }
        let solutions = match &how {
            How::Real(solver) => session.watched(solver, &bs[0], |solver| real(&solver, &first, &bs))?,
            How::Open(solver, family) => {
                open::solve(session, solver, (equations, family.as_deref(), k), (&bs, &last), &mut standing)?
            }
            How::Prepared(solver) => session.watched(solver, &bs[0], |solver| {
                if sweep.is_none() {
                    sweep = Some(Sweep::new(&solver, &first)?);
                }
                sweep.as_mut().expect("it was just made").solve(equations, k, &bs, &last)
            })?,
        };
        last.clear();
        let norm_of_A = equations.is_assembled().then(|| equations.norm(k));
        for (case, Solution { x, report }) in solutions.into_iter().enumerate() {
            let condition = norm_of_A.map(|A| A * norm(&x) / norm(&bs[case]).max(f64::MIN_POSITIVE));
            let pressure = equations.pressure_of(k, &drives[case], &x)?;
            solved.push(Solved { k, case, pressure, report, condition });
            last.push(x);
        }
        if interrupt::was_asked() {
            break;
        }
    }
    Ok(solved)
}

/// An error where there is nothing to solve, or no solution.
fn check<V: WaveSpace>(session: &Session<'_>, equations: &Equations<V>) -> Result<()> {
    if equations.unknowns() == 0 {
        bail!("there are no unknowns: every function is fixed by a soft wall; take more --cells or a higher --degree");
    }
    if equations.problem().floats() && session.plan.wavenumbers.iter().any(|k| k.norm() == 0.0) {
        bail!(
            "k = 0 is Laplace's equation, and no wall fixes the pressure: constants solve it; add --wall TAG=soft[:VALUE]"
        );
    }
    Ok(())
}

fn choose<V: WaveSpace>(session: &Session<'_>, equations: &Equations<V>, A: &Csr<c64>, cells: f64) -> Result<How<V>> {
    let plan = session.plan;
    let open = |kind: Option<Shifted>| {
        let mut family = session.during("set-up", || kind.map(|kind| Family::new(equations, kind)).transpose())?;
        if let Some(cycle) = &mut family
            && plan.shifted.is_none()
            && Shifted::is_too_coarse(cells)
            && !session.during("method", || cycle.ends_in_elimination(plan.wavenumbers[0]))?
        {
            *cycle = Family::new(equations, Shifted::incomplete())?;
        }
        let solver =
            if plan.method == Choice::Auto { plan.solver.clone().method(usual_method()) } else { plan.solver.clone() };
        Ok(How::Open(solver, family.map(Box::new)))
    };
    let space = equations.problem().space();
    let usual = || if space.is_nested() { Shifted::usual(plan.degree, space.dim()) } else { Shifted::incomplete() };
    if plan.shifted.is_some() {
        return open(plan.shifted);
    }
    if !equations.is_assembled() {
        return open(plan.is_auto.then(usual));
    }
    if plan.wavenumbers.iter().all(|k| k.norm() == 0.0) && A.val().iter().all(|a| a.im == 0.0) {
        session.note("note: k = 0 is Laplace's equation: its matrix is real");
        return Ok(How::Real(plan.solver.clone()));
    }
    if !plan.is_auto || plan.method != Choice::Auto {
        return Ok(How::Prepared(plan.solver.clone()));
    }
    let has_cycle = space.dim() == 3 && matches!(usual().inverse, Inverse::Multigrid { .. });
    let is_worth_it = |work: &f64| !has_cycle || *work <= price::QUICK;
    if plan.place.precision == Choice::Given(Precision::Hybrid) {
        return open(Some(usual())); // elimination has nothing to do in single precision
    }
    match session.during("method", || price::affordable(A, space.dim())).filter(is_worth_it) {
        Some(_) => Ok(How::Prepared(plan.solver.clone().method(Method::Lu))),
        None => open(Some(usual())),
    }
}

/// Real and imaginary part of x by themselves; the report is that of the part with the larger right-hand side.
fn real(solver: &Solver, A: &Csr<c64>, bs: &[Vec<c64>]) -> galerkit::Result<Vec<Solution<c64>>> {
    let A = A.map_values(|a| a.re);
    let mut system = solver.prepare(&A)?;
    let mut one = |b: &Vec<c64>| {
        let parts: [Vec<f64>; 2] = [b.iter().map(|b| b.re).collect(), b.iter().map(|b| b.im).collect()];
        let re = system.solve(&parts[0])?;
        let (im, report) = match parts[1].iter().any(|b| *b != 0.0) {
            true => {
                let im = system.solve(&parts[1])?;
                (im.x, if parts[0].iter().all(|b| *b == 0.0) { im.report } else { re.report })
            }
            false => (vec![0.0; b.len()], re.report),
        };
        Ok(Solution { x: re.x.into_iter().zip(im).map(|(re, im)| c64::new(re, im)).collect(), report })
    };
    bs.iter().map(&mut one).collect()
}
