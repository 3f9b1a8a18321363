//! Lesson 6: hp. At the re-entrant corner of an L the solution r^(2/3) sin(2 theta/3) is singular. Cells that shrink
//! towards the corner, with degrees that grow away from it, bring the error down like exp(-b N^(1/3)); cuts or degrees
//! alone only like a power of N.

use galerkit::fem::assemble::rules::Rules;
use galerkit::fem::expression::{Expression, flux};
use galerkit::fem::forest::grading::{Target, grade, slope};
use galerkit::fem::form::Neumann;
use galerkit::fem::norm::errors;
use galerkit::fem::{Forest, Problem, Space, domain};
use galerkit::prelude::*;

/// Unknowns and the error in energy on cells with degrees.
fn solve(forest: Forest, degrees: &[usize]) -> galerkit::Result<(usize, f64)> {
    let u: Expression = "(x^2+y^2)^(1/3)*cos(2/3*atan2(x+y,y-x))".parse()?;
    // u = 0 on the two edges at the corner (tag 1), its flux on the others (tag 2); integrals are graded towards the
    // corner.
    let space = Space::new(forest, degrees, &[1])?;
    let (exact, one) = (u.clone(), Expression::number(1.0));
    let problem = Problem::poisson(space.into(), 0.0)
        .neumann(Neumann::vector(2, move |x| flux(&exact, &one, x)))
        .rules(Rules { singular: vec![[0.0; 3]], extra: 6, ..Rules::default() });
    let solved = Solver::new().rtol(1e-10).solve_discrete(&problem)?;
    let _ = solved.report.converged_or_err()?;
    let norms = errors(&solved.u, problem.forms(), &u, problem.integration())?;
    Ok((problem.space().unknowns(), norms.energy))
}

fn main() -> galerkit::Result<()> {
    println!("layers  unknowns  energy error  ln(error) over N^(1/3)");
    let mut points = Vec::new();
    for layers in 1..=7 {
        let mut forest = Forest::new(&domain::lshape(1))?;
        let layer = grade(&mut forest, &[Target::Point([0.0; 3])], layers)?;
        let (unknowns, error) = solve(forest, &slope(1, 0.5, &layer))?; // p = 1 + ceil(k / 2) in layer k
        let bar = "*".repeat((-8.0 * error.ln()) as usize);
        println!("{layers:6}  {unknowns:8}  {error:12.3e}  {bar}");
        points.push(((unknowns as f64).cbrt(), error.ln()));
    }
    let b = (points[0].1 - points[6].1) / (points[6].0 - points[0].0);
    println!("error ~ exp(-{b:.2} N^(1/3))");

    let uniform = domain::lshape(16);
    let cells = uniform.blocks[0].len();
    let (unknowns, error) = solve(Forest::new(&uniform)?, &vec![1; cells])?;
    println!("uniform cells of degree 1: {unknowns} unknowns, {error:.3e}");
    assert!((0.45..0.6).contains(&b) && points[6].1 < error.ln());
    Ok(())
}
