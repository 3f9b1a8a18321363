//! Cells that are alike: of one degree, with integrands that are constant and multiples of each other. So are their
//! matrices, and whatever is computed of them needs one cell of a kind only.

use crate::assemble::element::Pulled;
use crate::error::Result;
use crate::problem::Problem;
use galerkit_linalg::parallel;

/// Relative distance of two integrands that counts as rounding.
const NEAR: f64 = 1e-12;
/// More kinds than these are not told apart: the cells of others stand for themselves.
const KINDS: usize = 64;

/// Kinds of cells.
pub struct Alike {
    first: Vec<u32>,
    of_cell: Vec<Option<(u32, f64)>>,
}

impl Alike {
    /// Those of a problem.
    ///
    /// # Errors
    /// If a coefficient is not what it must be.
    pub fn new(problem: &Problem) -> Result<Self> {
        let space = problem.space();
        let integrands = parallel::try_values(space.cells(), &|e| problem.constant_integrand(e))?;
        let (mut first, mut of_cell) = (Vec::new(), vec![None; space.cells()]);
        let mut samples: Vec<(usize, Pulled)> = Vec::new();
        for (e, integrand) in integrands.into_iter().enumerate() {
            let (p, Some(integrand)) = (space.degree(e), integrand) else { continue };
            let known = samples.iter().enumerate().filter(|(_, (q, _))| *q == p);
            let found = known.into_iter().find_map(|(k, (_, sample))| Some((k as u32, multiple(&integrand, sample)?)));
            of_cell[e] = found.or_else(|| {
                let is_kind = samples.len() < KINDS;
                is_kind.then(|| {
                    first.push(e as u32);
                    samples.push((p, integrand));
                    (samples.len() as u32 - 1, 1.0)
                })
            });
        }
        Ok(Self { first, of_cell })
    }

    /// The first cell of each kind.
    pub fn first(&self) -> &[u32] {
        &self.first
    }
    /// The kind of cell e, and which multiple of the first one's its matrix is.
    pub fn kind(&self, e: usize) -> Option<(usize, f64)> {
        self.of_cell[e].map(|(k, factor)| (k as usize, factor))
    }
}

/// The factor by which one integrand is a multiple of another.
fn multiple(integrand: &Pulled, sample: &Pulled) -> Option<f64> {
    let numbers = |of: &Pulled| of.diffusion.into_iter().flatten().chain([of.reaction]).collect::<Vec<f64>>();
    let (one, other) = (numbers(integrand), numbers(sample));
    let largest = (0..other.len()).max_by(|&i, &j| other[i].abs().total_cmp(&other[j].abs()))?;
    let factor = one[largest] / other[largest];
    let is_near = |(a, b): (&f64, &f64)| (a - factor * b).abs() <= NEAR * (factor * other[largest]).abs();
    (factor > 0.0 && one.iter().zip(&other).all(is_near)).then_some(factor)
}
