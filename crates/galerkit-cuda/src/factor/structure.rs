//! Both triangles and the diagonal as one set of compressed rows, with what the kernels need to find their way.
//!
//! ```text
//! [ 4 1 . ]    start     0 2 5 7      order   0 1 2     (rows, level by level)
//! [ 1 4 1 ]    diagonal  0 3 6
//! [ . 1 4 ]    col       0 1  0 1 2  1 2
//!              mirror    . .  1 . .  4 .                (IC: slot (j, i) of U at slot (i, j) of L)
//! ```

use galerkit_linalg::precond::{Factorisation, Factors, Recipe};
use galerkit_linalg::sparse::{Csr, Levels};
use galerkit_linalg::{Error, Result, Scalar};

/// The arrays of the kernels' `struct Factor` that hold no numbers.
#[derive(Debug, PartialEq)]
pub(super) struct Structure {
    pub start: Vec<u64>,
    pub diagonal: Vec<u64>,
    pub col: Vec<u32>,
    /// For IC; the diagonal and U have no use for it.
    pub mirror: Vec<u64>,
    pub order: Vec<u32>,
    /// Rows of the widest level.
    pub widest: usize,
}

impl Structure {
    pub(super) fn of<S: Scalar>(factors: &Factors<S>) -> Self {
        let (L, U) = (factors.lower(), factors.upper());
        let levels = Levels::lower(L);
        let mut structure = Self {
            start: vec![0],
            diagonal: Vec::with_capacity(L.rows()),
            col: Vec::with_capacity(factors.nnz()),
            mirror: Vec::new(),
            order: levels.order().to_vec(),
            widest: levels.ranges().map(|range| range.len()).max().unwrap_or(0),
        };
        for i in 0..L.rows() {
            structure.col.extend_from_slice(&L.col()[L.range(i)]);
            structure.diagonal.push(structure.col.len() as u64);
            structure.col.push(i as u32);
            structure.col.extend_from_slice(&U.col()[U.range(i)]);
            structure.start.push(structure.col.len() as u64);
        }
        if factors.kind() == Factorisation::Ic {
            structure.reflect();
        }
        structure
    }

    /// Row after row, each entry of L takes the next slot of its column's row of U.
    fn reflect(&mut self) {
        self.mirror = vec![0; self.col.len()];
        let mut next: Vec<u64> = self.diagonal.iter().map(|&slot| slot + 1).collect();
        for i in 0..self.rows() {
            for slot in self.start[i] as usize..self.diagonal[i] as usize {
                let taken = &mut next[self.col[slot] as usize];
                self.mirror[slot] = *taken;
                *taken += 1;
            }
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.diagonal.len()
    }
    /// Threads that share a row.
    pub(super) fn lanes(&self) -> usize {
        match self.col.len().div_ceil(self.rows().max(1)) {
            0..=8 => 8,
            9..=16 => 16,
            _ => 32,
        }
    }
    pub(super) fn bytes(&self) -> usize {
        8 * (self.start.len() + self.diagonal.len() + self.mirror.len()) + 4 * (self.col.len() + self.order.len())
    }

    /// The values of A in these slots, zero where it has no entry, its diagonal shifted. Incomplete Cholesky does not
    /// look above the diagonal.
    pub(super) fn spread<S: Scalar>(&self, A: &Csr<S>, factors: &Factors<S>) -> Result<Vec<S>> {
        let places = self.places(A, factors, Recipe::Ilu { fill: 0 })?;
        let mut values: Vec<S> = places.into_iter().map(|k| k.map_or(S::zero(), |k| A.val()[k])).collect();
        let shifted = S::from_f64(1.0 + factors.shift());
        self.diagonal.iter().for_each(|&slot| values[slot as usize] *= shifted);
        Ok(values)
    }

    /// Which entry of A each slot holds, if any. Of diagonal blocks couplings are left out; other entries that have no
    /// slot are an error.
    pub(super) fn places<S: Scalar>(
        &self,
        A: &Csr<S>,
        factors: &Factors<S>,
        recipe: Recipe,
    ) -> Result<Vec<Option<usize>>> {
        galerkit_linalg::error::check_length("the matrix (its rows)", self.rows(), A.rows())?;
        let drops = matches!(recipe, Recipe::Ilu0Blocks { .. });
        let mut places = vec![None; self.col.len()];
        for i in 0..self.rows() {
            let (mut slot, end) = (self.start[i] as usize, self.start[i + 1] as usize);
            let columns = A.range(i).map(|k| (k, A.col()[k] as usize));
            for (k, j) in columns.take_while(|entry| factors.kind() == Factorisation::Ilu || entry.1 <= i) {
                while slot < end && (self.col[slot] as usize) < j {
                    slot += 1;
                }
                match slot < end && self.col[slot] as usize == j {
                    true => places[slot] = Some(k),
                    false if drops => (),
                    false => return Err(foreign(i, j)),
                }
            }
        }
        Ok(places)
    }

    /// What stands below and above the diagonal, row after row.
    pub(super) fn split<T: Copy>(&self, f: &[T]) -> (Vec<T>, Vec<T>) {
        let (mut lower, mut upper) = (Vec::with_capacity(f.len() / 2), Vec::with_capacity(f.len() / 2));
        for i in 0..self.rows() {
            let diagonal = self.diagonal[i] as usize;
            lower.extend_from_slice(&f[self.start[i] as usize..diagonal]);
            upper.extend_from_slice(&f[diagonal + 1..self.start[i + 1] as usize]);
        }
        (lower, upper)
    }

    /// The slots of what stands below the diagonal and of what stands above it, row after row.
    pub(super) fn triangles(&self) -> [Vec<u64>; 2] {
        let slots: Vec<u64> = (0..self.col.len() as u64).collect();
        let (lower, upper) = self.split(&slots);
        [lower, upper]
    }
}

/// As the host says it.
fn foreign(i: usize, j: usize) -> Error {
    let place = format!("row {}, column {}", i + 1, j + 1);
    let problem = "the factors have no entry there: their pattern is of another matrix, factorise anew";
    Error::InvalidStructure { place, problem: problem.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::precond::ic0;
    use galerkit_testkit::problems;

    #[test]
    fn the_drawing() {
        let A = problems::dense::<f64>(&[&[4.0, 1.0, 0.0], &[1.0, 4.0, 1.0], &[0.0, 1.0, 4.0]]);
        let F = Structure::of(&ic0(&A).unwrap());
        assert_eq!((&F.start[..], &F.diagonal[..]), (&[0u64, 2, 5, 7][..], &[0u64, 3, 6][..]));
        assert_eq!((&F.col[..], &F.order[..], F.widest), (&[0u32, 1, 0, 1, 2, 1, 2][..], &[0u32, 1, 2][..], 1));
        assert_eq!((F.mirror[2], F.mirror[5]), (1, 4));
        assert_eq!(F.lanes(), 8);
    }
}
