//! Slices of eight rows in f64 with 16-bit columns, by hand for AVX-512: one gather an entry of the slice, padding
//! masked away. The order of summation is that of the portable kernel, and so are the bits. Measured on poisson3d 100^3
//! with 2 threads: 1.05 to 1.1 times the portable kernel compiled for AVX2.
#![allow(unsafe_code)]

use crate::backend::cpu::simd::{Gather, prefetch};
use std::arch::x86_64::{
    __m512d, _mm_loadu_si128, _mm256_cmpgt_epu32_mask, _mm256_cvtepu16_epi32, _mm256_loadu_si256, _mm256_set1_epi32,
    _mm512_add_pd, _mm512_loadu_pd, _mm512_mask_add_pd, _mm512_mask_i32gather_pd, _mm512_mul_pd, _mm512_setzero_pd,
    _mm512_storeu_pd,
};

/// Eight rows of f64 to a slice.
const HEIGHT: usize = 8;

/// The slices from `first` on, as many as y has room for.
pub struct Slices<'a> {
    pub start: &'a [u64],
    pub val: &'a [f64],
    pub offset: &'a [u16],
    pub base: &'a [u32],
    pub full: &'a [u32],
    pub len: &'a [u32],
    pub first: usize,
    pub x: Gather<'a, f64>,
    pub y: &'a mut [f64],
}

/// Whether this machine has the instructions.
pub fn is_available() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl")
}

/// Writes the sums of the slices; the caller has asked [`is_available`].
pub fn run(slices: Slices<'_>) {
    assert!(is_available(), "AVX-512 is not available");
    // SAFETY: the features were detected on the line above.
    unsafe { slice_sums(slices) };
}

#[target_feature(enable = "avx512f,avx512vl")]
fn slice_sums(slices: Slices<'_>) {
    let bounds = slices.start[slices.first..].windows(2);
    for ((s, y), bounds) in (slices.first..).zip(slices.y.chunks_mut(HEIGHT)).zip(bounds) {
        let slots = bounds[0] as usize..bounds[1] as usize;
        let val = slices.val[slots.clone()].as_chunks::<HEIGHT>().0;
        let offset = slices.offset[slots].as_chunks::<HEIGHT>().0;
        let x = slices.x.from(slices.base[s] as usize);
        let full = slices.full[s] as usize;
        let mut sum = _mm512_setzero_pd();
        for (val, offset) in val.iter().zip(offset).take(full) {
            sum = _mm512_add_pd(sum, product(val, offset, x, 0xff));
        }
        if full < val.len() {
            let len = slices.len[s * HEIGHT..].first_chunk::<HEIGHT>().expect("lengths are padded to whole slices");
            // SAFETY: `len` is 32 bytes; the load may be unaligned.
            let len = unsafe { _mm256_loadu_si256(len.as_ptr().cast()) };
            for (e, (val, offset)) in val.iter().zip(offset).enumerate().skip(full) {
                let has_entry = _mm256_cmpgt_epu32_mask(len, _mm256_set1_epi32(e as i32));
                sum = _mm512_mask_add_pd(sum, has_entry, sum, product(val, offset, x, has_entry));
            }
        }
        let mut sums = [0.0; HEIGHT];
        // SAFETY: `sums` is 64 bytes; the store may be unaligned.
        unsafe { _mm512_storeu_pd(sums.as_mut_ptr(), sum) };
        match y.first_chunk_mut::<HEIGHT>() {
            Some(y) => *y = sums, // one store; a copy of unknown length would be a call
            None => y.copy_from_slice(&sums[..y.len()]),
        }
    }
}

/// The products of one entry of every lane; lanes without one are not gathered.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn product(val: &[f64; HEIGHT], offset: &[u16; HEIGHT], x: Gather<'_, f64>, has_entry: u8) -> __m512d {
    prefetch(val);
    prefetch(offset);
    // SAFETY: `offset` is 16 and `val` 64 bytes, loads may be unaligned; the gathered columns belong to the matrix for
    // which the maker of `x` vouched, and masked lanes are not read.
    unsafe {
        let column = _mm256_cvtepu16_epi32(_mm_loadu_si128(offset.as_ptr().cast()));
        let gathered = _mm512_mask_i32gather_pd::<8>(_mm512_setzero_pd(), has_entry, column, x.as_ptr());
        _mm512_mul_pd(_mm512_loadu_pd(val.as_ptr()), gathered)
    }
}
