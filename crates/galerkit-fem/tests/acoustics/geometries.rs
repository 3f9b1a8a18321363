//! Meshes of exteriors and of the car: volumes, pieces of the boundary, what they refuse.

use galerkit_fem::Forest;
use galerkit_fem::mesh::Mesh;
use galerkit_fem::mesh::generate::{CAR_BOUNDARY, Car, LAYER_REGION, Ring, annulus, car, shell};
use std::f64::consts::PI;

fn volume(mesh: &Mesh) -> f64 {
    mesh.volumes(mesh.dim()).unwrap().iter().sum()
}

fn ring(axes: [f64; 3], layers: usize, region: i32) -> Ring {
    Ring { axes, layers, region }
}

#[test]
fn rings_have_their_volumes_regions_and_boundaries() {
    let mesh =
        annulus(&[ring([1.0; 3], 0, 1), ring([2.0, 1.5, 0.0], 2, 1), ring([2.5, 2.0, 0.0], 1, 2)], 16, 4).unwrap();
    assert!((volume(&mesh) / (PI * (5.0 - 1.0)) - 1.0).abs() < 1e-6, "{}", volume(&mesh));
    assert_eq!(mesh.tags(2), [(1, 32), (2, 16)].into());
    assert_eq!(mesh.tags(1), [(1, 16), (2, 16)].into());
    let mesh = shell(&[ring([1.0; 3], 0, 1), ring([1.5, 2.0, 3.0], 1, 1), ring([2.0, 2.5, 3.5], 2, 2)], 2, 4).unwrap();
    assert!((volume(&mesh) / (4.0 / 3.0 * PI * (17.5 - 1.0)) - 1.0).abs() < 1e-4, "{}", volume(&mesh));
    assert_eq!(mesh.tags(3), [(1, 24), (2, 48)].into());
    assert_eq!(mesh.tags(2), [(1, 24), (2, 24)].into());
    Forest::new(&mesh).unwrap();
    assert!(annulus(&[ring([1.0; 3], 0, 1), ring([0.9; 3], 1, 1)], 16, 2).is_err());
    assert!(shell(&[ring([1.0; 3], 0, 1)], 1, 2).is_err());
}

#[test]
fn the_car_has_a_cabin_an_opening_and_air_above() {
    let given = Car { seats: false, ..Car::default() };
    let mesh = car(&given).unwrap();
    let (cabin, air) = (2.4 * 1.2, PI * given.radius.powi(2) / 2.0);
    assert!((volume(&mesh) / (cabin + air) - 1.0).abs() < 1e-6, "{}", volume(&mesh));
    let seated = car(&Car { layer: Some(0.3), ..Car::default() }).unwrap();
    let names: Vec<&str> =
        seated.names.iter().filter(|((dim, _), _)| *dim == 1).map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, CAR_BOUNDARY);
    assert!(volume(&seated) < cabin + PI * 1.8f64.powi(2) / 2.0 - 0.1 && seated.tags(2).contains_key(&LAYER_REGION));
    assert_eq!(seated.check().unwrap().components.len(), 1);
    let solid = car(&Car { dim: 3, size: 0.25, order: 2, seats: false, ..Car::default() }).unwrap();
    let air = 2.0 / 3.0 * PI * given.radius.powi(3);
    assert!((volume(&solid) / (cabin * 1.4 + air) - 1.0).abs() < 0.02, "{}", volume(&solid));
    Forest::new(&solid).unwrap();
    for wrong in [
        Car { opening: 3.0, ..Car::default() },
        Car { radius: 0.5, ..Car::default() },
        Car { size: 0.5, ..Car::default() },
        Car { height: -1.0, ..Car::default() },
    ] {
        assert!(car(&wrong).unwrap_err().to_string().contains("car"));
    }
}
