//! The journal: a line of JSON that says which run it is, then one for each command with the time at which it was
//! applied. Each line is written and flushed before its command is, so that whatever happens the file is whole up to
//! its last line.

use crate::command::Command;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Which run it is: a replay must be of the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// What it was written by.
    pub galerkit: String,
    /// What the tissue is called.
    pub geometry: String,
    /// Nodes.
    pub nodes: usize,
    /// Elements.
    pub elements: usize,
    /// The cell model.
    pub cell: String,
    /// The scheme.
    pub scheme: String,
    /// Step in ms.
    pub dt: f64,
}

/// What happened, and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Steps since the run began.
    pub step: u64,
    /// In ms, a whole number.
    pub time: u64,
    /// What was asked for; none at the end of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Command>,
}

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Begins one, in place of what was there.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begin(path: &Path, opening: &Opening) -> Result<Self> {
        let file = File::create(path).map_err(|source| unusable(path, source))?;
        let mut journal = Self { path: path.into(), file };
        journal.line(opening)?;
        Ok(journal)
    }

    /// Adds what happened.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, entry: &Entry) -> Result<()> {
        self.line(entry)
    }

    fn line(&mut self, what: &impl Serialize) -> Result<()> {
        let text = serde_json::to_string(what).map_err(std::io::Error::from);
        let written = text.and_then(|text| self.file.write_all(format!("{text}\n").as_bytes()));
        written.map_err(|source| unusable(&self.path, source))
    }
}

fn unusable(path: &Path, source: std::io::Error) -> Error {
    Error::Journal { path: path.display().to_string(), source }
}

/// Reads a journal; a last line that a kill has cut short does not count.
///
/// # Errors
/// If it cannot be read, or a line makes no sense.
pub fn read(path: &Path) -> Result<(Opening, Vec<Entry>)> {
    let text = std::fs::read_to_string(path).map_err(|source| unusable(path, source))?;
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let bad = |line: usize, problem: String| Error::JournalLine { path: path.display().to_string(), line, problem };
    let mut lines = whole.lines().enumerate();
    let first = lines.next().map(|(_, text)| text).unwrap_or_default();
    let opening = serde_json::from_str(first).map_err(|error| bad(1, error.to_string()))?;
    let mut entries: Vec<Entry> = Vec::new();
    for (number, text) in lines {
        let entry: Entry = serde_json::from_str(text).map_err(|error| bad(number + 1, error.to_string()))?;
        if entries.last().is_some_and(|last| last.time > entry.time) {
            return Err(bad(number + 1, format!("{} ms is before the line above", entry.time)));
        }
        entries.push(entry);
    }
    Ok((opening, entries))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening() -> Opening {
        let [galerkit, geometry, cell, scheme] = ["0", "slab", "aliev-panfilov", "strang"].map(String::from);
        Opening { galerkit, geometry, nodes: 8, elements: 6, cell, scheme, dt: 0.25 }
    }

    #[test]
    fn what_was_written_is_read_and_a_torn_line_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::begin(&path, &opening()).unwrap();
        let command = Command::Stimulate { node: 3, radius: 0.1 + 0.2, potential: 1.0 };
        let entries = [
            Entry { step: 40, time: 10, command: Some(command) },
            Entry { step: 80, time: 20, command: Some(Command::Undo {}) },
            Entry { step: 90, time: 22, command: None },
        ];
        entries.iter().for_each(|entry| journal.add(entry).unwrap());
        assert_eq!(read(&path).unwrap(), (opening(), entries.to_vec()));
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 3]).unwrap();
        assert_eq!(read(&path).unwrap().1, entries[..2]);
        std::fs::write(&path, text.replace("\"undo\"", "\"undone\"")).unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("line 3"));
        std::fs::write(&path, text.replace("\"time\":22", "\"time\":2")).unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("before the line above"));
    }
}
