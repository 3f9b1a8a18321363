//! What commands have changed, as data: from it and the plan everything else follows, whatever the order of the
//! commands was.

use galerkit::fem::cardiac::cell::Kind;
use galerkit::fem::cardiac::{Conductivity, Model, Tissue};
use galerkit_live::command::{Pace, Parameters, Then};
use serde::{Deserialize, Serialize};

/// Above this phi a wave has come, below the other it has passed.
pub const TAIL: [f64; 2] = [0.5, 0.1];

/// An ablation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stroke {
    /// Around these nodes.
    pub nodes: Vec<u32>,
    /// In mm.
    pub radius: f64,
    /// By what conductivities are scaled.
    pub factor: f64,
}

/// A stimulus that is still to come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pulse {
    /// In ms.
    pub time: u64,
    /// Around this node.
    pub node: u32,
    /// In mm.
    pub radius: f64,
}

/// An S2 that waits for the tail of a wave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Armed {
    /// Looks from here on, in ms.
    pub from: u64,
    /// Where the tail must pass, and S2 is.
    pub node: u32,
    /// Of S2, in mm.
    pub radius: f64,
    /// In ms.
    pub delay: u64,
    /// Whether the wave has come.
    pub has_come: bool,
}

/// What has been changed, and where the run is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Where it is, in ms.
    pub time: u64,
    /// Steps so far.
    pub steps: u64,
    /// What is given now; all there are.
    pub parameters: Parameters,
    /// Ablations, the last one last.
    pub strokes: Vec<Stroke>,
    /// In order of time.
    pub pulses: Vec<Pulse>,
    /// An S2 that waits.
    pub armed: Option<Armed>,
    /// When the times of activation were forgotten, in ms.
    pub origin: u64,
}

impl Memory {
    /// Nothing has been changed.
    pub fn new(model: &Model, tissue: &Tissue, dt: f64) -> Self {
        let alpha = match &model.kind {
            Kind::AlievPanfilov(cell) => Some(cell.alpha),
            Kind::MitchellSchaeffer(_) => None,
        };
        let Conductivity { iso, ani } = tissue.conductivity(0);
        let parameters = Parameters { alpha, D: Some(iso + ani), anisotropy: Some(iso / (iso + ani)), dt: Some(dt) };
        Self { parameters, ..Self::default() }
    }

    /// Stimuli of S1 and S2, from now on.
    pub fn pace(&mut self, pace: &Pace) {
        let times = (0..u64::from(pace.count)).map(|k| self.time + k * u64::from(pace.interval));
        let last = self.time + u64::from(pace.count - 1) * u64::from(pace.interval);
        let pulse = |time, node| Pulse { time, node, radius: pace.radius };
        self.pulses.extend(times.map(|time| pulse(time, pace.node)));
        match pace.then {
            Then::Never => {}
            Then::After(coupling) => self.pulses.push(pulse(last + u64::from(coupling), pace.then_node)),
            Then::Tail(delay) => {
                let (node, radius, delay) = (pace.then_node, pace.radius, u64::from(delay));
                self.armed = Some(Armed { from: last, node, radius, delay, has_come: false });
            }
        }
        self.pulses.sort_by_key(|pulse| pulse.time);
    }

    /// The node of an armed S2 has this potential now.
    pub fn look(&mut self, phi: f64) {
        let Some(armed) = &mut self.armed else { return };
        armed.has_come |= phi >= TAIL[0];
        if armed.has_come && phi < TAIL[1] {
            let pulse = Pulse { time: self.time + armed.delay, node: armed.node, radius: armed.radius };
            self.armed = None;
            self.pulses.push(pulse);
            self.pulses.sort_by_key(|pulse| pulse.time);
        }
    }

    /// Takes out what is due.
    pub fn due(&mut self) -> Option<Pulse> {
        let is_due = self.pulses.first().is_some_and(|pulse| pulse.time <= self.time);
        is_due.then(|| self.pulses.remove(0))
    }

    /// What the strongest ablation has left of each element's conductivity, from 0 to 1.
    pub fn factors(&self, tissue: &Tissue) -> Vec<f64> {
        let mut factors = vec![1.0f64; tissue.elements()];
        for stroke in &self.strokes {
            touched(tissue, stroke).for_each(|e| factors[e] = factors[e].min(stroke.factor));
        }
        factors
    }

    /// The conductivity of each element: D and anisotropy in proportion to what they were, then the strongest ablation.
    pub fn conductivities(&self, tissue: &Tissue, before: &Parameters) -> Vec<Conductivity> {
        let over = |now: Option<f64>, before: Option<f64>| now.unwrap_or(1.0) / before.unwrap_or(1.0);
        let along_factor = over(self.parameters.D, before.D);
        let ratio_factor = over(self.parameters.anisotropy, before.anisotropy);
        let mut conductivities: Vec<Conductivity> = (0..tissue.elements())
            .map(|e| {
                let Conductivity { iso, ani } = tissue.conductivity(e);
                let (along, ratio) = (along_factor * (iso + ani), (ratio_factor * iso / (iso + ani)).min(1.0));
                let is_as_before = along_factor == 1.0 && ratio_factor == 1.0;
                if is_as_before {
                    Conductivity { iso, ani }
                } else {
                    Conductivity { iso: ratio * along, ani: along - ratio * along }
                }
            })
            .collect();
        let factors = self.factors(tissue);
        for (conductivity, factor) in conductivities.iter_mut().zip(factors).filter(|(_, factor)| *factor < 1.0) {
            *conductivity = Conductivity { iso: factor * conductivity.iso, ani: factor * conductivity.ani };
        }
        conductivities
    }
}

/// Elements whose centres are near to a node of a stroke.
pub fn touched<'a>(tissue: &'a Tissue, stroke: &'a Stroke) -> impl Iterator<Item = usize> + 'a {
    let centres: Vec<[f64; 3]> = stroke.nodes.iter().map(|node| tissue.points()[*node as usize]).collect();
    let limit = stroke.radius * stroke.radius;
    (0..tissue.elements()).filter(move |e| {
        let x = tissue.centre(*e);
        centres.iter().any(|y| (0..3).map(|d| (x[d] - y[d]).powi(2)).sum::<f64>() <= limit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(then: Then) -> Pace {
        Pace { node: 1, count: 3, interval: 100, then, then_node: 2, radius: 4.0 }
    }

    #[test]
    fn s2_follows_the_last_s1_or_the_tail() {
        let mut memory = Memory { time: 50, ..Memory::default() };
        memory.pace(&pace(Then::After(70)));
        let times = |memory: &Memory| memory.pulses.iter().map(|pulse| (pulse.time, pulse.node)).collect::<Vec<_>>();
        assert_eq!(times(&memory), [(50, 1), (150, 1), (250, 1), (320, 2)]);
        assert_eq!(memory.due().map(|pulse| pulse.time), Some(50));
        assert_eq!(memory.due(), None);
        let mut memory = Memory::default();
        memory.pace(&pace(Then::Tail(5)));
        for (time, phi, waits) in [(210, 0.0, true), (240, 0.9, true), (500, 0.3, true), (510, 0.09, false)] {
            memory.time = time;
            memory.look(phi);
            assert_eq!(memory.armed.is_some(), waits, "{time}");
        }
        assert_eq!(times(&memory).last(), Some(&(515, 2)));
    }
}
