//! Versions of what builds and tests: printed in the table, and held against what the workspace needs.

use crate::step::{Verdict, root};
use anyhow::{Context, Result};
use std::process::Command;

/// rustc against `rust-version` of Cargo.toml. Cargo checks the same before it builds a crate; here it has a row of its
/// own.
pub fn toolchain() -> Verdict {
    let checked = || -> Result<Verdict> {
        let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
        let line = first_line(&rustc).with_context(|| format!("{rustc} does not say its version"))?;
        let manifest = std::fs::read_to_string(root().join("Cargo.toml")).context("Cargo.toml")?;
        let least = quoted(&manifest, "rust-version").context("Cargo.toml has no rust-version")?;
        let note = format!("{line}; at least {least} is needed");
        Ok(if numbers(&line) >= numbers(least) { Verdict::Passed(note) } else { Verdict::Failed(note) })
    };
    checked().unwrap_or_else(|error| Verdict::Failed(format!("{error:#}")))
}

/// The first line of what a program says of its version; none if it cannot be started.
pub fn first_line(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok().filter(|output| output.status.success())?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
}

/// The first number of a text with dots in it, in parts: `rustc 1.89.0 (29483883e 2025-08-04)` is 1, 89, 0.
pub fn numbers(text: &str) -> Vec<u32> {
    let is_version = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
    let version = text.split([' ', ',', '(', ')']).find(is_version).unwrap_or_default();
    version.split(['.', '-']).map_while(|part| part.parse().ok()).collect()
}

/// The value of `name = "value"`.
fn quoted<'a>(manifest: &'a str, name: &str) -> Option<&'a str> {
    let line = manifest.lines().find(|line| line.split('=').next().is_some_and(|key| key.trim() == name))?;
    line.split('"').nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_and_compared() {
        assert_eq!(numbers("rustc 1.89.0 (29483883e 2025-08-04)"), [1, 89, 0]);
        assert_eq!(numbers("rustc 1.92.0-nightly (abc 2025-10-01)"), [1, 92, 0]);
        assert_eq!(numbers("g++ (Debian 12.2.0-14+deb12u1) 12.2.0"), [12, 2, 0]);
        assert_eq!(numbers("NVRTC 12.8, /usr/lib/libnvrtc.so.12"), [12, 8]);
        assert!(numbers("none").is_empty());
        assert!(numbers("1.100.0") > numbers("1.89") && numbers("1.89.0") >= numbers("1.89"));
        assert!(numbers("1.88.9") < numbers("1.89"));
        assert_eq!(quoted("edition = \"2024\"\nrust-version = \"1.89\"\n", "rust-version"), Some("1.89"));
    }
}
