//! A preconditioner between the host and an engine: what [`Preconditioner::prepare`](super::Preconditioner::prepare)
//! has made of A, to be loaded as an operator. Some are maps with kernels of their own, some are spoken in an engine's
//! verbs.

use super::{Chebyshev, JacobiSweeps};
use crate::engine::{Engine, Identity, Operator, Resident};
use crate::krylov::Krylov;
use crate::linear::Linear;
use crate::scalar::Scalar;
use crate::sparse::Matrix;
use std::sync::Arc;

/// What a method demands of its preconditioner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Hermitian positive definite: the CG family and MINRES.
    PositiveDefinite,
    /// Only that it exists.
    General,
}

impl Class {
    /// What this method demands.
    pub fn of(method: Krylov) -> Self {
        if method.needs_hermitian() { Class::PositiveDefinite } else { Class::General }
    }
}

/// A preconditioner in host memory.
#[derive(Clone, Debug)]
pub enum Prepared<S> {
    /// The identity.
    Identity,
    /// One map.
    Map(Linear<S>),
    /// Incomplete factors, solved with by Jacobi sweeps.
    Sweeps(JacobiSweeps<S>),
    /// A polynomial in D^-1 A.
    Chebyshev(Chebyshev<S>),
}

impl<S: Scalar> Prepared<S> {
    /// Brings it into an engine, where A is the operator of the system.
    pub fn load<'a, E: Engine<Scalar = S> + 'a>(self, e: &mut E, A: &'a dyn Operator<E>) -> Box<dyn Operator<E> + 'a> {
        match self {
            Prepared::Identity => Box::new(Identity),
            Prepared::Map(M) => Box::new(Resident::<E>(e.load(Arc::new(M)))),
            Prepared::Sweeps(M) => Box::new(M.load(e)),
            Prepared::Chebyshev(M) => Box::new(M.load(e, A)),
        }
    }

    /// The same preconditioner rounded to single precision; none if a number of it overflows there.
    pub fn rounded(&self) -> Option<Prepared<S::Low>> {
        let low = match self {
            Prepared::Identity => Prepared::Identity,
            Prepared::Map(M) => Prepared::Map(rounded_map(M)?),
            Prepared::Sweeps(M) => Prepared::Sweeps(M.rounded()),
            Prepared::Chebyshev(M) => Prepared::Chebyshev(M.rounded()),
        };
        low.is_finite().then_some(low)
    }

    /// With so many Jacobi sweeps in place of each triangular solve, if these are incomplete factors; anything else as it is.
    pub fn swept(self, sweeps: usize) -> Self {
        match self {
            Prepared::Map(Linear::Factors(factors)) => Prepared::Sweeps(JacobiSweeps::new(&factors, sweeps)),
            other => other,
        }
    }

    fn is_finite(&self) -> bool {
        let finite = |parts: &[&[S]]| parts.iter().copied().flatten().all(|value| value.finite());
        match self {
            Prepared::Identity => true,
            Prepared::Map(Linear::Diagonal(d)) => finite(&[d]),
            Prepared::Map(Linear::BlockDiagonal(M)) => finite(&[M.val()]),
            Prepared::Map(Linear::Ssor(M)) => finite(&[M.relaxed(), M.lower().val(), M.upper().val()]),
            Prepared::Map(Linear::Factors(M)) => finite(&[M.inverse(), M.lower().val(), M.upper().val()]),
            Prepared::Map(Linear::Matrix(M)) => finite(&[M.to_csr().val()]),
            Prepared::Sweeps(M) => M.is_finite(),
            Prepared::Chebyshev(M) => finite(&[M.inverse()]),
        }
    }

    /// Brings a preconditioner in single precision into an engine of higher precision, for vectors as long as b in single
    /// precision; A is the operator of the system for such vectors.
    pub fn load_lower<'a, E: Engine + 'a>(
        self,
        e: &mut E,
        A: &'a dyn Operator<E>,
        b: &E::Vector,
    ) -> Box<dyn Operator<E> + 'a>
    where
        E::Scalar: Scalar<Low = S>,
    {
        match self {
            Prepared::Identity => Box::new(Identity),
            Prepared::Map(M) => Box::new(Resident::<E>(e.load_lower(Arc::new(M)))),
            Prepared::Sweeps(M) => Box::new(M.load_lower(e, b)),
            Prepared::Chebyshev(M) => Box::new(M.load_lower(e, A, b)),
        }
    }

    /// Bytes of the maps that [`load`](Self::load) loads, in its order.
    pub fn map_bytes(&self) -> Vec<usize> {
        match self {
            Prepared::Identity => Vec::new(),
            Prepared::Map(M) => vec![M.bytes()],
            Prepared::Sweeps(M) => M.map_bytes().to_vec(),
            Prepared::Chebyshev(M) => vec![size_of_val(M.inverse())],
        }
    }

    /// Vectors that it keeps in an engine.
    pub fn vectors(&self) -> usize {
        match self {
            Prepared::Identity | Prepared::Map(_) => 0,
            Prepared::Sweeps(_) => 4,
            Prepared::Chebyshev(_) => 3,
        }
    }

    /// Whether entry i of the result needs only entry i of the input: the identity, a diagonal.
    pub fn is_elementwise(&self) -> bool {
        matches!(self, Prepared::Identity | Prepared::Map(Linear::Diagonal(_)))
    }

    /// Bytes that one application must move beside its input and output, if a product with A reads so many.
    pub fn traffic(&self, matrix: usize) -> usize {
        match self {
            Prepared::Identity => 0,
            // The solution of the first triangular system is written and read.
            Prepared::Map(M @ (Linear::Ssor(_) | Linear::Factors(_))) => M.bytes() + 2 * M.shape().0 * size_of::<S>(),
            Prepared::Map(M) => M.bytes(),
            Prepared::Sweeps(M) => {
                let ([lower, diagonal, upper], vector) = (M.map_bytes(), M.rows() * size_of::<S>());
                M.sweeps() * (lower + upper + 6 * vector) + diagonal // each sweep: b, last and next
            }
            Prepared::Chebyshev(M) => {
                let vector = M.rows() * size_of::<S>();
                M.degree() * (matrix + 5 * vector) + 2 * vector // each step: x, D^-1, z twice read, once written
            }
        }
    }
}

/// A map with its numbers rounded to single precision; none for a stored matrix that has no such format.
fn rounded_map<S: Scalar>(M: &Linear<S>) -> Option<Linear<S::Low>> {
    Some(match M {
        Linear::Diagonal(d) => Linear::Diagonal(d.iter().map(|value| value.lower()).collect()),
        Linear::BlockDiagonal(M) => Linear::BlockDiagonal(M.rounded()),
        Linear::Ssor(M) => Linear::Ssor(M.rounded()),
        Linear::Factors(M) => Linear::Factors(M.rounded()),
        Linear::Matrix(M) => Linear::Matrix(Matrix::from_csr(&M.to_csr().map_values(S::lower), M.format()).ok()?),
    })
}
