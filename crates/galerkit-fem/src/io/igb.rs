//! IGB, the format in which CARP's programs keep a number at every node over time: a header of 1024 bytes of text, then
//! one slice of floats after the other. <https://opencarp.org/documentation>

use crate::error::{Error, Result};
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes of the header.
const HEADER: usize = 1024;

/// A file that grows by slices; it has its name once it is finished.
pub struct IgbWriter {
    path: PathBuf,
    unfinished: PathBuf,
    to: BufWriter<File>,
    nodes: usize,
    step: f64,
    first: f64,
    slices: usize,
}

impl IgbWriter {
    /// Begins a file for so many nodes and slices so many ms apart.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path, nodes: usize, step: f64) -> Result<Self> {
        let mut name = path.as_os_str().to_owned();
        name.push(".part");
        let unfinished = PathBuf::from(name);
        let failed = |source| Error::Io { path: unfinished.clone(), source };
        let mut to = BufWriter::new(File::create(&unfinished).map_err(failed)?);
        to.write_all(&[b' '; HEADER]).map_err(failed)?;
        Ok(Self { path: path.to_path_buf(), unfinished, to, nodes, step, first: 0.0, slices: 0 })
    }

    /// Adds the slice of a time in ms, a number a node; that of the first one is where the header begins.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn push(&mut self, time: f64, values: &[f64]) -> Result<()> {
        if self.slices == 0 {
            self.first = time;
        }
        let bytes: Vec<u8> = values.iter().flat_map(|value| (*value as f32).to_le_bytes()).collect();
        self.to.write_all(&bytes).map_err(|source| Error::Io { path: self.unfinished.clone(), source })?;
        self.slices += 1;
        Ok(())
    }

    /// Writes the header and gives the file its name.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<()> {
        let header = header(self.nodes, self.slices, [self.first, self.step]);
        let written = self.to.seek(SeekFrom::Start(0)).and_then(|_| self.to.write_all(&header));
        let synced = written.and_then(|()| self.to.flush()).and_then(|()| self.to.get_ref().sync_all());
        synced
            .and_then(|()| std::fs::rename(&self.unfinished, &self.path))
            .map_err(|source| Error::Io { path: self.path, source })
    }
}

/// Keys and values, filled up with blanks; lines of it end as the format wants.
fn header(nodes: usize, slices: usize, [first, step]: [f64; 2]) -> Vec<u8> {
    let length = step * slices.max(1) as f64 - step;
    let text = format!(
        "x:{nodes} y:1 z:1 t:{slices} type:float systeme:little_endian org_t:{first} dim_t:{length} inc_t:{step}\r\n\
         unites_x:um unites_y:um unites_z:um unites_t:ms unites:1 facteur:1 zero:0\r\n"
    );
    let mut bytes = text.into_bytes();
    bytes.resize(HEADER - 1, b' ');
    bytes.push(b'\x0c');
    bytes
}
