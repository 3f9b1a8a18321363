//! Solutions as straight pieces for files, and energies on simplices.

use galerkit_fem::form::Diffusion;
use galerkit_fem::mesh::generate;
use galerkit_fem::problem::{Discretisation, Interior};
use galerkit_fem::simplex::SimplexSpace;
use galerkit_fem::{Expression, Forest, Problem, Space, io};
use std::sync::Arc;

fn u() -> Expression {
    "x^2 - 3*x*y + y + 1".parse().unwrap()
}

/// u_h = u on any space of degree 2: -div(2 grad u) = -4.
fn problem<V>(space: V) -> Problem<V> {
    let problem = Problem::new(Arc::new(space)).form(Diffusion::new(2.0)).source(-4.0);
    (1..=4).fold(problem, |problem, side| problem.dirichlet(side, u()))
}

fn solved<V: Discretisation>(problem: &Problem<V>) -> V::Solution {
    let system = V::assemble(problem, Interior::Kept).unwrap();
    assert!(!V::is_mean_free(&system));
    let (A, b) = V::equations(&system);
    let x = galerkit_direct::sparse_cholesky(A).unwrap().solve(b).unwrap();
    V::solution(problem, &system, &x).unwrap()
}

fn check<V: Discretisation>(problem: &Problem<V>, pieces: usize) {
    let solution = solved(problem);
    // int 2 |grad u|^2 = 2 int (2 x - 3 y)^2 + (1 - 3 x)^2 = 2 (4/3 - 3 + 3 + 1)
    assert!((V::energy(problem, &solution).unwrap() - 14.0 / 3.0).abs() < 1e-12);
    let errors = V::errors(problem, &solution, &u()).unwrap();
    assert!(errors.energy < 1e-13 && errors.l2 < 1e-13);
    assert!((V::at(&solution, &[0.3, 0.6, 0.0]).unwrap() - u().at(&[0.3, 0.6, 0.0])).abs() < 1e-14);
    let contents = V::subdivided(&solution);
    assert_eq!(contents.mesh.blocks[0].len(), pieces);
    let values = &contents.point_data[0].values;
    assert!(contents.mesh.points.iter().zip(values).all(|(x, value)| (u().at(x) - value).abs() < 1e-14));
    assert!(contents.cell_data.iter().all(|field| field.values.len() == pieces));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("u.vtu");
    contents.write(&path).unwrap();
    let read = io::read_contents(&path).unwrap();
    assert_eq!((&read.point_data[0].values, read.mesh.points.len()), (values, values.len()));
}

#[test]
fn cells_are_cut_by_degree_and_hold_the_solution() {
    let mut forest = Forest::new(&generate::rectangle([0.0; 2], [1.0; 2], [2, 2]).unwrap()).unwrap();
    forest.refine(&[3]).unwrap();
    let degrees = [2, 3, 2, 2, 4, 2, 2];
    let space = Space::new(forest, &degrees, &[1, 2, 3, 4]).unwrap();
    assert_eq!((Discretisation::degrees(&space), Discretisation::cells(&space)), ((2, 4), 7));
    check(&problem(space), degrees.iter().map(|p| p * p).sum());
}

#[test]
fn triangles_are_cut_by_degree_and_hold_the_solution() {
    let mesh = generate::to_simplices(&generate::rectangle([0.0; 2], [1.0; 2], [2, 2]).unwrap()).unwrap();
    for degree in [2, 3] {
        check(&problem(SimplexSpace::new(&mesh, degree, &[1, 2, 3, 4]).unwrap()), 8 * degree * degree);
    }
}
