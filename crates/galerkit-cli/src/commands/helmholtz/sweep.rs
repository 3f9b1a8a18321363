//! A prepared system that is given new values, computed where it is solved: A(k) = sum c(k) S, of which only the
//! factors c go up.

use galerkit::fem::acoustics::{Equations, WaveSpace};
use galerkit::linalg::c64;
use galerkit::linalg::engine::Engine as _;
use galerkit::linalg::sparse::Csr;
use galerkit::{Assembly, DeviceVector, Solution, Solver, System};

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

    /// Solves for k, from the answers of the k before where there are any; several right-hand sides in one pass over
    /// the matrix where the method can.
    pub fn solve<V: WaveSpace>(
        &mut self,
        equations: &Equations<V>,
        k: c64,
        bs: &[Vec<c64>],
        last: &[Vec<c64>],
    ) -> galerkit::Result<Vec<Solution<c64>>> {
        if !std::mem::take(&mut self.is_first) {
            let factors = equations.factors(k);
            let assembly = self.assembly.get_or_insert_with(|| assembly(equations, None));
            self.system.assemble(assembly, &each(&factors))?;
        }
        match last {
            [] => self.system.solve_many(bs),
            _ => self.system.solve_many_from(bs, last),
        }
    }
}

/// Each factor as a vector of one entry.
pub fn each(factors: &[c64]) -> Vec<&[c64]> {
    factors.chunks(1).collect()
}

/// values = sum c(k) S: factors come as vectors of one entry, which dot products read. With a second matrix of the same
/// terms its factors follow those of the first.
pub fn assembly<V: WaveSpace>(equations: &Equations<V>, second: Option<DeviceVector>) -> Assembly<c64> {
    let terms: Vec<Vec<c64>> =
        equations.terms().iter().map(|term| term.iter().map(|&s| c64::new(s, 0.0)).collect()).collect();
    Assembly::new(move |e, factors, entries| {
        let (one, mut second) = (e.upload(&[c64::new(1.0, 0.0)]), second.clone());
        for (number, term) in terms.iter().enumerate() {
            let S = e.upload(term);
            for (factor, values) in
                factors.iter().skip(number).step_by(terms.len()).zip([Some(&mut *entries), second.as_mut()])
            {
                let Some(values) = values else { continue };
                let (c, kept) = (e.dot(&one, factor), e.number(f64::from(number > 0)));
                e.axpby(c, &S, kept, values);
            }
        }
    })
}
