//! The linear systems of a step and how they are solved: mode by mode, by BiCGSTAB with ILU(0), or by elimination. What
//! depends on the step is renewed when the step changes and only then.

use super::krylov::{Effort, Iterated, IteratedStage, StepEngine, StepVector};
use super::layers::invalid;
use super::method::Method;
use super::modal::{Layout, ModalNodes, ModalStage, factors};
use super::modes::Modes;
use super::on_host::{Host, OnHost};
use super::refactor::{Refactoring, Renewal};
use super::scheme::{self, Scheme, SourceStep};
use super::space::Collocation;
use super::update::Update;
use crate::error::Result;
use galerkit_direct::sparse_lu;
use galerkit_linalg::engine::{Engine, Operator, Resident};
use galerkit_linalg::map::{Gather, LinearMap, gather_map, matrix_map};
use galerkit_linalg::precond::{Factors, ilu0};
use galerkit_linalg::sparse::{Csr, Format, Matrix};

/// The systems of a step, loaded into an engine.
pub enum Equations {
    /// Mode by mode.
    Modal(Box<ModalEquations>),
    /// With matrices.
    Stored(Box<StoredEquations>),
}

/// Mode by mode.
pub struct ModalEquations {
    space: Collocation,
    modes: Modes,
    layout: Layout,
    S: Resident<StepEngine>,
}

/// With matrices.
pub struct StoredEquations {
    space: Collocation,
    matrices: [Csr<f64>; 2],
    factors: Factors<f64>,
    A0: Resident<StepEngine>,
    dtB: Resident<StepEngine>,
    A: Resident<StepEngine>,
    update: Update,
    renewal: Renewal,
    /// What stands for A^-1 and for A0^-1.
    inverses: [Resident<StepEngine>; 2],
    on_host: Option<OnHost>,
    is_iterated: bool,
    rtol: f64,
}

/// What a step solves with.
#[derive(Clone, Copy)]
pub struct Recipe {
    /// How.
    pub method: Method,
    /// The rate of growth.
    pub rho: f64,
    /// The tolerance of iterations.
    pub rtol: f64,
    /// Who computes incomplete factors of new values, where the host need not.
    pub refactoring: Refactoring,
}

impl Equations {
    /// Loads what no step changes.
    ///
    /// # Errors
    /// If D is a map or elements along y differ and the method needs equal ones, or a pivot is zero.
    pub fn new(e: &mut StepEngine, space: &Collocation, recipe: Recipe) -> Result<Self> {
        let Recipe { method, rho, rtol, refactoring } = recipe;
        if method == Method::Modal {
            let found = if space.tissue().is_some() { "a map of D" } else { "graded along y" };
            let expected = "the solver modal needs layers along x and equal elements along y: choose ilu or direct";
            let modes = Modes::of(space).ok_or_else(|| invalid("mesh", found.into(), expected))?;
            let S = e.load(Box::new(ModalStage::new(space, &modes, 0.0, 0.0)?));
            let layout = Layout::new(space.shape()[0], modes.count());
            return Ok(Equations::Modal(Box::new(ModalEquations { space: space.clone(), modes, layout, S })));
        }
        let matrices = [space.A0()?, space.B(rho)?];
        let rows = |A: &Csr<f64>| Ok::<_, galerkit_linalg::Error>(matrix_map(Matrix::from_csr(A, Format::Csr)?));
        let maps = [rows(&matrices[0])?, rows(&matrices[1])?, rows(&matrices[0])?];
        let [A0, mut dtB, mut A] = maps.map(|map| e.load(map));
        let factors = ilu0(&matrices[0])?;
        let (inverses, on_host) = inverses(e, method, &matrices[0], &factors)?;
        let renewal = match on_host {
            Some(_) => Renewal::InOrder,
            None => Renewal::of(e, (&matrices[0], &factors), &inverses[0], refactoring),
        };
        let update = Update::new(e, &A0, &mut A, &mut dtB, matrices[1].val());
        let is_iterated = method != Method::Direct;
        let stored = StoredEquations {
            space: space.clone(),
            matrices,
            factors,
            A0,
            dtB,
            A,
            update,
            renewal,
            inverses,
            on_host,
            is_iterated,
            rtol,
        };
        Ok(Equations::Stored(Box::new(stored)))
    }

    /// Makes everything that depends on the step: A = A0 - tau B and what solves with it. Whether programs must be
    /// recorded again, which is so where incomplete factors must be loaded again.
    ///
    /// # Errors
    /// If a pivot is zero.
    pub fn renew(&mut self, e: &mut StepEngine, rho: f64, tau: f64, dt: f64) -> Result<bool> {
        match self {
            Equations::Modal(modal) => {
                e.write(&mut modal.S.values, &factors(&modal.space, &modal.modes, rho, tau)?);
                Ok(false)
            }
            Equations::Stored(stored) => stored.renew(e, tau, dt),
        }
    }

    /// The state that an engine steps, from coefficients.
    pub fn state(&self, coefficients: &[f64]) -> Vec<f64> {
        match self {
            Equations::Modal(modal) => modal.layout.blocked(&modal.modes.shares(coefficients)),
            Equations::Stored(_) => coefficients.to_vec(),
        }
    }
    /// Coefficients from the state.
    pub fn coefficients(&self, state: &[f64]) -> Vec<f64> {
        match self {
            Equations::Modal(modal) => modal.modes.coefficients(&modal.layout.plain(state)),
            Equations::Stored(_) => state.to_vec(),
        }
    }
    /// The mass as a function of the state.
    ///
    /// # Errors
    /// If there are more unknowns than indices count.
    pub fn mass(&self) -> Result<Vec<f64>> {
        match self {
            Equations::Modal(modal) => {
                let [along, across] = modal.space.mass_factors();
                let of = |m: usize| modal.modes.mode(m).iter().zip(&across).map(|(v, w)| v * w).sum::<f64>();
                let shares: Vec<f64> = (0..modal.modes.count()).map(of).collect();
                let all: Vec<f64> = along.iter().flat_map(|x| shares.iter().map(move |y| x * y)).collect();
                Ok(modal.layout.blocked(&all))
            }
            Equations::Stored(stored) => stored.space.mass(),
        }
    }
    /// Values at nodes from the state.
    ///
    /// # Errors
    /// If there are more unknowns than indices count.
    pub fn nodes(&self) -> Result<Box<dyn LinearMap<f64>>> {
        match self {
            Equations::Modal(modal) => Ok(Box::new(ModalNodes::new(&modal.space, &modal.modes))),
            Equations::Stored(stored) => {
                let index = stored.space.nodal().into_iter().map(|k| k as u32).collect();
                Ok(gather_map(Gather::new(stored.space.unknowns(), index)?))
            }
        }
    }

    /// Records one step.
    pub fn step(&self, e: &mut StepEngine, scheme: Scheme, effort: Effort, a: &mut StepVector) {
        match self {
            Equations::Modal(modal) => by_stages(e, scheme, &modal.S, a),
            Equations::Stored(stored) if scheme == Scheme::DirkSource => stored.source_step(e, effort, a),
            Equations::Stored(stored) => stored.with_stage(effort, |S| by_stages(e, scheme, S, a)),
        }
    }
    /// Records one step of DIRK with the estimate of its error.
    pub fn step_estimated(
        &self,
        e: &mut StepEngine,
        effort: Effort,
        a: &mut StepVector,
    ) -> <StepEngine as Engine>::Num {
        match self {
            Equations::Modal(modal) => scheme::dirk_estimated(e, &modal.S, a),
            Equations::Stored(stored) => stored.with_stage(effort, |S| scheme::dirk_estimated(e, S, a)),
        }
    }
}

/// A step by a scheme that needs S alone. Modes have no other arrangement than DIRK's own: both are the same but for
/// rounding.
fn by_stages(e: &mut StepEngine, scheme: Scheme, S: &dyn Operator<StepEngine>, a: &mut StepVector) {
    match scheme {
        Scheme::Dirk | Scheme::DirkSource => drop(scheme::dirk(e, S, a)),
        Scheme::BackwardEuler => scheme::backward_euler(e, S, a),
        Scheme::CrankNicolson => scheme::crank_nicolson(e, S, a),
    }
}

type Inverses = ([Resident<StepEngine>; 2], Option<OnHost>);

/// What solves with A and with A0; both as if tau were zero.
fn inverses(e: &mut StepEngine, method: Method, A0: &Csr<f64>, factors: &Factors<f64>) -> Result<Inverses> {
    let [on_host, fixed] = [OnHost::new(A0.rows()), OnHost::new(A0.rows())];
    Ok(match method {
        Method::Modal | Method::Ilu => {
            let load = |_| e.load(Box::new(factors.clone()));
            ([(), ()].map(load), None)
        }
        Method::HostIlu | Method::Direct => {
            fixed.replace(match method {
                Method::Direct => Host::Eliminated(sparse_lu(A0)?),
                _ => Host::Incomplete(factors.clone()),
            });
            let loaded = [on_host.clone(), fixed].map(|map| e.load(Box::new(map)));
            (loaded, Some(on_host))
        }
    })
}

impl StoredEquations {
    fn renew(&mut self, e: &mut StepEngine, tau: f64, dt: f64) -> Result<bool> {
        let [A0, B] = &self.matrices;
        self.update.run(e, tau, dt);
        if let Renewal::There(refactor) = &mut self.renewal {
            refactor.renew(e, &self.A.values, &mut self.inverses[0].values)?;
            return Ok(false);
        }
        let mut A = A0.clone();
        A.val_mut().iter_mut().zip(B.val()).for_each(|(a, b)| *a -= tau * b); // A = A0 - tau B
        if let Some(host) = self.on_host.as_ref().filter(|_| !self.is_iterated) {
            host.replace(Host::Eliminated(sparse_lu(&A)?));
            return Ok(false);
        }
        self.factors.refill(&A)?;
        let renewed = self.factors.clone();
        match (&self.on_host, &self.renewal) {
            (Some(host), _) => host.replace(Host::Incomplete(renewed)),
            (None, Renewal::Anew) => self.inverses[0] = e.load(Box::new(renewed)),
            (None, _) => e.write(&mut self.inverses[0].values, &{ renewed }.take_values()),
        }
        Ok(matches!(self.renewal, Renewal::Anew))
    }

    fn iterated(&self, effort: Effort, of_A0: bool) -> Iterated<'_> {
        let A = if of_A0 { &self.A0 } else { &self.A };
        Iterated { A, M: &self.inverses[usize::from(of_A0)], rtol: self.rtol, effort }
    }

    /// S by whatever solves with A.
    fn with_stage<T>(&self, effort: Effort, work: impl FnOnce(&dyn Operator<StepEngine>) -> T) -> T {
        if self.is_iterated {
            work(&IteratedStage { A0: &self.A0, inverse: self.iterated(effort, false) })
        } else {
            work(&EliminatedStage { A0: &self.A0, inverse: &self.inverses[0] })
        }
    }

    fn source_step(&self, e: &mut StepEngine, effort: Effort, a: &mut StepVector) {
        let (A0, dtB) = (&self.A0, &self.dtB);
        if self.is_iterated {
            let [A_inverse, A0_inverse] = [false, true].map(|of_A0| self.iterated(effort, of_A0));
            scheme::dirk_source(e, &SourceStep { A0, dtB, A_inverse: &A_inverse, A0_inverse: &A0_inverse }, a);
        } else {
            let [A_inverse, A0_inverse] = &self.inverses;
            scheme::dirk_source(e, &SourceStep { A0, dtB, A_inverse, A0_inverse }, a);
        }
    }
}

/// S v = A^-1 A0 v with all factors of A.
struct EliminatedStage<'a> {
    A0: &'a Resident<StepEngine>,
    inverse: &'a Resident<StepEngine>,
}

impl Operator<StepEngine> for EliminatedStage<'_> {
    fn apply(&self, e: &mut StepEngine, v: &StepVector, y: &mut StepVector) {
        let mut b = e.zeros_like(v);
        e.apply(self.A0, v, &mut b);
        e.apply(self.inverse, &b, y);
    }
}
