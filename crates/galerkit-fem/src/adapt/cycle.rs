//! The loop: solve with degrees p and p + 1, take their difference for the error, refine the cells that have most of it
//! (Doerfler, SIAM J. Numer. Anal. 33, 1996). The solution of degree p + 1 is the answer: it is paid for. Where it is
//! hardly better than the other one the difference says too little, so what passes gained counts as well.

use super::extrapolation::remaining;
use super::indicator::{indicators, load, raised};
use super::smoothness::{SMOOTH, decay};
use crate::basis::MAX_DEGREE;
use crate::error::{Error, Result};
use crate::forest::{Forest, MAX_LEVEL};
use crate::norm::energy;
use crate::problem::{Interior, Problem, Solution};
use crate::space::Space;
use std::sync::Arc;

/// An estimate that falls below this part of the last one, or is the first, is looked at twice: a solution that is even
/// on its cells does not change when an odd function comes in.
const SUDDEN: f64 = 0.1;

/// How cells are refined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refinement {
    /// Degrees are raised where the solution is smooth, other cells are cut.
    #[default]
    Hp,
    /// Cells are cut.
    H,
    /// Degrees are raised.
    P,
}

/// When the loop ends, and how it refines.
#[derive(Clone, Copy, Debug)]
pub struct Cycle {
    /// It ends when the estimate is below this part of the energy norm of the solution.
    pub tolerance: f64,
    /// Or with more unknowns than these.
    pub unknowns: usize,
    /// Or after so many solves.
    pub steps: usize,
    /// Part of the estimate, in squares, that the cells have which are refined in a step.
    pub share: f64,
    /// How they are refined.
    pub refinement: Refinement,
}

impl Default for Cycle {
    fn default() -> Self {
        Self { tolerance: 1e-3, unknowns: 1_000_000, steps: 50, share: 0.7, refinement: Refinement::Hp }
    }
}

/// One pass of the loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Cells.
    pub cells: usize,
    /// Unknowns of the solution.
    pub unknowns: usize,
    /// Estimate of its error in the energy norm.
    pub estimate: f64,
    /// a(u_h, u_h).
    pub energy: f64,
    /// a(u_h, u_h) - 2 l(u_h), which is least for u.
    pub potential: f64,
}

/// What the loop ends with.
#[derive(Debug)]
pub struct Adapted {
    /// The solution.
    pub solution: Solution,
    /// All passes.
    pub steps: Vec<Step>,
    /// Whether the estimate is below the tolerance.
    pub reached: bool,
    /// Whether a solve was [stopped](Error::Stopped): passes are those before it.
    pub is_stopped: bool,
}

/// The solution with degrees raised by 1, and its difference to the one with the degrees as they are.
struct Pass {
    solution: Solution,
    squares: Vec<f64>,
    step: Step,
}

impl Pass {
    fn new(
        forest: &Forest,
        degrees: &[usize],
        dirichlet: &[i32],
        problem: &dyn Fn(Arc<Space>) -> Problem,
        solve: &dyn Fn(&Problem) -> Result<Solution>,
    ) -> Result<Self> {
        let on = |degrees: &[usize]| Ok::<_, Error>(problem(Arc::new(Space::new(forest.clone(), degrees, dirichlet)?)));
        let coarse = solve(&on(degrees)?)?;
        let problem = on(&raised(degrees))?;
        let solution = solve(&problem)?;
        let squares = indicators(&problem, &solution, &coarse)?;
        let estimate = squares.iter().sum::<f64>().sqrt();
        let energy = energy(&problem, &solution)?;
        let potential = energy - 2.0 * load(&problem, &solution)?;
        let step = Step { cells: squares.len(), unknowns: solution.space().unknowns(), estimate, energy, potential };
        Ok(Self { solution, squares, step })
    }
    /// Counts what the passes before have gained.
    fn after(mut self, steps: &[Step]) -> Self {
        if let [.., first, second] = steps {
            let of = |step: &Step| (step.unknowns, step.potential);
            let left = remaining([of(first), of(second), of(&self.step)]);
            self.step.estimate = left.map_or(self.step.estimate, |left| self.step.estimate.max(left.sqrt()));
        }
        self
    }
    fn is_below(&self, tolerance: f64) -> bool {
        self.step.estimate <= tolerance * self.step.energy.abs().sqrt()
    }
}

impl Cycle {
    /// Runs the loop from a forest with degrees, with direct solves. `problem` states the problem on a space; functions
    /// are fixed on the Dirichlet tags.
    pub fn run(
        &self,
        forest: Forest,
        degrees: Vec<usize>,
        dirichlet: &[i32],
        problem: &dyn Fn(Arc<Space>) -> Problem,
    ) -> Result<Adapted> {
        self.run_with(forest, degrees, dirichlet, problem, &|problem| problem.solve_with(Interior::Condensed))
    }

    /// Runs the loop with any method to solve a problem. Where that says [`Error::Stopped`] the loop ends with the last
    /// pass that was done.
    ///
    /// # Errors
    /// If a space or a solve fails, or the first pass is stopped.
    pub fn run_with(
        &self,
        mut forest: Forest,
        mut degrees: Vec<usize>,
        dirichlet: &[i32],
        problem: &dyn Fn(Arc<Space>) -> Problem,
        solve: &dyn Fn(&Problem) -> Result<Solution>,
    ) -> Result<Adapted> {
        let mut steps: Vec<Step> = Vec::new();
        let mut last: Option<Solution> = None;
        loop {
            let pass = Pass::new(&forest, &degrees, dirichlet, problem, solve);
            let mut pass = match (pass, last.take()) {
                (Err(Error::Stopped), Some(solution)) => {
                    return Ok(Adapted { solution, steps, reached: false, is_stopped: true });
                }
                (pass, _) => pass?.after(&steps),
            };
            let fell = steps.last().is_none_or(|last| pass.step.estimate < SUDDEN * last.estimate);
            steps.push(pass.step);
            if pass.is_below(self.tolerance) && fell && raised(&degrees) != degrees {
                degrees = raised(&degrees);
                pass = match Pass::new(&forest, &degrees, dirichlet, problem, solve) {
                    Err(Error::Stopped) => {
                        let solution = pass.solution;
                        return Ok(Adapted { solution, steps, reached: false, is_stopped: true });
                    }
                    pass => pass?.after(&steps),
                };
                steps.push(pass.step);
            }
            let reached = pass.is_below(self.tolerance);
            let (cut, raise) = self.choose(&largest(&pass.squares, self.share), &pass.solution, &degrees);
            let is_stuck = cut.is_empty() && raise.is_empty();
            if reached || is_stuck || pass.step.unknowns >= self.unknowns || steps.len() >= self.steps {
                return Ok(Adapted { solution: pass.solution, steps, reached, is_stopped: false });
            }
            raise.iter().for_each(|&e| degrees[e] += 1);
            degrees = forest.refine(&cut)?.into_iter().map(|e| degrees[e]).collect();
            last = Some(pass.solution);
        }
    }

    /// Which of the marked cells are cut, and of which the degree is raised.
    fn choose(&self, marked: &[usize], solution: &Solution, degrees: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let space = solution.space();
        let can_rise = |e: usize| degrees[e] < MAX_DEGREE - 1; // the enriched space needs one more
        let can_be_cut = |e: &usize| space.forest().cells()[*e].level < MAX_LEVEL;
        let rises = |e: &usize| match self.refinement {
            Refinement::H => false,
            Refinement::P => can_rise(*e),
            Refinement::Hp => can_rise(*e) && decay(space.dim(), space.degree(*e), &solution.local(*e)) > SMOOTH,
        };
        let (raise, rest): (Vec<usize>, Vec<usize>) = marked.iter().partition(|e| rises(e));
        let cut =
            if self.refinement == Refinement::P { Vec::new() } else { rest.into_iter().filter(can_be_cut).collect() };
        (cut, raise)
    }
}

/// The cells with the largest indicators that have the given share of their sum.
fn largest(squares: &[f64], share: f64) -> Vec<usize> {
    let all: f64 = squares.iter().sum();
    let mut order: Vec<usize> = (0..squares.len()).filter(|&e| squares[e] > 0.0).collect();
    order.sort_by(|&a, &b| squares[b].total_cmp(&squares[a]));
    let mut sum = 0.0;
    let is_before = |e: &usize| {
        let before = sum;
        sum += squares[*e];
        before < share * all
    };
    order.into_iter().take_while(is_before).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_with_most_of_the_error_are_refined() {
        let squares = [1.0, 6.0, 0.0, 3.0];
        assert_eq!(largest(&squares, 0.6), [1]);
        assert_eq!(largest(&squares, 0.7), [1, 3]);
        assert_eq!(largest(&squares, 1.0), [1, 3, 0]);
        assert_eq!(largest(&[0.0, 0.0], 0.7), [0; 0]);
    }
}
