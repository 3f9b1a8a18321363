//! `galerkit heart window` as meant.

use super::stimulus::stimuli;
use super::{Geometry, HeartPlan, Shape, StimulusPlan, positive};
use crate::args::HeartWindow;
use anyhow::{Context, Result, bail};

/// Most timings: each is a run.
const MOST: usize = 1000;

/// What is tried.
#[derive(Clone, Debug)]
pub struct WindowPlan {
    /// Where and how S2 excites.
    pub s2: StimulusPlan,
    /// The earliest timing in ms after the last S1, if it was said.
    pub from: Option<f64>,
    /// The latest.
    pub to: Option<f64>,
    /// Timings between them.
    pub tries: usize,
    /// How well ends are found, in ms.
    pub resolution: f64,
    /// How long each S2 is watched, in ms.
    pub watch: f64,
}

impl WindowPlan {
    /// Makes sense of the arguments.
    pub fn new(arguments: &HeartWindow, plan: &HeartPlan) -> Result<Self> {
        let text = match (&arguments.s2, &plan.geometry) {
            (Some(text), _) => text.clone(),
            (None, Geometry::BuiltIn { shape: Shape::Sheet, size, .. }) => {
                format!("box=0,0,0,{},{},0", 0.5 * size[0], 0.5 * size[1])
            }
            _ => bail!("--s2 is missing: where S2 excites, as in --s2 'sphere=0,0,-20,10'"),
        };
        if ["at", "every", "count", "then", "after"].iter().any(|key| has(&text, key)) {
            bail!("--s2 '{text}' has a time: timings are what is looked for, see --from and --to");
        }
        let s2 = stimuli(std::slice::from_ref(&text)).context("--s2")?.pop().context("--s2 none excites nothing")?;
        let time = |name: &str, given: Option<f64>| given.map(|time| positive(name, time)).transpose();
        let (from, to) = (time("from", arguments.from)?, time("to", arguments.to)?);
        if let (Some(from), Some(to)) = (from, to)
            && from > to
        {
            bail!("--from {from} is later than --to {to}");
        }
        if !(2..=MOST).contains(&arguments.tries) {
            bail!("--tries {} makes no sense: from 2 to {MOST}", arguments.tries);
        }
        let resolution = positive("resolution", arguments.resolution)?.max(plan.scheme.dt());
        let watch = positive("watch", arguments.watch)?;
        Ok(Self { s2, from, to, tries: arguments.tries, resolution, watch })
    }
}

fn has(text: &str, key: &str) -> bool {
    text.split(';').any(|pair| pair.split_once('=').is_some_and(|(name, _)| name.trim() == key))
}
