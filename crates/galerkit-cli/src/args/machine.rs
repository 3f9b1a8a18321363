//! Where and how something is computed, and the command that asks what there is, as typed.

use super::heading;
use clap::Args;

/// What `--device` can be.
pub const DEVICE: &str = "auto, cpu (threads and SIMD), cuda[:N] (an NVIDIA GPU, the first unless numbered) or reference (plain \
loops). 'auto' takes the first GPU if the driver and NVRTC are there and the system is large enough, else the CPU, and says \
which and why in one line on standard error; 'galerkit doctor' tells what is missing";

const PRECISION: &str = "auto, f64 (or double), f32 (or single) or hybrid; real or complex is taken from the matrix. 'hybrid' runs \
the method, with its preconditioner, in single precision as the inner solve of VPGCR in double precision: the answer is as good as in f64, \
iterations move about 0.6 of the bytes, and conjugate gradients take 1.1 to 2.1 times as many. Measured on an H200, vpgcr gains with 2 million \
unknowns (1.4 to 1.6 times as fast) and cg loses (0.9). If single precision does not do the solve goes on in f64 and says so. 'auto' takes hybrid \
for vpgcr, and on the CPU for cg, fcg and pipecg, on matrices larger than the cache of the device whose entries fit f32, if the tolerance \
is below 1e-5, else f64. Benchmarks of products take f64 or f32";

/// Where and how something is computed.
#[derive(Clone, Debug, Args)]
pub struct Machine {
    /// auto, cpu (threads and SIMD), cuda[:N] (an NVIDIA GPU) or reference (plain loops)
    #[arg(long, default_value = "auto", long_help = DEVICE)]
    pub device: String,
    /// auto, f64, f32 or hybrid (f64 with an inner solve in f32); real or complex is taken from the matrix
    #[arg(long, default_value = "f64", long_help = PRECISION, help_heading = heading::PRECISION)]
    pub precision: String,
    /// Threads of the CPU [default: every core]
    #[arg(long, value_name = "N", help_heading = heading::DEVICE)]
    pub threads: Option<usize>,
}

/// `galerkit doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
    /// Do not measure the memory bandwidths
    #[arg(long)]
    pub no_bandwidth: bool,
}
