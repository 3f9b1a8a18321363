//! New values for a prepared method: the entries of the pattern go up as one vector, and routines bring them into the
//! slots of the stored matrix, of its copy in single precision, and make the preconditioner anew. Nothing that was
//! decided is decided again.

mod blocks;
mod computed;
mod diagonal;
mod factored;
mod fitness;
mod hierarchy;
mod host;
mod into_slots;
mod precond;
mod renewal;
mod slots;
mod swept;
mod weighted;

use super::iterative::Iterative;
use super::machine::Machine;
use crate::uploaded::Uploaded;
use galerkit_cuda::convert::Refills;
use galerkit_cuda::map::Map;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::Engine;
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::Csr;
use into_slots::{Diagonals, Finish, Sources, into_slots};
pub(super) use renewal::Refill;
use renewal::Renewal;
use slots::Ordered;
use std::cell::OnceCell;

impl<S: Scalar> Iterative<S> {
    /// Takes the values of A; false if it must be prepared anew.
    pub(crate) fn update(&mut self, A: &Csr<S>) -> bool {
        if self.refill.is_none() && self.has_room(A) {
            self.refill = self.make_refill(A);
        }
        let Some(mut refill) = self.refill.take() else { return false };
        self.engine.write(&mut refill.entries, A.val());
        let renewed = self.run_refill(&mut refill, A);
        self.refill = Some(refill);
        self.note_values(A);
        renewed
    }

    /// Everything that depends on values from the entries that are in place, those of A; false if there is no such
    /// preconditioner.
    fn run_refill(&mut self, refill: &mut Refill<S>, A: &Csr<S>) -> bool {
        refill.matrices.iter().for_each(|routine| drop(self.engine.run(routine)));
        self.renew(&mut refill.preconditioner, &refill.entries, A)
    }

    /// Runs the last refill of the matrix once more, from entries that are in place; for whoever times it. False if
    /// there was none.
    pub(crate) fn repeat_update(&mut self) -> bool {
        let Some(refill) = &self.refill else { return false };
        refill.matrices.iter().for_each(|routine| drop(self.engine.run(routine)));
        match &refill.preconditioner {
            Renewal::Spoken(routine) => drop(self.engine.run(routine)),
            Renewal::Blocks(routines) => routines.iter().for_each(|routine| drop(self.engine.run(routine))),
            Renewal::None | Renewal::Host(..) | Renewal::Gpu(_) => (),
            Renewal::Hierarchy | Renewal::HierarchyThere(_) => (),
        }
        true
    }

    /// Whether a GPU has the memory for what updates need: entries, where they go, and a factorisation. What is not
    /// there is better prepared anew than found missing half way.
    fn has_room(&mut self, A: &Csr<S>) -> bool {
        let preconditioner = self.target().1.M.map_bytes().iter().sum::<usize>();
        let needed = 2 * A.nnz() * (size_of::<S>() + size_of::<u64>()) + 6 * preconditioner;
        let Some(cuda) = self.engine.executor().cuda() else { return true };
        cuda.gpu().free_memory().is_ok_and(|(free, _)| needed <= free - free / 20)
    }

    fn make_refill(&mut self, A: &Csr<S>) -> Option<Refill<S>> {
        let (known, order) = (OnceCell::new(), self.order.clone());
        let ordered = || known.get_or_init(|| Ordered::new(A, order.as_ref())).as_ref();
        let on_gpu = self.engine.executor().cuda().is_some();
        let entries = self.engine.zeros(A.nnz(), Precision::Full);
        let (_, tuning) = self.stored_as()?;
        let (sources, slots) = match self.sources_there(A) {
            Some(made) => made,
            None => {
                let sources = self.matrix_sources(A)?;
                let diagonal = slots::inverse(&sources, &ordered()?.diagonal());
                (sources.into(), diagonal.map(Sources::from))
            }
        };
        let diagonal = Diagonals { values: self.A.values.clone(), slots };
        let mut matrices = vec![into_slots(&mut self.engine, &entries, sources, &mut self.A, Finish::none())?];
        if let Some((low, format)) = self.inner_solve.as_mut().and_then(|inner_solve| inner_solve.single_matrix()) {
            let sources = ordered()?.slot_sources::<S::Single>(format, &tuning, on_gpu)?;
            matrices.push(into_slots(&mut self.engine, &entries, sources, low, Finish::none())?);
        }
        let preconditioner = self.make_renewal(A, &ordered, &entries, diagonal)?;
        Some(Refill { entries, matrices, preconditioner, largest: None })
    }
}

impl<S: Scalar> Iterative<S> {
    /// The gathers into the slots of a matrix that a GPU has stored, and from them into its diagonal, made there; none
    /// where the host must make them.
    fn sources_there(&self, A: &Csr<S>) -> Option<(Sources, Option<Sources>)> {
        if !self.stored_there || self.order.is_some() {
            return None;
        }
        let (format, tuning) = self.stored_as()?;
        let gpu = self.engine.executor().cuda()?.gpu();
        let Refills { values, diagonal } = Uploaded::to_gpu(gpu, A)?.refills(A, format, &tuning)?;
        let made = |map: Map| Sources::Gpu(Box::new(map));
        Some((made(values), diagonal.map(made)))
    }

    /// Which entry of the input each slot of the stored matrix holds.
    fn matrix_sources(&self, A: &Csr<S>) -> Option<Vec<u32>> {
        let (format, tuning) = self.stored_as()?;
        let on_gpu = self.engine.executor().cuda().is_some();
        Ordered::new(A, self.stored_from.as_ref())?.slot_sources::<S>(format, &tuning, on_gpu)
    }
}
