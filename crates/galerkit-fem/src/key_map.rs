//! Things found by integer keys.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// By two numbers.
pub(crate) type KeyMap<T> = HashMap<[u64; 2], T, BuildHasherDefault<Mixed>>;

/// Places on a lattice or a mesh need no defence against crafted keys, and there are tens of millions of them.
#[derive(Default)]
pub(crate) struct Mixed(u64);

impl Hasher for Mixed {
    fn write(&mut self, bytes: &[u8]) {
        for word in bytes.chunks(8) {
            let word = word.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
            self.0 = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
    }
    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}
