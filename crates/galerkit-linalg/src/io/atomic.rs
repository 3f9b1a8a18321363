//! Writing a file so that it is either the old one or the complete new one: the bytes go to a temporary file in the
//! same folder, which takes the final name only when everything has been written.
//! A process that dies by a signal can leave the temporary file; [`discard_unfinished`] is for its signal handler.

use crate::error::{Error, Result};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static COUNTER: AtomicU64 = AtomicU64::new(0);

/// Calls `fill` with a buffered writer and gives the file its name when `fill` succeeds; otherwise what was there
/// before stays untouched. A symbolic link is followed; a pipe or device (`/dev/stdout`) is written directly.
pub fn atomic_write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let failed = |source| Error::Io { path: path.to_path_buf(), source };
    let target = match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(failed(io::Error::from(io::ErrorKind::IsADirectory))),
        Ok(found) if !found.is_file() => return write_directly(path, fill).map_err(failed),
        Ok(_) => fs::canonicalize(path).map_err(failed)?,
        Err(_) => path.to_path_buf(),
    };
    let temporary = Temporary::beside(&target).map_err(failed)?;
    write_then_rename(temporary, &target, fill).map_err(failed)
}

/// Removes the temporary files of writes that are under way in this process: the last act before it exits on a signal.
pub fn discard_unfinished() {
    for path in unfinished().drain(..) {
        let _ = fs::remove_file(path); // nothing better can be done while exiting
    }
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn write_directly(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut writer = BufWriter::new(OpenOptions::new().write(true).open(path)?);
    fill(&mut writer)?;
    writer.flush()
}

fn write_then_rename(
    mut temporary: Temporary,
    target: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut writer = BufWriter::with_capacity(1 << 16, &mut temporary.file);
    fill(&mut writer)?;
    writer.flush()?;
    drop(writer);
    fs::rename(&temporary.path, target)
}

/// A file that is removed when dropped; after the renaming there is nothing left to remove.
struct Temporary {
    path: PathBuf,
    file: File,
}

impl Temporary {
    fn beside(target: &Path) -> io::Result<Self> {
        let name = target.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}-{}.tmp", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed)));
        let path = target.with_file_name(hidden);
        unfinished().push(path.clone()); // before it exists, so that no signal falls between
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => Ok(Self { path, file }),
            Err(error) => {
                unfinished().retain(|other| *other != path);
                Err(error)
            }
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path); // gone already when the write succeeded
        unfinished().retain(|other| *other != self.path);
    }
}
