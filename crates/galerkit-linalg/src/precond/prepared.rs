//! A preconditioner between the host and an engine: what [`Preconditioner::prepare`](super::Preconditioner::prepare)
//! has made of A, to be loaded as an operator. Some are maps with kernels of their own, some are spoken in an engine's
//! verbs.

use super::{Chebyshev, Factors, JacobiSweeps};
use crate::engine::{AnyEngine, Engine, Identity, Operator};
use crate::krylov::Krylov;
use crate::map::{InSingle, LinearMap};
use crate::multigrid::amg::Built;
use crate::program::Precision;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::Format;

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
pub enum Prepared<S: Scalar> {
    /// The identity.
    Identity,
    /// One map.
    Map(Box<dyn LinearMap<S>>),
    /// Incomplete factors, solved with by Jacobi sweeps.
    Sweeps(JacobiSweeps<S>),
    /// A polynomial in L^-1 A, L diagonal.
    Chebyshev(Chebyshev<S>),
    /// A hierarchy of algebraic multigrid.
    Amg(Box<Built<S>>),
}

per_scalar! {
    /// [`Prepared::load`] into any engine, compiled here once for each scalar.
    pub fn load_any<'a, S>(
        M: Prepared<S>,
        e: &mut AnyEngine<S>,
        A: &'a dyn Operator<AnyEngine<S>>,
        precision: Precision,
    ) -> Box<dyn Operator<AnyEngine<S>> + 'a> = Prepared::load;
}

impl<S: Scalar> Prepared<S> {
    /// Brings it into an engine, where A is the operator of the system, for vectors in this precision: in single
    /// precision its numbers are rounded, and A is the operator for such vectors. Ask
    /// [`fits_single`](Self::fits_single) before.
    pub fn load<'a, E: Engine<Scalar = S> + 'a>(
        self,
        e: &mut E,
        A: &'a dyn Operator<E>,
        precision: Precision,
    ) -> Box<dyn Operator<E> + 'a> {
        match self {
            Prepared::Identity => Box::new(Identity),
            Prepared::Map(M) => Box::new(e.load(match precision {
                Precision::Full => M,
                Precision::Single => Box::new(InSingle::<S>(M.to_single().expect("asked for before"))),
            })),
            Prepared::Sweeps(M) => Box::new(M.load(e, precision)),
            Prepared::Chebyshev(M) => Box::new(M.load(e, A, precision)),
            Prepared::Amg(M) => {
                let precision = if M.precision() == Precision::Single { Precision::Single } else { precision };
                Box::new(M.hierarchy(&|_| Format::Csr).load_whole(e, A, precision))
            }
        }
    }

    /// Whether it can be rounded to single precision and no number of it overflows there.
    pub fn fits_single(&self) -> bool {
        self.rounded().is_some()
    }

    /// The same preconditioner rounded to single precision; none if a number of it overflows there.
    pub fn rounded(&self) -> Option<Prepared<S::Single>> {
        let low = match self {
            Prepared::Identity => Prepared::Identity,
            Prepared::Map(M) => Prepared::Map(M.to_single()?),
            Prepared::Sweeps(M) => Prepared::Sweeps(M.rounded()),
            Prepared::Chebyshev(M) => Prepared::Chebyshev(M.rounded()),
            Prepared::Amg(M) => Prepared::Amg(Box::new(M.rounded())),
        };
        low.is_finite().then_some(low)
    }

    /// With so many Jacobi sweeps in place of each triangular solve, if these are incomplete factors; anything else as
    /// it is.
    pub fn swept(self, sweeps: usize) -> Self {
        match &self {
            Prepared::Map(M) => match M.known::<Factors<S>>() {
                Some(factors) => Prepared::Sweeps(JacobiSweeps::new(factors, sweeps)),
                None => self,
            },
            _ => self,
        }
    }

    fn is_finite(&self) -> bool {
        match self {
            Prepared::Identity => true,
            Prepared::Map(M) => M.is_finite(),
            Prepared::Sweeps(M) => M.is_finite(),
            Prepared::Chebyshev(M) => M.inverse().iter().all(|value| value.finite()),
            Prepared::Amg(M) => M.is_finite(),
        }
    }

    /// Bytes of the maps that [`load`](Self::load) loads, in its order.
    pub fn map_bytes(&self) -> Vec<usize> {
        match self {
            Prepared::Identity => Vec::new(),
            Prepared::Map(M) => vec![M.bytes()],
            Prepared::Sweeps(M) => M.map_bytes().to_vec(),
            Prepared::Chebyshev(M) => vec![size_of_val(M.inverse())],
            Prepared::Amg(M) => vec![M.summary().bytes()],
        }
    }

    /// Vectors that it keeps in an engine.
    pub fn vectors(&self) -> usize {
        match self {
            Prepared::Identity | Prepared::Map(_) => 0,
            Prepared::Sweeps(_) => 4,
            Prepared::Chebyshev(_) => 3,
            Prepared::Amg(_) => 14, // nine of each level, which together have less than half as many rows again
        }
    }

    /// Whether entry i of the result needs only entry i of the input: the identity, a diagonal.
    pub fn is_elementwise(&self) -> bool {
        match self {
            Prepared::Identity => true,
            Prepared::Map(M) => M.is_elementwise(),
            Prepared::Sweeps(_) | Prepared::Chebyshev(_) | Prepared::Amg(_) => false,
        }
    }

    /// Bytes that one application must move beside its input and output, if a product with A reads so many.
    pub fn traffic(&self, matrix: usize) -> usize {
        match self {
            Prepared::Identity => 0,
            Prepared::Map(M) => M.traffic(),
            Prepared::Sweeps(M) => {
                let ([lower, diagonal, upper], vector) = (M.map_bytes(), M.rows() * size_of::<S>());
                M.sweeps() * (lower + upper + 6 * vector) + diagonal // each sweep: b, last and next
            }
            Prepared::Chebyshev(M) => {
                let vector = M.rows() * size_of::<S>();
                M.degree() * (matrix + 5 * vector) + 2 * vector // each step: x, L^-1, z twice read, once written
            }
            Prepared::Amg(M) => M.traffic(matrix),
        }
    }
}
