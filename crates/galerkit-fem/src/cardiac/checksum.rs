//! A number that tells whether bytes have changed: Fowler, Noll and Vo's hash (FNV-1a) by words of 64 bits, whose upper
//! half is folded onto the lower one after each. Every step is a bijection, so two texts that differ in one word, in one
//! bit for instance, never have the same number.

const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// Of bytes; the last word is filled up with zeros, so the length counts as well.
pub fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let ends = [last, (bytes.len() as u64).to_le_bytes()];
    words.iter().chain(&ends).fold(BASIS, |hash, word| {
        let mixed = (hash ^ u64::from_le_bytes(*word)).wrapping_mul(PRIME);
        mixed ^ mixed >> 32
    })
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn every_bit_and_the_length_count() {
        let bytes: Vec<u8> = (0..77u8).map(|k| k.wrapping_mul(37)).collect();
        let whole = checksum(&bytes);
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(checksum(&flipped), whole, "{bit}");
        }
        assert_ne!(checksum(&[0; 8]), checksum(&[0; 9]));
        let mut twice = bytes.clone();
        (twice[7], twice[15]) = (twice[7] ^ 0x80, twice[15] ^ 0x80);
        assert_ne!(checksum(&twice), whole, "two highest bits");
    }
}
