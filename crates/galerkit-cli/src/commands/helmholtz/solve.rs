//! One system after the other: k by k the same pattern with other values, each solve from the answer before. `auto` eliminates where that
//! is affordable, because iterations on indefinite systems are slow, and else iterates with the shifted Laplacian.

use super::session::Session;
use super::shifted::conditioned;
use crate::interrupt;
use crate::plan::helmholtz::{Shifted, usual_method, usual_shift};
use anyhow::{Result, bail};
use galerkit::fem::acoustics::{Equations, Pressure, WaveSpace, price};
use galerkit::linalg::c64;
use galerkit::linalg::engine::Engine as _;
use galerkit::linalg::sparse::Csr;
use galerkit::{Assembly, Choice, Method, Report, Solution, Solver, System};

/// The pressure for one k.
pub struct Solved<V> {
    pub k: c64,
    pub pressure: Pressure<V>,
    pub report: Report,
    /// ||A||_F ||x|| / ||b||, which the condition number exceeds.
    pub condition: f64,
}

/// How systems are solved.
enum How {
    /// As real ones: k = 0.
    Real(Solver),
    /// By a prepared system.
    Prepared(Solver),
    /// With the shifted Laplacian.
    Shifted(Solver, Shifted),
}

/// All wavenumbers.
pub fn all<V: WaveSpace>(session: &Session<'_>, equations: &Equations<V>) -> Result<Vec<Solved<V>>> {
    let plan = session.plan;
    if equations.unknowns() == 0 {
        bail!("there are no unknowns: every function is fixed by a soft wall; take more --cells or a higher --degree");
    }
    if equations.problem().floats() && plan.wavenumbers.iter().any(|k| k.norm() == 0.0) {
        bail!(
            "k = 0 is Laplace's equation, and no wall fixes the pressure: constants solve it; add --wall TAG=soft[:VALUE]"
        );
    }
    let first = equations.matrix(plan.wavenumbers[0])?;
    let how = choose(session, &first);
    let (mut solved, mut last, mut sweep): (Vec<Solved<V>>, Option<Vec<c64>>, _) = (Vec::new(), None, None);
    for &k in &plan.wavenumbers {
        let b = session.during("assembly", || equations.rhs(k))?;
        let Solution { x, report } = match &how {
            How::Real(solver) => session.watched(solver, &b, |solver| real(&solver, &first, &b))?,
            How::Shifted(solver, kind) => {
                let map = session.during("assembly", || conditioned(equations, k, equations.matrix(k)?, *kind))?;
                session.watched(solver, &b, |solver| {
                    let mut system = solver.prepare_map(map)?;
                    match &last {
                        Some(start) => system.solve_from(&b, start),
                        None => system.solve(&b),
                    }
                })?
            }
            How::Prepared(solver) => session.watched(solver, &b, |solver| {
                if sweep.is_none() {
                    sweep = Some(Sweep::new(&solver, &first, equations)?);
                }
                let sweep = sweep.as_mut().expect("it was just made");
                sweep.solve(equations, k, &b, last.as_deref())
            })?,
        };
        let condition = norm(&equations.values(k)) * norm(&x) / norm(&b).max(f64::MIN_POSITIVE);
        solved.push(Solved { k, pressure: equations.pressure(k, &x)?, report, condition });
        last = Some(x);
        if interrupt::was_asked() {
            break;
        }
    }
    Ok(solved)
}

/// A prepared system that is given new values, computed where it is solved.
struct Sweep<'a> {
    system: System<'a, c64>,
    assembly: Assembly<c64>,
    solved: usize,
}

impl<'a> Sweep<'a> {
    fn new<V: WaveSpace>(solver: &Solver, A: &'a Csr<c64>, equations: &Equations<V>) -> galerkit::Result<Self> {
        let terms: Vec<Vec<c64>> =
            equations.terms().iter().map(|term| term.iter().map(|&s| c64::new(s, 0.0)).collect()).collect();
        // values = sum c(k) S: factors come as vectors of one entry, which dot products read
        let assembly = Assembly::new(move |e, factors, entries| {
            let one = e.upload(&[c64::new(1.0, 0.0)]);
            for (number, (term, factor)) in terms.iter().zip(factors).enumerate() {
                let (S, c) = (e.upload(term), e.dot(&one, factor));
                let kept = e.number(f64::from(number > 0));
                e.axpby(c, &S, kept, entries);
            }
        });
        Ok(Self { system: solver.prepare(A)?, assembly, solved: 0 })
    }

    fn solve<V: WaveSpace>(
        &mut self,
        equations: &Equations<V>,
        k: c64,
        b: &[c64],
        start: Option<&[c64]>,
    ) -> galerkit::Result<Solution<c64>> {
        if self.solved > 0 {
            let factors: Vec<[c64; 1]> = equations.factors(k).into_iter().map(|c| [c]).collect();
            let inputs: Vec<&[c64]> = factors.iter().map(|c| &c[..]).collect();
            self.system.assemble(&mut self.assembly, &inputs)?;
        }
        self.solved += 1;
        match start {
            Some(start) => self.system.solve_from(b, start),
            None => self.system.solve(b),
        }
    }
}

fn choose(session: &Session<'_>, A: &Csr<c64>) -> How {
    let plan = session.plan;
    if plan.wavenumbers.iter().all(|k| k.norm() == 0.0) && A.val().iter().all(|a| a.im == 0.0) {
        session.note("note: k = 0 is Laplace's equation: its matrix is real");
        return How::Real(plan.solver.clone());
    }
    if let Some(kind) = plan.shifted {
        return How::Shifted(plan.solver.clone(), kind);
    }
    if !plan.is_auto || plan.method != Choice::Auto {
        return How::Prepared(plan.solver.clone());
    }
    match session.during("method", || price::affordable(A)) {
        Some(_) => How::Prepared(plan.solver.clone().method(Method::Lu)),
        None => How::Shifted(plan.solver.clone().method(usual_method()), usual_shift()),
    }
}

/// Real and imaginary part of x by themselves; the report is that of the part with the larger right-hand side.
fn real(solver: &Solver, A: &Csr<c64>, b: &[c64]) -> galerkit::Result<Solution<c64>> {
    let A = A.map_values(|a| a.re);
    let parts: [Vec<f64>; 2] = [b.iter().map(|b| b.re).collect(), b.iter().map(|b| b.im).collect()];
    let mut system = solver.prepare(&A)?;
    let re = system.solve(&parts[0])?;
    let (im, report) = match parts[1].iter().any(|b| *b != 0.0) {
        true => {
            let im = system.solve(&parts[1])?;
            (im.x, if parts[0].iter().all(|b| *b == 0.0) { im.report } else { re.report })
        }
        false => (vec![0.0; b.len()], re.report),
    };
    Ok(Solution { x: re.x.into_iter().zip(im).map(|(re, im)| c64::new(re, im)).collect(), report })
}

fn norm(x: &[c64]) -> f64 {
    x.iter().map(c64::norm_sqr).sum::<f64>().sqrt()
}
