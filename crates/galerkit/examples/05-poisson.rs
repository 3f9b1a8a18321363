//! Lesson 5: a boundary value problem. -div(kappa grad u) = f on the unit square, with f a closure, u given on the left
//! side and a flux through the right one; then u_h is a function that can be evaluated anywhere.

use galerkit::fem::form::{Diffusion, Field, Neumann};
use galerkit::fem::mesh::generate;
use galerkit::fem::norm::errors;
use galerkit::fem::{Forest, Problem, Space};
use galerkit::prelude::*;
use std::f64::consts::PI;

fn main() -> galerkit::Result<()> {
    // 4 x 4 squares; sides are 1 left, 2 right, 3 bottom, 4 top.
    let forest = Forest::new(&generate::rectangle([0.0; 2], [1.0; 2], [4, 4])?)?;
    let space = Space::new(forest, &[5; 16], &[1])?; // degree 5; u is fixed on the left side

    // u = sin(pi x) cos(pi y) and kappa = 1 + x give f; the flux through top and bottom is 0.
    let u = |x: &[f64; 3]| (PI * x[0]).sin() * (PI * x[1]).cos();
    let gradient = |x: &[f64; 3]| {
        let slope = PI * (PI * x[0]).cos() * (PI * x[1]).cos();
        [slope, -PI * (PI * x[0]).sin() * (PI * x[1]).sin(), 0.0]
    };
    let f = move |x: &[f64; 3]| (1.0 + x[0]) * 2.0 * PI * PI * u(x) - gradient(x)[0];
    let problem = Problem::new(space.into())
        .form(Diffusion::new(Field::of(|x| 1.0 + x[0])))
        .source(Field::of(f))
        .neumann(Neumann::new(2, Field::of(|x| -2.0 * PI * (PI * x[1]).cos())));

    let solved = Solver::new().rtol(1e-12).solve_discrete(&problem)?; // .device(Device::Cuda(0)) for a GPU

    println!("{}", solved.report);
    println!(
        "u_h(0.3, 0.2) = {:.9}, u = {:.9}",
        solved.u.at(&[0.3, 0.2, 0.0]).unwrap_or(f64::NAN),
        u(&[0.3, 0.2, 0.0])
    );
    let norms = errors(&solved.u, problem.forms(), &(u, gradient), problem.integration())?;
    println!("errors: {:.2e} in energy, {:.2e} in L2", norms.energy, norms.l2);
    assert!(norms.energy < 1e-4 && norms.l2 < 1e-5);
    Ok(())
}
