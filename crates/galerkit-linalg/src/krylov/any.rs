//! The methods on an engine that is decided on at run time, compiled here once for each scalar; other crates call
//! these.

use super::{InnerMethod, Krylov, vpgcr};
use crate::engine::{AnyEngine, Held, Operator, SlotRegister};
use crate::program::{Run, Stop, Vector};
use crate::scalar::per_scalar;

per_scalar! {
    /// [`Krylov::run`] on any engine.
    pub fn run_any<S>(
        method: Krylov,
        e: &mut AnyEngine<S>,
        A: &dyn Operator<AnyEngine<S>>,
        M: &dyn Operator<AnyEngine<S>>,
        b: &Held<Vector>,
        x: &mut Held<Vector>,
        stop: &Stop,
    ) -> Run = Krylov::run;

    /// [`InnerMethod::run`] on any engine.
    pub fn run_inner_any<S>(
        method: InnerMethod,
        e: &mut AnyEngine<S>,
        A: &dyn Operator<AnyEngine<S>>,
        M: &dyn Operator<AnyEngine<S>>,
        b: &Held<Vector>,
        x: &mut Held<Vector>,
        stop: &Stop,
    ) -> Run = InnerMethod::run;

    /// [`vpgcr`] on any engine: `kept` are the directions and where failures are counted.
    pub fn vpgcr_any<S>(
        e: &mut AnyEngine<S>,
        kept: (usize, &SlotRegister),
        A: &dyn Operator<AnyEngine<S>>,
        M: &dyn Operator<AnyEngine<S>>,
        b: &Held<Vector>,
        x: &mut Held<Vector>,
        stop: &Stop,
    ) -> Run = vpgcr;
}
