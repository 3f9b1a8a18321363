//! Matrix products, timed: the same loop for every format and device, results in seconds and bytes.

use crate::choice::{Device, FormatChoice, OrderingChoice};
use crate::device::with_backend;
use crate::error::Result;
use crate::layout::Layout;
use galerkit_linalg::backend::Backend;
use galerkit_linalg::sparse::{Csr, Format};
use galerkit_linalg::{Linear, Scalar};
use std::sync::Arc;
use std::time::Instant;

/// How to time y = A x.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    /// The format.
    pub format: Format,
    /// The order of rows and columns.
    pub ordering: OrderingChoice,
    /// What computes.
    pub device: Device,
    /// Timed products, after one that is not timed.
    pub repetitions: usize,
}

/// What was timed.
#[derive(Clone, Debug)]
pub struct Timing {
    /// Seconds of each product, ascending.
    pub seconds: Vec<f64>,
    /// Ordering, conversion and loading.
    pub setup_seconds: f64,
    /// Stored values, padding included.
    pub slots: usize,
    /// The least bytes that a product with CSR moves: values and columns, row starts as 4 bytes, x once and y once.
    pub least_bytes: u64,
    /// The bytes of this format's arrays, x once and y once.
    pub own_bytes: u64,
}

/// The middle of ascending numbers, the upper one of two; NaN without any.
pub fn median(ascending: &[f64]) -> f64 {
    ascending.get(ascending.len() / 2).copied().unwrap_or(f64::NAN)
}

/// (s + 4) nnz + (2 s + 4) n bytes for scalars of s bytes: 12 nnz + 20 n in double precision.
pub fn least_bytes<S: Scalar>(A: &Csr<S>) -> u64 {
    let scalar = size_of::<S>();
    ((scalar + 4) * A.nnz() + (scalar + 4) * A.rows() + scalar * A.cols()) as u64
}

/// Times y = A x on the current thread pool.
pub fn product<S: Scalar>(A: &Csr<S>, how: Product) -> Result<Timing> {
    let begun = Instant::now();
    let layout = Layout::new(A, how.ordering, FormatChoice::Given(how.format), how.device, None)?;
    let (slots, bytes) = (layout.matrix.slots(), layout.matrix.bytes() as u64);
    let map = Arc::new(Linear::Matrix(layout.matrix));
    let own_bytes = bytes + (size_of::<S>() * (A.rows() + A.cols())) as u64;
    let (setup_seconds, seconds) = with_backend!(how.device, backend => {
        let loaded = backend.load(map);
        (begun.elapsed().as_secs_f64(), repeat(&backend, &loaded, A, how.repetitions))
    });
    Ok(Timing { seconds, setup_seconds, slots, least_bytes: least_bytes(A), own_bytes })
}

/// Seconds of each repetition, ascending.
fn repeat<S: Scalar, B: Backend<S>>(backend: &B, map: &B::Map, A: &Csr<S>, repetitions: usize) -> Vec<f64> {
    let x = vec![S::one(); A.cols()];
    let mut y = vec![S::zero(); A.rows()];
    backend.apply(map, &x, &mut y);
    let mut seconds: Vec<f64> = (0..repetitions.max(1))
        .map(|_| {
            let begun = Instant::now();
            backend.apply(map, &x, &mut y);
            begun.elapsed().as_secs_f64()
        })
        .collect();
    std::hint::black_box(&y);
    seconds.sort_by(f64::total_cmp);
    seconds
}
