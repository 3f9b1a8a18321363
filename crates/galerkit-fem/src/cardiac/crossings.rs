//! When each node was activated and repolarised: the time at which phi rises through one level, and the first one after
//! that at which it falls through another, linearly interpolated in a step. Of the first beat, or of the last so far: a
//! node beats again once it has been repolarised. Computed in the program, node by node.

use galerkit_linalg::engine::{Engine, Entry};
use galerkit_linalg::program::Precision;

/// What stands for "not yet".
pub const NEVER: f64 = -1.0;

/// Of which beat times are, where there are several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    /// The first.
    First,
    /// The last so far.
    Last,
}

/// The levels of phi, and the beat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// Through which it rises.
    pub activation: f64,
    /// Through which it falls.
    pub repolarisation: f64,
    /// Whose times count.
    pub beat: Beat,
}

impl Default for Levels {
    /// 0 mV and -70 mV, of the first beat.
    fn default() -> Self {
        Self { activation: 0.8, repolarisation: 0.1, beat: Beat::First }
    }
}

/// Times by node, in milliseconds.
pub struct Crossings<E: Engine> {
    /// Of activation, or [`NEVER`].
    pub up: E::Vector,
    /// Of repolarisation, or [`NEVER`]; while a later beat goes on, that of the beat before.
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
        let Levels { activation: high, repolarisation: low, beat } = self.levels;
        let (mut up, mut down) = (e.download(&self.up), e.download(&self.down));
        for i in 0..up.len() {
            let (begins, ends) = match beat {
                Beat::First => (up[i] < 0.0, up[i] >= 0.0 && down[i] < 0.0),
                Beat::Last => (up[i] <= down[i], down[i] < up[i]),
            };
            if before[i] < high && high <= after[i] && begins {
                up[i] = time;
            } else if low <= before[i] && after[i] < low && ends {
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
            let (begins, ends) = match levels.beat {
                Beat::First => (up.less(zero), E::Entry::both(zero.at_most(up), down.less(zero))),
                Beat::Last => (up.at_most(down), down.less(up)),
            };
            let up_now = E::Entry::select(E::Entry::both(rises, begins), at(high), up);
            [up_now, E::Entry::select(E::Entry::both(falls, ends), at(low), down)]
        });
    }
}
