//! Errors over unknowns: spaces with one layer after the other, and beside them cuts alone and degrees alone.

use super::figures::Figures;
use super::report::{Finished, finish};
use super::solve::Session;
use super::{Ending, space};
use crate::interrupt;
use crate::plan::poisson::Geometric;
use crate::plan::poisson::data::Boundary;
use anyhow::Result;
use galerkit::fem::basis::MAX_DEGREE;
use galerkit::fem::{Forest, Space};
use serde::Serialize;

/// Curves for comparison end with so many times the unknowns of the first, or at the limit.
const LONGER: usize = 8;
const MOST_UNKNOWNS: usize = 60_000;

/// A curve by name.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    /// What is refined.
    pub name: &'static str,
    /// Its points, from few unknowns to many.
    pub points: Vec<Figures>,
}

impl Curve {
    /// How errors fall, by the better of two lines through its points.
    pub fn law(&self) -> Option<Law> {
        let over = |x: fn(&Figures) -> f64| {
            let point = |figures: &Figures| Some((x(figures), figures.error().filter(|error| *error > 0.0)?.ln()));
            line(&self.points.iter().filter_map(point).collect::<Vec<_>>())
        };
        let (b, rest) = over(Figures::abscissa)?;
        let (alpha, rest_of_power) = over(|figures| (figures.unknowns as f64).ln())?;
        Some(if rest <= rest_of_power { Law::Exponential(b) } else { Law::Power(alpha) })
    }
}

/// How errors fall over N unknowns in d dimensions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// ln(error) = C - b N^(1/(d+1))
    Exponential(f64),
    /// error = C N^-alpha, as at edges in space, which cubes are cut towards in all directions
    Power(f64),
}

/// The fall of the line through points, and the sum of the squares that it leaves.
fn line(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / n, y + point.1 / n));
    let sum = |of: &dyn Fn(f64, f64) -> f64| points.iter().map(|point| of(point.0 - x, point.1 - y)).sum::<f64>();
    let (covariance, variance) = (sum(&|x, y| x * y), sum(&|x, _| x * x));
    let fall = -covariance / variance;
    (points.len() > 2 && variance > 0.0).then(|| (fall, sum(&|x, y| (y + fall * x).powi(2))))
}

/// Solves with 1, 2, ... layers.
pub fn run(session: &Session<'_>, forest: &Forest, geometric: Geometric, boundary: &Boundary) -> Result<Ending> {
    let plan = session.plan;
    let with_layers = |layers: usize| {
        let build = || space::space(&plan.space, forest, layers, boundary);
        session.solve(session.during_with("space", &format!("with {layers} layers"), build)?, boundary)
    };
    let mut points = Vec::new();
    for layers in 1..geometric.layers {
        points.push(with_layers(layers)?.figures);
        if interrupt::was_asked() {
            return Ok(Ending::Interrupted);
        }
    }
    let solved = with_layers(geometric.layers)?;
    points.push(solved.figures.clone());
    let limit = (LONGER * solved.figures.unknowns).min(MOST_UNKNOWNS);
    let name = if geometric.slope > 0.0 { "hp" } else { "graded" };
    let mut curves = vec![Curve { name, points }];
    if plan.compare {
        curves.push(cuts_alone(session, forest, boundary, limit)?);
        curves.push(degrees_alone(session, forest, boundary, limit)?);
    }
    finish(session, Finished { solved, curves, reached: None })
}

/// Uniform cuts with the degrees of the plan.
fn cuts_alone(session: &Session<'_>, forest: &Forest, boundary: &Boundary, limit: usize) -> Result<Curve> {
    let (mut points, mut forest) = (Vec::new(), forest.clone());
    loop {
        let degrees = space::cyclic(&session.plan.space.degrees, forest.cells().len());
        let built = Space::new(forest.clone(), &degrees, &boundary.dirichlet())?;
        if built.unknowns() > limit || interrupt::was_asked() {
            return Ok(Curve { name: "h", points });
        }
        if built.unknowns() > 0 {
            points.push(session.solve(built, boundary)?.figures);
        }
        forest.refine_all(1)?;
    }
}

/// All degrees raised together on the cells of the plan.
fn degrees_alone(session: &Session<'_>, forest: &Forest, boundary: &Boundary, limit: usize) -> Result<Curve> {
    let mut points = Vec::new();
    for degree in 1..=MAX_DEGREE {
        let built = Space::new(forest.clone(), &vec![degree; forest.cells().len()], &boundary.dirichlet())?;
        if (1..=limit).contains(&built.unknowns()) && !interrupt::was_asked() {
            points.push(session.solve(built, boundary)?.figures);
        }
    }
    Ok(Curve { name: "p", points })
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn a_line_is_found() {
        let (fall, rest) = line(&[(0.0, 3.0), (1.0, 1.0), (3.0, -3.0)]).unwrap();
        assert!((fall - 2.0).abs() < 1e-14 && rest < 1e-28);
        assert!(line(&[(0.0, 3.0), (1.0, 1.0)]).is_none());
        assert!(line(&[(0.0, 3.0), (1.0, 1.0), (2.0, 0.0)]).unwrap().1 > 0.1);
    }
}
