//! Words of the command line that have parts: waves, complex numbers, points, truncations, walls, sources.

use anyhow::{Result, anyhow, bail};
use galerkit::fem::acoustics::{Gls, Wave};
use galerkit::linalg::c64;

/// How the unbounded domain is cut off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Truncation {
    Impedance,
    Bgt1,
    Bgt2,
    Layer { thickness: f64, strength: f64 },
    Infinite { order: usize },
}

/// What holds on a piece of the boundary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wall {
    Rigid,
    Soft(c64),
    Velocity(c64),
    Impedance(c64),
    Exact,
}

/// What drives a right-hand side of its own.
#[derive(Clone, Debug, PartialEq)]
pub enum Drive {
    /// Walls, sources and obstacles as they are.
    Walls,
    Source([f64; 3], c64),
    /// The direction of a plane wave that meets an obstacle.
    Incident([f64; 3]),
}

/// A right-hand side, with its name as typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub name: String,
    pub drive: Drive,
}

/// Finite numbers, separated by commas.
pub fn numbers(text: &str) -> Option<Vec<f64>> {
    text.split(',').map(|word| word.trim().parse::<f64>().ok().filter(|x| x.is_finite())).collect()
}

/// x,y or x,y,z
pub fn point(option: &str, text: &str) -> Result<[f64; 3]> {
    match numbers(text).as_deref() {
        Some([x, y]) => Ok([*x, *y, 0.0]),
        Some([x, y, z]) => Ok([*x, *y, *z]),
        _ => bail!("--{option} {text} is no point: write x,y or x,y,z"),
    }
}

/// RE, IMi, or RE+IMi
pub fn complex(text: &str) -> Option<c64> {
    let number = |word: &str| word.parse::<f64>().ok().filter(|x| x.is_finite());
    let Some(front) = text.strip_suffix('i') else { return number(text).map(|re| c64::new(re, 0.0)) };
    // the sign between both, not one that begins a number or an exponent
    let is_between =
        |&(at, c): &(usize, char)| at > 0 && (c == '+' || c == '-') && !matches!(front.as_bytes()[at - 1], b'e' | b'E');
    match front.char_indices().rfind(is_between) {
        Some((at, _)) => Some(c64::new(number(&front[..at])?, number(&front[at..])?)),
        None => number(front).map(|im| c64::new(0.0, im)),
    }
}

/// The length of the geometry duct.
pub const DUCT: f64 = 2.0;

/// plane:THETA, plane:dx,dy,dz, point:x,y[,z], multipole:M, duct:M
pub fn wave(text: &str) -> Result<Wave> {
    let wrong = || anyhow!("--exact {text}: write plane:THETA, plane:dx,dy,dz, point:x,y[,z], multipole:M or duct:M");
    let (kind, rest) = text.split_once(':').ok_or_else(wrong)?;
    match (kind, numbers(rest).as_deref()) {
        ("plane", Some([_] | [_, _] | [_, _, _])) => Ok(Wave::Plane { direction: direction("exact", rest)? }),
        ("point", Some([_, _] | [_, _, _])) => Ok(Wave::Source { place: point("exact", rest)? }),
        ("multipole", Some(_)) => match rest.parse() {
            Ok(order @ 0..=40) => Ok(Wave::Multipole { order, radius: 1.0 }),
            _ => bail!("--exact {text}: the order of a multipole is a whole number from 0 to 40"),
        },
        ("duct", Some(_)) => match rest.parse() {
            Ok(mode @ 0..=40) => Ok(Wave::Duct { mode, length: DUCT }),
            _ => bail!("--exact {text}: the mode of a duct is a whole number from 0 to 40"),
        },
        _ => Err(wrong()),
    }
}

/// How bilinear elements are stabilised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stabilised {
    /// The direction in which waves are exact.
    pub angle: f64,
    /// Whether impedance walls take the wavenumber of the grid.
    pub on_walls: bool,
}

/// ANGLE, ANGLE:walls or walls
pub fn stabilised(text: &str) -> Result<Stabilised> {
    let (angle, on_walls) = match text.split_once(':') {
        Some((angle, "walls")) => (angle, true),
        Some(_) => bail!("--gls {text}: write ANGLE, ANGLE:walls or walls"),
        None if text == "walls" => ("", true),
        None => (text, false),
    };
    match (angle, angle.parse::<f64>()) {
        ("", _) => Ok(Stabilised { angle: Gls::ANGLE, on_walls }),
        (_, Ok(angle)) if angle.is_finite() => Ok(Stabilised { angle, on_walls }),
        _ => bail!("--gls {text}: write ANGLE, ANGLE:walls or walls"),
    }
}

/// THETA, or dx,dy or dx,dy,dz made a unit vector.
fn direction(option: &str, text: &str) -> Result<[f64; 3]> {
    match numbers(text).as_deref() {
        Some([angle]) => Ok([angle.cos(), angle.sin(), 0.0]),
        Some(d @ ([_, _] | [_, _, _])) => {
            let length = d.iter().map(|d| d * d).sum::<f64>().sqrt();
            if length == 0.0 {
                bail!("--{option} {text} has no direction: one of its numbers must differ from 0");
            }
            let at = |i: usize| d.get(i).copied().unwrap_or(0.0) / length;
            Ok([at(0), at(1), at(2)])
        }
        _ => bail!("--{option} {text} is no direction: write THETA, dx,dy or dx,dy,dz"),
    }
}

/// walls, source:x,y[,z][:AMPLITUDE], incident:THETA or incident:dx,dy,dz
pub fn case(text: &str) -> Result<Case> {
    let drive = match text.split_once(':') {
        None if text == "walls" => Drive::Walls,
        Some(("source", rest)) => {
            let (place, amplitude) = source(rest)?;
            Drive::Source(place, amplitude)
        }
        Some(("incident", rest)) => Drive::Incident(direction("case incident", rest)?),
        _ => bail!("--case {text}: write walls, source:x,y[,z][:AMPLITUDE], incident:THETA or incident:dx,dy,dz"),
    };
    Ok(Case { name: text.into(), drive })
}

/// impedance, bgt1, bgt2, pml:L:SIGMA, infinite:M
pub fn truncation(text: &str) -> Result<Truncation> {
    let parts: Vec<&str> = text.split(':').collect();
    let number = |word: &str| word.parse::<f64>().ok().filter(|x| x.is_finite());
    match parts[..] {
        ["impedance"] => Ok(Truncation::Impedance),
        ["bgt1"] => Ok(Truncation::Bgt1),
        ["bgt2"] => Ok(Truncation::Bgt2),
        ["pml", thickness, strength] => match (number(thickness), number(strength)) {
            (Some(thickness), Some(strength)) if thickness > 0.0 && strength > 0.0 => {
                Ok(Truncation::Layer { thickness, strength })
            }
            _ => bail!("--boundary {text}: thickness and strength of a layer are above 0, as in pml:0.5:20"),
        },
        ["infinite", order] => match order.parse() {
            Ok(order @ 1..=8) => Ok(Truncation::Infinite { order }),
            _ => bail!("--boundary {text}: infinite elements have an order from 1 to 8, as in infinite:4"),
        },
        _ => bail!("--boundary {text}: it is impedance, bgt1, bgt2, pml:L:SIGMA or infinite:M"),
    }
}

/// TAG=CONDITION
pub fn wall(text: &str) -> Result<(String, Wall)> {
    let wrong =
        || anyhow!("--wall {text}: write TAG=rigid, soft[:RE[,IM]], velocity:RE[,IM], impedance[:BETA] or exact");
    let (tag, condition) = text.split_once('=').ok_or_else(wrong)?;
    let (kind, rest) = condition.split_once(':').map_or((condition, None), |(kind, rest)| (kind, Some(rest)));
    let value = |usual: Option<f64>| match (rest.map(numbers), usual) {
        (Some(Some(parts)), _) if parts.len() <= 2 => Ok(c64::new(parts[0], parts.get(1).copied().unwrap_or(0.0))),
        (None, Some(usual)) => Ok(c64::new(usual, 0.0)),
        _ => Err(wrong()),
    };
    let wall = match kind {
        "rigid" if rest.is_none() => Wall::Rigid,
        "exact" if rest.is_none() => Wall::Exact,
        "soft" => Wall::Soft(value(Some(0.0))?),
        "velocity" => Wall::Velocity(value(None)?),
        "impedance" => Wall::Impedance(value(Some(1.0))?),
        _ => return Err(wrong()),
    };
    Ok((tag.trim().into(), wall))
}

/// x,y[,z][:AMPLITUDE]
pub fn source(text: &str) -> Result<([f64; 3], c64)> {
    let (place, amplitude) = text.split_once(':').map_or((text, "1"), |(place, amplitude)| (place, amplitude));
    match complex(amplitude) {
        Some(amplitude) => Ok((point("source", place)?, amplitude)),
        None => bail!("--source {text}: the amplitude is a number, RE or RE+IMi"),
    }
}

/// A:B:STEP in Hz
pub fn sweep(text: &str) -> Result<Vec<f64>> {
    let parts: Option<Vec<f64>> =
        text.split(':').map(|word| word.parse().ok().filter(|x: &f64| x.is_finite())).collect();
    match parts.as_deref() {
        Some([from, to, step]) if *from > 0.0 && to >= from && *step > 0.0 && (to - from) / step <= 1e5 => {
            let count = ((to - from) / step + 1e-9).floor() as usize;
            Ok((0..=count).map(|n| from + step * n as f64).collect())
        }
        _ => bail!("--sweep {text}: write A:B:STEP in Hz, 0 < A <= B, as in 50:500:5"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complex_numbers_are_read() {
        for (text, re, im) in
            [("5", 5.0, 0.0), ("5+0.1i", 5.0, 0.1), ("-1e-3-2e+1i", -1e-3, -20.0), ("2i", 0.0, 2.0), ("-2i", 0.0, -2.0)]
        {
            assert_eq!(complex(text), Some(c64::new(re, im)), "{text}");
        }
        assert_eq!([complex("5+i1"), complex("nan"), complex("")], [None; 3]);
    }

    #[test]
    fn stabilised_elements_have_an_angle_and_walls() {
        let read = |text: &str| stabilised(text).ok().map(|it| (it.angle, it.on_walls));
        assert_eq!([read(""), read("walls")], [Some((Gls::ANGLE, false)), Some((Gls::ANGLE, true))]);
        assert_eq!([read("0:walls"), read("-0.3")], [Some((0.0, true)), Some((-0.3, false))]);
        assert_eq!([read("x"), read("0:wall"), read("nan")], [None; 3]);
    }

    #[test]
    fn sweeps_have_both_ends() {
        assert_eq!(sweep("50:60:5").unwrap(), [50.0, 55.0, 60.0]);
        assert_eq!(sweep("50:500:5").unwrap().len(), 91);
        assert!(["0:10:1", "10:5:1", "5:10", "5:10:0"].iter().all(|text| sweep(text).is_err()));
    }

    #[test]
    fn cases_are_read() {
        let source = Drive::Source([0.5, -1.0, 0.0], c64::new(2.0, 0.0));
        assert_eq!(case("source:0.5,-1:2").unwrap(), Case { name: "source:0.5,-1:2".into(), drive: source });
        assert_eq!(case("incident:0,-2").unwrap().drive, Drive::Incident([0.0, -1.0, 0.0]));
        assert_eq!(case("incident:0").unwrap().drive, Drive::Incident([1.0, 0.0, 0.0]));
        assert!(["wall", "source", "incident:x", "incident:0,0"].iter().all(|text| case(text).is_err()));
    }

    #[test]
    fn walls_and_truncations_are_read() {
        assert_eq!(wall("left=soft").unwrap(), ("left".into(), Wall::Soft(c64::new(0.0, 0.0))));
        assert_eq!(wall("3=velocity:-1,2").unwrap(), ("3".into(), Wall::Velocity(c64::new(-1.0, 2.0))));
        assert!(wall("left=velocity").is_err() && wall("left").is_err() && wall("left=rigid:1").is_err());
        let layer = Truncation::Layer { thickness: 0.5, strength: 20.0 };
        assert_eq!(truncation("pml:0.5:20").unwrap(), layer);
        assert!(["pml:0:1", "infinite:9", "bgt3"].iter().all(|text| truncation(text).is_err()));
    }
}
