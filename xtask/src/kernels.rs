//! What concerns the CUDA engine on a machine that may have no GPU: every kernel is compiled by NVRTC for several
//! architectures; the tests that need a GPU run only where there is one.

use crate::step::{Verdict, cargo, program, root};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// What the example `kernels` ends with if it finds no NVRTC.
const NO_NVRTC: i32 = 3;

/// Compiles every kernel; where there is no NVRTC, its wheel is put into an environment under target/.
pub fn compile() -> Verdict {
    let environment = root().join("target/nvrtc");
    let compiled = compile_with(&environment).and_then(|verdict| match verdict {
        Some(verdict) => Ok(verdict),
        None => match install(&environment) {
            Ok(()) => compile_with(&environment)?.context("NVRTC was installed and is not found"),
            Err(error) => Ok(Verdict::Skipped(format!("no NVRTC, and it cannot be installed: {error:#}"))),
        },
    });
    compiled.unwrap_or_else(|error| Verdict::Failed(format!("{error:#}")))
}

/// None if there is no NVRTC. The environment comes into play only where the user has none active.
fn compile_with(environment: &Path) -> Result<Option<Verdict>> {
    let in_environment = |command: &mut Command| {
        if environment.is_dir() && std::env::var_os("VIRTUAL_ENV").is_none() {
            command.env("VIRTUAL_ENV", environment);
        }
        command.status().context("it could not be started")
    };
    println!("$ kernels");
    match in_environment(&mut program("kernels")?)?.code() {
        Some(0) => {}
        Some(NO_NVRTC) => return Ok(None),
        _ => return Ok(Some(Verdict::Failed("a kernel does not compile, or spills registers".into()))),
    }
    let mut tests = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
    tests.args(["test", "--quiet", "--workspace", "--test", "all", "nvrtc::"]).current_dir(root());
    let failed = || Verdict::Failed("the tests of the compiler failed".into());
    Ok(Some(if in_environment(&mut tests)?.success() { Verdict::Passed } else { failed() }))
}

fn install(environment: &Path) -> Result<()> {
    let environment = environment.display().to_string();
    for (program, arguments) in [
        ("python3", vec!["-m", "venv", &environment]),
        (&format!("{environment}/bin/pip"), vec!["install", "--quiet", "nvidia-cuda-nvrtc"]),
    ] {
        println!("$ {program} {}", arguments.join(" "));
        let status = Command::new(program).args(&arguments).status().with_context(|| program.to_string())?;
        if !status.success() {
            bail!("{program} ended with {status}");
        }
    }
    Ok(())
}

/// The tests of the CUDA engine, where `galerkit doctor` finds a GPU that can be used.
pub fn gpu_tests() -> Verdict {
    match diagnosis() {
        Err(error) => Verdict::Failed(format!("galerkit doctor failed: {error:#}")),
        Ok(found) if found["auto"].as_str().is_some_and(|device| device.starts_with("cuda")) => {
            cargo(&["test", "--quiet", "--workspace", "--lib", "--test", "all", "--test", "cusparse"])
        }
        Ok(found) => Verdict::Skipped(found["reason"].as_str().unwrap_or("no GPU").into()),
    }
}

fn diagnosis() -> Result<Value> {
    let output = program("galerkit")?.args(["doctor", "--no-bandwidth", "--json"]).output()?;
    serde_json::from_slice(&output.stdout).context("it printed no JSON")
}
