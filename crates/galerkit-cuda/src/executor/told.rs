//! Scalars that the host is told without asking: see `mailbox`.

use super::mailbox::{WORDS, is_there};
use super::{Control, Cuda};
use crate::error::Result;
use crate::program::Compiled;
use galerkit_linalg::Scalar;
use galerkit_linalg::program::Slot;

impl<S: Scalar> Cuda<S> {
    /// Has the scalars of a program told to the host, behind its kernels.
    pub(crate) fn tell_scalars(&mut self, compiled: &Compiled) {
        let names = &compiled.generated.names;
        let (first, count) = (compiled.binding.first_slot + names.first_slot(), names.slot_count());
        if count == 0 || count * size_of::<S>() > 8 * WORDS {
            return;
        }
        self.mailbox.clear();
        let publish = &compiled.publish;
        let control = Control { told: self.mailbox.words.address(), ..Control::of(self.ring.once()) };
        publish.kernel.launch(publish.shape, &self.words(compiled, control));
        self.told = (first..first + count).map(Slot).collect();
    }

    /// A persistent kernel will tell what it finds behind its loop.
    pub(crate) fn expect_scalars(&mut self, compiled: &Compiled) {
        self.mailbox.clear();
        let told = compiled.generated.told.iter().flatten();
        self.told = told.map(|slot| Slot(compiled.binding.first_slot + slot.0)).collect();
    }
    /// Where it does.
    pub(crate) fn mailbox_address(&self) -> u64 {
        self.mailbox.words.address()
    }

    /// A scalar that was or will be told without being asked for.
    pub(super) fn told_number(&self, slot: Slot) -> Result<Option<S>> {
        let Some(place) = self.told.iter().position(|&told| told == slot) else { return Ok(None) };
        self.wait(|| Some(self.mailbox.number(place)).filter(is_there)).map(Some)
    }
}
