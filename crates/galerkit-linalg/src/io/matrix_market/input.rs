//! Text from a file or from memory, gzip undone by its first two bytes whatever the name says.
//! The text is never held as a whole: first single lines (the header), then blocks of whole lines.

use crate::error::{Error, Result};
use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Text of one block; block, numbers and result together stay in a core's cache.
const BLOCK: usize = 1 << 19;

/// A source of lines.
pub(super) struct Input<'a> {
    reader: Box<dyn BufRead + Send + 'a>,
    path: PathBuf,
    compressed: bool,
    bytes_read: u64,
    tail: Vec<u8>, // begins the next block
}

impl<'a> Input<'a> {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let failed = |source| Error::Io { path: path.to_path_buf(), source };
        let file = std::fs::File::open(path).map_err(failed)?;
        Self::new(Box::new(BufReader::with_capacity(1 << 16, file)), path)
    }

    pub(super) fn from_bytes(bytes: &'a [u8], name: &str) -> Result<Self> {
        Self::new(Box::new(bytes), Path::new(name))
    }

    fn new(mut reader: Box<dyn BufRead + Send + 'a>, path: &Path) -> Result<Self> {
        let path = path.to_path_buf();
        let compressed = match reader.fill_buf() {
            Ok(bytes) => bytes.starts_with(&[0x1f, 0x8b]),
            Err(source) => return Err(Error::Io { path, source }),
        };
        if compressed {
            reader = Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(reader)));
        }
        Ok(Self { reader, path, compressed, bytes_read: 0, tail: Vec::new() })
    }

    /// Whether the text was packed, so that damage may show only at the end.
    pub(super) fn compressed(&self) -> bool {
        self.compressed
    }
    /// Bytes of text so far.
    pub(super) fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    /// A complaint about one line of this text.
    pub(super) fn error(&self, line: usize, expected: impl Into<String>, found: impl Into<String>) -> Error {
        Error::Parse { path: self.path.clone(), line, expected: expected.into(), found: found.into() }
    }

    fn failed(&self, source: io::Error) -> Error {
        let source = if self.compressed {
            let advice = format!("the gzip data is damaged or cut short ({source}): fetch the file again");
            io::Error::new(source.kind(), advice)
        } else {
            source
        };
        Error::Io { path: self.path.clone(), source }
    }

    /// The next line; false at the end.
    pub(super) fn line(&mut self, line: &mut Vec<u8>) -> Result<bool> {
        line.clear();
        let count = self.reader.read_until(b'\n', line).map_err(|error| self.failed(error))?;
        self.bytes_read += count as u64;
        Ok(count > 0)
    }

    /// Replaces `block` by the next whole lines, about [`BLOCK`] bytes; false at the end.
    pub(super) fn block(&mut self, block: &mut Vec<u8>) -> Result<bool> {
        let mut filled = self.tail.len();
        block.resize(BLOCK.max(2 * filled), 0);
        block[..filled].copy_from_slice(&self.tail);
        self.tail.clear();
        loop {
            let count = match self.reader.read(&mut block[filled..]) {
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(self.failed(error)),
            };
            self.bytes_read += count as u64;
            filled += count;
            if count == 0 {
                block.truncate(filled);
                return Ok(filled > 0);
            }
            if filled < block.len() {
                continue;
            }
            if let Some(end) = block.iter().rposition(|&byte| byte == b'\n') {
                self.tail.extend_from_slice(&block[end + 1..]);
                block.truncate(end + 1);
                return Ok(true);
            }
            block.resize(2 * filled, 0); // a very long line
        }
    }
}
