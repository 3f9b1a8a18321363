//! The numbers of a `DataArray`. Binary data is a header and bytes: the number of bytes, or, where it is packed, the
//! number of blocks, the length of a block, that of the last one (0 if it is full) and the packed length of each.

use super::base64::Stream;
use super::xml::Element;
use flate2::read::ZlibDecoder;
use std::io::Read;

/// How the arrays of a file are stored.
pub(super) struct Storage<'a> {
    /// With zlib.
    pub(super) packed: bool,
    /// Lengths have 8 bytes, not 4.
    pub(super) wide: bool,
    /// The most significant byte comes first.
    pub(super) big: bool,
    /// From before version 2.1.
    pub(super) old: bool,
    pub(super) appended: &'a [u8],
    pub(super) appended_base64: bool,
}

/// The numbers of an array, each by one of two functions of its type: from bytes (least significant first), and from a
/// word.
fn numbers<T>(
    element: &Element,
    storage: &Storage,
    from_bytes: fn(&str, &[u8]) -> Option<T>,
    from_word: fn(&str) -> Option<T>,
) -> Result<Vec<T>, String> {
    let name = element.attribute("Name").unwrap_or("?");
    let kind = element.attribute("type").unwrap_or("?");
    if element.attribute("format").is_none_or(|format| format == "ascii") {
        let words = std::str::from_utf8(element.text).map_err(|_| format!("the array {name} is no text"))?;
        let number =
            |word| from_word(word).ok_or_else(|| format!("the array {name} has \"{word}\" where a number must stand"));
        return words.split_whitespace().map(number).collect();
    }
    let width = width(kind).ok_or_else(|| format!("the array {name} is of type {kind}, which is not known"))?;
    let mut bytes = bytes(element, storage).map_err(|problem| format!("the array {name}: {problem}"))?;
    if storage.big {
        bytes.chunks_exact_mut(width).for_each(<[u8]>::reverse);
    }
    bytes.chunks_exact(width).map(|bytes| from_bytes(kind, bytes).ok_or_else(|| format!("{kind} in {name}"))).collect()
}

pub(super) fn reals(element: &Element, storage: &Storage) -> Result<Vec<f64>, String> {
    numbers(element, storage, real, |word| word.parse().ok())
}

pub(super) fn integers(element: &Element, storage: &Storage) -> Result<Vec<i64>, String> {
    numbers(element, storage, integer, |word| word.parse().ok())
}

fn width(kind: &str) -> Option<usize> {
    let digits = kind.trim_start_matches(|c: char| !c.is_ascii_digit());
    let known = kind.starts_with("Int") || kind.starts_with("UInt") || matches!(kind, "Float32" | "Float64");
    digits.parse::<usize>().ok().filter(|bits| known && matches!(bits, 8 | 16 | 32 | 64)).map(|bits| bits / 8)
}

fn real(kind: &str, bytes: &[u8]) -> Option<f64> {
    match (kind, bytes.len()) {
        ("Float32", _) => Some(f64::from(f32::from_le_bytes(bytes.try_into().ok()?))),
        ("Float64", _) => Some(f64::from_le_bytes(bytes.try_into().ok()?)),
        _ => integer(kind, bytes).map(|value| value as f64),
    }
}

fn integer(kind: &str, bytes: &[u8]) -> Option<i64> {
    if kind.starts_with("Float") {
        return real(kind, bytes).filter(|value| value.fract() == 0.0).map(|value| value as i64);
    }
    let negative = kind.starts_with("Int") && bytes.last().is_some_and(|last| *last >= 128);
    let mut wide = [if negative { 255 } else { 0 }; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    Some(i64::from_le_bytes(wide))
}

/// The unpacked bytes of an array.
fn bytes(element: &Element, storage: &Storage) -> Result<Vec<u8>, String> {
    let mut stream = match element.attribute("format") {
        Some("appended") => {
            let offset = element.attribute("offset").and_then(|offset| offset.parse::<usize>().ok());
            let data = offset.and_then(|offset| storage.appended.get(offset..));
            let bytes = data.ok_or("its offset lies behind the end of the appended data: the file was cut short")?;
            Stream::new(bytes, storage.appended_base64)
        }
        Some("binary") => Stream::new(element.text.trim_ascii(), true),
        other => return Err(format!("the format {} is not known", other.unwrap_or("?"))),
    };
    if !storage.packed {
        let length = length(&mut stream, storage)?;
        return stream.take(length);
    }
    let [count, block, last] =
        [length(&mut stream, storage)?, length(&mut stream, storage)?, length(&mut stream, storage)?];
    if count > stream.left() {
        return Err(format!("{count} packed blocks are announced, which the file cannot hold"));
    }
    let packed: Vec<usize> = (0..count).map(|_| length(&mut stream, storage)).collect::<Result<_, _>>()?;
    let mut bytes = Vec::new();
    for (number, length) in packed.iter().enumerate() {
        let expected = if number + 1 == count && last > 0 { last } else { block };
        let before = bytes.len();
        let block = stream.take(*length)?;
        let unpacked = ZlibDecoder::new(&block[..]).take(expected as u64).read_to_end(&mut bytes);
        if unpacked.is_err() || bytes.len() - before != expected {
            return Err(format!("its packed block {number} is damaged: fetch or write the file again"));
        }
    }
    Ok(bytes)
}

fn length(stream: &mut Stream, storage: &Storage) -> Result<usize, String> {
    let mut bytes = stream.take(if storage.wide { 8 } else { 4 })?;
    if storage.big {
        bytes.reverse();
    }
    let length = bytes.iter().rev().fold(0, |sum: u64, byte| sum << 8 | u64::from(*byte));
    usize::try_from(length).map_err(|_| format!("{length} bytes are too many"))
}
