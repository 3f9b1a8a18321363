//! What is refused, and what is said.

use super::boxes;
use galerkit_fem::elasticity::Solid;
use galerkit_fem::form::{Elasticity, Field};
use galerkit_fem::mesh::generate::{girder, rectangle};
use galerkit_fem::mesh::{Block, Mesh};
use galerkit_fem::{Error, Result};

fn said<T>(result: Result<T>) -> String {
    result.err().expect("it is refused").to_string()
}

fn cube() -> Mesh {
    boxes([1.0; 3], [1; 3])[0].clone()
}

#[test]
fn materials_that_are_none() {
    for E in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let text = said(Solid::new(cube(), Elasticity::new(E, 0.3)).unwrap().clamp(1).assemble());
        assert!(text.contains("Young's modulus") && text.contains("positive and finite"), "{text}");
    }
    for nu in [0.5, 0.7, -1.0, f64::NAN] {
        let text = said(Solid::new(cube(), Elasticity::new(1.0, nu)).unwrap().clamp(1).assemble());
        assert!(text.contains("Poisson's ratio") && text.contains("below 0.5"), "{text}");
    }
    let somewhere = Elasticity::new(Field::of(|x| x[0] - 0.5), 0.3);
    assert!(matches!(
        Solid::new(cube(), somewhere).unwrap().clamp(1).assemble(),
        Err(Error::InvalidCoefficient { value, .. }) if value < 0.0
    ));
}

#[test]
fn bodies_that_nothing_holds() {
    let solid = Solid::new(cube(), Elasticity::new(1.0, 0.3)).unwrap();
    assert!(matches!(solid.assemble(), Err(Error::NotHeld { cells: 1, all: 1, .. })));
    // two cubes that share no point, of which one is clamped
    let (mut two, other) = (cube(), cube());
    let first = two.points.len() as u32;
    two.points.extend(other.points.iter().map(|x| [x[0] + 5.0, x[1], x[2]]));
    let moved = |block: &Block| Block {
        nodes: block.nodes.iter().map(|node| node + first).collect(),
        tags: block.tags.iter().map(|tag| tag + 10).collect(),
        ..block.clone()
    };
    two.blocks.extend(other.blocks.iter().map(moved));
    let solid = Solid::new(two, Elasticity::new(1.0, 0.3)).unwrap();
    let text = said(solid.clone().clamp(1).assemble());
    assert!(text.contains("1 of 2 cells are held nowhere") && text.contains("clamp"), "{text}");
    assert!(solid.clamp(1).clamp(11).assemble().is_ok());
}

#[test]
fn tags_meshes_and_loads() {
    let solid = Solid::new(cube(), Elasticity::new(1.0, 0.3)).unwrap();
    assert!(matches!(solid.clone().clamp(9).assemble(), Err(Error::NoSuchTag { tag: 9, .. })));
    assert!(matches!(solid.clone().clamp(1).pressure(8, 1.0).assemble(), Err(Error::NoSuchTag { tag: 8, .. })));
    let text = said(solid.clone().clamp(1).traction(2, |_| [f64::NAN, 0.0, 0.0]).assemble());
    assert!(text.contains("the traction") && text.contains("finite"), "{text}");
    assert!(said(solid.clone().clamp(1).force(|_| [0.0, f64::INFINITY, 0.0]).assemble()).contains("the force"));
    assert!(said(solid.clone().displace(1, |_| [f64::NAN; 3]).assemble()).contains("a displacement"));
    let plane = rectangle([0.0; 2], [1.0; 2], [1, 1]).unwrap();
    assert!(said(Solid::new(plane, Elasticity::new(1.0, 0.3))).contains("hexahedra or tetrahedra"));
    let mut folded = cube();
    folded.points.iter_mut().for_each(|x| x[0] = -x[0]);
    assert!(said(Solid::new(folded, Elasticity::new(1.0, 0.3)).unwrap().clamp(1).assemble()).contains("folded"));
    let equations = solid.clone().clamp(1).assemble().unwrap();
    assert!(equations.displacement(&solid, &[0.0; 2]).is_err(), "four nodes can move");
    assert!(said(girder(1.0, -1.0, 1, 1, 1)).contains("positive") && girder(1.0, 1.0, 0, 1, 1).is_err());
}

#[test]
fn points_of_no_cell_are_no_unknowns() {
    let mut mesh = cube();
    mesh.points.push([9.0; 3]);
    let solid = Solid::new(mesh, Elasticity::new(1.0, 0.3)).unwrap().clamp(1);
    let equations = solid.assemble().unwrap();
    assert_eq!(equations.A.rows(), 12);
    let u = equations.displacement(&solid, &[0.0; 12]).unwrap();
    assert_eq!(u.values().len(), 9);
    assert_ne!(u.nearest(&[9.0; 3]), 8, "it is no node");
    assert_eq!(u.stresses().unwrap()[8], [[0.0; 3]; 3]);
}
