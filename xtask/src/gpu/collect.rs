//! `cargo xtask gpu collect DIR NAME`: what a bundle wrote becomes `benches/results/DATE-NAME`, with its exact command.

use crate::step::root;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;

/// The command.
pub fn run(folder: &Path, name: &str) -> Result<bool> {
    let results = root().join("benches/results");
    let copied = copy(folder, name, &results)?;
    println!("{} files in {}: say in a README.md there what they show", copied.1, results.join(copied.0).display());
    Ok(true)
}

/// Copies the files of a folder under the date they were made; the new folder's name and how many files it has.
fn copy(folder: &Path, name: &str, results: &Path) -> Result<(String, usize)> {
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) {
        bail!("'{name}' cannot name a folder of results: use letters, digits, '-', '_' and '.'");
    }
    let command = folder.join("command.txt");
    let text = fs::read_to_string(&command)
        .with_context(|| format!("{}: this is not a folder that bundle/run.sh wrote", command.display()))?;
    let date = text.lines().find_map(|line| line.strip_prefix("date: ")).and_then(|date| date.get(..10));
    let label = format!("{}-{name}", date.context("command.txt has no date")?);
    let target = results.join(&label);
    if target.exists() {
        bail!("{} is there already: choose another name", target.display());
    }
    fs::create_dir_all(&target)?;
    let mut count = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) = path.file_name().filter(|name| path.is_file() && !name.to_string_lossy().starts_with('.'))
        else {
            continue;
        };
        fs::copy(&path, target.join(name)).with_context(|| path.display().to_string())?;
        count += 1;
    }
    Ok((label, count))
}

#[cfg(test)]
mod tests {
    use super::copy;
    use std::fs;

    #[test]
    fn results_are_filed_by_date_and_name_and_never_overwritten() {
        let folder = std::env::temp_dir().join(format!("galerkit-collect-{}", std::process::id()));
        let (from, results) = (folder.join("from"), folder.join("results"));
        fs::create_dir_all(&from).unwrap();
        assert!(copy(&from, "h200", &results).unwrap_err().to_string().contains("command.txt"));
        fs::write(from.join("command.txt"), "command: bundle/run.sh\ndate: 2026-11-15T12:00:00Z\n").unwrap();
        fs::write(from.join("tests.txt"), "ok").unwrap();
        fs::write(from.join(".part"), "unfinished").unwrap();
        assert!(copy(&from, "../h200", &results).is_err());
        assert_eq!(copy(&from, "h200", &results).unwrap(), ("2026-11-15-h200".into(), 2));
        assert_eq!(fs::read_to_string(results.join("2026-11-15-h200/tests.txt")).unwrap(), "ok");
        assert!(copy(&from, "h200", &results).unwrap_err().to_string().contains("already"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
