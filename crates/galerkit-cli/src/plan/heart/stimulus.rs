//! Stimuli as text: 'key=value;...'.

use super::geometry::{Geometry, Shape};
use anyhow::{Context, Result, bail};
use galerkit::fem::cardiac::geometry::APEX;
use galerkit::fem::cardiac::stimulus::{Action, train};
use galerkit::fem::cardiac::{Region, Stimulus};

/// Those that were typed, or the geometry's own.
pub fn stimuli(typed: &[String], geometry: &Geometry) -> Result<Vec<Stimulus>> {
    match typed {
        [] => Ok(own(geometry).into_iter().collect()),
        [none] if none == "none" => Ok(Vec::new()),
        _ => typed.iter().map(|text| read(text).with_context(|| format!("--stimulus '{text}'"))).collect(),
    }
}

/// An end, an edge, a corner or the apex; a mesh file has nothing of its own.
fn own(geometry: &Geometry) -> Option<Stimulus> {
    let Geometry::BuiltIn { shape, size, .. } = geometry else { return None };
    let region = match shape {
        Shape::Cable => Region::Box([0.0; 3], [6.0, 0.0, 0.0]),
        Shape::Sheet => Region::Box([0.0; 3], [6.0, size[1], 0.0]),
        Shape::Slab => Region::Box([0.0; 3], [3.0; 3]),
        Shape::Ventricle | Shape::Biventricle => Region::Sphere(APEX, 12.0),
    };
    Some(Stimulus { region, action: Action::Potential(1.0), times: vec![0.0] })
}

/// The parts of a text.
#[derive(Default)]
struct Parts {
    region: Option<Region>,
    potential: Option<f64>,
    current: Option<f64>,
    duration: Option<f64>,
    at: Vec<f64>,
    every: Option<f64>,
    count: Option<f64>,
    then: Option<f64>,
}

fn read(text: &str) -> Result<Stimulus> {
    let mut parts = Parts::default();
    for pair in text.split(';').map(str::trim).filter(|pair| !pair.is_empty()) {
        parts.take(pair)?;
    }
    let action = match (parts.current, parts.potential) {
        (Some(_), Some(_)) => bail!("it is either a current or a potential"),
        (Some(strength), None) => match parts.duration {
            Some(duration) if duration > 0.0 => Action::Current { strength, duration },
            _ => bail!("a current needs for=MS, how long it flows"),
        },
        (None, _) if parts.duration.is_some() => bail!("for=MS belongs to a current: a potential is set at once"),
        (None, potential) => Action::Potential(potential.unwrap_or(1.0)),
    };
    let Some(region) = parts.region else { bail!("it does not say where: box=, sphere=, tag=, nodes= or all") };
    let mut times = if parts.at.is_empty() { vec![0.0] } else { parts.at };
    match (parts.every, parts.count) {
        (Some(interval), Some(count)) if interval > 0.0 && count >= 1.0 => {
            times = train(times[0], interval, count as usize, parts.then);
        }
        (None, None) => times.extend(parts.then.map(|then| times[times.len() - 1] + then)),
        _ => bail!("a train needs every=MS and count=N, both positive"),
    }
    if times.iter().any(|time| !(*time >= 0.0 && time.is_finite())) {
        bail!("its times must be 0 or later");
    }
    Ok(Stimulus { region, action, times })
}

impl Parts {
    fn take(&mut self, pair: &str) -> Result<()> {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let numbers = || -> Result<Vec<f64>> {
            let number = |text: &str| text.trim().parse().with_context(|| format!("'{text}' in '{pair}' is no number"));
            value.split(',').map(number).collect()
        };
        let one = || -> Result<Option<f64>> {
            match numbers()?[..] {
                [number] => Ok(Some(number)),
                _ => bail!("'{pair}' takes one number"),
            }
        };
        match key.trim() {
            "box" => match numbers()?[..] {
                [a, b, c, d, e, f] => self.region = Some(Region::Box([a, b, c], [d, e, f])),
                _ => bail!("box takes two corners: box=X0,Y0,Z0,X1,Y1,Z1"),
            },
            "sphere" => match numbers()?[..] {
                [x, y, z, radius] => self.region = Some(Region::Sphere([x, y, z], radius)),
                _ => bail!("sphere takes a centre and a radius: sphere=X,Y,Z,R"),
            },
            "tag" => self.region = Some(Region::Tag(value.trim().parse().context("a tag is a whole number")?)),
            "nodes" => self.region = Some(Region::Nodes(nodes(value.trim())?)),
            "all" => self.region = Some(Region::Everywhere),
            "potential" => self.potential = one()?,
            "current" => self.current = one()?,
            "for" => self.duration = one()?,
            "at" => self.at = numbers()?,
            "every" => self.every = one()?,
            "count" => self.count = one()?,
            "then" => self.then = one()?,
            other => bail!(
                "there is no '{other}': the keys are box, sphere, tag, nodes, all, potential, current, for, at, every, \
                 count and then"
            ),
        }
        Ok(())
    }
}

/// Numbers of nodes, one a line; CARP's .vtx files have a count and a word first.
fn nodes(path: &str) -> Result<Vec<u32>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let words = match words[..] {
        [_, "intra" | "extra", ..] => &words[2..],
        _ => &words[..],
    };
    words.iter().map(|word| word.parse().with_context(|| format!("'{word}' in {path} is no node"))).collect()
}
