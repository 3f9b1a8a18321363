//! Where the data files are, and how a test says that it did not run.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of data files: `GALERKIT_DATA`, or `shared/data` beside the workspace; none if it does not exist.
pub fn data_dir() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("GALERKIT_DATA").map_or_else(beside, PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// A file in that folder, for example `suitesparse/nos5.mtx.gz`; none, after saying so, if it is not there.
pub fn data_file(name: &str) -> Option<PathBuf> {
    let file = data_dir().map(|folder| folder.join(name)).filter(|file| file.is_file());
    if file.is_none() {
        skip(&format!("{name} is not here; set GALERKIT_DATA to the folder of data files"));
    }
    file
}

/// Says that a test, or a part of it, did not run. Written past the capture of the test harness, which would hide it.
pub fn skip(reason: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {reason}");
}
