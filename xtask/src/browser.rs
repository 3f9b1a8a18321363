//! Chromium, in which the page of `galerkit heart --live` is tested: a machine has it, or apt-get installs it where that is allowed.

use crate::require::Need;
use crate::step::Verdict;
use anyhow::{Context, Result, bail};
use std::process::Command;

/// Names under which it is known; the tests look for the same.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const INSTALL: [&str; 4] = ["install", "-y", "--no-install-recommends", "chromium"];

/// Finds or installs it.
pub fn chromium() -> Verdict {
    if let Some(version) = version() {
        return Verdict::Passed(version);
    }
    match install() {
        Ok(()) => {
            version().map_or_else(|| Verdict::Failed("chromium was installed and is not found".into()), Verdict::Passed)
        }
        Err(error) => Verdict::Skipped(Need::Browser, format!("no chromium, and it cannot be installed: {error:#}")),
    }
}

fn version() -> Option<String> {
    let named = std::env::var("GALERKIT_CHROMIUM").ok();
    let names = named.into_iter().chain(NAMES.map(String::from));
    names.into_iter().find_map(|name| {
        let output = Command::new(name).arg("--version").output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    })
}

/// The lists of packages may be old, or empty in a container: they are fetched if need be.
fn install() -> Result<()> {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    if !is_root {
        bail!("only root may: apt-get {}, or set GALERKIT_CHROMIUM", INSTALL.join(" "));
    }
    apt_get(&INSTALL).or_else(|_| apt_get(&["update", "-qq"]).and_then(|()| apt_get(&INSTALL)))
}

fn apt_get(arguments: &[&str]) -> Result<()> {
    println!("$ apt-get {}", arguments.join(" "));
    let mut command = Command::new("apt-get");
    command.args(["-q", "-o", "Dpkg::Use-Pty=0"]).args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    let status = command.stdout(std::process::Stdio::null()).status().context("apt-get")?;
    if status.success() { Ok(()) } else { bail!("apt-get ended with {status}") }
}
