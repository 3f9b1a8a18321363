//! `galerkit gallery`: the built-in problems.

use super::Ending;
use crate::output::Output;
use anyhow::Result;

/// Lists them.
pub fn run(output: Output) -> Result<Ending> {
    let mut lines = Vec::new();
    for problem in galerkit::linalg::gallery::list() {
        lines.push(format!("{}", output.style.bold(&format!("gallery:{}", problem.name))));
        lines.push(format!("    {}", problem.description));
    }
    output.print(&lines.join("\n"))?;
    Ok(Ending::Done)
}
