//! Small dense products for faer: dst = alpha dst + beta lhs rhs, for matrices of any strides, by [`product`]. It
//! stands in for the crate of the same name, whose generated kernels (one for each size up to 16, scalar and
//! instruction set) take a tenth of the time to build galerkit. Here is one tile, of which the compiler makes the
//! registers.
//!
//! Unsafe, because faer hands over pointers; [`Product`] says what they must point to.

mod entry;
mod tile;

pub use entry::Entry;

/// A product of matrices by pointers and strides, counted in entries.
#[derive(Clone, Copy, Debug)]
pub struct Product<E> {
    /// Rows of dst and lhs.
    pub rows: usize,
    /// Columns of dst and rhs.
    pub columns: usize,
    /// Columns of lhs, rows of rhs.
    pub depth: usize,
    /// The result.
    pub dst: *mut E,
    /// From row to row and from column to column of dst.
    pub dst_strides: [isize; 2],
    /// The left factor.
    pub lhs: *const E,
    /// Likewise.
    pub lhs_strides: [isize; 2],
    /// The right factor.
    pub rhs: *const E,
    /// Likewise.
    pub rhs_strides: [isize; 2],
    /// What dst is multiplied by; zero: it is not read.
    pub alpha: E,
    /// What the product is multiplied by.
    pub beta: E,
    /// Whether lhs and rhs are conjugated.
    pub conjugated: [bool; 2],
}

impl<E: Entry> Product<E> {
    /// The same product, rows in an order in which those of lhs lie behind one another, if there is one.
    fn aligned(mut self) -> Self {
        if self.lhs_strides[0] != 1 && self.lhs_strides[0] != -1 && self.rhs_strides[1].abs() == 1 {
            self = self.transposed();
        }
        if self.lhs_strides[0] == -1 && self.rows > 0 {
            let last = self.rows as isize - 1;
            self.lhs = self.lhs.wrapping_offset(last * self.lhs_strides[0]);
            self.dst = self.dst.wrapping_offset(last * self.dst_strides[0]);
            self.lhs_strides[0] = 1;
            self.dst_strides[0] = -self.dst_strides[0];
        }
        self
    }

    /// dst^T = alpha dst^T + beta rhs^T lhs^T
    fn transposed(self) -> Self {
        let swapped = |[first, second]: [isize; 2]| [second, first];
        Self {
            rows: self.columns,
            columns: self.rows,
            dst_strides: swapped(self.dst_strides),
            lhs: self.rhs,
            lhs_strides: swapped(self.rhs_strides),
            rhs: self.lhs,
            rhs_strides: swapped(self.lhs_strides),
            conjugated: [self.conjugated[1], self.conjugated[0]],
            ..self
        }
    }
}

/// Computes it; compiled here, for the four entries.
///
/// # Safety
/// Every entry of the three matrices is in memory that may be read, and those of dst in memory that nobody else reads
/// or writes.
pub unsafe fn product<E: Entry>(product: Product<E>) {
    // SAFETY: the caller answers for the pointers.
    unsafe { E::multiply(product) }
}

/// [`product`] where it is compiled.
#[inline(always)]
unsafe fn by_tiles<E: Entry>(product: Product<E>) {
    let product = product.aligned();
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
        // SAFETY: the processor has both, and the caller answers for the pointers.
        return unsafe { by_avx2(&product) };
    }
    // SAFETY: the caller answers for the pointers.
    unsafe { tile::each::<E, { cfg!(target_arch = "aarch64") }>(&product) }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2,fma")]
unsafe fn by_avx2<E: Entry>(product: &Product<E>) {
    // SAFETY: the caller answers for the pointers.
    unsafe { tile::each::<E, true>(product) }
}

/// The functions that faer calls.
pub mod planless {
    use super::{Product, product};
    use num_complex::{Complex32, Complex64};

    macro_rules! execute {
        ($($name:ident $entry:ty;)+) => {$(
            /// dst = alpha dst + beta lhs rhs
            ///
            /// # Safety
            /// As for [`product`].
            #[allow(clippy::too_many_arguments)] // faer's
            pub unsafe fn $name(
                m: usize, n: usize, k: usize,
                dst: *mut $entry, dst_rs: isize, dst_cs: isize,
                lhs: *const $entry, lhs_rs: isize, lhs_cs: isize,
                rhs: *const $entry, rhs_rs: isize, rhs_cs: isize,
                alpha: $entry, beta: $entry, conj_lhs: bool, conj_rhs: bool,
            ) {
                let whole = Product {
                    rows: m, columns: n, depth: k,
                    dst, dst_strides: [dst_rs, dst_cs],
                    lhs, lhs_strides: [lhs_rs, lhs_cs],
                    rhs, rhs_strides: [rhs_rs, rhs_cs],
                    alpha, beta, conjugated: [conj_lhs, conj_rhs],
                };
                // SAFETY: the caller answers for the pointers.
                unsafe { product(whole) }
            }
        )+};
    }

    execute! {
        execute_f32 f32;
        execute_f64 f64;
        execute_c32 Complex32;
        execute_c64 Complex64;
    }
}

#[cfg(test)]
mod tests;
