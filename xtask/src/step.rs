//! One step of `cargo xtask test`, what came of it, and the table at the end.

use crate::require::Need;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// What came of a step.
pub enum Verdict {
    /// Ran and succeeded; a note, or nothing.
    Passed(String),
    /// Ran and failed.
    Failed(String),
    /// Could not run here: for lack of what, and why.
    Skipped(Need, String),
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

/// Runs and times a step under a heading; its row.
pub fn run(name: &'static str, work: impl FnOnce() -> Verdict) -> Vec<Finished> {
    println!("\n=== {name}");
    let begun = Instant::now();
    let verdict = work();
    vec![Finished { name, verdict, elapsed: begun.elapsed() }]
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
        Ok(status) if status.success() => Verdict::Passed(String::new()),
        Ok(status) => Verdict::Failed(format!("cargo {} ended with {status}", arguments[0])),
        Err(error) => Verdict::Failed(format!("cargo could not be started: {error}")),
    }
}

/// Something that cargo built and that can be started.
pub struct Program {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// Whether it is a test.
    pub is_test: bool,
    /// The folder of its crate.
    pub package: PathBuf,
}

impl Program {
    /// The program that a line of cargo's says was built; other lines are not about one.
    fn from_message(message: &Value) -> Option<Self> {
        Some(Self {
            name: message["target"]["name"].as_str()?.into(),
            path: message["executable"].as_str()?.into(),
            is_test: message["profile"]["test"] == true,
            package: Path::new(message["manifest_path"].as_str()?).parent()?.into(),
        })
    }
}

/// Builds with cargo; the programs that came of it.
pub fn build(arguments: &[&str]) -> Result<Vec<Program>> {
    println!("$ cargo build {}", arguments.join(" "));
    let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
    command.arg("build").args(arguments).arg("--message-format=json-render-diagnostics").current_dir(root());
    let output = command.stderr(std::process::Stdio::inherit()).output().context("cargo could not be started")?;
    if !output.status.success() {
        bail!("cargo build ended with {}", output.status);
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| Program::from_message(&serde_json::from_str(line).ok()?)).collect())
}

/// The program and all examples, as the tests of the workspace have built them: asked for by package, cargo would build
/// what they depend on once more, with fewer features.
pub fn programs() -> Result<Vec<Program>> {
    build(&["--workspace", "--bins", "--examples", "--quiet"])
}

/// One of them, ready to be started in the workspace.
pub fn program(name: &str) -> Result<Command> {
    let built = programs()?;
    let found = built.iter().find(|program| program.name == name).with_context(|| format!("cargo built no {name}"))?;
    let mut command = Command::new(&found.path);
    command.current_dir(root());
    Ok(command)
}

/// Prints the table; whether nothing failed.
pub fn report(steps: &[Finished]) -> bool {
    println!("\n{:<26} {:<8} {:>8}  note", "step", "result", "seconds");
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for step in steps {
        let (word, note) = match &step.verdict {
            Verdict::Passed(note) => ("ran", note.as_str()),
            Verdict::Failed(why) => ("FAILED", why.as_str()),
            Verdict::Skipped(_, why) => ("skipped", why.as_str()),
        };
        match step.verdict {
            Verdict::Passed(_) => passed += 1,
            Verdict::Failed(_) => failed += 1,
            Verdict::Skipped(..) => skipped += 1,
        }
        println!("{:<26} {word:<8} {:>8.1}  {note}", step.name, step.elapsed.as_secs_f64());
    }
    println!("\nsteps: {passed} passed, {failed} failed, {skipped} skipped");
    failed == 0
}
