//! The library's own generator of pseudo-random numbers: splitmix64 (Steele, Lea, Flood, OOPSLA 2014). Integer
//! arithmetic and exact powers of two only, so that a seed gives the same bits on every machine; streams for single
//! rows make parallel filling possible.

/// A seeded stream of pseudo-random numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

/// The fractional part of the golden ratio: the step from one state to the next.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A stream of its own for each index, such as a row.
    pub fn for_index(seed: u64, index: u64) -> Self {
        let start = Self::new(seed).bits();
        Self { state: Self::new(start ^ index.wrapping_mul(STEP)).bits() }
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1), a multiple of 2^-53.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in 0..bound; 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((self.bits() as u128 * bound as u128) >> 64) as usize
    }

    /// A random order of 0..n (Fisher and Yates).
    pub fn shuffled(&mut self, n: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..n as u32).collect();
        for k in (1..n).rev() {
            order.swap(k, self.below(k + 1));
        }
        order
    }
}
