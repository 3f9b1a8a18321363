//! Dense products for faer on processors without AVX2, where its own kernels do not run (ARM, x86 before 2013); no
//! other is ever multiplied here. It stands in for the crate of the same name, whose kernels for all of them take a
//! thirtieth of the time to build galerkit: blocks that fit the cache, by the tile of nano-gemm, bands of columns on
//! threads.
//!
//! Unsafe, because faer hands over pointers.

use nano_gemm::{Entry, Product, product};
use num_complex::{Complex32, Complex64};
use rayon_threads::prelude::*;
use std::any::{Any, TypeId};

/// Rows and depth of a block of lhs, which is copied so that it stays in the second cache; columns of a band of dst.
const BLOCK: [usize; 2] = [64, 256];
const BAND: usize = 64;

/// Whether threads share a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallelism {
    /// They do not.
    None,
    /// So many of rayon's; the pool decides.
    Rayon(usize),
}

/// Multiplications from which on faer uses threads.
pub fn get_threading_threshold() -> usize {
    48 * 48 * 256
}

/// dst = alpha dst + beta lhs rhs; dst is not read unless `read_dst`.
///
/// # Safety
/// As for [`product`].
#[allow(clippy::too_many_arguments)] // faer's
pub unsafe fn gemm<T: 'static>(
    m: usize,
    n: usize,
    k: usize,
    dst: *mut T,
    dst_cs: isize,
    dst_rs: isize,
    read_dst: bool,
    lhs: *const T,
    lhs_cs: isize,
    lhs_rs: isize,
    rhs: *const T,
    rhs_cs: isize,
    rhs_rs: isize,
    alpha: T,
    beta: T,
    conj_dst: bool,
    conj_lhs: bool,
    conj_rhs: bool,
    parallelism: Parallelism,
) {
    assert!(!conj_dst, "faer never conjugates what is added to");
    macro_rules! as_entries {
        ($($entry:ty, $multiply:ident;)+) => {$(
            if let (Some(&alpha), Some(&beta)) = ((&alpha as &dyn Any).downcast_ref(), (&beta as &dyn Any).downcast_ref()) {
                let whole = Product::<$entry> {
                    rows: m, columns: n, depth: k,
                    dst: dst.cast(), dst_strides: [dst_rs, dst_cs],
                    lhs: lhs.cast(), lhs_strides: [lhs_rs, lhs_cs],
                    rhs: rhs.cast(), rhs_strides: [rhs_rs, rhs_cs],
                    alpha: if read_dst { alpha } else { <$entry as Entry>::ZERO },
                    beta, conjugated: [conj_lhs, conj_rhs],
                };
                // SAFETY: T is this entry, and the caller answers for the pointers.
                return unsafe { $multiply(whole, parallelism) };
            }
        )+};
    }
    as_entries! { f64, multiply_f64; Complex64, multiply_c64; f32, multiply_f32; Complex32, multiply_c32; }
    panic!("no product of matrices of {:?}", TypeId::of::<T>());
}

macro_rules! multiply {
    ($($multiply:ident $entry:ty;)+) => {$(
        /// Not generic: compiled here, and not by whoever calls [`gemm`].
        unsafe fn $multiply(whole: Product<$entry>, parallelism: Parallelism) {
            // SAFETY: the caller answers for the pointers.
            unsafe { in_bands(whole, parallelism) }
        }
    )+};
}

multiply! {
    multiply_f64 f64;
    multiply_c64 Complex64;
    multiply_f32 f32;
    multiply_c32 Complex32;
}

/// A product that may go to another thread: each has columns of dst of its own.
struct Band<E>(Product<E>);

// SAFETY: bands write different entries, and nobody writes what they read.
unsafe impl<E: Send + Sync> Send for Band<E> {}

unsafe fn in_bands<E: Entry>(whole: Product<E>, parallelism: Parallelism) {
    let band = |first: usize| {
        Band(Product {
            columns: BAND.min(whole.columns - first),
            dst: whole.dst.wrapping_offset(first as isize * whole.dst_strides[1]),
            rhs: whole.rhs.wrapping_offset(first as isize * whole.rhs_strides[1]),
            ..whole
        })
    };
    let bands: Vec<Band<E>> = (0..whole.columns).step_by(BAND).map(band).collect();
    // SAFETY: the caller answers for the pointers.
    let multiply = |band: Band<E>| unsafe { in_blocks(band) };
    match parallelism {
        Parallelism::None => bands.into_iter().for_each(multiply),
        Parallelism::Rayon(_) => bands.into_par_iter().for_each(multiply),
    }
}

/// One band, by blocks of lhs that are copied by columns.
unsafe fn in_blocks<E: Entry>(Band(band): Band<E>) {
    let mut block = vec![E::ZERO; BLOCK[0] * BLOCK[1]];
    let [down, along] = band.lhs_strides;
    let depths = (0..band.depth.max(1)).step_by(BLOCK[1]); // without depth dst is still multiplied by alpha
    for (first, row) in depths.flat_map(|first| (0..band.rows).step_by(BLOCK[0]).map(move |row| (first, row))) {
        let (rows, depth) = (BLOCK[0].min(band.rows - row), BLOCK[1].min(band.depth - first));
        for (k, copied) in (first as isize..).zip(block.chunks_exact_mut(rows)).take(depth) {
            for (i, copied) in (row as isize..).zip(copied) {
                // SAFETY: row i and column k of lhs, which is in memory.
                *copied = unsafe { *band.lhs.wrapping_offset(i * down + k * along) };
            }
        }
        let part = Product {
            rows,
            depth,
            dst: band.dst.wrapping_offset(row as isize * band.dst_strides[0]),
            lhs: block.as_ptr(),
            lhs_strides: [1, rows as isize],
            rhs: band.rhs.wrapping_offset(first as isize * band.rhs_strides[0]),
            alpha: if first == 0 { band.alpha } else { E::ONE },
            ..band
        };
        // SAFETY: the rows of dst from `row` on, which the caller answers for, and a block of our own.
        unsafe { product(part) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks and bands that end in the middle, on threads and without: whole numbers, so that nothing is rounded.
    #[test]
    fn products_of_several_blocks_and_bands() {
        let (m, n, k) = (130, 131, 300);
        let all =
            |count: usize, factor: usize| (0..count).map(|i| ((i * factor) % 13) as f64 - 6.0).collect::<Vec<_>>();
        let (lhs, rhs, before) = (all(m * k, 5), all(k * n, 7), all(m * n, 3));
        for (parallelism, read_dst) in [(Parallelism::None, true), (Parallelism::Rayon(2), false)] {
            let mut dst = before.clone();
            let [down, across] = [(1, m as isize), (n as isize, 1)]; // lhs and dst by columns, rhs by rows
            // SAFETY: the arrays have m k, k n and m n entries.
            unsafe {
                let (dst, lhs, rhs) = (dst.as_mut_ptr(), lhs.as_ptr(), rhs.as_ptr());
                let (alpha, beta) = (2.0, -1.0);
                gemm(
                    m,
                    n,
                    k,
                    dst,
                    down.1,
                    down.0,
                    read_dst,
                    lhs,
                    down.1,
                    down.0,
                    rhs,
                    across.1,
                    across.0,
                    alpha,
                    beta,
                    false,
                    false,
                    false,
                    parallelism,
                );
            }
            for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let sum: f64 = (0..k).map(|p| lhs[i + p * m] * rhs[p * n + j]).sum();
                let kept = if read_dst { 2.0 * before[i + j * m] } else { 0.0 };
                assert_eq!(dst[i + j * m], kept - sum, "({i}, {j})");
            }
        }
    }

    #[test]
    fn without_depth_the_rest_is_scaled() {
        let (mut dst, one) = (vec![Complex64::new(1.0, 2.0); 6], Complex64::new(0.0, 1.0));
        let none = std::ptr::null();
        // SAFETY: dst has two rows and three columns, the others have no entries.
        unsafe {
            let dst = dst.as_mut_ptr();
            gemm(2, 3, 0, dst, 2, 1, true, none, 2, 1, none, 0, 1, one, one, false, true, true, Parallelism::None);
        }
        assert_eq!(dst, [Complex64::new(-2.0, 1.0); 6]);
    }
}
