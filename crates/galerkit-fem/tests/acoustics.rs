//! Helmholtz acoustics: functions, plane waves, stabilised elements, truncations, scattering, invariants.

mod exterior;
mod functions;
mod geometries;
mod interior;
mod invariants;
mod media;
pub(crate) mod operators;
mod price;
mod reflection;

use galerkit_direct::sparse_lu;
use galerkit_fem::acoustics::pressure::WaveErrors;
use galerkit_fem::acoustics::{Condition, Data, Equations, Helmholtz, Pressure, Wave, WaveSpace};
use galerkit_fem::mesh::{Mesh, generate};
use galerkit_fem::simplex::SimplexSpace;
use galerkit_fem::{Forest, Space};
use galerkit_linalg::c64;
use std::sync::Arc;

pub(crate) fn real(k: f64) -> c64 {
    c64::new(k, 0.0)
}

/// The plane wave of the spec: 0.4 in the plane, (1, 2, 2)/3 in space.
pub(crate) fn plane(dim: usize) -> Wave {
    let direction = if dim == 2 { [0.4f64.cos(), 0.4f64.sin(), 0.0] } else { [1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0] };
    Wave::Plane { direction }
}

pub(crate) fn box_mesh(dim: usize, n: usize) -> Mesh {
    match dim {
        2 => generate::rectangle([0.0; 2], [1.0; 2], [n; 2]).unwrap(),
        _ => generate::brick([0.0; 3], [1.0; 3], [n; 3]).unwrap(),
    }
}

pub(crate) fn tensor(mesh: &Mesh, p: usize, soft: &[i32]) -> Arc<Space> {
    let forest = Forest::new(mesh).unwrap();
    let cells = forest.cells().len();
    Arc::new(Space::new(forest, &vec![p; cells], soft).unwrap())
}

pub(crate) fn simplicial(mesh: &Mesh, p: usize) -> Arc<SimplexSpace> {
    Arc::new(SimplexSpace::new(&generate::to_simplices(mesh).unwrap(), p, &[]).unwrap())
}

/// Impedance on the whole boundary, data from a wave.
pub(crate) fn with_impedance<V: WaveSpace>(space: Arc<V>, wave: Wave) -> Helmholtz<V> {
    let (dim, one) = (space.dim(), real(1.0));
    let data = Data::impedance(dim, wave, one);
    let tags = space.boundary_tags();
    tags.into_iter().fold(Helmholtz::new(space), |problem, tag| {
        problem.condition(tag, Condition::Impedance { admittance: one, data: data.clone() })
    })
}

pub(crate) fn solved<V: WaveSpace>(equations: &Equations<V>, k: c64) -> Pressure<V> {
    let (A, b) = (equations.matrix(k).unwrap(), equations.rhs(k).unwrap());
    let x = sparse_lu(&A).unwrap().solve(&b).unwrap();
    equations.pressure(k, &x).unwrap()
}

pub(crate) fn errors<V: WaveSpace>(problem: Helmholtz<V>, k: f64, wave: Wave) -> WaveErrors {
    let (dim, equations) = (problem.space().dim(), problem.assemble().unwrap());
    solved(&equations, real(k)).errors(&|x| wave.at(dim, real(k), x), &|region| region == 1).unwrap()
}

/// Whether two numbers agree in the digits that are printed: within half a unit of the last of so many.
#[track_caller]
pub(crate) fn agrees(found: f64, printed: f64, digits: i32) {
    let unit = 10f64.powi(printed.abs().log10().floor() as i32 - digits + 1);
    assert!((found - printed).abs() <= 0.51 * unit, "{found:e} where {printed:e} is printed");
}
