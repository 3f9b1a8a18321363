//! A product of maps as one operator, y = M_k ... M_2 M_1 x: a smoother in another basis is T D^-1 T^T.

use crate::engine::{Engine, Operator, Resident};
use crate::map::{InSingle, LinearMap};
use crate::program::Precision;
use std::cell::RefCell;

/// Maps that are applied one after the other.
pub struct Chain<E: Engine> {
    maps: Vec<Resident<E>>,
    between: RefCell<Vec<E::Vector>>, // the result of each map but the last
}

impl<E: Engine> Chain<E> {
    /// Loads maps, the one that is applied first in front, for vectors in a precision.
    ///
    /// # Panics
    /// If there is no map, or one without a form in single precision where that is asked for.
    pub fn load(e: &mut E, maps: Vec<Box<dyn LinearMap<E::Scalar>>>, precision: Precision) -> Self {
        let rows: Vec<usize> = maps.iter().map(|map| map.shape().0).collect();
        let (_, inner) = rows.split_last().expect("a chain has at least one map");
        let between = inner.iter().map(|&rows| e.zeros(rows, precision)).collect();
        Self { maps: maps.into_iter().map(|map| load_in(e, map, precision)).collect(), between: RefCell::new(between) }
    }
}

impl<E: Engine> Operator<E> for Chain<E> {
    fn apply(&self, e: &mut E, x: &E::Vector, y: &mut E::Vector) {
        let between = &mut *self.between.borrow_mut();
        for (k, M) in self.maps.iter().enumerate() {
            let (before, after) = between.split_at_mut(k);
            e.apply(M, before.last().unwrap_or(x), after.first_mut().unwrap_or(y));
        }
    }
}

/// A map in an engine, rounded where it is for vectors in single precision and is not yet.
///
/// # Panics
/// If it has no form in single precision.
pub fn load_in<E: Engine>(e: &mut E, map: Box<dyn LinearMap<E::Scalar>>, precision: Precision) -> Resident<E> {
    let is_ready = precision == Precision::Full || map.known::<InSingle<E::Scalar>>().is_some();
    e.load(match is_ready {
        true => map,
        false => Box::new(InSingle::<E::Scalar>(map.to_single().expect("the map has a form in single precision"))),
    })
}
