//! A prepared system that is given new values, computed where it is solved: A(k) = sum c(k) S, of which only the
//! factors c go up.

use galerkit::fem::acoustics::{Equations, WaveSpace};
use galerkit::linalg::c64;
use galerkit::linalg::engine::Engine as _;
use galerkit::linalg::sparse::Csr;
use galerkit::{Assembly, Solution, Solver, System};

/// The system, and what computes its values, which is made when there is another k.
pub struct Sweep<'a> {
    system: System<'a, c64>,
    assembly: Option<Assembly<c64>>,
    is_first: bool,
}

impl<'a> Sweep<'a> {
    /// Of the matrix of the first k.
    pub fn new(solver: &Solver, A: &'a Csr<c64>) -> galerkit::Result<Self> {
        Ok(Self { system: solver.prepare(A)?, assembly: None, is_first: true })
    }

    /// Solves for k: one right-hand side from the answer before, several of them in one pass over the matrix where the
    /// method can.
    pub fn solve<V: WaveSpace>(
        &mut self,
        equations: &Equations<V>,
        k: c64,
        bs: &[Vec<c64>],
        last: &[Vec<c64>],
    ) -> galerkit::Result<Vec<Solution<c64>>> {
        if !std::mem::take(&mut self.is_first) {
            let factors: Vec<[c64; 1]> = equations.factors(k).into_iter().map(|c| [c]).collect();
            let inputs: Vec<&[c64]> = factors.iter().map(|c| &c[..]).collect();
            let assembly = self.assembly.get_or_insert_with(|| assembly(equations));
            self.system.assemble(assembly, &inputs)?;
        }
        match (bs, last) {
            ([b], [start]) => Ok(vec![self.system.solve_from(b, start)?]),
            ([b], _) => Ok(vec![self.system.solve(b)?]),
            _ => self.system.solve_many(bs),
        }
    }
}

/// values = sum c(k) S: factors come as vectors of one entry, which dot products read.
fn assembly<V: WaveSpace>(equations: &Equations<V>) -> Assembly<c64> {
    let terms: Vec<Vec<c64>> =
        equations.terms().iter().map(|term| term.iter().map(|&s| c64::new(s, 0.0)).collect()).collect();
    Assembly::new(move |e, factors, entries| {
        let one = e.upload(&[c64::new(1.0, 0.0)]);
        for (number, (term, factor)) in terms.iter().zip(factors).enumerate() {
            let (S, c) = (e.upload(term), e.dot(&one, factor));
            let kept = e.number(f64::from(number > 0));
            e.axpby(c, &S, kept, entries);
        }
    })
}
