//! Which steps lead from the start to the end: steps of backward Euler to begin with, then steps of one length,
//! shortened where a time is to be met exactly.

use super::evolution::Step;
use super::layers::invalid;
use super::scheme::Scheme;
use crate::error::Result;

/// Times that differ by less than this share of a step are the same.
const SLACK: f64 = 1e-9;

/// How long the steps of backward Euler are that a run begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EulerLength {
    /// dt: the run is of second order then.
    #[default]
    Full,
    /// dt (dt / T)^(1/2) with the time T of the run: their error is O(dt^3), so that third order stays.
    Short,
}

/// Steps in time.
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    /// The scheme after the start.
    pub scheme: Scheme,
    /// The length of steps.
    pub dt: f64,
    /// When it ends.
    pub end: f64,
    /// Steps of backward Euler at the start.
    pub euler_steps: usize,
    /// Their length.
    pub euler_length: EulerLength,
    /// Times that are met exactly.
    pub outputs: Vec<f64>,
}

/// Some steps of one kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// Each of them.
    pub step: Step,
    /// How many.
    pub count: usize,
    /// The time after the last.
    pub until: f64,
    /// Whether that is one of the outputs, or the end.
    pub is_output: bool,
}

impl Clock {
    /// All legs.
    ///
    /// # Errors
    /// If times are not positive.
    pub fn legs(&self) -> Result<Vec<Leg>> {
        for (name, value) in [("dt", self.dt), ("end", self.end)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(invalid(name, value.to_string(), "times are finite numbers above 0"));
            }
        }
        let mut legs = Vec::new();
        let mut time = self.start(&mut legs);
        let mut outputs: Vec<f64> = self.outputs.iter().copied().filter(|t| *t > time && *t < self.end).collect();
        outputs.push(self.end);
        outputs.sort_by(f64::total_cmp);
        let slack = SLACK * self.dt;
        for output in outputs.into_iter().filter(|output| *output > time + slack).collect::<Vec<_>>() {
            let whole = ((output - time) / self.dt + SLACK).floor() as usize;
            let rest = output - time - whole as f64 * self.dt;
            let step = |dt| Step { scheme: self.scheme, dt };
            if whole > 0 {
                let until = if rest > slack { time + whole as f64 * self.dt } else { output };
                legs.push(Leg { step: step(self.dt), count: whole, until, is_output: rest <= slack });
            }
            if rest > slack {
                legs.push(Leg { step: step(rest), count: 1, until: output, is_output: true });
            }
            time = output;
        }
        Ok(legs)
    }

    /// The legs of the start, and the time after them. After short ones a step of the scheme leads back to multiples of
    /// dt.
    fn start(&self, legs: &mut Vec<Leg>) -> f64 {
        let euler = |dt: f64| Step { scheme: Scheme::BackwardEuler, dt };
        if self.euler_steps == 0 {
            return 0.0;
        }
        let dt = match self.euler_length {
            EulerLength::Full => self.dt,
            EulerLength::Short => self.dt * (self.dt / self.end).sqrt().min(1.0),
        };
        let fitting = ((self.end / dt + SLACK).floor() as usize).min(self.euler_steps);
        let until = fitting as f64 * dt;
        if fitting > 0 {
            legs.push(Leg { step: euler(dt), count: fitting, until, is_output: false });
        }
        let back = (until / self.dt - SLACK).ceil() * self.dt - until;
        if self.euler_length == EulerLength::Short && back > SLACK * self.dt && until + back <= self.end {
            let step = Step { scheme: self.scheme, dt: back };
            legs.push(Leg { step, count: 1, until: until + back, is_output: false });
            return until + back;
        }
        until
    }
}
