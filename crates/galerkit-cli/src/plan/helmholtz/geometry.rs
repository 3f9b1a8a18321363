//! Geometries by name, and their meshes: so many cells for each unit of length, and cells of a layer around them.

use super::words::{DUCT, Truncation, numbers};
use crate::args::Helmholtz;
use anyhow::{Result, bail};
use galerkit::fem::Mesh;
use galerkit::fem::acoustics::layer::Begin;
use galerkit::fem::mesh::generate::{self, Car, LAYER_REGION, Ring};
use std::f64::consts::{FRAC_PI_2, TAU};

const BODY: i32 = 1;
/// A layer there alone.
const RIGHT: [bool; 6] = [false, true, false, false, false, false];
/// Degree of curved geometry.
const CURVED: usize = 4;

/// A geometry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Geometry {
    Square,
    Cube,
    Duct,
    /// One cell high.
    Strip,
    /// Between the radius 1 and these half axes.
    Annulus([f64; 3]),
    Shell([f64; 3]),
    Car(Car),
}

impl Geometry {
    /// By name, with its parameters.
    pub fn new(arguments: &Helmholtz) -> Result<Self> {
        let name = arguments.geometry.as_deref().unwrap_or("car");
        let geometry = match name {
            "square" => Self::Square,
            "cube" => Self::Cube,
            "duct" => Self::Duct,
            "strip" => Self::Strip,
            "annulus" => Self::Annulus(axes(arguments, 2)?),
            "shell" => Self::Shell(axes(arguments, 3)?),
            "car" => Self::Car(car(arguments)?),
            _ => bail!(
                "there is no geometry '{name}': it is square, cube, duct, strip, annulus, shell or car, or a file with --mesh"
            ),
        };
        let is_car = matches!(geometry, Self::Car(_));
        if !is_car && (arguments.car.is_some() || arguments.dimension.is_some()) {
            bail!("--car and --dimension are for --geometry car: leave them out");
        }
        if arguments.outer.is_some() && matches!(geometry, Self::Square | Self::Cube | Self::Duct | Self::Strip) {
            bail!("--outer is for annulus, shell and car: leave it out");
        }
        Ok(geometry)
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Square => "square",
            Self::Cube => "cube",
            Self::Duct => "duct",
            Self::Strip => "strip",
            Self::Annulus(_) => "annulus",
            Self::Shell(_) => "shell",
            Self::Car(Car { dim: 2, .. }) => "car",
            Self::Car(_) => "car in 3D",
        }
    }

    /// Cells for each unit of length unless they are given.
    pub fn usual_cells(&self) -> usize {
        match self {
            Self::Square | Self::Duct | Self::Strip => 16,
            Self::Car(Car { dim: 2, .. }) => 12,
            Self::Car(_) => 6,
            Self::Cube => 8,
            Self::Annulus(_) | Self::Shell(_) => 4,
        }
    }

    /// The radius of its outer boundary, if that is a circle or sphere.
    pub fn radius(&self) -> Option<f64> {
        match self {
            Self::Annulus([a, b, _]) if a == b => Some(*a),
            Self::Shell([a, b, c]) if a == b && b == c => Some(*a),
            Self::Car(car) => Some(car.radius),
            _ => None,
        }
    }

    /// Cells, and where a layer begins.
    pub fn mesh(&self, n: usize, truncation: Truncation) -> Result<(Mesh, Option<Begin>)> {
        let h = 1.0 / n as f64;
        let layer = match truncation {
            Truncation::Layer { thickness, .. } if thickness < 0.999 * h => {
                bail!(
                    "the layer is thinner than a cell ({thickness} < {h:.3}): take more --cells, or a thicker pml:L:SIGMA"
                )
            }
            Truncation::Layer { thickness, .. } => Some(thickness),
            _ => None,
        };
        let layers = layer.map_or(0, |thickness| (thickness * n as f64).round().max(1.0) as usize);
        match *self {
            Self::Square => grid([0.0; 3], [1.0, 1.0, 0.0], n, (layers, [true; 6])),
            Self::Cube => grid([0.0; 3], [1.0; 3], n, (layers, [true; 6])),
            Self::Duct => grid([0.0; 3], [DUCT, 1.0, 0.0], n, (layers, RIGHT)),
            Self::Strip => grid([0.0; 3], [1.0, h, 0.0], n, (layers, RIGHT)),
            Self::Annulus(outer) => {
                let around = ((TAU * between(outer) * n as f64).round() as usize).max(8);
                Ok((generate::annulus(&rings(outer, n, layer.zip(Some(layers))), around, CURVED)?, self.begin(layer)?))
            }
            Self::Shell(outer) => {
                let across = ((FRAC_PI_2 * between(outer) * n as f64).round() as usize).max(1);
                Ok((generate::shell(&rings(outer, n, layer.zip(Some(layers))), across, CURVED)?, self.begin(layer)?))
            }
            Self::Car(car) => Ok((generate::car(&Car { layer, size: h, ..car })?, self.begin(layer)?)),
        }
    }

    fn begin(&self, layer: Option<f64>) -> Result<Option<Begin>> {
        match (layer, self.radius()) {
            (None, _) => Ok(None),
            (Some(_), Some(radius)) => Ok(Some(Begin::Radial { centre: [0.0; 3], radius })),
            (Some(_), None) => bail!("--boundary pml needs a circle or sphere: give one --outer radius"),
        }
    }
}

/// The radius half way to an outer boundary, on which cells are as long as they are thick.
fn between(outer: [f64; 3]) -> f64 {
    0.5 * (1.0 + outer.into_iter().fold(1.0, f64::max))
}

/// The rings between radius 1 and an outer boundary, with a layer around it.
fn rings(outer: [f64; 3], n: usize, layer: Option<(f64, usize)>) -> Vec<Ring> {
    let thinnest = outer.iter().filter(|a| **a > 0.0).fold(f64::INFINITY, |least, a| least.min(*a)) - 1.0;
    let layers = ((thinnest * n as f64).round() as usize).max(1);
    let mut rings = vec![Ring { axes: [1.0; 3], layers: 0, region: BODY }, Ring { axes: outer, layers, region: BODY }];
    if let Some((thickness, layers)) = layer {
        rings.push(Ring { axes: outer.map(|a| a + thickness), layers, region: LAYER_REGION });
    }
    rings
}

/// A box, with layers on some of its sides.
fn grid(low: [f64; 3], high: [f64; 3], n: usize, (layers, sides): (usize, [bool; 6])) -> Result<(Mesh, Option<Begin>)> {
    let dim = if high[2] > low[2] { 3 } else { 2 };
    let thickness = layers as f64 / n as f64;
    let out = |side: usize| if sides[side] { thickness } else { 0.0 };
    let (from, to) = ([0, 1, 2].map(|d| low[d] - out(2 * d)), [0, 1, 2].map(|d| high[d] + out(2 * d + 1)));
    let cells = [0, 1, 2].map(|d| ((to[d] - from[d]) * n as f64).round() as usize);
    let mut mesh = match dim {
        2 => generate::rectangle([from[0], from[1]], [to[0], to[1]], [cells[0], cells[1]])?,
        _ => generate::brick(from, to, cells)?,
    };
    if layers == 0 {
        return Ok((mesh, None));
    }
    let Mesh { points, blocks, .. } = &mut mesh;
    for block in blocks.iter_mut().filter(|block| block.shape.dim() == dim) {
        let corners = block.shape.corners();
        for (nodes, tag) in block.nodes.chunks_exact(corners).zip(&mut block.tags) {
            let middle = |d: usize| nodes.iter().map(|&node| points[node as usize][d]).sum::<f64>() / corners as f64;
            let is_inside = (0..dim).all(|d| (low[d]..high[d]).contains(&middle(d)));
            *tag = if is_inside { BODY } else { LAYER_REGION };
        }
    }
    let end = |side: usize, at: f64, far: f64| if sides[side] { at } else { far };
    let begin = Begin::Box {
        low: [0, 1, 2].map(|d| end(2 * d, low[d], f64::NEG_INFINITY)),
        high: [0, 1, 2].map(|d| end(2 * d + 1, high[d], f64::INFINITY)),
    };
    Ok((mesh, Some(begin)))
}

/// --outer as half axes.
fn axes(arguments: &Helmholtz, dim: usize) -> Result<[f64; 3]> {
    let Some(text) = &arguments.outer else { return Ok([2.0; 3]) };
    let axes = match numbers(text).as_deref() {
        Some([r]) => [*r; 3],
        Some([a, b]) if dim == 2 => [*a, *b, *a],
        Some([a, b, c]) if dim == 3 => [*a, *b, *c],
        _ => bail!("--outer {text}: write a radius, or the half axes a,b of an ellipse or a,b,c of an ellipsoid"),
    };
    if axes.iter().any(|a| *a <= 1.0) {
        bail!("--outer {text} must be larger than 1, the radius inside");
    }
    Ok(axes)
}

fn car(arguments: &Helmholtz) -> Result<Car> {
    let dim = match arguments.dimension {
        None | Some(2) => 2,
        Some(3) => 3,
        Some(other) => bail!("--dimension {other} is not allowed: a car has 2 or 3"),
    };
    let mut car = Car { dim, ..Car::default() };
    match arguments.car.as_deref().map(|text| (text, numbers(text))) {
        None => {}
        Some((_, Some(list))) if (3..=4).contains(&list.len()) => {
            (car.length, car.height, car.opening) = (list[0], list[1], list[2]);
            car.width = list.get(3).copied().unwrap_or(car.width);
        }
        Some((text, _)) => bail!("--car {text}: write length,height,opening[,width] in m"),
    }
    if let Some(text) = &arguments.outer {
        let Some([radius]) = numbers(text).as_deref().map(|list| [list[0]]).filter(|[r]| *r > 0.0) else {
            bail!("--outer {text}: the air above a car has a radius above 0")
        };
        car.radius = radius;
    }
    Ok(car)
}
