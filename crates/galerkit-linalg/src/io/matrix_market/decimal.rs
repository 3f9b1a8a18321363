//! m · 10^q to the nearest double, ties to even, or nothing where this file cannot be sure.
//!
//! Small cases are exact in one floating-point operation (Clinger 1990). Otherwise m is multiplied by the first 64 bits
//! of 5^q; the truncation bounds the product from both sides (the idea of Lemire 2021), and when both bounds round to
//! the same double that is the answer. About one number in a thousand is left to the standard library.

const LOWEST: i32 = -290; // below, m · 10^q may be subnormal
const HIGHEST: i32 = 280; // above, it may overflow
const POWERS: usize = (HIGHEST - LOWEST + 1) as usize;

/// 5^q lies in [leading, leading + 2) · 2^exponent, with the top bit of `leading` set.
#[derive(Clone, Copy)]
struct Power {
    leading: u64,
    exponent: i32,
}

static POWERS_OF_FIVE: [Power; POWERS] = powers_of_five();

const fn powers_of_five() -> [Power; POWERS] {
    let mut table = [Power { leading: 0, exponent: 0 }; POWERS];
    // 128-bit mantissas, each step truncated: 290 steps lose less than 2^-115, far below the 64 bits kept.
    let (mut mantissa, mut exponent, mut q) = (1u128 << 127, -127, 0);
    while q <= HIGHEST {
        table[(q - LOWEST) as usize] = Power { leading: (mantissa >> 64) as u64, exponent: exponent + 64 };
        mantissa = (mantissa >> 3) * 5;
        exponent += 3 - mantissa.leading_zeros() as i32;
        mantissa <<= mantissa.leading_zeros();
        q += 1;
    }
    (mantissa, exponent, q) = (1u128 << 127, -127, 0);
    while q >= LOWEST {
        table[(q - LOWEST) as usize] = Power { leading: (mantissa >> 64) as u64, exponent: exponent + 64 };
        mantissa /= 5;
        exponent -= mantissa.leading_zeros() as i32;
        mantissa <<= mantissa.leading_zeros();
        q -= 1;
    }
    table
}

#[rustfmt::skip]
static POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// The double nearest to m · 10^q.
#[inline(always)]
pub(super) fn nearest(m: u64, q: i32) -> Option<f64> {
    if q == 0 || m == 0 {
        return Some(m as f64);
    }
    if m <= 1 << 53 && q.unsigned_abs() <= 22 {
        let power = POWERS_OF_TEN[q.unsigned_abs() as usize];
        return Some(if q < 0 { m as f64 / power } else { m as f64 * power });
    }
    by_bounds(m, q)
}

fn by_bounds(m: u64, q: i32) -> Option<f64> {
    let power = POWERS_OF_FIVE.get(usize::try_from(q - LOWEST).ok()?)?;
    let zeros = m.leading_zeros();
    let factor = u128::from(m << zeros);
    let low = factor * u128::from(power.leading); // the true product is in [low, low + 2 factor)
    let shift = 75 - low.leading_zeros();
    let (half, rest) = (1u128 << (shift - 1), low & ((1 << shift) - 1));
    let truncated = (low >> shift) as u64;
    let mantissa = if rest > half {
        truncated + 1
    } else if rest + 2 * factor < half {
        truncated
    } else {
        return None;
    };
    let exponent = shift as i32 + power.exponent + q - zeros as i32; // value = mantissa · 2^exponent
    // A mantissa rounded up to 2^53 carries into the exponent field, as it should.
    Some(f64::from_bits((((1075 + exponent) as u64) << 52) + (mantissa - (1 << 52))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn powers_are_bounds() {
        for q in 0..=27 {
            let power = POWERS_OF_FIVE[(q - LOWEST) as usize];
            let exact = 5u128.pow(q as u32) << 64; // 64 places behind the point
            let low = u128::from(power.leading) << (power.exponent + 64);
            assert_eq!(low, exact, "5^{q} fits 64 bits");
        }
    }

    #[test]
    fn halfway_cases_are_left_to_others_or_right() {
        for (m, q) in [(9007199254740993, 0), (90071992547409930, -1), (9007199254740993, 22), (5, -324), (1, 308)] {
            let expected: f64 = format!("{m}e{q}").parse().unwrap();
            assert!(nearest(m, q).is_none_or(|found| found == expected), "{m}e{q}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn agrees_with_the_standard_library(m: u64, digits in 0u32..64, q in -320i32..310) {
            let m = m >> digits;
            if let Some(found) = nearest(m, q) {
                let expected: f64 = format!("{m}e{q}").parse().unwrap();
                prop_assert_eq!(found.to_bits(), expected.to_bits(), "{}e{}", m, q);
            }
        }

        #[test]
        fn is_rarely_unsure(m in (1u64 << 50)..u64::MAX, q in LOWEST..=HIGHEST) {
            // Sure at least for one of eight neighbours: the certain region is nearly everything.
            prop_assert!((0..8).any(|step| nearest(m - step, q).is_some()));
        }
    }
}
