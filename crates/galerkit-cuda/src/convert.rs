//! Set-up without leaving the GPU, from compressed rows that were brought there or [born] there: [`Facts`] about the
//! matrix, and the matrix in its format ([`stored`]: rows, slices with or without columns, K1 and K2), with the arrays
//! that the host would have made, bit for bit.
//!
//! CSR to ELL-WARP (spec 07) has a function of its own ([`convert`]): the same arrays as `EllWarp::from_csr`, and what
//! each part costs by the GPU's own clock. After alpha = ceil(cost / (time of a CSR product - time of an ELL-WARP
//! product)) products the conversion has paid for itself (Wong, Kuhl, Darve 2015). Kernels: sort.cu, convert.cu,
//! refill.cu.
//!
//! | step | where |
//! |---|---|
//! | rows by length, longest first; warps and their slots | `analysis` |
//! | columns and the slot of every entry | `structure` |
//! | values: one scatter, again for every new set of values | [`Converted::refill`] |

mod analysis;
mod born;
mod device_csr;
mod ell_warp;
mod facts;
pub(crate) mod kernels;
mod on_device;
mod refills;
mod slices;
mod sort;
mod stored;
mod structure;

pub use born::born;
pub use device_csr::DeviceCsr;
pub use ell_warp::{Converted, Costs, convert};
pub use facts::{Facts, diagonal};
pub use kernels::{compile_ahead, compile_ahead_of_birth, sources};
pub use on_device::{DiagonalOnDevice, OnDevice};
pub use refills::{Refills, refills};
pub use stored::stored;
