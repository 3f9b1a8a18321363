//! A vector in one of two precisions, as the immediate engine keeps it.

use crate::program::Precision;
use crate::scalar::Scalar;
use std::borrow::Cow;

/// Entries as they are, or rounded to single precision.
#[derive(Clone, Debug, PartialEq)]
pub enum Stored<S: Scalar> {
    /// As they are.
    High(Vec<S>),
    /// In single precision.
    Low(Vec<S::Single>),
}

const MIXED: &str = "an instruction works on vectors of one precision; copies convert, and dot and axpy may widen x";

impl<S: Scalar> Stored<S> {
    /// A zero vector.
    pub fn zeros(length: usize, precision: Precision) -> Self {
        match precision {
            Precision::Full => Stored::High(bytemuck::zeroed_vec(length)),
            Precision::Single => Stored::Low(vec![S::Single::default(); length]),
        }
    }
    /// How entries are stored.
    pub fn precision(&self) -> Precision {
        match self {
            Stored::High(_) => Precision::Full,
            Stored::Low(_) => Precision::Single,
        }
    }
    /// How many entries.
    #[allow(clippy::len_without_is_empty)] // nobody asks
    pub fn len(&self) -> usize {
        match self {
            Stored::High(x) => x.len(),
            Stored::Low(x) => x.len(),
        }
    }
    /// Replaces the entries, rounding them where need be.
    pub fn write(&mut self, host: &[S]) {
        match self {
            Stored::High(x) => x.copy_from_slice(host),
            Stored::Low(x) => x.iter_mut().zip(host).for_each(|(x, value)| *x = value.to_single()),
        }
    }
    /// The entries, widened if need be.
    pub fn entries(&self) -> Vec<S> {
        self.widened().into_owned()
    }
    /// The entries, borrowed where they need not be widened.
    pub(super) fn widened(&self) -> Cow<'_, [S]> {
        match self {
            Stored::High(x) => Cow::Borrowed(x),
            Stored::Low(x) => x.iter().map(|&value| S::widen(value)).collect(),
        }
    }
    /// Copies entries, rounding or widening them where the precisions differ.
    pub fn convert(x: &Self, y: &mut Self) {
        match (x, y) {
            (Stored::High(x), Stored::High(y)) => y.copy_from_slice(x),
            (Stored::Low(x), Stored::Low(y)) => y.copy_from_slice(x),
            (Stored::High(x), Stored::Low(y)) => y.iter_mut().zip(x).for_each(|(y, x)| *y = x.to_single()),
            (Stored::Low(x), Stored::High(y)) => y.iter_mut().zip(x).for_each(|(y, x)| *y = S::widen(*x)),
        }
    }

    pub(super) fn full(&self) -> &[S] {
        if let Stored::High(x) = self { x } else { panic!("{MIXED}") }
    }
    pub(super) fn single(&self) -> &[S::Single] {
        if let Stored::Low(x) = self { x } else { panic!("{MIXED}") }
    }
    pub(super) fn high_mut(&mut self) -> &mut [S] {
        if let Stored::High(x) = self { x } else { panic!("{MIXED}") }
    }
    pub(super) fn low_mut(&mut self) -> &mut [S::Single] {
        if let Stored::Low(x) = self { x } else { panic!("{MIXED}") }
    }
}
