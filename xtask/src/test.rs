//! `cargo xtask test`: everything this machine can run. Every step runs, whatever became of those before it.

use crate::require::{self, Need};
use crate::step::{self, Finished, Verdict, cargo, cargo_with, report, root};
use crate::{browser, emulator, kernels, licences, python, skips, versions};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::Command;

/// Short name, name in the table, work, which is given the latter and returns a row or several.
type Step = (&'static str, &'static str, fn(&'static str) -> Vec<Finished>);

/// Tests of files that are not in the repository, and that take long.
const REAL: &str = "real_matrices::";

/// The survey of formats, which times products on a GPU.
const ON_GPU: &str = "survey";

const STEPS: [Step; 13] = [
    ("toolchain", "toolchain", |name| step::run(name, versions::toolchain)),
    ("format", "format check", |name| step::run(name, || cargo(&["fmt", "--all", "--check"]))),
    ("lints", "lints", |name| step::run(name, lints)),
    ("docs", "documentation", |name| step::run(name, docs)),
    ("licences", "licences", |name| step::run(name, licences::check)),
    ("tests", "meshio", |name| step::run(name, python::meshio)),
    ("tests", "browser", |name| step::run(name, browser::chromium)),
    ("tests", "tests", |name| {
        skips::tests(name, &["test", "--workspace", "--no-fail-fast", "--quiet", "--", "--skip", REAL])
    }),
    ("tests", "real matrices", |name| step::run(name, real_matrices)),
    ("examples", "examples", |name| step::run(name, examples)),
    ("kernels", "CUDA kernels compile", |name| step::run(name, kernels::compile)),
    ("emulated", "CUDA kernels, emulated", |name| step::run(name, emulator::step)),
    ("gpu", "GPU tests", |name| step::run(name, kernels::gpu_tests)),
];

/// Runs the steps named, or all.
fn run_steps(wanted: &[String]) -> Vec<Finished> {
    let is_wanted = |short: &str| wanted.is_empty() || wanted.iter().any(|name| name == short);
    STEPS.iter().filter(|step| is_wanted(step.0)).flat_map(|step| step.2(step.1)).collect()
}

/// The command.
pub fn run(wanted: &[String]) -> Result<bool> {
    if let Some(unknown) = wanted.iter().find(|name| STEPS.iter().all(|step| step.0 != name.as_str())) {
        let known = "toolchain format lints docs licences tests examples kernels emulated gpu";
        bail!("unknown step '{unknown}': known are {known}");
    }
    let required = require::of_environment()?;
    let mut rows = run_steps(wanted);
    require::insist(&mut rows, &required);
    Ok(report(&rows))
}

fn lints() -> Verdict {
    cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"])
}

fn docs() -> Verdict {
    cargo_with(&["doc", "--workspace", "--no-deps", "--quiet"], &[("RUSTDOCFLAGS", "--deny warnings")])
}

/// The tests that read real files, by themselves: they run only where the files are.
fn real_matrices() -> Verdict {
    let folder: PathBuf = std::env::var_os("GALERKIT_DATA").map_or_else(|| root().join("../shared/data"), Into::into);
    if folder.is_dir() {
        cargo(&["test", "--quiet", "--no-fail-fast", "--workspace", "--tests", REAL])
    } else {
        let why = format!("no {}: set GALERKIT_DATA to the folder of real matrices", folder.display());
        Verdict::Skipped(Need::Data, why)
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
    Ok(Verdict::Passed(format!("{} examples", examples.len())))
}
