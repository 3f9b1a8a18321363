//! Products on a GPU, ours and cuSPARSE's: each is held against the CPU before it is timed, by the GPU's own clock,
//! with all vectors in its memory.

use super::{Timing, least_bytes};
use crate::error::{Error, Result};
use crate::peer::{Peer, Way};
use galerkit::layout::Layout;
use galerkit::{Choice, Device, Ordering, Rhs};
use galerkit_cuda::bandwidth::{Bandwidth, measure};
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::map::Tuning;
use galerkit_cuda::timing::Product;
use galerkit_linalg::sparse::{Csr, Format};
use galerkit_linalg::{Scalar, per_scalar};
use rayon::prelude::*;
use std::sync::Arc;
use std::time::Instant;

/// A GPU with what its products are compared to: its memory, and cuSPARSE.
pub struct Arena {
    gpu: Arc<Gpu>,
    /// How fast its memory is read and copied.
    pub bandwidth: Bandwidth,
    /// cuSPARSE, or why it is left out.
    pub peer: std::result::Result<Peer, String>,
}

impl Arena {
    /// Opens a GPU, measures its bandwidth and looks for cuSPARSE.
    pub fn open(number: usize) -> Result<Self> {
        let gpu = Gpu::open(number)?;
        let bandwidth = measure(&gpu, &Jit::new(&gpu))?;
        let peer = Peer::find(&gpu).map_err(|error| error.to_string());
        Ok(Self { gpu, bandwidth, peer })
    }

    /// The GPU.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// Times a product of ours.
    pub fn product<S: Scalar>(
        &self,
        A: &Csr<S>,
        format: Format,
        ordering: Choice<Ordering>,
        tuning: Tuning,
        repetitions: usize,
    ) -> Result<Timing> {
        // Opened anew, so that an error of one product is not kept for the next.
        product(&Gpu::open(self.gpu.properties().ordinal)?, A, format, ordering, tuning, repetitions)
    }

    /// Times a product of cuSPARSE, with the matrix in its own order; also whether replays of a graph were timed, or
    /// loops between two events.
    pub fn peer_product<S: Scalar>(&self, A: &Csr<S>, way: Way, repetitions: usize) -> Result<(Timing, bool)> {
        peer_product(self, A, way, repetitions)
    }

    fn peer_product_of<S: Scalar>(&self, A: &Csr<S>, way: Way, repetitions: usize) -> Result<(Timing, bool)> {
        let reason = |why: &String| Error::NoCusparse { looked: why.clone() };
        let peer = self.peer.as_ref().map_err(reason)?;
        let begun = Instant::now();
        let x: Vec<S> = operand(A)?;
        let product = peer.product(A, way, &x)?;
        let setup_seconds = begun.elapsed().as_secs_f64();
        check(A, &x, &product.result()?, &way.to_string())?;
        let (times, graph) = product.time(repetitions)?;
        let (own_bytes, cached) = (times.bytes as u64, times.cached);
        let least_bytes = least_bytes(A);
        Ok((Timing { seconds: times.seconds, setup_seconds, slots: A.nnz(), least_bytes, own_bytes, cached }, graph))
    }
}

per_scalar! {
    fn peer_product<S>(arena: &Arena, A: &Csr<S>, way: Way, repetitions: usize) -> Result<(Timing, bool)> = Arena::peer_product_of;
    /// Times a product on an open GPU.
    pub fn product<S>(gpu: &Arc<Gpu>, A: &Csr<S>, format: Format, ordering: Choice<Ordering>, tuning: Tuning, repetitions: usize) -> Result<Timing> = product_of;
}

fn product_of<S: Scalar>(
    gpu: &Arc<Gpu>,
    A: &Csr<S>,
    format: Format,
    ordering: Choice<Ordering>,
    tuning: Tuning,
    repetitions: usize,
) -> Result<Timing> {
    let begun = Instant::now();
    let device = Device::Cuda(gpu.properties().ordinal);
    let layout = Layout::new(A, ordering, format, device)?;
    let x: Vec<S> = operand(A)?;
    let inward = layout.inward(&x)?;
    let order = layout.order.clone();
    let matrix = layout.into_matrix()?;
    let slots = matrix.slots();
    gpu.require_memory("the matrix", matrix.bytes())?;
    let mut product = Product::new(gpu, &matrix, tuning, &inward)?;
    let setup_seconds = begun.elapsed().as_secs_f64();
    let y = product.result()?;
    let y = order.map_or(Ok(y.clone()), |order| order.scatter(&y))?;
    check(A, &x, &y, &format.to_string())?;
    let times = product.time(repetitions)?;
    let (own_bytes, cached) = (times.bytes as u64, times.cached);
    Ok(Timing { seconds: times.seconds, setup_seconds, slots, least_bytes: least_bytes(A), own_bytes, cached })
}

/// An x that tells rows and columns apart.
pub(crate) fn operand<S: Scalar>(A: &Csr<S>) -> Result<Vec<S>> {
    Ok(Rhs::Random { seed: 1 }.entries(A.cols())?)
}

/// An error unless y = A x up to rounding: each entry within 16 (len + 1) eps sum |a_ij x_j|, whatever the order of
/// sums.
pub(crate) fn check<S: Scalar>(A: &Csr<S>, x: &[S], y: &[S], what: &str) -> Result<()> {
    let modulus = |value: S| value.parts().0.hypot(value.parts().1);
    let wrong = |i: usize| {
        let (mut sum, mut size) = ((0.0, 0.0), 0.0);
        for (j, a) in A.row(i) {
            let ((a_re, a_im), (x_re, x_im)) = (a.parts(), x[j].parts());
            sum = (sum.0 + (a_re * x_re - a_im * x_im), sum.1 + (a_re * x_im + a_im * x_re));
            size += modulus(a) * modulus(x[j]);
        }
        let (re, im) = y[i].parts();
        let bound = 16.0 * (A.row_length(i) + 1) as f64 * S::eps() * size;
        let off = (re - sum.0).hypot(im - sum.1);
        (off > bound || off.is_nan()).then(|| (i, S::from_parts(sum.0, sum.1).to_string()))
    };
    match (0..A.rows()).into_par_iter().find_map_first(wrong) {
        None => Ok(()),
        Some((row, expected)) => {
            Err(Error::WrongProduct { what: what.into(), row, found: y[row].to_string(), expected })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::c64;

    #[test]
    fn a_product_is_checked_row_by_row() {
        let A = Csr::new(2, 2, vec![0, 2, 3], vec![0, 1, 1], vec![1.0, 2.0, 4.0]).unwrap();
        let x = [3.0, 5.0];
        assert!(check(&A, &x, &[13.0, 20.0], "csr").is_ok());
        assert!(check(&A, &x, &[13.0 * (1.0 + 1e-15), 20.0], "csr").is_ok());
        for wrong in [[13.0, 20.001], [f64::NAN, 20.0], [12.0, 20.0]] {
            let error = check(&A, &x, &wrong, "csr").unwrap_err();
            assert!(matches!(error, Error::WrongProduct { .. }));
        }
    }

    #[test]
    fn complex_products_are_checked_in_both_parts() {
        let A = Csr::new(1, 1, vec![0, 1], vec![0], vec![c64::new(0.0, 2.0)]).unwrap();
        let x = [c64::new(1.0, 1.0)];
        assert!(check(&A, &x, &[c64::new(-2.0, 2.0)], "csr").is_ok());
        assert!(check(&A, &x, &[c64::new(-2.0, -2.0)], "csr").is_err());
    }
}
