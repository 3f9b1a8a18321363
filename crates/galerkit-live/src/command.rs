//! What the one who controls can ask for. Every number is checked before the simulation hears of it; what is applied is
//! what the journal has.

use serde::{Deserialize, Serialize};

/// A command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Goes on.
    Play {},
    /// Stays.
    Pause {},
    /// Goes on for so long, then stays.
    Step {
        /// In ms.
        milliseconds: u32,
    },
    /// How fast it goes.
    Speed {
        /// 1 is real time; none is as fast as can be.
        factor: Option<f64>,
    },
    /// Sets the potential around a node.
    Stimulate {
        /// The node.
        node: u32,
        /// In mm.
        radius: f64,
        /// What it is set to.
        potential: f64,
    },
    /// Scales the conductivity of elements around nodes.
    Ablate {
        /// The nodes.
        nodes: Vec<u32>,
        /// In mm.
        radius: f64,
        /// By what.
        factor: f64,
    },
    /// Takes the last ablation back.
    Undo {},
    /// Paces: S1 again and again, then S2.
    Pace(Pace),
    /// Forgets stimuli that are still to come.
    Disarm {},
    /// Changes what is given.
    Parameters(Parameters),
    /// Shows the potential of a node over time.
    Probe {
        /// The node.
        node: u32,
    },
    /// Forgets the times of activation.
    ClearTimes {},
    /// Keeps the state.
    Checkpoint {},
}

/// S1 and S2.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// Where S1 is.
    pub node: u32,
    /// How often.
    pub count: u32,
    /// From one S1 to the next, in ms.
    pub interval: u32,
    /// What S2 does.
    pub then: Then,
    /// Where S2 is.
    pub then_node: u32,
    /// Of both, in mm.
    pub radius: f64,
}

/// When S2 comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Then {
    /// Never.
    Never,
    /// This long after the last S1, in ms.
    After(u32),
    /// This long after the tail of the last S1's wave has passed its node, in ms.
    Tail(u32),
}

/// What can be changed; none stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)] // the paper's D
pub struct Parameters {
    /// Threshold of excitation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
    /// Along the fibres, in mm²/ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub D: Option<f64>,
    /// D across over D along.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anisotropy: Option<f64>,
    /// Step in ms; it divides 1 ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dt: Option<f64>,
}

/// Steps that divide a millisecond.
pub const STEPS: [f64; 7] = [0.05, 0.1, 0.125, 0.2, 0.25, 0.5, 1.0];
/// Most nodes of one ablation.
pub const MOST_NODES: usize = 4096;

/// What a run allows.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Nodes of the tissue.
    pub nodes: u32,
    /// Whether its cells have a threshold.
    pub has_alpha: bool,
}

impl Command {
    /// Whether it changes only what is shown, and when: a replay leaves it out.
    pub fn is_show(&self) -> bool {
        matches!(self, Self::Play {} | Self::Pause {} | Self::Step { .. } | Self::Speed { .. } | Self::Probe { .. })
    }

    /// Whether it can be applied; if not, why.
    ///
    /// # Errors
    /// A sentence for the one who asked.
    pub fn check(&self, limits: &Limits) -> Result<(), String> {
        match self {
            Self::Play {} | Self::Pause {} | Self::Undo {} | Self::Disarm {} | Self::ClearTimes {} => Ok(()),
            Self::Checkpoint {} | Self::Speed { factor: None } => Ok(()),
            Self::Probe { node } => limits.has(*node),
            Self::Step { milliseconds } => within("milliseconds", f64::from(*milliseconds), 1.0, 1000.0),
            Self::Speed { factor: Some(factor) } => within("factor", *factor, 1e-3, 100.0),
            Self::Stimulate { node, radius, potential } => {
                limits.has(*node)?;
                within("potential", *potential, -0.5, 1.5)?;
                within("radius", *radius, 0.1, 100.0)
            }
            Self::Ablate { nodes, radius, factor } => {
                if nodes.is_empty() || nodes.len() > MOST_NODES {
                    return Err(format!("nodes: from 1 to {MOST_NODES} of them"));
                }
                nodes.iter().try_for_each(|node| limits.has(*node))?;
                within("factor", *factor, 1e-3, 1.0)?;
                within("radius", *radius, 0.1, 100.0)
            }
            Self::Pace(pace) => pace.check(limits),
            Self::Parameters(parameters) => parameters.check(limits),
        }
    }
}

impl Limits {
    fn has(&self, node: u32) -> Result<(), String> {
        let message = || format!("node {node} is none of the tissue's {}", self.nodes);
        (node < self.nodes).then_some(()).ok_or_else(message)
    }
}

impl Pace {
    fn check(&self, limits: &Limits) -> Result<(), String> {
        limits.has(self.node)?;
        limits.has(self.then_node)?;
        within("radius", self.radius, 0.1, 100.0)?;
        within("count", f64::from(self.count), 1.0, 50.0)?;
        within("interval", f64::from(self.interval), 20.0, 5000.0)?;
        match self.then {
            Then::Never => Ok(()),
            Then::After(coupling) => within("then.after", f64::from(coupling), 1.0, 5000.0),
            Then::Tail(delay) => within("then.tail", f64::from(delay), 0.0, 5000.0),
        }
    }
}

impl Parameters {
    fn check(&self, limits: &Limits) -> Result<(), String> {
        if self.alpha.is_some() && !limits.has_alpha {
            return Err("alpha: these cells have none".into());
        }
        if let Some(dt) = self.dt.filter(|dt| !STEPS.contains(dt)) {
            return Err(format!("dt: {dt} is none of {STEPS:?}, which divide 1 ms"));
        }
        let ranges = [("alpha", self.alpha, 0.0, 0.4), ("D", self.D, 0.01, 10.0)];
        let ranges = ranges.into_iter().chain([("anisotropy", self.anisotropy, 0.02, 1.0)]);
        ranges.into_iter().try_for_each(|(name, value, low, high)| {
            value.map_or(Ok(()), |value| within(name, value, low, high)) //
        })
    }

    /// These, and where they say nothing those.
    pub fn or(self, other: Self) -> Self {
        Self {
            alpha: self.alpha.or(other.alpha),
            D: self.D.or(other.D),
            anisotropy: self.anisotropy.or(other.anisotropy),
            dt: self.dt.or(other.dt),
        }
    }
}

fn within(name: &str, value: f64, low: f64, high: f64) -> Result<(), String> {
    match (low..=high).contains(&value) {
        true => Ok(()),
        false => Err(format!("{name}: {value} is not between {low} and {high}")),
    }
}
