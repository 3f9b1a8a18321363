//! When each node was activated and repolarised: the first time phi rises through one level, and the first time after
//! that it falls through another, linearly interpolated in a step. Computed in the program, node by node.

use galerkit_linalg::engine::{Engine, Entry};
use galerkit_linalg::program::Precision;

/// What stands for "not yet".
pub const NEVER: f64 = -1.0;

/// The levels of phi.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// Through which it rises.
    pub activation: f64,
    /// Through which it falls.
    pub repolarisation: f64,
}

impl Default for Levels {
    /// 0 mV and -70 mV.
    fn default() -> Self {
        Self { activation: 0.8, repolarisation: 0.1 }
    }
}

/// Times by node, in milliseconds.
pub struct Crossings<E: Engine> {
    /// Of activation, or [`NEVER`].
    pub up: E::Vector,
    /// Of repolarisation, or [`NEVER`].
    pub down: E::Vector,
    levels: Levels,
}

impl<E: Engine<Scalar = f64>> Crossings<E> {
    /// None yet.
    pub fn new(e: &mut E, n: usize, levels: Levels) -> Self {
        let never = vec![NEVER; n];
        Self { up: e.upload_in(&never, Precision::Full), down: e.upload_in(&never, Precision::Full), levels }
    }

    /// Begins anew, for another beat.
    pub fn clear(&mut self, e: &mut E) {
        let never = vec![NEVER; e.length(&self.up)];
        e.write(&mut self.up, &never);
        e.write(&mut self.down, &never);
    }

    /// Looks at a jump of phi on the host.
    pub fn jump(&mut self, e: &mut E, before: &[f64], after: &[f64], time: f64) {
        let Levels { activation: high, repolarisation: low } = self.levels;
        let (mut up, mut down) = (e.download(&self.up), e.download(&self.down));
        for i in 0..up.len() {
            if before[i] < high && high <= after[i] && up[i] < 0.0 {
                up[i] = time;
            } else if low <= before[i] && after[i] < low && up[i] >= 0.0 && down[i] < 0.0 {
                down[i] = time;
            }
        }
        e.write(&mut self.up, &up);
        e.write(&mut self.down, &down);
    }

    /// Looks at a step of some length that begins at a time.
    pub fn note(&mut self, e: &mut E, before: &E::Vector, after: &E::Vector, begin: E::Num, length: E::Num) {
        let levels = self.levels;
        e.pointwise([&mut self.up, &mut self.down], [before, after], |[up, down], [before, after]| {
            let [high, low] = [levels.activation, levels.repolarisation].map(E::Entry::constant);
            let (zero, length) = (E::Entry::constant(0.0), E::Entry::scalar(length));
            let at = |level: E::Entry| E::Entry::scalar(begin) + length * (level - before) / (after - before);
            let rises = E::Entry::both(before.less(high), high.at_most(after));
            let falls = E::Entry::both(low.at_most(before), after.less(low));
            let up_now = E::Entry::select(E::Entry::both(rises, up.less(zero)), at(high), up);
            let waits = E::Entry::both(zero.at_most(up), down.less(zero));
            [up_now, E::Entry::select(E::Entry::both(falls, waits), at(low), down)]
        });
    }
}
