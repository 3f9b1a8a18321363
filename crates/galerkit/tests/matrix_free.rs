//! Boundary value problems without a matrix: the u_h of the assembled system, on every device.

use galerkit::cuda::testing;
use galerkit::fem::form::{Diffusion, Field, Neumann, Robin};
use galerkit::fem::mesh::generate;
use galerkit::fem::{Forest, Problem, Space, domain, norm};
use galerkit::prelude::*;
use std::sync::Arc;

/// A forest that is cut here and there, with degrees that differ from cell to cell.
fn space(mesh: &galerkit::fem::Mesh, dirichlet: &[i32]) -> Arc<Space> {
    let mut forest = Forest::new(mesh).unwrap();
    forest.refine(&[0]).unwrap();
    forest.refine(&[1]).unwrap();
    let degrees: Vec<usize> = (0..forest.cells().len()).map(|e| 1 + e % 3).collect();
    Arc::new(Space::new(forest, &degrees, dirichlet).unwrap())
}

fn solver(device: Device) -> Solver {
    Solver::new().method(Krylov::Cg).rtol(1e-12).device(device)
}

/// u_h of both operators is the same function.
fn same(problem: &Problem, device: Device, what: &str) {
    let assembled = Solver::new().method(Method::Cholesky).rtol(1e-12).solve_discrete(problem).unwrap().u;
    for preconditioner in [Preconditioner::None, Preconditioner::Jacobi] {
        let solved = solver(device).preconditioner(preconditioner).solve_matrix_free(problem).unwrap();
        assert!(solved.report.converged, "{what} on {device}: {}", solved.report);
        assert_eq!((solved.report.format.to_string().as_str(), solved.report.host_products), ("matrix-free", 0));
        let largest = assembled.masters().iter().fold(0.0, |most, u| f64::max(most, u.abs()));
        for (i, (u, v)) in solved.u.masters().iter().zip(assembled.masters()).enumerate() {
            assert!((u - v).abs() <= 1e-9 * largest, "{what} on {device}, {preconditioner}, coefficient {i}: {u} {v}");
        }
        let [one, other] = [&solved.u, &assembled].map(|u| norm::energy(problem, u).unwrap());
        assert!((one - other).abs() <= 1e-9 * other.abs(), "{what} on {device}: {one} {other}");
    }
}

fn problems() -> Vec<(&'static str, Problem)> {
    let kappa = Field::of(|x| 1.0 + x[0] * x[0] + 0.5 * (2.0 * x[1]).sin());
    let (plane, body) = (domain::lshape(1), domain::fichera(1));
    let sides = Forest::new(&plane).unwrap().coarse().boundary_tags();
    vec![
        ("lshape", Problem::poisson(space(&plane, &sides), 1.0)),
        ("given values", {
            let values = Field::of(|x| 1.0 + x[0] - 2.0 * x[0] * x[1]);
            Problem::new(space(&plane, &sides[..2])).form(Diffusion::new(kappa)).dirichlet(sides[0], values).source(1.0)
        }),
        ("robin", Problem::poisson(space(&plane, &[]), 1.0).robin(Robin::new(sides[0], 2.0))),
        ("reaction", Problem::poisson(space(&body, &[]), 1.0).mass(3.0)),
        ("ball", Problem::poisson(space(&generate::ball(1.0, 1, 2).unwrap(), &[1]), 1.0)),
    ]
}

#[test]
fn u_h_is_that_of_the_assembled_system() {
    for (what, problem) in problems() {
        same(&problem, Device::Cpu, what);
        if what == "lshape" {
            same(&problem, Device::Reference, what);
        }
    }
}

#[test]
fn u_h_on_a_gpu_is_that_of_the_assembled_system() {
    if testing::gpu().is_none() {
        return;
    }
    problems().iter().take(2).for_each(|(what, problem)| same(problem, Device::Cuda(0), what));
}

/// Data balance, so that u is determined up to a constant; the operator is singular and u_h has the mean 0.
#[test]
fn pure_neumann_problems_have_the_mean_free_solution() {
    let mesh = generate::rectangle([0.0; 2], [1.0; 2], [2, 2]).unwrap();
    let left = |x: &[f64; 3]| (std::f64::consts::PI * x[0]).cos();
    let problem = Problem::poisson(space(&mesh, &[]), Field::of(left));
    assert!(problem.matrix_free().unwrap().is_mean_free());
    same(&problem, Device::Cpu, "pure neumann");
    let flux = Problem::new(space(&mesh, &[])).form(Diffusion::new(1.0));
    let tags = flux.space().forest().coarse().boundary_tags();
    let flux = flux.neumann(Neumann::new(tags[0], -1.0)).neumann(Neumann::new(tags[1], 1.0));
    same(&flux, Device::Cpu, "fluxes that balance");
}

#[test]
fn data_that_do_not_balance_or_have_no_place_are_refused_as_when_assembled() {
    let mesh = domain::square(2);
    let unbalanced = Problem::poisson(space(&mesh, &[]), 1.0);
    let nowhere = Problem::poisson(space(&mesh, &[1]), 1.0).dirichlet(77, 1.0);
    for problem in [unbalanced, nowhere] {
        let said = Solver::new().solve_matrix_free(&problem).unwrap_err().to_string();
        assert_eq!(said, Solver::new().solve_discrete(&problem).unwrap_err().to_string());
    }
}

#[test]
fn a_space_without_unknowns_is_solved() {
    let space = Space::new(Forest::new(&domain::square(1)).unwrap(), &[1], &[1]).unwrap();
    let solved = Solver::new().solve_matrix_free(&Problem::poisson(space.into(), 1.0)).unwrap();
    assert!(solved.report.converged && solved.u.unknowns().is_empty());
}
