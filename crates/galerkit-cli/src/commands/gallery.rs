//! `galerkit gallery`: the built-in problems.

use super::Ending;
use crate::output::Output;
use anyhow::Result;
use galerkit::linalg::gallery::list;

/// Lists them.
pub fn run(output: Output) -> Result<Ending> {
    let mut lines = Vec::new();
    for problem in list() {
        lines.push(format!("{}  {}", output.style.bold(&format!("gallery:{}", problem.name)), problem.description));
        for parameter in problem.parameters {
            let setting = format!("{}={}", parameter.name, parameter.default);
            lines.push(format!("    {setting:<18} {}", parameter.description));
        }
    }
    output.print(&lines.join("\n"))?;
    Ok(Ending::Done)
}
