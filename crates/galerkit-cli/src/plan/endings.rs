//! Files by their names: one that promises another kind of file than is written is refused before anything runs.

use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// An error if the path of an option ends in none of these; standard output has no ending.
pub fn require(option: &str, path: &Option<PathBuf>, kinds: &[&str]) -> Result<()> {
    let Some(path) = path.as_deref().filter(|path| *path != Path::new("-")) else { return Ok(()) };
    if !kinds.iter().any(|kind| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(kind))) {
        bail!("{option} {}: it writes a .{} file; give it that ending", path.display(), kinds.join(" or ."));
    }
    Ok(())
}
