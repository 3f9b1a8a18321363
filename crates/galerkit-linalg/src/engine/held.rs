//! Names of vectors and maps that an executor keeps, as their owners hold them: when the last owner is gone, the name goes
//! into a bin, which the engine empties when no recorded instruction can mention it any more.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// Names that nobody holds any more.
pub(super) type Bin<T> = Rc<RefCell<Vec<T>>>;

/// A name that somebody holds.
#[derive(Clone, Debug)]
pub struct Held<T: Copy>(Rc<Owned<T>>);

#[derive(Debug)]
struct Owned<T: Copy> {
    name: T,
    bin: Bin<T>,
}

impl<T: Copy> Drop for Owned<T> {
    fn drop(&mut self) {
        self.bin.borrow_mut().push(self.name);
    }
}

impl<T: Copy> Held<T> {
    pub(super) fn new(name: T, bin: &Bin<T>) -> Self {
        Held(Rc::new(Owned { name, bin: bin.clone() }))
    }
    /// The name.
    pub fn name(&self) -> T {
        self.0.name
    }
    pub(super) fn downgrade(&self) -> Remembered<T> {
        Remembered(Rc::downgrade(&self.0))
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
