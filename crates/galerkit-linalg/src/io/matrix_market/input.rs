//! Text from a file or from memory, gzip undone by its first two bytes whatever the name says.
//! The text is never held as a whole: first single lines (the header), then blocks of whole lines. What is no pipe can
//! be read [`again`](Input::again) from the beginning, and says in advance how much text it holds.

use crate::error::{Error, Result};
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Text of one block; block, numbers and result together stay in a core's cache.
const BLOCK: usize = 1 << 18;
/// The same for packed text: threads take turns at unpacking, and fewer turns are worth more than a warm cache.
const PACKED_BLOCK: usize = 1 << 20;

/// Where the text comes from.
#[derive(Clone, Copy)]
enum Source<'a> {
    Path,
    Bytes(&'a [u8]),
}

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Bytes of text; nothing for a pipe or a device. Leaves the position at the beginning.
fn size_of(file: &mut (impl Read + Seek)) -> io::Result<Option<u64>> {
    let Ok(length) = file.seek(SeekFrom::End(0)) else { return Ok(None) };
    let (mut first, mut last) = ([0; 2], [0; 4]);
    let packed = length >= 18 && {
        file.rewind()?;
        file.read_exact(&mut first)?;
        first == GZIP
    };
    if packed {
        file.seek(SeekFrom::End(-4))?;
        file.read_exact(&mut last)?; // the length of the text modulo 2^32
    }
    file.rewind()?;
    let unpacked = u64::from(u32::from_le_bytes(last)).min(length.saturating_mul(1032)); // deflate's best ratio
    Ok((length > 0).then_some(if packed { unpacked } else { length }))
}

/// A source of lines.
pub(super) struct Input<'a> {
    reader: Box<dyn BufRead + Send + 'a>,
    path: PathBuf,
    source: Source<'a>,
    text_bytes: Option<u64>,
    compressed: bool,
    bytes_read: u64,
    tail: Vec<u8>, // begins the next block
}

impl<'a> Input<'a> {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let failed = |source| Error::Io { path: path.to_path_buf(), source };
        let mut file = File::open(path).map_err(failed)?;
        let text_bytes = size_of(&mut file).map_err(failed)?;
        Self::new(Box::new(BufReader::with_capacity(1 << 16, file)), path, Source::Path, text_bytes)
    }

    pub(super) fn from_bytes(bytes: &'a [u8], name: &str) -> Result<Self> {
        let text_bytes = size_of(&mut io::Cursor::new(bytes)).unwrap_or(None); // memory does not fail
        Self::new(Box::new(bytes), Path::new(name), Source::Bytes(bytes), text_bytes)
    }

    /// The same text from its beginning.
    pub(super) fn again(&self) -> Result<Self> {
        match self.source {
            Source::Path => Self::open(&self.path),
            Source::Bytes(bytes) => Self::new(Box::new(bytes), &self.path, self.source, self.text_bytes),
        }
    }

    fn new(
        mut reader: Box<dyn BufRead + Send + 'a>,
        path: &Path,
        source: Source<'a>,
        text_bytes: Option<u64>,
    ) -> Result<Self> {
        let path = path.to_path_buf();
        let compressed = match reader.fill_buf() {
            Ok(bytes) => bytes.starts_with(&GZIP),
            Err(source) => return Err(Error::Io { path, source }),
        };
        if compressed {
            reader = Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(reader)));
        }
        Ok(Self { reader, path, source, text_bytes, compressed, bytes_read: 0, tail: Vec::new() })
    }

    /// How long the text is, when it can be read again; for gzip this is what its last bytes say, true or not.
    pub(super) fn text_bytes(&self) -> Option<u64> {
        self.text_bytes
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
        let wanted = if self.compressed { PACKED_BLOCK } else { BLOCK };
        block.resize(wanted.max(2 * filled), 0);
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
