//! D of every cell: which rule a cell has, and its factors. Rules are those of assembly, so that both operators are
//! equal.

use super::kind::{Kind, Rule, entry};
use super::trilinear;
use crate::assemble::element::{Pulled, inverted_cell, pulled_back};
use crate::error::Result;
use crate::forest::Part;
use crate::problem::Problem;
use crate::quadrature::{Patch, gauss};
use galerkit_linalg::parallel;

/// Entries of D off its diagonal, relative to the largest, that count as rounding.
const ROUNDING: f64 = 1e-15;

/// The kinds of cells with their factors.
pub struct Factors {
    /// The kinds.
    pub kinds: Vec<Kind>,
    /// Factors of each kind without maps, one cell after the other.
    pub values: Vec<Vec<f64>>,
    /// Of each kind of trilinear cells the numbers of their maps, one cell after the other.
    pub maps: Vec<Vec<f64>>,
}

impl Factors {
    /// The factors of a problem's cells.
    pub fn new(problem: &Problem) -> Result<Self> {
        let space = problem.space();
        let rule = |e: usize| -> Result<_> {
            let rule = rule(problem, e)?;
            let is_trilinear = matches!(rule, Rule::Points(_)) && trilinear::numbers(problem, e)?.is_some();
            Ok((rule, space.degree(e), is_trilinear))
        };
        let rules: Vec<(Rule, usize, bool)> = parallel::try_values(space.cells(), &rule)?;
        let mut known: Vec<(Rule, usize, bool)> = Vec::new();
        rules.iter().for_each(|rule| {
            if !known.contains(rule) {
                known.push(*rule);
            }
        });
        known.sort_unstable();
        let mut found = Self { kinds: Vec::new(), values: Vec::new(), maps: Vec::new() };
        for (rule, p, is_trilinear) in known {
            let is_of = |e: u32| rules[e as usize] == (rule, p, is_trilinear);
            let cells: Vec<u32> = (0..rules.len() as u32).filter(|&e| is_of(e)).collect();
            let kind = Kind { p, rule, is_trilinear, reacts: true, cells };
            let (kind, values, maps) = if is_trilinear { by_maps(problem, kind)? } else { by_factors(problem, kind)? };
            found.kinds.push(kind);
            found.values.push(values);
            found.maps.push(maps);
        }
        Ok(found)
    }
}

/// A kind with its factors, or with its maps.
type Found = (Kind, Vec<f64>, Vec<f64>);

fn by_factors(problem: &Problem, mut kind: Kind) -> Result<Found> {
    let dim = problem.space().dim();
    let mut all = vec![0.0; kind.cells.len() * kind.factors(dim)];
    let chunks = all.chunks_mut(kind.factors(dim)).collect();
    parallel::try_each_piece(chunks, &|k, into| of_cell(problem, kind.cells[k] as usize, &kind, into))?;
    if let Rule::Points(_) = kind.rule {
        all = without_reaction(dim, &mut kind, all);
    }
    Ok((kind, all, Vec::new()))
}

fn by_maps(problem: &Problem, kind: Kind) -> Result<Found> {
    let rule = gauss(kind.points());
    let mut all = vec![0.0; kind.cells.len() * trilinear::NUMBERS];
    parallel::try_each_piece(all.chunks_mut(trilinear::NUMBERS).collect(), &|k, into: &mut [f64]| {
        let e = kind.cells[k] as usize;
        into.copy_from_slice(&trilinear::numbers(problem, e)?.expect("a cell of this kind is trilinear"));
        if trilinear::is_oriented(&rule, into) { Ok(()) } else { Err(inverted_cell(e)) }
    })?;
    let reacts = parallel::any(kind.cells.len(), &|k| all[(k + 1) * trilinear::NUMBERS - 1] != 0.0);
    Ok((Kind { reacts, ..kind }, Vec::new(), all))
}

fn rule(problem: &Problem, e: usize) -> Result<Rule> {
    let (space, p) = (problem.space(), problem.space().degree(e));
    let (forest, dim) = (space.forest(), space.dim());
    let has_robin =
        |facet| forest.boundary_tag(e, facet).is_some_and(|tag| problem.robin.iter().any(|term| term.tag == tag));
    if !problem.robin.is_empty() && Part::facets(dim).any(has_robin) {
        return Ok(Rule::Stored);
    }
    if !problem.forms.iter().all(|form| form.is_constant_in_cells()) {
        let patches = problem.rules.cell(forest, e, p);
        return Ok(if let [one] = &patches[..] { Rule::Points(one.axes[0].len()) } else { Rule::Stored });
    }
    if !forest.map(e).is_affine() {
        return Ok(Rule::Points(problem.rules.of_geometry(p)));
    }
    let D = pulled_back(space, e, &problem.forms, &[0.0; 3])?.diffusion;
    let most = D.iter().flatten().fold(0.0f64, |most, d| most.max(d.abs()));
    let mut mixed = (0..dim).flat_map(|a| (0..dim).map(move |b| [a, b])).filter(|[a, b]| a != b);
    // Points integrate polynomials of degree 2 p exactly: D is constant.
    Ok(if mixed.all(|[a, b]| D[a][b].abs() <= ROUNDING * most) { Rule::Box } else { Rule::Points(p + 1) })
}

fn of_cell(problem: &Problem, e: usize, kind: &Kind, into: &mut [f64]) -> Result<()> {
    let (space, dim) = (problem.space(), problem.space().dim());
    match kind.rule {
        Rule::Box => {
            let Pulled { diffusion, reaction } = pulled_back(space, e, &problem.forms, &[0.0; 3])?;
            (0..dim).for_each(|a| into[a] = diffusion[a][a]);
            into[dim] = reaction;
        }
        Rule::Points(q) => {
            let points = q.pow(dim as u32);
            for (k, (t, w)) in Patch::gauss(dim, q).points().enumerate() {
                let Pulled { diffusion, reaction } = pulled_back(space, e, &problem.forms, &t)?;
                for a in 0..dim {
                    (a..dim).for_each(|b| into[entry(dim, a, b) * points + k] = w * diffusion[a][b]);
                }
                into[dim * (dim + 1) / 2 * points + k] = w * reaction;
            }
        }
        Rule::Stored => into.copy_from_slice(&problem.cell_matrix(e)?.val),
    }
    Ok(())
}

/// Leaves out r where it is 0 everywhere.
fn without_reaction(dim: usize, kind: &mut Kind, all: Vec<f64>) -> Vec<f64> {
    let whole = kind.factors(dim);
    let kept = Kind { reacts: false, ..kind.clone() }.factors(dim);
    let cells = kind.cells.len();
    if parallel::any(cells, &|k| all[k * whole + kept..(k + 1) * whole].iter().any(|r| *r != 0.0)) {
        return all;
    }
    kind.reacts = false;
    parallel::collect(cells * kept, &|i| all[i / kept * whole + i % kept])
}
