//! A vector that several threads read and write at once: every access is a relaxed atomic of each real number in it,
//! which on the machines we know is the same instruction as a plain one.
//!
//! So there are no data races, whatever the order of accesses: a wrong schedule would give wrong numbers, never
//! undefined behaviour. That the numbers are the right ones is the business of the counters in `pipeline.rs`.
#![allow(unsafe_code)]

use crate::scalar::{Scalar, ScalarKind};
use bytemuck::cast;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// A mutably borrowed vector, shared between threads.
pub struct Shared<'a, S> {
    first: *mut S,
    length: usize,
    borrowed: PhantomData<&'a mut [S]>,
}

impl<S> Clone for Shared<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S> Copy for Shared<'_, S> {}

// SAFETY: the vector is borrowed mutably for 'a, so only copies of this `Shared` reach it, and they do by atomics only.
unsafe impl<S: Scalar> Send for Shared<'_, S> {}
// SAFETY: as above; `load` and `store` take no exclusive access for granted.
unsafe impl<S: Scalar> Sync for Shared<'_, S> {}

impl<'a, S: Scalar> Shared<'a, S> {
    /// Shares a vector for as long as it is borrowed.
    pub fn new(values: &'a mut [S]) -> Self {
        let first = values.as_mut_ptr();
        assert!(first.addr().is_multiple_of(size_of::<S::Real>()), "numbers must be aligned to their size");
        Self { first, length: values.len(), borrowed: PhantomData }
    }

    /// The value of entry i.
    #[inline(always)]
    pub fn load(self, i: usize) -> S {
        assert!(i < self.length);
        // SAFETY: i is below the length of a vector that is borrowed for 'a. Its reals are aligned to their size
        // (checked in `new`), which is the alignment of atomics, and are reached by atomics only while it is borrowed.
        // The scalar of each kind is so many reals, without padding.
        unsafe {
            let at = self.first.add(i);
            let single = |k: usize| AtomicU32::from_ptr(at.cast::<u32>().add(k)).load(Relaxed);
            let double = |k: usize| AtomicU64::from_ptr(at.cast::<u64>().add(k)).load(Relaxed);
            match S::KIND {
                ScalarKind::F32 => cast(single(0)),
                ScalarKind::F64 => cast(double(0)),
                ScalarKind::C32 => cast([single(0), single(1)]),
                ScalarKind::C64 => cast([double(0), double(1)]),
            }
        }
    }

    /// Sets entry i.
    #[inline(always)]
    pub fn store(self, i: usize, value: S) {
        assert!(i < self.length);
        // SAFETY: as in `load`.
        unsafe {
            let at = self.first.add(i);
            let single = |k: usize, bits| AtomicU32::from_ptr(at.cast::<u32>().add(k)).store(bits, Relaxed);
            let double = |k: usize, bits| AtomicU64::from_ptr(at.cast::<u64>().add(k)).store(bits, Relaxed);
            match S::KIND {
                ScalarKind::F32 => single(0, cast(value)),
                ScalarKind::F64 => double(0, cast(value)),
                ScalarKind::C32 => cast::<S, [u32; 2]>(value).into_iter().enumerate().for_each(|(k, b)| single(k, b)),
                ScalarKind::C64 => cast::<S, [u64; 2]>(value).into_iter().enumerate().for_each(|(k, b)| double(k, b)),
            }
        }
    }
}
