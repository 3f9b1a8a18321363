//! Matrix products, timed: the same loop for every format and device, results in seconds and bytes. On a GPU by its own
//! clock, see [`gpu`]; what an iteration of conjugate gradients takes, see [`iteration`]; what conversions cost, see
//! [`reorder`]; orders, see [`ordering`](mod@ordering); which triangular solves win, see
//! [`triangular`](mod@triangular).

pub mod gpu;
pub mod iteration;
pub mod ordering;
pub mod reorder;
pub mod triangular;

use crate::error::Result;
use galerkit::layout::Layout;
use galerkit::{Choice, Device, Ordering};
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::map::Tuning;
use galerkit_linalg::backend::{self, cpu_product, reference_product};
use galerkit_linalg::map::{LinearMap, matrix_map};
use galerkit_linalg::sparse::{Csr, Format};
use galerkit_linalg::{Scalar, per_scalar};
use std::time::Instant;

/// How to time y = A x.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    /// The format.
    pub format: Format,
    /// The order of rows and columns.
    pub ordering: Choice<Ordering>,
    /// What computes.
    pub device: Device,
    /// Timed products, after one that is not timed; on a GPU timed replays of many products.
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
    /// Whether everything fits the L2 cache of the GPU, whose bandwidth is then what was measured.
    pub cached: bool,
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

/// The bytes by which source 004 defines effective bandwidth: value, column and x of every entry, 20 in double
/// precision.
pub fn effective_bytes<S: Scalar>(A: &Csr<S>) -> u64 {
    ((2 * size_of::<S>() + 4) * A.nnz()) as u64
}

per_scalar! {
    /// Times y = A x on the current thread pool or on a GPU.
    pub fn product<S>(A: &Csr<S>, how: Product) -> Result<Timing> = product_of;
}

fn product_of<S: Scalar>(A: &Csr<S>, how: Product) -> Result<Timing> {
    match how.device {
        Device::Cpu | Device::Reference => on_host(A, how),
        Device::Cuda(number) => {
            gpu::product(&Gpu::open(number)?, A, how.format, how.ordering, Tuning::default(), how.repetitions)
        }
    }
}

/// Products with a map on one of the host's backends.
pub(crate) fn host_product<S: Scalar>(map: Box<dyn LinearMap<S>>, device: Device) -> backend::Product<S> {
    if device == Device::Reference { reference_product(map) } else { cpu_product(map) }
}

fn on_host<S: Scalar>(A: &Csr<S>, how: Product) -> Result<Timing> {
    let begun = Instant::now();
    let layout = Layout::new(A, how.ordering, how.format, how.device)?;
    let matrix = layout.into_matrix()?;
    let (slots, bytes) = (matrix.slots(), matrix.bytes() as u64);
    let product = host_product(matrix_map(matrix), how.device);
    let own_bytes = bytes + (size_of::<S>() * (A.rows() + A.cols())) as u64;
    let setup_seconds = begun.elapsed().as_secs_f64();
    let seconds = repeat(&product, A, how.repetitions);
    Ok(Timing { seconds, setup_seconds, slots, least_bytes: least_bytes(A), own_bytes, cached: false })
}

/// Seconds of each repetition, ascending.
fn repeat<S: Scalar>(product: &backend::Product<S>, A: &Csr<S>, repetitions: usize) -> Vec<f64> {
    let x = vec![S::one(); A.cols()];
    let mut y = vec![S::zero(); A.rows()];
    product(&x, &mut y);
    let mut seconds: Vec<f64> = (0..repetitions.max(1))
        .map(|_| {
            let begun = Instant::now();
            product(&x, &mut y);
            begun.elapsed().as_secs_f64()
        })
        .collect();
    std::hint::black_box(&y);
    seconds.sort_by(f64::total_cmp);
    seconds
}
