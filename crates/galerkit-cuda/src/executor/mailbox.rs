//! Scalars that a kernel writes where the host sees them, behind instructions that were queued ahead: the host looks at
//! pinned memory until they are there, which is sooner than a copy and the end of the stream.

use crate::error::Result;
use crate::launch::{Gpu, Pinned};
use galerkit_linalg::Scalar;
use std::sync::Arc;

pub(super) const WORDS: usize = 32;
/// Not yet written: a NaN that no computation makes, in single precision too.
const EMPTY: u64 = u64::MAX;

/// Whether a scalar was written: none of its real numbers, each of which is there whole or not at all, is as it was
/// when the mailbox was emptied.
pub(super) fn is_there<S: Scalar>(number: &S) -> bool {
    bytemuck::bytes_of(number).chunks(size_of::<S::Real>()).all(|part| part.iter().any(|&byte| byte != u8::MAX))
}

/// Some words of pinned memory.
pub(super) struct Mailbox {
    pub(super) words: Pinned,
}

impl Mailbox {
    pub(super) fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Ok(Self { words: Pinned::new(gpu, WORDS)? })
    }
    /// Makes it empty.
    pub(super) fn clear(&self) {
        (0..WORDS).for_each(|i| self.words.write(i, EMPTY));
    }
    /// The scalar at a place.
    pub(super) fn number<S: Scalar>(&self, place: usize) -> S {
        let begin = place * size_of::<S>();
        let words = [begin / 8, begin / 8 + 1].map(|i| if i < WORDS { self.words.read(i) } else { 0 });
        bytemuck::pod_read_unaligned(&bytemuck::bytes_of(&words)[begin % 8..][..size_of::<S>()])
    }
}

#[cfg(test)]
mod tests {
    use super::is_there;
    use galerkit_linalg::scalar::{c32, c64};

    /// Half of its bytes are ones: the host waited for it for ever.
    #[test]
    fn the_largest_number_below_one_is_there() {
        let below = f64::from_bits(1.0f64.to_bits() - 1);
        assert!(is_there(&below) && is_there(&c64::new(below, -below)) && is_there(&f64::NAN));
        assert!(is_there(&1.0f32) && is_there(&c32::new(0.0, 1.0)) && is_there(&f32::NAN));
    }

    #[test]
    fn what_was_written_in_part_is_not_there() {
        let (empty, short) = (f64::from_bits(u64::MAX), f32::from_bits(u32::MAX));
        assert!(!is_there(&empty) && !is_there(&c64::new(1.0, empty)) && !is_there(&c64::new(empty, 1.0)));
        assert!(!is_there(&short) && !is_there(&c32::new(1.0, short)));
    }
}
