//! p-coarsening for waves: the degrees of all cells are halved, and the same problem stands on the smaller space. With
//! it the shifted Laplacian is inverted by a V-cycle: incomplete factors smooth on each level, and the last one is
//! eliminated where that is affordable, else continued by aggregates until it is. Shifts damp the waves that coarser
//! spaces resolve too badly to correct.

use super::equations::Equations;
use super::price::{affordable, affordable_once_aggregated};
use super::smoothing::{interval, smoother};
use super::wave_space::WaveSpace;
use crate::error::Result;
use galerkit_direct::{Factor, sparse_lu};
use galerkit_linalg::map::{Gather, LinearMap, NO_SOURCE, gather_map, matrix_map};
use galerkit_linalg::multigrid::amg::{Amg, Built};
use galerkit_linalg::multigrid::{Bottom, Hierarchy, Level, Polynomial, Shape};
use galerkit_linalg::sparse::{Csr, Format, Matrix};
use galerkit_linalg::{Scalar, c32, c64};
use std::borrow::Cow;
use std::sync::Arc;

/// A problem on a smaller space, and where its unknowns are among those of the next larger one.
pub struct Coarser<V> {
    /// Its equations.
    pub equations: Equations<V>,
    /// For each of its unknowns the number in the larger space.
    pub numbers: Vec<u32>,
}

/// The problems below one, the largest first, down to the degree given.
///
/// # Errors
/// As for the problem itself.
pub fn coarser<V: WaveSpace>(finest: &Equations<V>, lowest: usize) -> Result<Vec<Coarser<V>>> {
    let mut below: Vec<Coarser<V>> = Vec::new();
    loop {
        let last = below.last().map_or(finest, |coarser| &coarser.equations);
        if highest(last).div_ceil(2) < lowest {
            return Ok(below);
        }
        let Some((space, functions)) = last.problem().space().halved()? else { return Ok(below) };
        let equations = last.problem().on(Arc::new(space)).assemble()?;
        let numbers = equations.numbers_in(last, &functions);
        below.push(Coarser { equations, numbers });
    }
}

/// The V-cycle for A(k) with k^2 (1 + i s) in its mass terms, which is the finest matrix and not part of it.
///
/// # Errors
/// If a matrix cannot be factorised.
pub fn cycle<V: WaveSpace>(
    (finest, A): (&Equations<V>, &Csr<c64>),
    below: &[Coarser<V>],
    k: c64,
    shift: c64,
) -> Result<Hierarchy<c64>> {
    let (mut levels, mut larger, mut A) = (Vec::new(), finest, Cow::Borrowed(A));
    for (l, Coarser { equations, numbers }) in below.iter().enumerate() {
        let (inverse, rows) = (smoother(&A, highest(larger))?, A.rows());
        let polynomial = Polynomial::Chebyshev(interval(&A, &inverse)?); // x = x + omega L^-1 (b - A x)
        let own = (l > 0).then(|| matrix_map(Matrix::Csr(A.into_owned())));
        let [prolongation, restriction] = transfers(numbers, rows)?;
        levels.push(Level { A: own, inverse, polynomial, prolongation, restriction });
        (A, larger) = (Cow::Owned(equations.shifted(k, shift)?), equations);
    }
    let dim = finest.problem().space().dim();
    let is_cheap = |A: &Csr<c64>, level: usize| match level {
        0 => affordable(A, dim).is_some(),
        _ => affordable_once_aggregated(A).is_some(),
    };
    let (further, bottom) = last(A.into_owned(), &is_cheap)?;
    levels.extend(further);
    Ok(Hierarchy { levels, bottom, shape: Shape::V, is_hermitian: false, scale: 1.0 })
}

/// The highest degree of a problem's cells.
fn highest<V: WaveSpace>(equations: &Equations<V>) -> usize {
    let space = equations.problem().space();
    (0..space.cells()).map(|e| space.degree(e)).max().unwrap_or(1)
}

/// P and P^T: every function of the smaller space is one of the larger.
fn transfers(numbers: &[u32], rows: usize) -> Result<[Box<dyn LinearMap<c64>>; 2]> {
    let mut sources = vec![NO_SOURCE; rows];
    numbers.iter().enumerate().for_each(|(i, &number)| sources[number as usize] = i as u32);
    Ok([gather_map(Gather::new(numbers.len(), sources)?), gather_map(Gather::new(rows, numbers.to_vec())?)])
}

/// What solves with the coarsest matrix: levels of aggregates until elimination is affordable, and no further, because
/// aggregates soon are too coarse for waves. A car in 3D with 192,766 unknowns, twelve nodes of degree 1 a wavelength,
/// takes 136 iterations with one such level, 36 with none (with exact factors in the order of the mesh 158 and 44, and
/// 383 with all levels); with 4,856,040 unknowns, 35 nodes a wavelength, 282 with one.
fn last(mut A: Csr<c64>, is_cheap: &dyn Fn(&Csr<c64>, usize) -> bool) -> Result<(Vec<Level<c64>>, Bottom<c64>)> {
    let one = Amg { levels: 2, coarse: 1, ..Amg::default() };
    let mut further = Vec::new();
    while !is_cheap(&A, further.len()) {
        let built = Built::new(&A, false, &one, &[])?;
        let next = built.levels().and_then(|levels| levels.A.clone());
        let Hierarchy { levels, mut bottom, .. } = built.hierarchy(&|_| Format::Csr);
        let stored = Some(matrix_map(Matrix::Csr(A)));
        let (Some(level), Some(next)) = (levels.into_iter().next(), next) else {
            if let Bottom::Smoother { A, .. } = &mut bottom {
                *A = stored; // it has no edges
            }
            return Ok((further, bottom));
        };
        further.push(Level { A: stored, ..level });
        A = next;
    }
    let solve = Eliminated { bytes: A.bytes(), factor: Arc::new(sparse_lu(&A)?) };
    Ok((further, Bottom::Inverse(Box::new(solve))))
}

/// A^-1 by factors of the host.
#[derive(Clone, Debug)]
struct Eliminated {
    bytes: usize,
    factor: Arc<Factor<c64>>,
}

impl LinearMap<c64> for Eliminated {
    fn shape(&self) -> (usize, usize) {
        (self.factor.rows(), self.factor.rows())
    }
    fn name(&self) -> &'static str {
        "the coarse solve of the host"
    }
    /// Of A; fill is not known here.
    fn bytes(&self) -> usize {
        self.bytes
    }
    fn apply(&self, _: &[c64], x: &[c64], y: &mut [c64]) {
        y.copy_from_slice(&self.factor.solve(x).expect("as many entries as rows"));
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<c32>>> {
        Some(Box::new(InDouble(self.clone())))
    }
}

/// The same for vectors in single precision; factors stay as they are.
#[derive(Clone, Debug)]
struct InDouble(Eliminated);

impl LinearMap<c32> for InDouble {
    fn shape(&self) -> (usize, usize) {
        self.0.shape()
    }
    fn name(&self) -> &'static str {
        self.0.name()
    }
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
    fn apply(&self, _: &[c32], x: &[c32], y: &mut [c32]) {
        let wide: Vec<c64> = x.iter().map(|x| c64::widen(*x)).collect();
        let solved = self.0.factor.solve(&wide).expect("as many entries as rows");
        y.iter_mut().zip(solved).for_each(|(y, x)| *y = x.to_single());
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<c32>>> {
        Some(Box::new(self.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::gallery::{Stencil, poisson3d};

    #[test]
    fn one_level_of_aggregates_may_be_dearer_to_eliminate() {
        let A = poisson3d(12, Stencil::Points27).unwrap().map_values(|a| c64::new(a, 0.1));
        let (further, _) = last(A, &|A, level| A.rows() <= if level == 0 { 60 } else { 500 }).unwrap();
        assert_eq!(further.len(), 1);
    }

    /// What is too dear to eliminate becomes aggregates, level by level, until it is not.
    #[test]
    fn aggregates_end_where_elimination_is_affordable() {
        let A = poisson3d(12, Stencil::Points27).unwrap().map_values(|a| c64::new(a, 0.1));
        for (most, levels) in [(2000, 0), (500, 1), (60, 2)] {
            let (further, bottom) = last(A.clone(), &|A, _| A.rows() <= most).unwrap();
            let Bottom::Inverse(solve) = &bottom else { panic!("it was to be eliminated") };
            assert_eq!(further.len(), levels, "at most {most} rows");
            assert!(solve.shape().0 <= most && further.iter().all(|level| level.A.is_some()));
            let hierarchy = Hierarchy { levels: further, bottom, shape: Shape::V, is_hermitian: false, scale: 1.0 };
            assert!(
                hierarchy.levels.windows(2).all(|pair| pair[0].restriction.shape().0 == pair[1].prolongation.shape().0)
            );
        }
    }
}
