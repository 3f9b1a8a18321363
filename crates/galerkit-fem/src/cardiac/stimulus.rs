//! Stimuli: where, how and when. A protocol of them becomes a list of events, at which programs end.

use super::region::Region;

/// What is done to the cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Their potential is set.
    Potential(f64),
    /// A current flows into phi: a strength in 1/ms, for a time in ms.
    Current {
        /// In 1/ms.
        strength: f64,
        /// In ms.
        duration: f64,
    },
}

/// A stimulus, once or several times.
#[derive(Clone, Debug, PartialEq)]
pub struct Stimulus {
    /// Where.
    pub region: Region,
    /// How.
    pub action: Action,
    /// When, in ms.
    pub times: Vec<f64>,
}

/// Equal intervals, then one of another length: S1 and S2.
pub fn train(first: f64, interval: f64, count: usize, coupling: Option<f64>) -> Vec<f64> {
    let mut times: Vec<f64> = (0..count).map(|k| first + interval * k as f64).collect();
    let last = times.last().copied().unwrap_or(first);
    times.extend(coupling.map(|coupling| last + coupling));
    times
}

/// What happens at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// In ms.
    pub time: f64,
    /// Which stimulus.
    pub stimulus: usize,
    /// What becomes of it.
    pub change: Change,
}

/// What an event does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// phi becomes this in the region.
    Set(f64),
    /// The current grows by this in the region; at its end it is negative.
    Add(f64),
}

/// The events of stimuli, in order of time.
pub fn events(stimuli: &[Stimulus]) -> Vec<Event> {
    let mut events = Vec::new();
    for (number, stimulus) in stimuli.iter().enumerate() {
        for &time in &stimulus.times {
            let mut add = |time, change| events.push(Event { time, stimulus: number, change });
            match stimulus.action {
                Action::Potential(value) => add(time, Change::Set(value)),
                Action::Current { strength, duration } => {
                    add(time, Change::Add(strength));
                    add(time + duration, Change::Add(-strength));
                }
            }
        }
    }
    events.sort_by(|a, b| a.time.total_cmp(&b.time));
    events
}
