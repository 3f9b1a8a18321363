//! What the program says: results on standard output, notes and progress on standard error, files written whole.

pub mod aggregates;
pub mod bars;
pub mod csv;
pub mod curves;
pub mod json;
pub mod memory;
pub mod phases;
pub mod plot;
pub mod progress;
pub mod spy;
pub mod style;
pub mod table;

use anyhow::{Context, Result};
use galerkit::linalg::io::atomic_write;
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Where results and notes go.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// Colours for standard output.
    pub style: style::Style,
    /// Whether somebody watches standard output.
    pub terminal: bool,
    /// Whether somebody watches standard error.
    pub watched: bool,
}

impl Output {
    /// Looks at the streams.
    pub fn new(color: crate::args::Color) -> Self {
        let terminal = std::io::stdout().is_terminal();
        Self { style: style::Style::new(color, terminal), terminal, watched: std::io::stderr().is_terminal() }
    }

    /// Prints a result.
    pub fn print(&self, text: &str) -> Result<()> {
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush())?;
        Ok(())
    }

    /// Says something on the side; nobody is hurt if it cannot be said.
    pub fn note(&self, text: &str) {
        let _ = writeln!(std::io::stderr(), "{text}");
    }

    /// Writes a text file whole, or prints it if the path is `-`.
    pub fn write(&self, path: &Path, text: &str) -> Result<()> {
        if path == Path::new("-") {
            return self.print(text);
        }
        atomic_write(path, |out| {
            out.write_all(text.as_bytes())?;
            if text.ends_with('\n') { Ok(()) } else { out.write_all(b"\n") }
        })
        .with_context(|| format!("cannot write {}", path.display()))
    }
}
