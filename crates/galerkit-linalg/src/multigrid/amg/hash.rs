//! Numbers that decide between equals: the first number of the library's random stream for each index, as plain integer
//! arithmetic.

use crate::random::Random;

/// The step of the stream.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// h(i), 64 bits that look random.
#[inline]
pub fn hash(i: u64) -> u64 {
    Random::new(i.wrapping_mul(STEP)).bits()
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn the_first_four() {
        let expected = [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f, 0xf88b_b8a8_724c_81ec];
        assert_eq!([0, 1, 2, 3].map(hash), expected);
    }
}
