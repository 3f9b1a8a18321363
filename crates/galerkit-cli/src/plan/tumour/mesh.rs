//! The mesh of `galerkit tumour` and its tissues: layers, or a map.

use crate::args::Tumour;
use anyhow::{Context, Result, bail};
use galerkit::fem::collocation::{Collocation, Layers, Line};
use std::path::Path;

/// Numbers separated by commas, all finite; as many as one of the counts, if there are any.
pub fn numbers(option: &str, text: &str, counts: &[usize]) -> Result<Vec<f64>> {
    let number = |word: &str| word.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    match numbers {
        Some(numbers) if counts.is_empty() || counts.contains(&numbers.len()) => Ok(numbers),
        _ if counts.is_empty() => {
            bail!("{option} {text} is not allowed: finite numbers are expected, separated by commas")
        }
        _ => bail!("{option} {text} is not allowed: {counts:?} finite numbers are expected, separated by commas"),
    }
}

/// A number for each axis.
pub fn point(option: &str, text: &str, dim: usize) -> Result<Vec<f64>> {
    numbers(option, text, &[dim])
}

/// Mesh and tissues.
pub fn space(arguments: &Tumour, diffusion: f64) -> Result<Collocation> {
    let dim = arguments.dimension.unwrap_or(2);
    if !(1..=2).contains(&dim) {
        bail!("--dimension {dim} is not allowed: 1 or 2");
    }
    let ends = match &arguments.ends {
        Some(text) => numbers("--box", text, if dim == 1 { &[2] } else { &[4] })?,
        None => vec![0.0, 8.0, 0.0, 8.0],
    };
    if ends.chunks(2).take(dim).any(|pair| pair[0] >= pair[1]) {
        bail!("--box {ends:?} is not allowed: each axis goes from a number to a larger one");
    }
    let elements = arguments.elements.unwrap_or(80);
    if !(1..=16_384).contains(&elements) {
        bail!("--elements {elements} is not allowed: 1 to 16384 along each side");
    }
    let grade = match &arguments.grade {
        Some(text) => numbers("--grade", text, if dim == 1 { &[1] } else { &[1, 2] })?,
        None => Vec::new(),
    };
    let [along, across] = [0, 1].map(|axis| grade.get(axis).copied().unwrap_or(1.0));
    let (unit, one) = (arguments.diffusion.unwrap_or(diffusion), Layers::equal(&[1.0])?);
    let layers = match (&arguments.layers, &arguments.map) {
        (Some(_), Some(_)) => bail!("--map is instead of --layers: give one of them"),
        (_, Some(_)) => one.clone(),
        (text, None) => layers(text.as_deref().unwrap_or("1:0.2"), unit)?,
    };
    let x = Line::graded([ends[0], ends[1]], elements, &layers, along)?;
    if dim == 1 {
        return if arguments.map.is_none() { Ok(Collocation::interval(x)) } else { bail!("--map needs --dimension 2") };
    }
    let y = Line::graded([ends[2], ends[3]], elements, &one, across)?;
    match &arguments.map {
        Some(path) => Ok(Collocation::with_map(&x, &y, &pixels(path, unit)?)?),
        None => Ok(Collocation::rectangle(x, y)),
    }
}

/// Rows of numbers from the top, as multiples of a unit.
fn pixels(path: &Path, unit: f64) -> Result<Vec<Vec<f64>>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("");
        let words = line.split([' ', ',', '\t']).filter(|word| !word.is_empty());
        let row: Vec<f64> = words
            .map(|word| word.parse::<f64>().map(|d| unit * d))
            .collect::<Result<_, _>>()
            .with_context(|| format!("{}, line {}: D of pixels are numbers: {line}", path.display(), number + 1))?;
        if !row.is_empty() {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// D@x:D@x:D, as multiples of a unit.
fn layers(text: &str, unit: f64) -> Result<Layers> {
    let wrong = || {
        format!("--layers {text} is not allowed: write D:D:D, or D@x:D@x:D with the ends of all layers but the last")
    };
    let parts: Vec<&str> = text.split(':').collect();
    let (mut diffusion, mut ends) = (Vec::new(), Vec::new());
    for (number, part) in parts.iter().enumerate() {
        let (d, end) = part.split_once('@').map_or((*part, None), |(d, end)| (d, Some(end)));
        diffusion.push(unit * d.trim().parse::<f64>().with_context(wrong)?);
        let is_last = number + 1 == parts.len();
        match end {
            Some(end) if !is_last => ends.push(end.trim().parse::<f64>().with_context(wrong)?),
            Some(_) => bail!(wrong()),
            None => {}
        }
    }
    match ends.len() {
        0 => Ok(Layers::equal(&diffusion)?),
        _ if ends.len() + 1 == diffusion.len() => Ok(Layers::between(&diffusion, &ends)?),
        _ => bail!(wrong()),
    }
}
