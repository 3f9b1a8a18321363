//! A look at a vector while a loop runs. An executor that runs ahead of the norms it has shown first lets what is under
//! way come to its end; the loop then goes on as if nothing had been, so that nobody's recurrence begins anew.

use crate::program::Vector;

/// Somebody who may want to see a vector between two iterations.
pub struct Viewer<S> {
    /// The vector.
    pub x: Vector,
    /// Asked after each iteration, when its norm has been observed.
    pub wants: Box<dyn Fn() -> bool + Send>,
    /// Takes the entries as they are after the last iteration that was observed; `false` ends the loop as interrupted.
    pub show: Show<S>,
}

/// What is done with the entries of a vector; `false` if that is enough.
pub type Show<S> = Box<dyn Fn(&[S]) -> bool + Send>;
