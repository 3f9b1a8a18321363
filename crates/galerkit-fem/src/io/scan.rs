//! Numbers one after the other from text or from binary data, through the same calls: a format that exists in both
//! kinds is read by one function. Errors say the line, or the byte.

use crate::error::{Error, Result};
use std::path::Path;

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// As words.
    Text,
    /// As bytes, the least significant first.
    Little,
    /// As bytes, the most significant first.
    Big,
}

/// A place in the bytes of a file.
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    last: usize,
    path: &'a Path,
    pub(super) encoding: Encoding,
    /// Bytes of a count in binary data.
    pub(super) size_bytes: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(bytes: &'a [u8], path: &'a Path) -> Self {
        Self { bytes, at: 0, last: 0, path, encoding: Encoding::Text, size_bytes: 8 }
    }

    /// A complaint about what was read last.
    pub(super) fn error(&self, problem: impl Into<String>) -> Error {
        let place = match self.encoding {
            Encoding::Text => format!("line {}", self.bytes[..self.last].iter().filter(|b| **b == b'\n').count() + 1),
            _ => format!("byte {}", self.last),
        };
        Error::File { path: self.path.to_path_buf(), place, problem: problem.into() }
    }

    fn skip_space(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// The next word; nothing at the end.
    pub(super) fn word(&mut self) -> Option<&'a str> {
        self.skip_space();
        self.last = self.at;
        let length = self.bytes[self.at..].iter().position(u8::is_ascii_whitespace);
        let end = length.map_or(self.bytes.len(), |length| self.at + length);
        let word = &self.bytes[self.at..end];
        self.at = end;
        if word.is_empty() { None } else { Some(std::str::from_utf8(word).unwrap_or("(no text)")) }
    }

    /// The next word without moving on.
    pub(super) fn peek(&mut self) -> Option<&'a str> {
        let (at, last) = (self.at, self.last);
        let word = self.word();
        (self.at, self.last) = (at, last);
        word
    }

    /// The rest of the line, without its end.
    pub(super) fn line(&mut self) -> &'a str {
        self.last = self.at;
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        self.at = (self.at + length + 1).min(self.bytes.len());
        std::str::from_utf8(&rest[..length]).unwrap_or("(no text)").trim()
    }

    /// Moves behind the next empty line.
    pub(super) fn skip_paragraph(&mut self) {
        self.line();
        while !self.line().is_empty() {}
    }

    /// The next word, which must be this one.
    pub(super) fn expect(&mut self, wanted: &str, advice: &str) -> Result<()> {
        match self.word() {
            Some(word) if word == wanted => Ok(()),
            Some(word) => Err(self.error(format!("expected {wanted}, found {}: {advice}", shortened(word)))),
            None => Err(self.error(format!("the file ends where {wanted} must stand: it was cut short"))),
        }
    }

    /// Moves behind the next occurrence of a word.
    pub(super) fn skip_past(&mut self, word: &str) -> Result<()> {
        self.last = self.at;
        let found = self.bytes[self.at..].windows(word.len()).position(|window| window == word.as_bytes());
        let found = found.ok_or_else(|| self.error(format!("the file ends before {word}: it was cut short")))?;
        self.at += found + word.len();
        Ok(())
    }

    /// Raw bytes.
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        self.last = self.at;
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or_else(|| self.error("the file ends inside of its binary data: it was cut short"))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn number<T: std::str::FromStr>(&mut self, kind: &str) -> Result<T> {
        let word = self
            .word()
            .ok_or_else(|| self.error(format!("the file ends where {kind} must stand: it was cut short")))?;
        word.parse().map_err(|_| self.error(format!("expected {kind}, found {}", shortened(word))))
    }

    fn fixed<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes: [u8; N] = self.take(N)?.try_into().expect("as many as were asked for");
        if self.encoding == Encoding::Big {
            bytes.reverse();
        }
        Ok(bytes)
    }

    /// A number of 4 bytes, or a word.
    pub(super) fn int(&mut self) -> Result<i64> {
        match self.encoding {
            Encoding::Text => self.number("a whole number"),
            _ => Ok(i64::from(i32::from_le_bytes(self.fixed()?))),
        }
    }

    /// A count or a tag of as many bytes as the header says, or a word.
    pub(super) fn size(&mut self) -> Result<u64> {
        match (self.encoding, self.size_bytes) {
            (Encoding::Text, _) => self.number("a whole number that is not negative"),
            (_, 4) => Ok(u64::from(u32::from_le_bytes(self.fixed()?))),
            _ => Ok(u64::from_le_bytes(self.fixed()?)),
        }
    }

    /// A number of 8 bytes, or a word.
    pub(super) fn real(&mut self) -> Result<f64> {
        match self.encoding {
            Encoding::Text => self.number("a number"),
            _ => Ok(f64::from_le_bytes(self.fixed()?)),
        }
    }

    /// A count of things of which each takes at least some bytes: what cannot fit into the rest of the file is an error
    /// at once.
    pub(super) fn fitting(&self, count: u64, bytes_each: usize, things: &str) -> Result<usize> {
        let left = self.bytes.len() - self.at;
        match usize::try_from(count) {
            Ok(count) if count.saturating_mul(bytes_each) <= left + bytes_each => Ok(count),
            _ => Err(self.error(format!(
                "{count} {things} are announced, but only {left} bytes follow: the count is wrong, or the file was cut short"
            ))),
        }
    }
}

fn shortened(word: &str) -> String {
    let mut text: String = word.chars().take(30).collect();
    if text.len() < word.len() {
        text.push('…');
    }
    format!("\"{text}\"")
}
