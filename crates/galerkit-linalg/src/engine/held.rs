//! Names of vectors and maps that an executor keeps, as their owners hold them: when the last owner is gone, the name
//! goes into a bin, which the engine empties when no recorded instruction can mention it any more.

use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Names that nobody holds any more.
#[derive(Clone, Debug)]
pub(super) struct Bin<T>(Arc<Mutex<Vec<T>>>);

impl<T> Default for Bin<T> {
    fn default() -> Self {
        Bin(Arc::default())
    }
}

impl<T> Bin<T> {
    fn push(&self, name: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(name);
    }
    /// Takes those that are wanted out of it.
    pub(super) fn take_if(&self, wanted: impl Fn(&T) -> bool) -> Vec<T> {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.extract_if(.., |name| wanted(name)).collect()
    }
    /// Empties it.
    pub(super) fn take(&self) -> Vec<T> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A name that somebody holds.
#[derive(Clone, Debug)]
pub struct Held<T: Copy>(Arc<Owned<T>>);

#[derive(Debug)]
struct Owned<T: Copy> {
    name: T,
    bin: Bin<T>,
}

impl<T: Copy> Drop for Owned<T> {
    fn drop(&mut self) {
        self.bin.push(self.name);
    }
}

impl<T: Copy> Held<T> {
    pub(super) fn new(name: T, bin: &Bin<T>) -> Self {
        Held(Arc::new(Owned { name, bin: bin.clone() }))
    }
    /// The name.
    pub fn name(&self) -> T {
        self.0.name
    }
    /// Whether this is the same name of the same engine. An engine's names are unique while somebody holds them, but
    /// another's may be equal.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
    pub(super) fn downgrade(&self) -> Remembered<T> {
        Remembered(Arc::downgrade(&self.0))
    }
}

/// A name that somebody may hold.
#[derive(Debug)]
pub(super) struct Remembered<T: Copy>(Weak<Owned<T>>);

impl<T: Copy> Remembered<T> {
    pub(super) fn held(&self) -> Option<Held<T>> {
        self.0.upgrade().map(Held)
    }
}
