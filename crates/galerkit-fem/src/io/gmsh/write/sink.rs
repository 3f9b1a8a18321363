//! Where a Gmsh file is written to: the same calls for text and binary data.

use std::io::{self, Write};

/// Numbers as words or as bytes.
pub(super) struct Sink<'a> {
    pub(super) to: &'a mut dyn Write,
    pub(super) binary: bool,
}

impl Sink<'_> {
    pub(super) fn text(&mut self, text: &str) -> io::Result<()> {
        self.to.write_all(text.as_bytes())
    }
    pub(super) fn int(&mut self, value: i64) -> io::Result<()> {
        if self.binary { self.to.write_all(&(value as i32).to_le_bytes()) } else { write!(self.to, "{value} ") }
    }
    pub(super) fn size(&mut self, value: usize) -> io::Result<()> {
        if self.binary { self.to.write_all(&(value as u64).to_le_bytes()) } else { write!(self.to, "{value} ") }
    }
    pub(super) fn real(&mut self, value: f64) -> io::Result<()> {
        if self.binary { self.to.write_all(&value.to_le_bytes()) } else { write!(self.to, "{value:?} ") }
    }
    /// The end of a line of text; nothing in binary data.
    pub(super) fn end(&mut self) -> io::Result<()> {
        if self.binary { Ok(()) } else { self.text("\n") }
    }
    /// The end of a section, on a line of its own.
    pub(super) fn close(&mut self, section: &str) -> io::Result<()> {
        let line = if self.binary { "\n" } else { "" };
        self.text(&format!("{line}$End{section}\n"))
    }
}
