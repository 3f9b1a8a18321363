//! `cargo xtask test`: everything this machine can run. Every step runs, whatever became of those before it.

use crate::step::{self, Finished, Verdict, cargo, cargo_with, report, root};
use crate::{emulator, kernels, licences};
use anyhow::{Context, Result, bail};
use std::process::Command;

type Step = (&'static str, &'static str, fn() -> Verdict);

/// Tests of files that are not in the repository, and that take long.
const REAL: &str = "real_matrices::";

/// The survey of formats, which times products on a GPU.
const ON_GPU: &str = "survey";

/// Short name, name in the table, work.
const STEPS: [Step; 10] = [
    ("format", "format check", || cargo(&["fmt", "--all", "--check"])),
    ("lints", "lints", || cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"])),
    ("docs", "documentation", || {
        cargo_with(&["doc", "--workspace", "--no-deps", "--quiet"], &[("RUSTDOCFLAGS", "--deny warnings")])
    }),
    ("licences", "licences", licences::check),
    ("tests", "tests", || cargo(&["test", "--workspace", "--quiet", "--", "--skip", REAL])),
    ("tests", "real matrices", real_matrices),
    ("examples", "examples", examples),
    ("kernels", "CUDA kernels compile", kernels::compile),
    ("emulated", "CUDA kernels, emulated", emulator::step),
    ("gpu", "GPU tests", kernels::gpu_tests),
];

/// Runs the steps named, or all.
fn run_steps(wanted: &[String]) -> Vec<Finished> {
    let is_wanted = |short: &str| wanted.is_empty() || wanted.iter().any(|name| name == short);
    STEPS.iter().filter(|step| is_wanted(step.0)).map(|step| step::run(step.1, step.2)).collect()
}

/// The command.
pub fn run(wanted: &[String]) -> Result<bool> {
    if let Some(unknown) = wanted.iter().find(|name| STEPS.iter().all(|step| step.0 != name.as_str())) {
        bail!("unknown step '{unknown}': known are format lints docs licences tests examples kernels emulated gpu");
    }
    Ok(report(&run_steps(wanted)))
}

/// The tests that read real files, by themselves: they run only where the files are.
fn real_matrices() -> Verdict {
    let folder = std::env::var_os("GALERKIT_DATA").map_or_else(|| root().join("../shared/data"), Into::into);
    if folder.is_dir() {
        cargo(&["test", "--quiet", "--workspace", "--tests", REAL])
    } else {
        Verdict::Skipped("no data folder: set GALERKIT_DATA to it".into())
    }
}

/// Every example of the course, and those surveys that need no GPU, run as a user would.
fn examples() -> Verdict {
    run_examples().unwrap_or_else(|error| Verdict::Failed(format!("{error:#}")))
}

fn run_examples() -> Result<Verdict> {
    let mut examples = step::programs()?;
    examples.retain(|program| {
        let wanted = ["crates/galerkit", "crates/galerkit-bench"].iter().any(|name| program.package.ends_with(name));
        let is_example = program.path.parent().is_some_and(|folder| folder.ends_with("examples"));
        wanted && is_example && program.name != ON_GPU
    });
    examples.sort_by(|a, b| a.name.cmp(&b.name));
    if examples.is_empty() {
        bail!("cargo built no examples");
    }
    for example in &examples {
        println!("$ {}", example.name);
        let status = Command::new(&example.path).current_dir(root()).status().with_context(|| example.name.clone())?;
        if !status.success() {
            return Ok(Verdict::Failed(format!("example {} ended with {status}", example.name)));
        }
    }
    Ok(Verdict::Passed)
}
