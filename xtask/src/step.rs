//! One step of `cargo xtask test`, what came of it, and the table at the end.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// What came of a step.
pub enum Verdict {
    /// Ran and succeeded.
    Passed,
    /// Ran and failed.
    Failed(String),
    /// Could not run here, and why.
    Skipped(String),
}

/// A finished step.
pub struct Finished {
    /// What ran.
    pub name: &'static str,
    /// What came of it.
    pub verdict: Verdict,
    /// How long it took.
    pub elapsed: Duration,
}

/// The workspace's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Runs and times a step under a heading.
pub fn run(name: &'static str, work: impl FnOnce() -> Verdict) -> Finished {
    println!("\n=== {name}");
    let begun = Instant::now();
    let verdict = work();
    Finished { name, verdict, elapsed: begun.elapsed() }
}

/// Runs cargo in the workspace; its output goes where ours does.
pub fn cargo(arguments: &[&str]) -> Verdict {
    cargo_with(arguments, &[])
}

/// Runs cargo with some environment variables set.
pub fn cargo_with(arguments: &[&str], environment: &[(&str, &str)]) -> Verdict {
    println!("$ cargo {}", arguments.join(" "));
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let status = Command::new(cargo).args(arguments).envs(environment.iter().copied()).current_dir(root()).status();
    match status {
        Ok(status) if status.success() => Verdict::Passed,
        Ok(status) => Verdict::Failed(format!("cargo {} ended with {status}", arguments[0])),
        Err(error) => Verdict::Failed(format!("cargo could not be started: {error}")),
    }
}

/// Prints the table; whether nothing failed.
pub fn report(steps: &[Finished]) -> bool {
    println!("\n{:<26} {:<8} {:>8}  note", "step", "result", "seconds");
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for step in steps {
        let (word, note) = match &step.verdict {
            Verdict::Passed => ("ran", ""),
            Verdict::Failed(why) => ("FAILED", why.as_str()),
            Verdict::Skipped(why) => ("skipped", why.as_str()),
        };
        match step.verdict {
            Verdict::Passed => passed += 1,
            Verdict::Failed(_) => failed += 1,
            Verdict::Skipped(_) => skipped += 1,
        }
        println!("{:<26} {word:<8} {:>8.1}  {note}", step.name, step.elapsed.as_secs_f64());
    }
    println!("\nsteps: {passed} passed, {failed} failed, {skipped} skipped");
    failed == 0
}
