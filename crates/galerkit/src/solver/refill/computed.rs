//! Entries that are computed where they are needed: by a closure over the engine, in the vector from which everything
//! that depends on values is made anew. The host sees one number, the largest entry, which is finite if all of them
//! are.

use super::super::computed::Compute;
use super::super::iterative::Iterative;
use super::Refill;
use crate::error::Result;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::Engine;
use galerkit_linalg::map::NO_SOURCE;
use galerkit_linalg::sparse::Csr;

/// What became of entries that were computed.
#[derive(PartialEq)]
enum Followed {
    /// Everything has their values.
    Here,
    /// Something must come from the host.
    Host,
    /// One of them is not finite, or too large to tell.
    Refused,
}

impl<S: Scalar> Iterative<S> {
    /// Lets `compute` change the entries. They come back where something cannot be made anew here; or one of them may
    /// not be finite, and then the method has those from before.
    pub(crate) fn update_with(&mut self, A: &Csr<S>, compute: Compute<'_, S>) -> Result<Option<Vec<S>>> {
        self.require_device()?;
        let Some(mut refill) = self.refill_with(A) else {
            let mut entries = self.engine.upload(A.val());
            compute(&mut self.engine, &mut entries);
            let values = self.engine.download(&entries);
            return self.failure().map_or(Ok(Some(values)), Err);
        };
        compute(&mut self.engine, &mut refill.entries);
        let followed = self.follow(&mut refill, A);
        let values = (followed != Followed::Here).then(|| self.engine.download(&refill.entries));
        if followed == Followed::Refused
            && let Some(before) = self.stored_entries(A)
        {
            self.engine.write(&mut refill.entries, &before);
        }
        self.refill = Some(refill);
        self.failure().map_or(Ok(values), Err)
    }

    /// What refilling needs, with the entries in place; made now if it was not. It is gone while the caller has it,
    /// should a closure panic.
    fn refill_with(&mut self, A: &Csr<S>) -> Option<Refill<S>> {
        if self.refill.is_none() && self.has_room(A) {
            self.refill = self.make_refill(A);
            if let Some(refill) = &mut self.refill {
                self.engine.write(&mut refill.entries, A.val());
            }
        }
        self.refill.take()
    }

    /// Makes everything anew from the entries in place.
    fn follow(&mut self, refill: &mut Refill<S>, A: &Csr<S>) -> Followed {
        let entries = &refill.entries;
        let largest = refill.largest.get_or_insert_with(|| self.engine.compile(|e| vec![e.norm_inf(entries)]));
        let _ = self.engine.run(largest);
        if !self.engine.read_scalar(largest.scalars[0]).is_finite() {
            return Followed::Refused;
        }
        let followed = !refill.preconditioner.needs_host() && self.run_refill(refill, A);
        if followed { Followed::Here } else { Followed::Host }
    }

    /// The entries as the method has them, in the order of the input.
    pub(crate) fn entries(&mut self, A: &Csr<S>) -> Result<Vec<S>> {
        self.require_device()?;
        let entries = match &self.refill {
            Some(refill) => self.engine.download(&refill.entries),
            None => self.stored_entries(A).unwrap_or_else(|| A.val().to_vec()),
        };
        self.failure().map_or(Ok(entries), Err)
    }

    /// The same from the slots of the stored matrix; none where it does not tell.
    fn stored_entries(&mut self, A: &Csr<S>) -> Option<Vec<S>> {
        let sources = self.matrix_sources(A)?;
        let (values, mut entries) = (self.engine.download(&self.A.values), A.val().to_vec());
        for (&value, &k) in values.iter().zip(&sources).filter(|(_, k)| **k != NO_SOURCE) {
            entries[k as usize] = value;
        }
        Some(entries)
    }
}
