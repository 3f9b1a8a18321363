//! New values for a prepared method: the entries of the pattern go up as one vector, and a routine brings them into the slots of the
//! stored matrix and makes the diagonal preconditioner anew. Nothing that was decided is decided again.

use super::iterative::Iterative;
use super::machine::{Engine as Recorded, Machine};
use galerkit_cuda::map::Layout;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Entry, Held, Routine};
use galerkit_linalg::map::{Diagonal, Gather, NO_SOURCE};
use galerkit_linalg::precond::Prepared;
use galerkit_linalg::program::{Precision, Vector};
use galerkit_linalg::sparse::{Csr, Format, Matrix};

/// What refilling needs; made when values change for the first time.
pub(super) struct Refill {
    /// The values in the order of the input's compressed rows.
    entries: Held<Vector>,
    routine: Routine,
}

impl<S: Scalar> Iterative<S> {
    /// Takes the values of A; false if it must be prepared anew.
    pub(crate) fn update(&mut self, A: &Csr<S>) -> bool {
        let (M, nested) = self.preconditioning();
        let diagonal = match M {
            Prepared::Identity => false,
            Prepared::Map(map) if map.known::<Diagonal<S>>().is_some() => true,
            _ => return false,
        };
        let invertible = |d: &S| *d != S::zero() && (S::one() / *d).finite();
        if nested || (diagonal && !A.diagonal().iter().all(invertible)) {
            return false;
        }
        if self.refill.is_none() {
            self.refill = self.make_refill(A, diagonal);
        }
        let Some(refill) = &mut self.refill else { return false };
        self.engine.write(&mut refill.entries, A.val());
        let _ = self.engine.run(&refill.routine);
        self.note_values(A);
        true
    }

    /// Runs the last refill once more, from entries that are in place; for whoever times it. False if there was none.
    pub(crate) fn repeat_update(&mut self) -> bool {
        let Some(refill) = &self.refill else { return false };
        let _ = self.engine.run(&refill.routine);
        true
    }

    fn make_refill(&mut self, A: &Csr<S>, diagonal: bool) -> Option<Refill> {
        let sources = self.slot_sources(A)?;
        let e: &mut Recorded<S> = &mut self.engine;
        let gather = e.load(Box::new(Gather::new(A.nnz(), sources).ok()?));
        let entries = e.zeros(A.nnz(), Precision::Full);
        let picks = if diagonal {
            let positions = diagonal_positions(A, self.order.as_ref().map(|order| order.old()))?;
            Some(e.load(Box::new(Gather::new(A.nnz(), positions).ok()?)))
        } else {
            None
        };
        let (values, map) = (&mut self.A.values, &mut self.map);
        let routine = e.compile(|e| {
            e.apply_map(&gather, &entries, values);
            if let (Some(picks), Some(map)) = (&picks, map) {
                e.apply_map(picks, &entries, &mut map.values);
                e.pointwise([&mut map.values], [], |[d], []| [d.recip()]);
            }
            Vec::new()
        });
        Some(Refill { entries, routine })
    }

    /// For each slot of the stored matrix, which entry of A it holds: found by storing numbers of entries in place of values. None
    /// where the numbers do not fit the scalar, or the rows would be sorted anew.
    fn slot_sources(&self, A: &Csr<S>) -> Option<Vec<u32>> {
        if A.nnz() as f64 >= 1.0 / S::eps() || A.nnz() >= NO_SOURCE as usize {
            return None;
        }
        let (format, tuning) = self.stored_as()?;
        // Rows of these keep their entries in the order of the old columns, which permuted rows do not have any more.
        if let Format::EllWarp { variant, .. } = format
            && variant.renumbers()
            && !variant.sorts()
        {
            return None;
        }
        let numbers = (1..=A.nnz()).map(|k| S::from_f64(k as f64)).collect();
        let numbered = Csr::new(A.rows(), A.cols(), A.start().to_vec(), A.col().to_vec(), numbers).ok()?;
        let ordered = match &self.order {
            Some(order) => numbered.permute_symmetric(order).ok()?,
            None => numbered,
        };
        let stored = Matrix::from_csr(&ordered, format).ok()?;
        let moved = |old: &[u32]| old.iter().enumerate().any(|(new, &old)| new != old as usize);
        if stored.order().is_some_and(|order| moved(order.old())) {
            return None;
        }
        let slots: Vec<S> = match self.engine.executor() {
            Machine::Cuda(_) => Layout::of_matrix(&stored, &tuning).ok()?.all_values(),
            Machine::Cpu(_) | Machine::Reference(_) => stored.into_values(),
        };
        let source = |value: &S| (value.parts().0 as u64).checked_sub(1).map_or(NO_SOURCE, |k| k as u32);
        Some(slots.iter().map(source).collect())
    }
}

/// Which entry of A is the diagonal of each row, in the order of the iterations; none where one is missing.
fn diagonal_positions<S: Scalar>(A: &Csr<S>, order: Option<&[u32]>) -> Option<Vec<u32>> {
    let position = |i: usize| A.range(i).find(|&k| A.col()[k] as usize == i).map(|k| k as u32);
    (0..A.rows()).map(|new| position(order.map_or(new, |old| old[new] as usize))).collect()
}
