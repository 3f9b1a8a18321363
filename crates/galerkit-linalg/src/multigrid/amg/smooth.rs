//! The prolongator: T smoothed by one step with A^F, P = T - G A^F T, on the pattern of A^F T, where G has
//! g_i = ((4/3)/l^F_i) conj(a^F_ii)/|a^F_ii| and l^F are the scaled l1 norms of A^F: no eigenvalue is estimated. A row of A^F with more than 256 entries
//! beside its diagonal keeps its row of T, or a few dense rows would fill every coarser matrix.

use super::filter::Filter;
use super::modulus::phase;
use super::norms::scaled_l1;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use crate::sparse::accumulator::{Accumulator, Accumulators};
use crate::sparse::build;

/// Entries of a row that are smoothed with.
const LONGEST: usize = 256;

/// P, and how many rows were too long to be smoothed.
pub fn smooth<S: Scalar>(A: &Csr<S>, filter: &Filter<S>, T: &Csr<S>) -> (Csr<S>, usize) {
    let roots = filter.roots();
    let step = <S::Real as Scalar>::from_f64(4.0 / 3.0);
    let scratch = Accumulators::new(T.cols());
    let is_long = |i: usize| A.row_length(i) > LONGEST && filter.length(A, i) > LONGEST;
    let P = build::append_rows(T.cols(), A.start(), &|rows, made| {
        scratch.lend(&mut |sums: &mut Accumulator<S>| {
            for i in rows.clone() {
                let before = made.col.len();
                if is_long(i) {
                    made.col.extend(&T.col()[T.range(i)]);
                    made.val.extend(&T.val()[T.range(i)]);
                } else {
                    sums.begin(i);
                    for (k, a) in filter.row(A, i) {
                        T.row(k).for_each(|(j, t)| sums.add(j as u32, a * t));
                    }
                    sums.append_to(&mut made.col, &mut made.val);
                    let l1 = scaled_l1::<S>(filter.row(A, i), i, &roots);
                    let g = S::from_real(step / l1) * phase(filter.diagonal[i]);
                    for k in before..made.col.len() {
                        let own = T.row(i).find(|(j, _)| *j == made.col[k] as usize).map_or(S::zero(), |(_, t)| t);
                        made.val[k] = own - g * made.val[k];
                    }
                }
                made.lengths.push((made.col.len() - before) as u32);
            }
        });
    });
    (P, (0..A.rows()).filter(|&i| is_long(i)).count())
}
