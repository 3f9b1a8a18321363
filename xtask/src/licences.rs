//! Every dependency must offer a licence of the list in deny.toml: what `cargo deny` checks, without installing it.

use crate::step::{Verdict, root};
use anyhow::{Context, Result};
use serde_json::Value;
use std::process::Command;

/// Checks all packages of the workspace's dependency graph.
pub fn check() -> Verdict {
    match offenders() {
        Ok(list) if list.is_empty() => Verdict::Passed(String::new()),
        Ok(list) => Verdict::Failed(format!("not on the list of deny.toml: {}", list.join(", "))),
        Err(error) => Verdict::Failed(format!("{error:#}")),
    }
}

fn offenders() -> Result<Vec<String>> {
    let allowed = allowed()?;
    let output = Command::new("cargo").args(["metadata", "--format-version", "1"]).current_dir(root()).output()?;
    let graph: Value = serde_json::from_slice(&output.stdout).context("cargo metadata printed no JSON")?;
    let packages = graph["packages"].as_array().context("cargo metadata lists no packages")?;
    println!("{} packages, {} licences allowed", packages.len(), allowed.len());
    let offends = |package: &&Value| !package["license"].as_str().is_some_and(|text| satisfied(text, &allowed));
    let name = |package: &Value| format!("{} ({})", package["name"], package["license"]);
    Ok(packages.iter().filter(offends).map(name).collect())
}

/// The `allow` list of deny.toml.
fn allowed() -> Result<Vec<String>> {
    let text = std::fs::read_to_string(root().join("deny.toml")).context("deny.toml")?;
    let list =
        text.split("allow = [").nth(1).and_then(|rest| rest.split(']').next()).context("deny.toml has no list")?;
    Ok(list.split(',').map(|item| item.trim().trim_matches('"').to_owned()).filter(|item| !item.is_empty()).collect())
}

/// Whether an SPDX expression can be met: every AND part must have an OR alternative that is allowed.
fn satisfied(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.replace(['(', ')'], " ").replace('/', " OR ");
    let is_allowed = |name: &str| allowed.iter().any(|licence| licence == name.trim());
    expression.split(" AND ").all(|part| part.split(" OR ").any(is_allowed))
}

#[cfg(test)]
mod tests {
    use super::satisfied;

    #[test]
    fn alternatives_and_conjunctions() {
        let allowed = ["MIT".to_owned(), "Apache-2.0".to_owned()];
        assert!(satisfied("MIT OR GPL-3.0", &allowed));
        assert!(satisfied("MIT/Apache-2.0", &allowed));
        assert!(satisfied("(MIT OR Zlib) AND Apache-2.0", &allowed));
        assert!(!satisfied("MIT AND GPL-3.0", &allowed));
        assert!(!satisfied("GPL-3.0", &allowed));
    }
}
