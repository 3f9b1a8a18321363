//! Errors measured twice: by the rule that equations are made with, and by a richer one. Where both miss the same
//! thing nobody can tell, but where they differ the cells do not resolve the exact solution.

use super::{Exact, Norms, Squares, of_patches};
use crate::assemble::rules::Rules;
use crate::error::{Error, Result};
use crate::form::Form;
use crate::problem::Solution;
use crate::quadrature::{Patch, gauss};
use galerkit_linalg::parallel;
use std::sync::Arc;

/// Up to so many points every cell is cut for the second rule: a second of work at most.
const POINTS: usize = 20_000_000;
/// Rules that differ by less agree.
const APART: f64 = 0.1;
/// Errors below this part of the solution are rounding, which differs between rules: of its energy, of its L2 norm.
const ROUNDING: [f64; 2] = [1e-9, 1e-10];

/// Errors, and whether they can be trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The errors; what a richer rule found where that is more.
    pub norms: Norms,
    /// Whether both rules agree. If not errors are at least these.
    pub is_resolved: bool,
}

impl Measured {
    /// From what both rules found.
    pub fn of(usual: Squares, richer: Squares) -> Self {
        let ([first, second], size) = ([usual.error.root(), richer.error.root()], richer.exact.root());
        let floor = ROUNDING[0] * size.energy + ROUNDING[1] * size.l2;
        let agree = |a: f64, b: f64, floor: f64| a.max(b) <= floor || (a - b).abs() <= APART * a.min(b);
        let is_resolved =
            agree(first.energy, second.energy, floor) && agree(first.l2, second.l2, ROUNDING[0] * size.l2);
        let larger = Norms { l2: first.l2.max(second.l2), energy: first.energy.max(second.energy) };
        Self { norms: if is_resolved { first } else { larger }, is_resolved }
    }
}

/// The errors of a solution by two rules.
pub fn measured(solution: &Solution, forms: &[Arc<dyn Form>], exact: &dyn Exact, rules: &Rules) -> Result<Measured> {
    let space = solution.space();
    let (forest, dim) = (space.forest(), space.dim());
    let by = |patches: &(dyn Fn(usize) -> Vec<Patch> + Sync)| {
        let of_cell = |e: usize| of_patches(solution, e, (forms, exact), &patches(e));
        parallel::try_values::<_, Error>(space.cells(), &of_cell)
    };
    let sum = |squares: &[Squares]| squares.iter().fold(Squares::default(), |sum, of| sum.plus(*of));
    let more = Rules { extra: rules.extra + 1, ..rules.clone() };
    let usual = by(&|e| rules.cell(forest, e, space.degree(e)))?;
    let points: usize = space.degrees().iter().map(|p| (2 * (p + 1 + more.extra)).pow(dim as u32)).sum();
    let richer = if points <= POINTS {
        by(&|e| halved(&more.cell(forest, e, space.degree(e))))?
    } else {
        by(&|e| more.cell(forest, e, space.degree(e)))?
    };
    Ok(Measured::of(sum(&usual), sum(&richer)))
}

/// The rule of a whole cell on its halves along each axis; what is graded already stays.
fn halved(patches: &[Patch]) -> Vec<Patch> {
    let [whole] = patches else { return patches.to_vec() };
    let (dim, rule) = (whole.axes.len(), gauss(whole.axes[0].len()));
    let halves = [rule.on(-1.0, 0.0), rule.on(0.0, 1.0)];
    let piece = |piece: usize| Patch { axes: (0..dim).map(|a| halves[piece >> a & 1].clone()).collect() };
    (0..1 << dim).map(piece).collect()
}
