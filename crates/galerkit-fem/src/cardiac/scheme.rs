//! What every scheme can do: go on to a time, and show its state.

use super::crossings::Crossings;
use super::matrices::Matrices;
use crate::error::Result;
use galerkit_linalg::engine::{AnyEngine, Engine};
use std::sync::Arc;

/// The engine of a run.
pub type Machine = AnyEngine<f64>;
/// Its vectors.
pub type Vector = <Machine as Engine>::Vector;

/// What was done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Steps.
    pub steps: u64,
    /// Iterations of Newton's method; 0 where there is none.
    pub newton_iterations: u64,
    /// Iterations of CG.
    pub cg_iterations: u64,
    /// Steps that were taken again with half the length.
    pub failed_steps: u64,
}

/// Recovery as a scheme has it.
#[derive(Clone, Debug, PartialEq)]
pub enum Recovery {
    /// One number a node.
    Nodes(Vec<f64>),
    /// One number an element.
    Elements(Vec<f64>),
}

/// A scheme, compiled for an engine that is handed to every call.
pub trait Scheme {
    /// Its name on the command line.
    fn name(&self) -> &'static str;
    /// Goes on to a time in ms, or to the step that ends nearest to it where all have one length; after a jump of phi or
    /// of the current the first step is a damped one.
    ///
    /// # Errors
    /// If no step was small enough.
    fn run_until(&mut self, e: &mut Machine, time: f64, after_jump: bool) -> Result<()>;
    /// Where it is, in ms.
    fn time(&self) -> f64;
    /// The potential by nodes.
    fn phi(&mut self) -> &mut Vector;
    /// Recovery where the scheme has it.
    fn recovery(&mut self, e: &mut Machine) -> Recovery;
    /// The current into phi by nodes, in 1/ms.
    fn current(&mut self) -> &mut Vector;
    /// When nodes were activated and repolarised.
    fn crossings(&mut self) -> &mut Crossings<Machine>;
    /// What was done so far.
    fn counts(&self, e: &mut Machine) -> Counts;
    /// Every vector that the future depends on.
    fn vectors(&mut self) -> Vec<&mut Vector>;
    /// Potentials may be so far from 1/2 from now on, because a stimulus has set them; a step that leads further has
    /// failed.
    fn allow(&mut self, _reach: f64) {}
    /// Goes back to where these vectors were written.
    fn set_time(&mut self, time: f64);
    /// Numbers beside the vectors that the future depends on.
    fn numbers(&self) -> Vec<f64> {
        Vec::new()
    }
    /// Goes on with such numbers, before vectors and time are written; false if they are of another scheme.
    ///
    /// # Errors
    /// If a matrix does not fit its format.
    fn set_numbers(&mut self, _e: &mut Machine, numbers: &[f64]) -> Result<bool> {
        Ok(numbers.is_empty())
    }
    /// Takes new values of matrices with the same pattern; false if it must be made anew. The next step must be a
    /// damped one.
    ///
    /// # Errors
    /// If a matrix does not fit its format.
    fn refill(&mut self, _e: &mut Machine, _matrices: &Arc<Matrices>) -> Result<bool> {
        Ok(false)
    }
}
