//! A cache for as long as the process runs; its keys are digests of all that decides about an entry. To generate a
//! program takes longer than a small system takes to be solved. Two depths: whole programs (`programs.rs`), for a solve
//! that is repeated; and the source of a persistent kernel (`persistent/cached.rs`).

use super::digest::Digest;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A cache.
pub struct Cache<T>(Mutex<Option<HashMap<Digest, Arc<T>>>>);

impl<T> Cache<T> {
    /// Entries at most; sources have some 100 kB each.
    const MOST: usize = 64;

    /// Nothing yet.
    pub const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// What has this digest; made if there is none yet. Not locked meanwhile: making one may need another.
    pub fn get(&self, digest: Digest, make: impl FnOnce() -> T) -> Arc<T> {
        if let Some(known) = self.lock().as_ref().and_then(|cached| cached.get(&digest)) {
            return known.clone();
        }
        let made = Arc::new(make());
        let mut cached = self.lock();
        let cached = cached.get_or_insert_default();
        if cached.len() >= Self::MOST {
            cached.clear();
        }
        cached.insert(digest, made.clone());
        made
    }

    fn lock(&self) -> MutexGuard<'_, Option<HashMap<Digest, Arc<T>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_made_once() {
        let cache = Cache::new();
        assert_eq!(*cache.get([17, 0xfeed], || 3), 3);
        assert_eq!(*cache.get([17, 0xfeed], || panic!("it is there")), 3);
    }
}
