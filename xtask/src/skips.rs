//! Tests that cannot run here say `skipped: REASON` on standard error and pass. Here they are counted, so that each
//! lack has a row of its own in the table.

use crate::require::Need;
use crate::step::{Finished, Verdict, root};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Runs the tests with cargo, and hands their messages on; what came of them, and a row for each lack.
pub fn tests(name: &'static str, arguments: &[&str]) -> Vec<Finished> {
    println!("\n=== {name}\n$ cargo {}", arguments.join(" "));
    let begun = std::time::Instant::now();
    let mut reasons = Vec::new();
    let verdict = match run(arguments, &mut reasons) {
        Ok(status) if status.success() => Verdict::Passed(String::new()),
        Ok(status) => Verdict::Failed(format!("cargo test ended with {status}")),
        Err(error) => Verdict::Failed(format!("cargo could not be started: {error}")),
    };
    let tests = Finished { name, verdict, elapsed: begun.elapsed() };
    std::iter::once(tests).chain(rows(&reasons)).collect()
}

fn run(arguments: &[&str], reasons: &mut Vec<String>) -> std::io::Result<std::process::ExitStatus> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let mut child = Command::new(cargo).args(arguments).current_dir(root()).stderr(Stdio::piped()).spawn()?;
    if let Some(stderr) = child.stderr.take() {
        for line in BufReader::new(stderr).split(b'\n') {
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            match line.trim_end().strip_prefix("skipped: ") {
                Some(reason) => reasons.push(reason.to_owned()),
                None => eprintln!("{line}"),
            }
        }
    }
    child.wait()
}

/// One row for tests without data, one for those without a GPU, each with its count and a reason. What is skipped for
/// want of the emulated GPU runs in a step of its own, and meshio and the browser have rows that say why they are
/// missing.
fn rows(reasons: &[String]) -> Vec<Finished> {
    let is_data = |reason: &str| reason.contains("GALERKIT_DATA");
    let is_told = |reason: &str| ["emulated", "meshio", "no browser"].iter().any(|word| reason.contains(word));
    let is_gpu = |reason: &str| !is_data(reason) && !is_told(reason);
    let row = |name, need, belongs: &dyn Fn(&str) -> bool| {
        let all: Vec<&String> = reasons.iter().filter(|reason| belongs(reason)).collect();
        let first = all.first()?;
        let verdict = Verdict::Skipped(need, format!("{} times, first: {first}", all.len()));
        Some(Finished { name, verdict, elapsed: Duration::ZERO })
    };
    let data = row("tests that read data", Need::Data, &is_data);
    data.into_iter().chain(row("tests that use a GPU", Need::Gpu, &is_gpu)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_lack_has_a_row_with_its_count() {
        let data = "a.mtx is not here; set GALERKIT_DATA to it";
        let reasons = [data, "no emulated GPU", "no Python has meshio", "no browser here", "no driver", "no driver"];
        let found = rows(&reasons.map(String::from));
        let told = |row: &Finished| match &row.verdict {
            Verdict::Skipped(need, why) => (*need, why.clone()),
            _ => panic!("{} is not skipped", row.name),
        };
        assert_eq!(told(&found[0]), (Need::Data, format!("1 times, first: {}", reasons[0])));
        assert_eq!(told(&found[1]), (Need::Gpu, "2 times, first: no driver".into()));
        assert_eq!((found.len(), rows(&[]).len()), (2, 0));
    }
}
