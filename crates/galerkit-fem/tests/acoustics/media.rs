//! Density and wave speed at boundaries: data are those of du/dn, truncations have the medium there, layers absorb in
//! their own cells alone.

use super::{box_mesh, errors, plane, real, solved, tensor, with_impedance};
use galerkit_fem::Space;
use galerkit_fem::acoustics::layer::{Begin, Layer};
use galerkit_fem::acoustics::{Condition, Data, Helmholtz, Medium, Wave};
use galerkit_fem::form::Field;
use galerkit_fem::mesh::generate::{Car, LAYER_REGION, Ring, annulus, car};
use galerkit_linalg::c64;
use std::sync::Arc;

const CENTRE: [f64; 3] = [0.0; 3];

fn medium(speed: f64, density: f64) -> Medium {
    Medium { speed: speed.into(), density: density.into(), ..Medium::uniform(2) }
}

fn disc() -> Arc<Space> {
    let rings = [Ring { axes: [1.0; 3], layers: 0, region: 1 }, Ring { axes: [2.0; 3], layers: 3, region: 1 }];
    tensor(&annulus(&rings, 20, 4).unwrap(), 5, &[])
}

/// What a vibrating circle radiates, at a point.
fn radiated(space: &Arc<Space>, outer: &Condition, medium: Medium, k: f64) -> c64 {
    let walls = Condition::Velocity(Data::of(|_, _, _| real(1.0)));
    let problem = Helmholtz::new(space.clone()).medium(medium).condition(1, walls).condition(2, outer.clone());
    solved(&problem.assemble().unwrap(), real(k)).at(&[1.5, 0.3, 0.0]).unwrap()
}

#[test]
fn truncations_have_the_wavenumber_of_the_medium_there() {
    let space = disc();
    for outer in [
        Condition::sommerfeld(),
        Condition::Bgt1 { centre: CENTRE },
        Condition::Bgt2 { radius: 2.0 },
        Condition::Infinite { centre: CENTRE, order: 4 },
    ] {
        let expected = radiated(&space, &outer, medium(1.0, 1.0), 2.0);
        for (speed, density) in [(2.0, 1.0), (1.0, 3.0), (2.0, 3.0)] {
            let found = radiated(&space, &outer, medium(speed, density), 2.0 * speed);
            assert!((found - expected).norm() < 1e-10, "{outer:?}, c {speed}, rho {density}: {found} for {expected}");
        }
    }
}

#[test]
fn a_medium_that_varies_where_the_domain_is_cut_off_is_refused() {
    let space = disc();
    let inside = |x: &[f64; 3]| if x[0].hypot(x[1]) < 1.6 { 2.0 } else { 3.0 };
    let everywhere = |x: &[f64; 3]| 3.0 + x[0];
    let varying = [
        (Medium { speed: Field::of(everywhere), ..Medium::uniform(2) }, "the wave speed"),
        (Medium { density: Field::of(everywhere), ..Medium::uniform(2) }, "the density"),
    ];
    let of = |outer: &Condition, medium: &Medium| {
        Helmholtz::new(space.clone()).medium(medium.clone()).condition(2, outer.clone()).assemble().err()
    };
    for outer in [Condition::Bgt2 { radius: 2.0 }, Condition::Infinite { centre: CENTRE, order: 2 }] {
        for (medium, word) in &varying {
            let error = of(&outer, medium).unwrap().to_string();
            assert!(error.contains(word) && error.contains("the same along the boundary"), "{error}");
        }
        assert!(of(&outer, &Medium { speed: Field::of(inside), ..Medium::uniform(2) }).is_none());
    }
    assert!(of(&Condition::Bgt1 { centre: CENTRE }, &varying[0].0).is_none());
}

#[test]
fn boundary_data_are_those_of_the_normal_derivative_whatever_the_density() {
    let space = tensor(&box_mesh(2, 4), 6, &[]);
    let light = Field::of(|x: &[f64; 3]| 1.0 + 0.5 * (x[0] - 0.4 * x[1]).sin());
    // a plane wave solves every constant density
    for density in [1.0, 2.0, 0.1] {
        let problem = with_impedance(space.clone(), plane(2)).medium(medium(1.0, density));
        assert!(errors(problem, 4.0, plane(2)).l2 < 1e-5, "density {density}");
    }
    // and, along y, every density that depends on x: nothing passes in its direction
    let along = Wave::Plane { direction: [0.0, 1.0, 0.0] };
    let layers = Field::of(|x: &[f64; 3]| 1.0 + 0.5 * x[0]);
    let stratified = Medium { density: layers, ..Medium::uniform(2) };
    assert!(errors(with_impedance(space.clone(), along).medium(stratified), 4.0, along).l2 < 1e-5);
    let other = Medium { density: light, ..Medium::uniform(2) };
    assert!(errors(with_impedance(space, along).medium(other), 4.0, along).l2 > 1e-3);
}

/// The lower corners of the cabin are farther away than the layer begins.
#[test]
fn a_layer_around_a_car_absorbs_nothing_in_its_cabin() {
    let (radius, thickness) = (1.5, 0.5);
    let mesh = car(&Car { radius, layer: Some(thickness), size: 0.2, ..Car::default() }).unwrap();
    let tag = |name: &str| *mesh.names.iter().find(|(_, n)| *n == name).map(|((_, tag), _)| tag).unwrap();
    let begin = Begin::Radial { centre: CENTRE, radius };
    let whole = Layer::new(begin, thickness, 12.0).unwrap();
    let panel = Condition::Velocity(Data::of(|_, _, _| real(1.0)));
    let heard = |medium: Medium, outer: Condition, soft: &[i32], mesh: &galerkit_fem::Mesh| {
        let problem = Helmholtz::new(tensor(mesh, 4, soft)).medium(medium);
        let problem = problem.condition(tag("panel"), panel.clone()).condition(tag("outer"), outer);
        solved(&problem.assemble().unwrap(), real(3.0)).at(&[-0.35, -0.3, 0.0]).unwrap()
    };
    let layered = |layer: Layer| {
        let medium = Medium { layer: Some(layer), ..Medium::uniform(2) };
        heard(medium, Condition::Soft(Data::Zero), &[tag("outer")], &mesh)
    };
    let bare = car(&Car { radius, size: 0.2, ..Car::default() }).unwrap();
    let expected = heard(Medium::uniform(2), Condition::Infinite { centre: CENTRE, order: 6 }, &[], &bare);
    let [own, all] = [layered(whole.within(LAYER_REGION)), layered(whole)];
    assert!((own - expected).norm() < 1e-3 * expected.norm(), "{own} for {expected}");
    assert!((all - expected).norm() > 5e-3 * expected.norm(), "{all} for {expected}");
}
