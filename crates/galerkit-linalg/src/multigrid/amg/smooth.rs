//! The prolongator: T smoothed by one step with A^F, P = T - G A^F T, on the pattern of A^F T, where G has g_i =
//! ((4/3)/l^F_i) conj(a^F_ii)/|a^F_ii| and l^F are the scaled l1 norms of A^F: no eigenvalue is estimated. A row of A^F
//! with more than 256 entries beside its diagonal keeps its row of T, or a few dense rows would fill every coarser
//! matrix.

use super::filter::Filter;
use super::modulus::{modulus, phase};
use crate::scalar::Scalar;
use crate::sparse::Csr;
use crate::sparse::accumulator::{Accumulator, Accumulators};
use crate::sparse::build;
use num_traits::Zero;

/// How a step is taken.
#[derive(Clone, Copy, Debug)]
pub struct Step<R> {
    /// Entries of a row that are smoothed with.
    pub longest: usize,
    /// A bound of the eigenvalues of D^-1 A, by which lambda |a^F_ii| stands in for l^F_i.
    pub lambda: Option<R>,
}

impl<R> Default for Step<R> {
    fn default() -> Self {
        Self { longest: 256, lambda: None }
    }
}

/// P, and how many rows were too long to be smoothed.
pub fn smooth<S: Scalar>(A: &Csr<S>, filter: &Filter<S>, T: &Csr<S>, taken: Step<S::Real>) -> (Csr<S>, usize) {
    let roots = filter.roots();
    let step = <S::Real as Scalar>::from_f64(4.0 / 3.0);
    let scratch = Accumulators::new(T.cols());
    let one_each = T.start().iter().zip(0..).all(|(&start, i)| start == i); // as where every row has an aggregate
    let is_long = |i: usize| A.row_length(i) > taken.longest && filter.length(A, i) > taken.longest;
    let P = build::append_rows(T.cols(), A.start(), &|rows, made| {
        scratch.lend(&mut |sums: &mut Accumulator<S>| {
            for i in rows.clone() {
                let before = made.col.len();
                if is_long(i) {
                    made.col.extend(&T.col()[T.range(i)]);
                    made.val.extend(&T.val()[T.range(i)]);
                } else {
                    sums.begin(i);
                    let mut scaled = S::Real::zero();
                    let row = filter.row(A, i).inspect(|(k, a)| scaled += modulus(*a) / roots[*k]);
                    if one_each {
                        sums.add_all(row.map(|(k, a)| (T.col()[k], a * T.val()[k])));
                    } else {
                        row.for_each(|(k, a)| sums.add_row(a, &T.col()[T.range(k)], &T.val()[T.range(k)]));
                    }
                    sums.append_to(&mut made.col, &mut made.val);
                    let l1 = match taken.lambda {
                        Some(lambda) => lambda * modulus(filter.diagonal[i]),
                        None => roots[i] * scaled,
                    };
                    let g = S::from_real(step / l1) * phase(filter.diagonal[i]);
                    for (&j, value) in made.col[before..].iter().zip(&mut made.val[before..]) {
                        let own = T.row(i).find(|(own, _)| *own == j as usize).map_or(S::zero(), |(_, t)| t);
                        *value = own - g * *value;
                    }
                }
                made.lengths.push((made.col.len() - before) as u32);
            }
        });
    });
    (P, (0..A.rows()).filter(|&i| is_long(i)).count())
}
