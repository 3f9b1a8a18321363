//! The compartment of a car with an open roof, in the plane or in space: a cabin with two seats below the plane y = 0,
//! above its opening a half-disc or half-ball of air that stands on that plane, cut off at a radius around the middle
//! of the opening, with a ring for an absorbing layer if wanted. x points to the rear, y up.

use super::grid::{BODY, KeyedPoints};
use super::parameter::{require, require_counts};
use crate::error::Result;
use crate::mesh::lattice::lattice;
use crate::mesh::{Block, Mesh, Shape};

/// Lengths in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Car {
    /// 2 or 3.
    pub dim: usize,
    /// Length of the cabin.
    pub length: f64,
    /// Its height.
    pub height: f64,
    /// Its width, in space.
    pub width: f64,
    /// Length of the opening in its roof.
    pub opening: f64,
    /// Where the air above is cut off.
    pub radius: f64,
    /// Thickness of an absorbing layer around it, if there is one.
    pub layer: Option<f64>,
    /// Whether there are seats.
    pub seats: bool,
    /// The size of a cell, about.
    pub size: f64,
    /// Degree of curved geometry, 1 to 4.
    pub order: usize,
}

/// Tags of the boundary: where the air is cut off, the panel in front, walls, seats.
pub const CAR_BOUNDARY: [&str; 4] = ["outer", "panel", "wall", "seat"];
/// The region of an absorbing layer.
pub const LAYER_REGION: i32 = 2;
/// Height of the box in the middle of the air, relative to the radius.
const CORE: f64 = 0.35;

impl Default for Car {
    fn default() -> Self {
        Self {
            dim: 2,
            length: 2.4,
            height: 1.2,
            width: 1.4,
            opening: 1.2,
            radius: 1.5,
            layer: None,
            seats: true,
            size: 0.1,
            order: 3,
        }
    }
}

/// Counts of cells: of the opening, beyond it to each side, across, down, up in the core, from there outward, in the
/// layer.
struct Counts {
    opening: i32,
    beyond: i32,
    across: i32,
    down: i32,
    up: i32,
    outward: i32,
    layer: i32,
}

impl Car {
    fn check(&self) -> Result<()> {
        let lengths = [self.length, self.height, self.width, self.opening, self.radius, self.size];
        require(lengths.iter().all(|l| *l > 0.0 && l.is_finite()), "car", "its lengths must be positive")?;
        require(self.opening <= self.length, "car", "its opening cannot be longer than its cabin")?;
        let half = [self.opening / 2.0, CORE * self.radius, if self.dim == 3 { self.width / 2.0 } else { 0.0 }];
        let corner = half.iter().map(|x| x * x).sum::<f64>().sqrt();
        require(corner < 0.9 * self.radius, "car", "the radius of the air must be larger than the opening")?;
        require(self.layer.is_none_or(|layer| layer > 0.0 && layer.is_finite()), "car", "its layer must be positive")?;
        require(self.size < self.height / 3.0, "car", "its cells must be smaller than a third of the height")
    }

    fn counts(&self) -> Counts {
        let count = |length: f64| ((length / self.size).round() as i32).max(1);
        let opening = 2 * count(self.opening / 2.0);
        let step = self.opening / f64::from(opening);
        Counts {
            opening,
            beyond: ((self.length - self.opening) / 2.0 / step).round() as i32,
            across: if self.dim == 3 { 2 * count(self.width / 2.0) } else { 0 },
            down: count(self.height),
            up: count(CORE * self.radius),
            outward: count(self.radius * (1.0 - CORE) * 0.9),
            layer: self.layer.map_or(0, count),
        }
    }
}

/// Quadrilaterals or hexahedra; regions: 1 air, 2 the layer. Boundary: [`CAR_BOUNDARY`].
///
/// # Errors
/// If lengths do not fit each other.
pub fn car(car: &Car) -> Result<Mesh> {
    car.check()?;
    let n = car.counts();
    let all = [n.opening + 2 * n.beyond, n.down + n.up + n.outward + n.layer, n.across.max(1)].map(|n| n as usize);
    require_counts(&all, car.order, "car")?;
    let shape = if car.dim == 2 { Shape::Quadrilateral } else { Shape::Hexahedron };
    let block = Block { shape, order: car.order, nodes: Vec::new(), tags: Vec::new() };
    let mut builder = Builder { car, n: &n, points: KeyedPoints::default(), block };
    builder.cabin();
    builder.air();
    let mut mesh = Mesh { points: builder.points.points, blocks: vec![builder.block], ..Mesh::default() };
    mesh.repair()?;
    tag(&mut mesh, car, &n)?;
    Ok(mesh)
}

/// Points are known by their place on a lattice around the middle of the opening, and the layer outward from the core.
struct Builder<'a> {
    car: &'a Car,
    n: &'a Counts,
    points: KeyedPoints,
    block: Block,
}

impl Builder<'_> {
    /// Cells below the roof but for those of seats.
    fn cabin(&mut self) {
        let (n, half) = (self.n, self.n.opening / 2 + self.n.beyond);
        for i in -half..half {
            for j in -n.down..0 {
                for l in self.across() {
                    if !(self.car.seats && is_seat(self.car, n, [i, j])) {
                        self.add(BODY, |p| [i * p.k + p.x, j * p.k + p.y, l * p.k + p.z, 0]);
                    }
                }
            }
        }
    }

    /// The core, and what leads from its sides and its top to the radius.
    fn air(&mut self) {
        let (n, half, side) = (self.n, self.n.opening / 2, self.n.across / 2);
        for l in self.across() {
            for i in -half..half {
                (0..n.up).for_each(|j| self.add(BODY, |p| [i * p.k + p.x, j * p.k + p.y, l * p.k + p.z, 0]));
            }
        }
        for layer in 0..n.outward + n.layer {
            let region = if layer < n.outward { BODY } else { LAYER_REGION };
            for l in self.across() {
                for i in -half..half {
                    self.add(region, |p| [i * p.k + p.x, n.up * p.k, l * p.k + p.z, layer * p.k + p.y]);
                }
                for (j, sign) in (0..n.up).flat_map(|j| [(j, -1), (j, 1)]) {
                    let x = sign * half;
                    self.add(region, |p| [x * p.k, j * p.k + p.y, l * p.k + p.z, layer * p.k + p.x]);
                }
            }
            for (j, sign) in (0..if side > 0 { n.up } else { 0 }).flat_map(|j| [(j, -1), (j, 1)]) {
                let z = sign * side;
                for i in -half..half {
                    self.add(region, |p| [i * p.k + p.x, j * p.k + p.y, z * p.k, layer * p.k + p.z]);
                }
            }
        }
    }

    fn across(&self) -> std::ops::Range<i32> {
        let half = self.n.across / 2;
        if half > 0 { -half..half } else { 0..1 }
    }

    fn add(&mut self, region: i32, key: impl Fn(Step) -> [i32; 4]) {
        let k = self.block.order as i32;
        for p in lattice(self.block.shape, self.block.order) {
            let step = Step { k, x: p[0] as i32, y: p[1] as i32, z: p[2] as i32 };
            let (car, n) = (self.car, self.n);
            self.block.nodes.push(self.points.number(key(step), |key| position(car, n, key)));
        }
        self.block.tags.push(region);
    }
}

/// A node of a cell, counted in steps of 1 / k of a cell.
#[derive(Clone, Copy)]
struct Step {
    k: i32,
    x: i32,
    y: i32,
    z: i32,
}

fn position(car: &Car, n: &Counts, [i, j, l, layer]: [i32; 4]) -> [f64; 3] {
    let k = car.order as f64;
    let step_y = if j < 0 { car.height / f64::from(n.down) } else { CORE * car.radius / f64::from(n.up) };
    let z = if n.across > 0 { f64::from(l) / k * car.width / f64::from(n.across) } else { 0.0 };
    let inner = [f64::from(i) / k * car.opening / f64::from(n.opening), f64::from(j) / k * step_y, z];
    if layer == 0 {
        return inner;
    }
    let length = inner.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (t, beyond) = (f64::from(layer) / k / f64::from(n.outward), f64::from(layer) / k - f64::from(n.outward));
    let depth = if beyond > 0.0 { beyond / f64::from(n.layer.max(1)) * car.layer.unwrap_or(0.0) } else { 0.0 };
    inner.map(|x| {
        let outer = x / length * (car.radius + depth);
        if t >= 1.0 { outer } else { (1.0 - t) * x + t * outer }
    })
}

/// Two seats: a cushion, and a back to the rear of it.
fn is_seat(car: &Car, n: &Counts, [i, j]: [i32; 2]) -> bool {
    let x = (f64::from(i) + 0.5) * car.opening / f64::from(n.opening) / car.length; // -1/2 to 1/2
    let y = (f64::from(j) + 0.5) / f64::from(n.down) + 1.0; // 0 at the floor, 1 at the roof
    let seat = |from: f64| {
        let along = x - from;
        let cushion = (0.0..0.22).contains(&along) && (0.12..0.34).contains(&y);
        let back = (0.16..0.22).contains(&along) && (0.12..0.72).contains(&y);
        cushion || back
    };
    seat(-0.26) || seat(0.12)
}

fn tag(mesh: &mut Mesh, car: &Car, n: &Counts) -> Result<()> {
    let outer = car.radius + car.layer.unwrap_or(0.0);
    let half = (f64::from(n.opening) / 2.0 + f64::from(n.beyond)) * car.opening / f64::from(n.opening);
    mesh.tag_boundary(|mesh, facet| {
        let nodes = mesh.facet_nodes(facet);
        let all = |holds: &dyn Fn([f64; 3]) -> bool| nodes.iter().all(|&node| holds(mesh.points[node as usize]));
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9 * outer;
        if all(&|x| near(x.iter().map(|x| x * x).sum::<f64>().sqrt(), outer)) {
            1
        } else if all(&|x| near(x[0], -half)) {
            2
        } else if all(&|x| near(x[0], half) || near(x[1], -car.height) || near(x[1], 0.0))
            || (car.dim == 3 && all(&|x| near(x[2].abs(), car.width / 2.0)))
        {
            3
        } else {
            4
        }
    })?;
    super::grid::name_boundary(mesh, &CAR_BOUNDARY);
    Ok(())
}
