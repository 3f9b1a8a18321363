//! Chromium, in which the page of `galerkit heart --live` is tested: a machine has it, or apt-get installs it where
//! that is allowed.

use crate::require::Need;
use crate::step::Verdict;
use anyhow::{Context, Result, bail};
use std::process::Command;

/// Names under which it is known; the tests look for the same.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const INSTALL: [&str; 4] = ["install", "-y", "--no-install-recommends", "chromium"];

/// Finds or installs it.
pub fn chromium() -> Verdict {
    verdict(&version, &install)
}

fn verdict(version: &dyn Fn() -> Option<String>, install: &dyn Fn() -> Result<()>) -> Verdict {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::require::insist;
    use crate::step::Finished;

    fn row(verdict: Verdict) -> Finished {
        Finished { name: "browser", verdict, elapsed: std::time::Duration::ZERO }
    }

    #[test]
    fn what_cannot_be_had_is_skipped_unless_it_is_required() {
        let mut rows = [row(verdict(&|| None, &|| bail!("only root may")))];
        insist(&mut rows, &[Need::Nvrtc]);
        assert!(
            matches!(&rows[0].verdict, Verdict::Skipped(Need::Browser, why) if why.contains("only root may")) //
        );
        insist(&mut rows, &[Need::Browser]);
        assert!(matches!(&rows[0].verdict, Verdict::Failed(why) if why.contains("only root may")));
    }

    #[test]
    fn what_is_there_is_not_installed_and_what_was_installed_must_be_there() {
        let there = verdict(&|| Some("Chromium 1".into()), &|| panic!("it is there"));
        assert!(matches!(there, Verdict::Passed(version) if version == "Chromium 1"));
        assert!(matches!(verdict(&|| None, &|| Ok(())), Verdict::Failed(_)));
    }
}
