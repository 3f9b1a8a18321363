//! ParaView's collection of files in time.

use crate::error::Result;
use galerkit_linalg::io::atomic_write;
use std::path::Path;

/// Writes a list of files, each with its time; names are relative to the folder of the list.
///
/// # Errors
/// If the file cannot be written.
pub fn write_pvd(path: &Path, steps: &[(f64, String)]) -> Result<()> {
    Ok(atomic_write(path, |to| {
        writeln!(to, "<?xml version=\"1.0\"?>")?;
        writeln!(to, "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>")?;
        for (time, file) in steps {
            let file = file.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
            writeln!(to, "<DataSet timestep=\"{time:?}\" part=\"0\" file=\"{file}\"/>")?;
        }
        writeln!(to, "</Collection>\n</VTKFile>")
    })?)
}
