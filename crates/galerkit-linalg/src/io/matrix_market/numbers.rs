//! Numbers from bytes. Each function takes text that begins with the number and returns the number and what follows it,
//! or nothing when no legal number stands there. Up to eight digits are converted at once, as bytes of one word.
//! Reals come out correctly rounded; `D` exponents (Fortran), `nan`, `inf` and `infinity` are legal.

use super::decimal;

const ASCII_ZEROS: u64 = 0x3030_3030_3030_3030;

/// How many of the eight bytes, from the first on, are digits.
#[inline(always)]
fn leading_digits(word: u64) -> u32 {
    let digit = word ^ ASCII_ZEROS;
    // Adding 0x76 reaches the top bit from 10 on. A carry spoils only bytes behind the first one that is no digit.
    let other = (digit.wrapping_add(0x7676_7676_7676_7676) | digit) & 0x8080_8080_8080_8080;
    other.trailing_zeros() / 8
}

/// The value of the first `count` (1 to 8) of eight bytes, all of them digits.
#[inline(always)]
fn up_to_eight_digits(word: u64, count: u32) -> u64 {
    let digits = (word ^ ASCII_ZEROS) << (64 - 8 * count); // leading zeros in front
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let mask = 0x0000_00ff_0000_00ff;
    let first = (pairs & mask).wrapping_mul(100 + (1_000_000 << 32));
    let second = ((pairs >> 16) & mask).wrapping_mul(1 + (10_000 << 32));
    first.wrapping_add(second) >> 32
}

#[inline(always)]
fn word(text: &[u8]) -> Option<u64> {
    text.first_chunk::<8>().map(|bytes| u64::from_le_bytes(*bytes))
}

/// Skips spaces and tabs.
#[inline(always)]
pub(super) fn skip_blanks(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] = text {
        text = rest;
    }
    text
}

/// Skips spaces and tabs; there must be one.
#[inline(always)]
pub(super) fn gap(text: &[u8]) -> Option<&[u8]> {
    if let [b' ' | b'\t', rest @ ..] = text { Some(skip_blanks(rest)) } else { None }
}

/// Skips blanks and the end of the line; nothing else may come before it.
#[inline(always)]
pub(super) fn line_end(text: &[u8]) -> Option<&[u8]> {
    match text {
        [b'\n', rest @ ..] => Some(rest),
        [] => Some(text),
        [b' ' | b'\t' | b'\r', rest @ ..] => line_end_after_blank(rest),
        _ => None,
    }
}

fn line_end_after_blank(mut text: &[u8]) -> Option<&[u8]> {
    while let [b' ' | b'\t' | b'\r', rest @ ..] = text {
        text = rest;
    }
    match text {
        [b'\n', rest @ ..] => Some(rest),
        [] => Some(text),
        _ => None,
    }
}

/// An index or a count, at most `u32::MAX`.
#[inline(always)]
pub(super) fn index(text: &[u8]) -> Option<(u32, &[u8])> {
    if let Some(word) = word(text) {
        let count = leading_digits(word);
        if (1..8).contains(&count) {
            return Some((up_to_eight_digits(word, count) as u32, &text[count as usize..]));
        }
    }
    long_index(text)
}

#[cold]
fn long_index(text: &[u8]) -> Option<(u32, &[u8])> {
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(count);
    Some((std::str::from_utf8(digits).ok()?.parse().ok()?, rest))
}

/// An index that is often the one of the line before, as the row is where entries are listed row by row. Its bytes are
/// kept together with the blanks behind them, and the same bytes are not converted again.
pub(super) struct Repeated {
    index: u32,
    length: usize,
    word: u64, // the bytes
    mask: u64, // those of `word` that count
}

impl Repeated {
    /// Nothing kept: eight bytes of zero would match, and their index, 0, is outside of every matrix.
    pub(super) const NOTHING: Self = Self { index: 0, length: 0, word: 0, mask: u64::MAX };

    /// The index that `text` begins with, and what follows the gap behind it.
    #[inline(always)]
    pub(super) fn next<'a>(&mut self, text: &'a [u8]) -> Option<(u32, &'a [u8])> {
        match word(text) {
            Some(word) if (word ^ self.word) & self.mask == 0 => Some((self.index, skip_blanks(&text[self.length..]))),
            _ => self.convert(text),
        }
    }

    #[inline(always)]
    fn convert<'a>(&mut self, text: &'a [u8]) -> Option<(u32, &'a [u8])> {
        let (index, rest) = index(text)?;
        let rest = gap(rest)?;
        let length = text.len() - rest.len();
        *self = match word(text) {
            Some(word) if length <= 8 => Self { index, length, word, mask: u64::MAX >> (64 - 8 * length) },
            _ => Self::NOTHING,
        };
        Some((index, rest))
    }
}

/// Appends a run of digits to `value`, modulo 2^64, and says how many there were.
#[inline(always)]
fn digits<'a>(mut text: &'a [u8], value: &mut u64) -> (u32, &'a [u8]) {
    const POWERS: [u64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];
    let mut total = 0;
    while let Some(word) = word(text) {
        let count = leading_digits(word);
        if count == 8 {
            *value = value.wrapping_mul(100_000_000).wrapping_add(up_to_eight_digits(word, 8));
            text = &text[8..];
            total += 8;
            continue;
        }
        if count > 0 {
            let scaled = value.wrapping_mul(POWERS[count as usize & 7]);
            *value = scaled.wrapping_add(up_to_eight_digits(word, count));
        }
        return (total + count, &text[count as usize..]);
    }
    while let [byte @ b'0'..=b'9', rest @ ..] = text {
        *value = value.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
        text = rest;
        total += 1;
    }
    (total, text)
}

#[inline(always)]
fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

#[inline(always)]
fn ends(text: &[u8]) -> bool {
    matches!(text, [] | [b' ' | b'\t' | b'\r' | b'\n', ..])
}

/// A real number, correctly rounded.
#[inline(always)]
pub(super) fn real(text: &[u8]) -> Option<(f64, &[u8])> {
    match plain_real(text) {
        Some((value, rest)) if ends(rest) => Some((value, rest)),
        _ => unusual_real(text),
    }
}

/// At most 19 digits, with or without point and exponent.
#[inline(always)]
fn plain_real(text: &[u8]) -> Option<(f64, &[u8])> {
    let (negative, rest) = sign(text);
    let mut mantissa = 0;
    let (before, mut rest) = match rest {
        // One digit before the point is so common that it deserves its own way.
        [digit @ b'0'..=b'9', tail @ ..] if !matches!(tail, [b'0'..=b'9', ..]) => {
            mantissa = u64::from(digit - b'0');
            (1, tail)
        }
        _ => digits(rest, &mut mantissa),
    };
    let mut behind = 0;
    if let [b'.', tail @ ..] = rest {
        (behind, rest) = digits(tail, &mut mantissa);
    }
    if !(1..=19).contains(&(before + behind)) {
        return None;
    }
    let mut exponent = -(behind as i32);
    if let [b'e' | b'E' | b'd' | b'D', tail @ ..] = rest {
        let power;
        (power, rest) = exponent_digits(tail)?;
        exponent += power;
    }
    let value = decimal::nearest(mantissa, exponent)?;
    Some((if negative { -value } else { value }, rest))
}

#[inline(always)]
fn exponent_digits(text: &[u8]) -> Option<(i32, &[u8])> {
    let (negative, mut rest) = sign(text);
    let (mut power, mut count) = (0, 0);
    while let [byte @ b'0'..=b'9', tail @ ..] = rest {
        power = power * 10 + i32::from(byte - b'0');
        rest = tail;
        count += 1;
        if count > 4 {
            return None;
        }
    }
    (count > 0).then_some((if negative { -power } else { power }, rest))
}

/// Everything else that is legal: many digits, huge exponents, `nan`, `inf`.
#[cold]
#[inline(never)]
fn unusual_real(text: &[u8]) -> Option<(f64, &[u8])> {
    let (token, rest) = token(text);
    let token = std::str::from_utf8(token).ok()?;
    let value = match token.parse() {
        Ok(value) => value,
        Err(_) => token.replace(['d', 'D'], "e").parse().ok()?,
    };
    Some((value, rest))
}

/// An integer, rounded to the nearest double when it is beyond 2^53.
#[inline(always)]
pub(super) fn integer(text: &[u8]) -> Option<(f64, &[u8])> {
    let (negative, digits_on) = sign(text);
    let mut value = 0;
    let (count, rest) = digits(digits_on, &mut value);
    if count == 0 || !ends(rest) {
        return None;
    }
    let value = if count <= 19 { value as f64 } else { unusual_real(digits_on)?.0 };
    Some((if negative { -value } else { value }, rest))
}

/// Splits at the first white space.
fn token(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| ends(std::slice::from_ref(byte))).unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn indices() {
        for (text, value, rest) in [("7", 7, ""), ("12345678 x", 12345678, " x"), ("4294967295\n", u32::MAX, "\n")] {
            assert_eq!(index(text.as_bytes()), Some((value, rest.as_bytes())));
        }
        for text in ["", "x", "-1", "+1", "4294967296", "99999999999999999999999999", " 1"] {
            assert_eq!(index(text.as_bytes()), None, "{text}");
        }
        assert_eq!(index(b"1234567 890123456"), Some((1234567, &b" 890123456"[..])));
    }

    #[test]
    fn repeated_indices() {
        let mut kept = Repeated::NOTHING;
        let lines: [(&[u8], u32, &[u8]); 9] = [
            (b"12 34567 8", 12, b"34567 8"),
            (b"12 34567 8", 12, b"34567 8"),
            (b"12  3 4567", 12, b"3 4567"),
            (b"12 \t3 4567", 12, b"3 4567"),
            (b"12\t 3 4567", 12, b"3 4567"),
            (b"123 456789", 123, b"456789"),
            (b"12 3", 12, b"3"),
            (b"123456789 1", 123456789, b"1"),
            (b"1234567 1", 1234567, b"1"),
        ];
        for (text, value, rest) in lines {
            assert_eq!(kept.next(text), Some((value, rest)), "{}", String::from_utf8_lossy(text));
        }
        for text in [&b"1234567"[..], b"1234567x 1", b"-1234567 1", b" 1234567 1"] {
            assert_eq!(kept.next(text), None, "{}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn reals_that_are_legal() {
        let cases = [("1", 1.0), ("-0", -0.0), ("+.5", 0.5), ("3.", 3.0), ("1.5D+03", 1500.0), ("2d-1", 0.2)];
        for (text, value) in cases.into_iter().chain([("1e-320", 1e-320), ("-InFinity", f64::NEG_INFINITY)]) {
            let (found, rest) = real(text.as_bytes()).unwrap();
            assert_eq!((found.to_bits(), rest), (f64::to_bits(value), &b""[..]), "{text}");
        }
        assert!(real(b"NaN").unwrap().0.is_nan());
        assert_eq!(real(b"0.1000000000000000055511151231257827 2"), Some((0.1, &b" 2"[..])));
    }

    #[test]
    fn reals_that_are_not() {
        for text in ["", ".", "-", "e5", "1e", "1e+", "1.2.3", "1,5", "0x10", "1_000", "nano", "--1", "1e5x", "1d2e3"] {
            assert_eq!(real(text.as_bytes()), None, "{text}");
        }
        for text in ["1.0", "1e3", "", "-", "nan", "7x"] {
            assert_eq!(integer(text.as_bytes()), None, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]
        #[test]
        fn every_double_survives(bits: u64, tail in "[ \n]{0,9}") {
            let value = f64::from_bits(bits);
            prop_assume!(!value.is_nan());
            for text in [format!("{value:e}{tail}"), format!("{value}{tail}"), format!("{value:.17e}{tail}")] {
                prop_assert_eq!(real(text.as_bytes()).unwrap().0.to_bits(), bits, "{}", text);
            }
        }

        #[test]
        fn decimals_round_as_in_the_standard_library(text in "[-+]?[0-9]{0,12}\\.?[0-9]{0,12}([eE][-+]?[0-9]{1,3})?") {
            let expected = text.parse::<f64>().ok().map(f64::to_bits);
            prop_assert_eq!(real(text.as_bytes()).map(|found| found.0.to_bits()), expected);
        }

        #[test]
        fn integers_are_exact(value in -(1i64 << 53)..(1i64 << 53), tail in "[ \n]{0,9}") {
            prop_assert_eq!(integer(format!("{value}{tail}").as_bytes()).unwrap().0, value as f64);
        }
    }
}
