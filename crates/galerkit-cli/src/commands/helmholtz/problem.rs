//! Conditions on pieces of the boundary, and the problem that they make on a space.

use crate::plan::helmholtz::geometry::Geometry;
use crate::plan::helmholtz::words::{Drive, Stabilised, Truncation, Wall};
use crate::plan::helmholtz::{HelmholtzPlan, Source};
use anyhow::{Result, bail};
use galerkit::fem::Mesh;
use galerkit::fem::acoustics::layer::Begin;
use galerkit::fem::acoustics::series::Obstacle;
use galerkit::fem::acoustics::{
    Condition, Data, Excitation, Gls, Helmholtz, Layer, Medium, PointSource, Wave, WaveSpace,
};
use galerkit::fem::form::Field;
use galerkit::fem::mesh::generate::LAYER_REGION;
use galerkit::linalg::c64;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Density of air in kg/m^3, and the speed of the car's panel in m/s, into the cabin.
const DENSITY: f64 = 1.204;
const PANEL_SPEED: f64 = 1e-3;
/// What seats absorb.
const SEAT_ADMITTANCE: f64 = 0.2;

/// What holds on a piece.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Wall(Wall),
    /// Where the domain is cut off.
    Open,
    /// The panel of a car.
    Panel,
    /// What scatters.
    Obstacle(Obstacle),
    /// du/dn - iku of the exact solution.
    ExactImpedance,
    /// du/dn of it.
    ExactVelocity,
}

/// The pieces of the boundary and what holds there.
pub struct Pieces {
    kinds: BTreeMap<i32, Kind>,
    dim: usize,
    middle: [f64; 3],
}

impl Pieces {
    /// Of a mesh: walls as they are named, what else the geometry has by itself.
    pub fn new(plan: &HelmholtzPlan, mesh: &Mesh) -> Result<Self> {
        let mut tags: Vec<i32> = mesh.boundary()?.facets.iter().map(|facet| facet.tag).collect();
        tags.sort_unstable();
        tags.dedup();
        let of_boundary = mesh.names.iter().filter(|((dim, _), _)| dim + 1 == mesh.dim());
        let names: BTreeMap<i32, String> = of_boundary.map(|((_, tag), name)| (*tag, name.clone())).collect();
        let named = |tag: i32| names.get(&tag).map_or("", String::as_str);
        let mut kinds: BTreeMap<i32, Kind> = tags.iter().map(|&tag| (tag, usual(plan, named(tag)))).collect();
        for (name, wall) in &plan.walls {
            let found = names.iter().find(|(_, known)| *known == name).map(|(tag, _)| *tag);
            let Some(kind) = found.or_else(|| name.parse().ok()).and_then(|tag| kinds.get_mut(&tag)) else {
                let known =
                    tags.iter().map(|tag| names.get(tag).map_or(tag.to_string(), |name| format!("{name} ({tag})")));
                bail!("the boundary has no piece '{name}': there are {}", known.collect::<Vec<_>>().join(", "));
            };
            *kind = Kind::Wall(*wall);
        }
        require_outgoing(plan, kinds.values().any(|kind| *kind == Kind::Open))?;
        Ok(Self { kinds, dim: mesh.dim(), middle: middle(mesh) })
    }

    /// The pieces on which u is given.
    pub fn soft(&self, plan: &HelmholtzPlan) -> Vec<i32> {
        let is_soft = |kind: &Kind| match kind {
            Kind::Wall(Wall::Soft(_) | Wall::Exact) | Kind::Obstacle(Obstacle::Soft) => true,
            Kind::Open => matches!(plan.truncation, Truncation::Layer { .. }),
            _ => false,
        };
        self.kinds.iter().filter(|(_, kind)| is_soft(kind)).map(|(tag, _)| *tag).collect()
    }

    fn condition(&self, plan: &HelmholtzPlan, kind: Kind) -> Result<Condition> {
        let (dim, one) = (self.dim, c64::new(1.0, 0.0));
        let constant = |value: c64| if value.norm() == 0.0 { Data::Zero } else { Data::of(move |_, _, _| value) };
        let exact = || plan.exact.expect("checked in the plan");
        let in_medium = |data: Data| data.slowed(plan.slowness().unwrap_or(1.0));
        let impedance = |admittance| in_medium(Data::impedance(dim, exact(), admittance));
        Ok(match kind {
            Kind::Wall(Wall::Rigid) => Condition::rigid(),
            Kind::Wall(Wall::Soft(value)) => Condition::Soft(constant(value)),
            Kind::Wall(Wall::Velocity(value)) => Condition::Velocity(constant(value)),
            Kind::Wall(Wall::Impedance(admittance)) => Condition::Impedance {
                admittance,
                data: if plan.exact.is_some() { impedance(admittance) } else { Data::Zero },
            },
            Kind::Wall(Wall::Exact) => Condition::Soft(in_medium(Data::pressure(dim, exact(), 1.0))),
            Kind::ExactImpedance => Condition::Impedance { admittance: one, data: impedance(one) },
            Kind::ExactVelocity => Condition::Velocity(in_medium(Data::velocity(dim, exact(), 1.0))),
            Kind::Panel => {
                // rho dv/dt = -grad p: dp/dn = i omega rho v.n, and the panel moves against the outer normal
                let factor = c64::new(0.0, -plan.sound_speed * DENSITY * PANEL_SPEED);
                let density = plan.density.clone();
                let relative = move |x: &[f64; 3]| density.as_ref().map_or(1.0, |rho| rho.at(x));
                Condition::Velocity(Data::of(move |k, x, _| factor * k * relative(x)))
            }
            Kind::Obstacle(Obstacle::Soft) => Condition::Soft(self.met(plan, Obstacle::Soft, usual_direction(dim))),
            Kind::Obstacle(Obstacle::Hard) => Condition::Velocity(self.met(plan, Obstacle::Hard, usual_direction(dim))),
            Kind::Open => self.open(plan)?,
        })
    }

    /// The data on an obstacle that a plane wave meets: those of the scattered one.
    fn met(&self, plan: &HelmholtzPlan, obstacle: Obstacle, direction: [f64; 3]) -> Data {
        let incident = Wave::Plane { direction };
        let data = match obstacle {
            Obstacle::Soft => Data::pressure(self.dim, incident, -1.0),
            Obstacle::Hard => Data::velocity(self.dim, incident, -1.0),
        };
        data.slowed(plan.slowness().unwrap_or(1.0))
    }

    /// What drives each right-hand side.
    pub fn excitations<V: WaveSpace>(&self, plan: &HelmholtzPlan, problem: &Helmholtz<V>) -> Vec<Excitation> {
        if plan.cases.is_empty() {
            return vec![problem.excitation()];
        }
        let of = |drive: &Drive| match *drive {
            Drive::Walls => problem.excitation(),
            Drive::Source(place, amplitude) => Excitation::default().source(PointSource { place, amplitude }),
            Drive::Incident(direction) => {
                self.kinds.iter().fold(Excitation::default(), |all, (&tag, kind)| match kind {
                    Kind::Obstacle(obstacle) => all.data(tag, self.met(plan, *obstacle, direction)),
                    _ => all,
                })
            }
        };
        plan.cases.iter().map(|case| of(&case.drive)).collect()
    }

    fn open(&self, plan: &HelmholtzPlan) -> Result<Condition> {
        let (radius, centre) = match &plan.source {
            Source::Geometry(geometry @ (Geometry::Annulus(_) | Geometry::Shell(_) | Geometry::Car(_)), _) => {
                (geometry.radius(), [0.0; 3])
            }
            _ => (None, self.middle),
        };
        Ok(match plan.truncation {
            Truncation::Impedance => Condition::sommerfeld(),
            Truncation::Bgt1 => Condition::Bgt1 { centre },
            Truncation::Bgt2 => match radius {
                Some(radius) => Condition::Bgt2 { radius },
                None => {
                    bail!("--boundary bgt2 needs a circle or sphere: use bgt1, or --geometry annulus, shell or car")
                }
            },
            Truncation::Infinite { order } => Condition::Infinite { centre, order },
            Truncation::Layer { .. } => Condition::Soft(Data::Zero),
        })
    }
}

/// An error if the domain is cut off where the exact solution comes in from outside.
fn require_outgoing(plan: &HelmholtzPlan, is_open: bool) -> Result<()> {
    let comes_in = match plan.exact {
        None | Some(Wave::Multipole { .. } | Wave::Duct { .. }) => false,
        Some(Wave::Plane { .. }) => true,
        Some(Wave::Source { place }) => place.iter().map(|x| x * x).sum::<f64>() >= 1.0, // beyond the inner boundary
    };
    if is_open && comes_in {
        bail!(
            "the exact solution comes in through the outer boundary, which lets waves out alone: take --exact multipole:M \
             or point:x,y[,z] inside of the radius 1, or give it there by --wall outer=exact"
        );
    }
    if plan.exact.is_some() && !is_open && matches!(plan.truncation, Truncation::Layer { .. }) {
        bail!("--wall gives the exact solution behind the layer, which damps it: leave --boundary pml out, or --wall");
    }
    Ok(())
}

/// Where a plane wave goes unless it is said.
pub fn usual_direction(dim: usize) -> [f64; 3] {
    if dim == 2 { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] }
}

/// What holds on a piece that no wall names.
fn usual(plan: &HelmholtzPlan, name: &str) -> Kind {
    let geometry = match &plan.source {
        Source::Geometry(geometry, _) => Some(geometry),
        Source::File(_) => None,
    };
    let is_layered = matches!(plan.truncation, Truncation::Layer { .. });
    match (geometry, name) {
        (Some(Geometry::Annulus(_) | Geometry::Shell(_)), "inner") => match (plan.scatter, plan.exact) {
            (Some(obstacle), _) => Kind::Obstacle(obstacle),
            (None, Some(_)) => Kind::Wall(Wall::Exact),
            (None, None) => Kind::Wall(Wall::Velocity(c64::new(1.0, 0.0))),
        },
        (Some(Geometry::Car(_)), "panel") => Kind::Panel,
        (Some(Geometry::Car(_)), "seat") => Kind::Wall(Wall::Impedance(c64::new(SEAT_ADMITTANCE, 0.0))),
        (Some(Geometry::Annulus(_) | Geometry::Shell(_) | Geometry::Car(_)), "outer") => Kind::Open,
        (Some(Geometry::Car(_)), _) => Kind::Wall(Wall::Rigid),
        (Some(Geometry::Strip), "bottom" | "top") => Kind::Wall(Wall::Rigid),
        (Some(Geometry::Strip), "left") if plan.exact.is_some() => Kind::Wall(Wall::Exact),
        (Some(Geometry::Duct), _) if matches!(plan.exact, Some(Wave::Duct { .. })) => match name {
            "left" => Kind::ExactVelocity,
            "bottom" | "top" => Kind::Wall(Wall::Rigid),
            _ => Kind::Open,
        },
        _ if plan.exact.is_some() && !is_layered => Kind::ExactImpedance,
        (Some(Geometry::Duct | Geometry::Strip), "left") => Kind::Wall(Wall::Velocity(c64::new(-1.0, 0.0))),
        (Some(Geometry::Duct), "bottom" | "top") => Kind::Wall(Wall::Rigid),
        _ => Kind::Open,
    }
}

fn middle(mesh: &Mesh) -> [f64; 3] {
    let end = |d: usize, pick: fn(f64, f64) -> f64| mesh.points.iter().map(|x| x[d]).reduce(pick).unwrap_or(0.0);
    [0, 1, 2].map(|d| 0.5 * (end(d, f64::min) + end(d, f64::max)))
}

/// The problem of a plan.
pub fn problem<V: WaveSpace>(
    plan: &HelmholtzPlan,
    space: Arc<V>,
    pieces: &Pieces,
    (begin, size): (Option<Begin>, f64),
) -> Result<Helmholtz<V>> {
    let dim = space.dim();
    if let Some(place) = plan.exact.and_then(|wave| wave.singularity()).filter(|place| space.locate(place).is_some()) {
        bail!(
            "the exact solution is singular at {place:?}, which lies in the domain or on its boundary: move it outside"
        );
    }
    let layer = match (begin, plan.truncation) {
        (Some(begin), Truncation::Layer { thickness, strength }) => {
            Some(Layer::new(begin, thickness, strength)?.within(LAYER_REGION))
        }
        (None, Truncation::Layer { .. }) => {
            bail!("--boundary pml needs a geometry: a mesh file has no cells for the layer; use bgt1 or infinite:M")
        }
        _ => None,
    };
    let field = |expression: &Option<galerkit::fem::Expression>| match expression {
        Some(expression) => Field::from(expression.clone()),
        None => 1.0.into(),
    };
    let medium = Medium { dim, speed: field(&plan.speed), density: field(&plan.density), layer };
    let mut problem = Helmholtz::new(space).medium(medium);
    for (&tag, &kind) in &pieces.kinds {
        problem = problem.condition(tag, pieces.condition(plan, kind)?);
    }
    for &(place, amplitude) in &plan.sources {
        problem = problem.source(PointSource { place, amplitude });
    }
    if let Some(f) = &plan.volume {
        problem = problem.density(f.clone());
    }
    if let Some(Stabilised { angle, on_walls }) = plan.gls {
        let h = size * plan.slowness().unwrap_or(1.0); // it asks for kh alone
        problem = problem.gls(Gls { h, angle, on_walls });
    }
    Ok(problem)
}
