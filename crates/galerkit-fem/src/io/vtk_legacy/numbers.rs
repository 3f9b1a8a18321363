//! Arrays of numbers of a named type.

use crate::error::Result;
use crate::io::scan::{Encoding, Scanner};

/// Bytes of a type, and whether it is whole.
fn width(kind: &str) -> Option<(usize, bool)> {
    Some(match kind.to_ascii_lowercase().as_str() {
        "float" => (4, false),
        "double" => (8, false),
        "char" | "signed_char" | "unsigned_char" => (1, true),
        "short" | "unsigned_short" => (2, true),
        "int" | "unsigned_int" | "vtktypeint32" | "vtktypeuint32" => (4, true),
        "long" | "unsigned_long" | "vtktypeint64" | "vtktypeuint64" | "vtkidtype" => (8, true),
        _ => return None,
    })
}

/// One number of `bytes`, the most significant first; whole ones are taken as signed, except those of one byte.
fn whole(bytes: &[u8]) -> i64 {
    match *bytes {
        [a] => i64::from(a),
        [a, b] => i64::from(i16::from_be_bytes([a, b])),
        [a, b, c, d] => i64::from(i32::from_be_bytes([a, b, c, d])),
        _ => i64::from_be_bytes(bytes.try_into().expect("eight bytes")),
    }
}

fn array<T>(
    scanner: &mut Scanner,
    encoding: Encoding,
    kind: &str,
    count: u64,
    word: fn(&mut Scanner) -> Result<T>,
    decode: fn(&[u8], bool) -> T,
) -> Result<Vec<T>> {
    let known = width(kind).ok_or_else(|| {
        scanner.error(format!("numbers of type \"{kind}\" are not known: write float, double, int or long"))
    })?;
    if encoding == Encoding::Text {
        let count = scanner.fitting(count, 2, "numbers")?;
        return (0..count).map(|_| word(scanner)).collect();
    }
    let count = scanner.fitting(count, known.0, "numbers")?;
    let bytes = scanner.take(count * known.0)?;
    Ok(bytes.chunks_exact(known.0).map(|bytes| decode(bytes, known.1)).collect())
}

pub(super) fn reals(scanner: &mut Scanner, encoding: Encoding, kind: &str, count: u64) -> Result<Vec<f64>> {
    let decode = |bytes: &[u8], is_whole: bool| match bytes {
        _ if is_whole => whole(bytes) as f64,
        [a, b, c, d] => f64::from(f32::from_be_bytes([*a, *b, *c, *d])),
        _ => f64::from_be_bytes(bytes.try_into().expect("eight bytes")),
    };
    array(scanner, encoding, kind, count, |scanner| scanner.real(), decode)
}

pub(super) fn integers(scanner: &mut Scanner, encoding: Encoding, kind: &str, count: u64) -> Result<Vec<i64>> {
    array(scanner, encoding, kind, count, |scanner| scanner.int(), |bytes, _| whole(bytes))
}
