//! What is wrong with a line of the body: called only when parsing has failed, so it may take its time.

use super::body::Fault;
use super::header::{Field, Header, Layout, quote};
use super::numbers;

/// What one line is, seen by a parser that could not use it.
pub(super) fn is_empty_line(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.is_empty() || line[0] == b'%'
}

/// The first line and what comes after it.
pub(super) fn split_line(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|&byte| byte == b'\n').map_or(text.len(), |end| end + 1);
    text.split_at(end)
}

/// Finds out which word of the line is the wrong one.
pub(super) fn complaint(header: &Header, number: usize, line: &[u8]) -> Fault {
    let words: Vec<&[u8]> =
        line.trim_ascii().split(|byte| matches!(byte, b' ' | b'\t' | b'\r')).filter(|word| !word.is_empty()).collect();
    let mut expected = Vec::new();
    if header.layout == Layout::Coordinate {
        expected.push(Word::Index("row", header.rows));
        expected.push(Word::Index("column", header.cols));
    }
    match header.field {
        Field::Pattern => {}
        Field::Integer => expected.push(Word::Integer),
        Field::Real => expected.push(Word::Real("a real number")),
        Field::Complex => {
            expected.extend([Word::Real("the real part"), Word::Real("the imaginary part (of a complex number)")]);
        }
    }
    for (k, word) in expected.iter().enumerate() {
        let found = words.get(k);
        if !found.is_some_and(|found| word.fits(found)) {
            let found = found.map_or_else(|| "the end of the line".into(), |found| quote(found));
            return Fault { line: number, expected: word.text(), found };
        }
    }
    let surplus = words.get(expected.len()).copied().unwrap_or(line);
    let expected = format!("the end of the line after {} numbers", expected.len());
    Fault { line: number, expected, found: quote(surplus) }
}

/// What a line must hold at one place.
enum Word {
    Index(&'static str, usize),
    Integer,
    Real(&'static str),
}

impl Word {
    fn fits(&self, word: &[u8]) -> bool {
        match self {
            Word::Index(_, limit) => {
                matches!(numbers::index(word), Some((index, [])) if (1..=*limit).contains(&(index as usize)))
            }
            Word::Integer => matches!(numbers::integer(word), Some((_, []))),
            Word::Real(_) => matches!(numbers::real(word), Some((_, []))),
        }
    }

    fn text(&self) -> String {
        match self {
            Word::Index(what, 0) => format!("no entries, because there are no {what}s"),
            Word::Index(what, limit) => format!("a {what} index from 1 to {limit}"),
            Word::Integer => "an integer".into(),
            Word::Real(what) => (*what).into(),
        }
    }
}
