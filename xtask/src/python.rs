//! Python packages that steps need, in environments under target/: a machine has them, or pip installs them there.

use crate::require::Need;
use crate::step::{Verdict, root};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSION: &str = "import meshio; print('meshio', meshio.__version__)";

/// Makes an environment with a package in it.
pub fn install(environment: &Path, package: &str) -> Result<()> {
    let environment = environment.display().to_string();
    for (program, arguments) in [
        ("python3", vec!["-m", "venv", &environment]),
        (&format!("{environment}/bin/pip"), vec!["install", "--quiet", package]),
    ] {
        println!("$ {program} {}", arguments.join(" "));
        let status = Command::new(program).args(&arguments).status().with_context(|| program.to_string())?;
        if !status.success() {
            bail!("{program} ended with {status}");
        }
    }
    Ok(())
}

/// meshio, which the tests of mesh files read what we write with. They look for it where this does.
pub fn meshio() -> Verdict {
    let environment = root().join("target/python");
    let named = std::env::var_os("GALERKIT_PYTHON").map(PathBuf::from);
    let known: Vec<PathBuf> = named.into_iter().chain([environment.join("bin/python3"), "python3".into()]).collect();
    let version = || known.iter().find_map(|python| version_of(python));
    if let Some(version) = version() {
        return Verdict::Passed(version);
    }
    match install(&environment, "meshio") {
        Ok(()) => {
            version().map_or_else(|| Verdict::Failed("meshio was installed and is not found".into()), Verdict::Passed)
        }
        Err(error) => Verdict::Skipped(Need::Meshio, format!("no meshio, and it cannot be installed: {error:#}")),
    }
}

fn version_of(python: &Path) -> Option<String> {
    let output = Command::new(python).args(["-c", VERSION]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
