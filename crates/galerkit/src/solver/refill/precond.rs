//! The preconditioner of new values: spoken by the engine where it is entries of A, their inverses or sums of them
//! (Jacobi, SSOR, Chebyshev), factorised on the GPU, or computed by the host and gathered into the slots of the loaded
//! map.

use super::super::iterative::Iterative;
use super::super::machine::{Engine as Recorded, Machine};
use super::super::standing::Standing;
use super::blocks::inverted_blocks;
use super::diagonal::{inverted, relaxed};
use super::factored::{OnGpu, To};
use super::fitness::{are_fit, run_all};
use super::into_slots::{Diagonals, Finish, into_slots};
use super::renewal::Renewal;
use super::slots::Ordered;
use super::swept::spread;
use super::weighted::weighted;
use galerkit_cuda::map::triangular;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Held};
use galerkit_linalg::map::Diagonal;
use galerkit_linalg::multigrid::amg::Reuse;
use galerkit_linalg::precond::{BlockDiagonal, Class, Factors, Preconditioner, Prepared, Ssor};
use galerkit_linalg::program::{Precision, Vector};
use galerkit_linalg::sparse::Csr;

/// What is preconditioned by, on the host and where it stays loaded.
pub(super) struct Target<'a, S: Scalar> {
    pub(super) M: &'a mut Prepared<S>,
    standing: Option<&'a mut Standing<S>>,
    pub(super) name: Preconditioner,
    pub(super) class: Class,
}

impl<S: Scalar> Iterative<S> {
    /// The engine, and what the method or its inner solve is preconditioned by.
    pub(super) fn target(&mut self) -> (&mut Recorded<S>, Target<'_, S>) {
        let target = match &mut self.inner_solve {
            Some(inner_solve) => {
                let (name, class) = (inner_solve.name, inner_solve.choice.class());
                let (M, standing) = inner_solve.preconditioner();
                Target { M, standing, name, class }
            }
            None => {
                let class = Class::of(self.method);
                Target { M: &mut self.M, standing: self.standing.as_mut(), name: self.name, class }
            }
        };
        (&mut self.engine, target)
    }

    /// How the preconditioner follows new values; none where it must be prepared anew.
    pub(super) fn make_renewal<'o>(
        &mut self,
        A: &Csr<S>,
        ordered: &dyn Fn() -> Option<&'o Ordered>,
        entries: &Held<Vector>,
        diagonal: Diagonals,
    ) -> Option<Renewal<S>> {
        let tuning = self.loaded_with();
        let (e, Target { M, standing, name, class }) = self.target();
        let (M, map) = match (M, standing) {
            (Prepared::Identity, _) => return Some(Renewal::None),
            (Prepared::Map(M), Some(Standing::Map(map))) => (M, map),
            (Prepared::Sweeps(M), Some(Standing::Sweeps(swept))) => {
                let to = To::Sweeps(M, &tuning, swept);
                return follow_factors(e, (name, class), (A, ordered()?), to);
            }
            (Prepared::Chebyshev(_), Some(Standing::Chebyshev(_, polynomial))) => {
                return weighted(e, class, ordered()?, entries, polynomial.inverse_mut()).map(Renewal::Spoken);
            }
            (Prepared::Amg(M), Some(Standing::Brought(_))) if M.settings().reuse == Reuse::Aggregates => {
                return Some(M.origin().map_or(Renewal::Hierarchy, Renewal::HierarchyThere));
            }
            _ => return None,
        };
        let on_gpu = e.executor().cuda().is_some();
        if M.known::<Diagonal<S>>().is_some() {
            return inverted(e, class, diagonal, map).map(Renewal::Spoken);
        }
        if let Some(ssor) = M.known::<Ssor<S>>() {
            return relaxed(e, (ssor, class, on_gpu), ordered()?, entries, map).map(Renewal::Spoken);
        }
        if let Some(factors) = M.known::<Factors<S>>() {
            return follow_factors(e, (name, class), (A, ordered()?), To::Map(factors, map));
        }
        let blocks = M.known::<BlockDiagonal<S>>()?;
        inverted_blocks(e, blocks, ordered()?, entries, map).map(Renewal::Blocks)
    }

    /// Makes the preconditioner for the entries that are in place, those of A; false if it cannot be.
    pub(super) fn renew(&mut self, how: &mut Renewal<S>, entries: &Held<Vector>, A: &Csr<S>) -> bool {
        match how {
            Renewal::None => true,
            Renewal::Spoken(routine) => {
                let _ = self.engine.run(routine);
                are_fit(&mut self.engine, routine)
            }
            Renewal::Blocks(routines) => run_all(&mut self.engine, routines),
            Renewal::Gpu(factors) => factors.renew(&mut self.engine, entries),
            Renewal::Hierarchy => self.renew_hierarchy(A),
            Renewal::HierarchyThere(levels) => self.renew_hierarchy_there(levels, entries),
            Renewal::Host(vector, routines) => {
                let Some(numbers) = self.host_numbers(A) else { return false };
                self.engine.write(vector, &numbers);
                run_all(&mut self.engine, routines)
            }
        }
    }

    /// Whether what it is preconditioned by is in single precision.
    pub(super) fn is_preconditioned_in_single(&mut self) -> bool {
        let (e, Target { standing, .. }) = self.target();
        let values = match standing {
            Some(Standing::Map(map)) => &map.values,
            Some(Standing::Sweeps(swept)) => &swept.maps_mut()[0].values,
            Some(Standing::Chebyshev(_, polynomial)) => &polynomial.inverse_mut().values,
            None | Some(Standing::Brought(_)) => return false,
        };
        e.precision(values) == Precision::Single
    }
}

/// Incomplete factors: the GPU factorises where one solves and has the room, otherwise the host.
fn follow_factors<S: Scalar>(
    e: &mut Recorded<S>,
    (name, class): (Preconditioner, Class),
    (A, ordered): (&Csr<S>, &Ordered),
    mut to: To<'_, S>,
) -> Option<Renewal<S>> {
    let recipe = name.recipe()?;
    if let Some(made) = OnGpu::new(e, (recipe, class), (A, ordered), &mut to) {
        return Some(Renewal::Gpu(Box::new(made)));
    }
    let numbers = e.zeros(to.count(), Precision::Full);
    let routines = match to {
        To::Map(factors, map) => {
            let count = u32::try_from(factors.nnz()).ok()?;
            let on_gpu = e.executor().cuda().is_some();
            let sources = if on_gpu { triangular::sources(factors)? } else { (0..count).collect() };
            vec![into_slots(e, &numbers, sources, map, Finish::none())?]
        }
        To::Sweeps(M, tuning, swept) => spread(e, (M, recipe, tuning), &numbers, swept)?,
    };
    Some(Renewal::Host(numbers, routines))
}
