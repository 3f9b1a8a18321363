//! Stimuli as text: 'key=value;...'.

use super::geometry::{Geometry, Shape};
use super::spot::{KEYS, Spot, numbers};
use anyhow::{Context, Result, bail};
use galerkit::fem::cardiac::geometry::APEX;
use galerkit::fem::cardiac::stimulus::{Action, train};

/// Pulses of a train: each is kept in memory, and a heart that beats every second takes eleven days for so many.
const MOST: f64 = 1e6;

/// Where, how and when.
#[derive(Clone, Debug, PartialEq)]
pub struct StimulusPlan {
    /// Where.
    pub spot: Spot,
    /// How.
    pub action: Action,
    /// When, in ms.
    pub times: Vec<f64>,
}

/// Those that were typed, or the geometry's own.
pub fn texts(typed: &[String], geometry: &Geometry) -> Vec<String> {
    match typed {
        [] => own(geometry).into_iter().collect(),
        typed => typed.to_vec(),
    }
}

/// Makes sense of texts.
pub fn stimuli(texts: &[String]) -> Result<Vec<StimulusPlan>> {
    if let [none] = texts
        && none == "none"
    {
        return Ok(Vec::new());
    }
    let mut stimuli: Vec<StimulusPlan> = Vec::new();
    for text in texts {
        let last = stimuli.last().and_then(|stimulus| stimulus.times.last().copied());
        stimuli.push(read(text, last).with_context(|| format!("--stimulus '{text}'"))?);
    }
    Ok(stimuli)
}

/// An end, an edge, a corner or the apex; a mesh file has nothing of its own.
fn own(geometry: &Geometry) -> Option<String> {
    let Geometry::BuiltIn { shape, size, .. } = geometry else { return None };
    let [x, y, z] = APEX;
    Some(match shape {
        Shape::Cable => "box=0,0,0,6,0,0".into(),
        Shape::Sheet => format!("box=0,0,0,6,{},0", size[1]),
        Shape::Slab => "box=0,0,0,3,3,3".into(),
        Shape::Ventricle | Shape::Biventricle => format!("sphere={x},{y},{z},12"),
    })
}

/// The parts of a text.
#[derive(Default)]
struct Parts {
    spot: Option<Spot>,
    potential: Option<f64>,
    current: Option<f64>,
    duration: Option<f64>,
    at: Vec<f64>,
    after: Option<f64>,
    every: Option<f64>,
    count: Option<f64>,
    then: Option<f64>,
}

fn read(text: &str, last: Option<f64>) -> Result<StimulusPlan> {
    let mut parts = Parts::default();
    for pair in text.split(';').map(str::trim).filter(|pair| !pair.is_empty()) {
        parts.take(pair)?;
    }
    let action = parts.action()?;
    let times = parts.times(last)?;
    let Some(spot) = parts.spot else { bail!("it does not say where: box=, sphere=, tag=, nodes= or all") };
    Ok(StimulusPlan { spot, action, times })
}

impl Parts {
    fn take(&mut self, pair: &str) -> Result<()> {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let key = key.trim();
        if let Some(spot) = Spot::read(key, value).with_context(|| format!("in '{pair}'"))? {
            self.spot = Some(spot);
            return Ok(());
        }
        let one = || -> Result<Option<f64>> {
            match numbers(value).with_context(|| format!("in '{pair}'"))?[..] {
                [number] => Ok(Some(number)),
                _ => bail!("'{pair}' takes one number"),
            }
        };
        match key {
            "potential" => self.potential = one()?,
            "current" => self.current = one()?,
            "for" => self.duration = one()?,
            "at" => self.at = numbers(value).with_context(|| format!("in '{pair}'"))?,
            "after" => self.after = one()?,
            "every" => self.every = one()?,
            "count" => self.count = one()?,
            "then" => self.then = one()?,
            other => bail!(
                "there is no '{other}': the keys are {}, potential, current, for, at, after, every, count and then",
                KEYS.join(", ")
            ),
        }
        Ok(())
    }

    fn action(&self) -> Result<Action> {
        Ok(match (self.current, self.potential) {
            (Some(_), Some(_)) => bail!("it is either a current or a potential"),
            (Some(value), None) | (None, Some(value)) if !value.is_finite() => {
                bail!("{value} is neither a current nor a potential: it must be finite")
            }
            (Some(strength), None) => match self.duration {
                Some(duration) if duration > 0.0 && duration.is_finite() => Action::Current { strength, duration },
                _ => bail!("a current needs for=MS, how long it flows"),
            },
            (None, _) if self.duration.is_some() => bail!("for=MS belongs to a current: a potential is set at once"),
            (None, potential) => Action::Potential(potential.unwrap_or(1.0)),
        })
    }

    fn times(&self, last: Option<f64>) -> Result<Vec<f64>> {
        let mut times = match (&self.at[..], self.after, last) {
            ([], None, _) => vec![0.0],
            (at, None, _) => at.to_vec(),
            ([], Some(after), Some(last)) => vec![last + after],
            (_, Some(_), None) => bail!("after=MS follows the last pulse of the stimulus before it: there is none"),
            (_, Some(_), _) => bail!("it has either at= or after="),
        };
        match (self.every, self.count) {
            (Some(_), Some(count)) if !(1.0..=MOST).contains(&count) || count.fract() != 0.0 => {
                bail!("count={count} makes no sense: it is a whole number from 1 to {MOST}")
            }
            (Some(interval), Some(count)) if interval > 0.0 => {
                times = train(times[0], interval, count as usize, self.then);
            }
            (None, None) => times.extend(self.then.map(|then| times[times.len() - 1] + then)),
            _ => bail!("a train needs every=MS and count=N, both positive"),
        }
        match times.iter().all(|time| *time >= 0.0 && time.is_finite()) {
            true => Ok(times),
            false => bail!("its times must be 0 or later"),
        }
    }
}
