//! What concerns the CUDA engine on a machine that may have no GPU: every kernel is compiled by NVRTC for several
//! architectures; the tests that need a GPU run only where there is one.

use crate::require::Need;
use crate::step::{Verdict, cargo, program, root};
use crate::{python, versions};
use anyhow::{Context, Result};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

/// What the example `kernels` ends with if it finds no NVRTC.
const NO_NVRTC: i32 = 3;

/// The first NVRTC that knows every architecture that kernels are compiled for.
const LEAST_NVRTC: [u32; 2] = [12, 8];

/// Compiles every kernel; where there is no NVRTC, its wheel is put into an environment under target/.
pub fn compile() -> Verdict {
    let environment = root().join("target/nvrtc");
    let compiled = compile_with(&environment).and_then(|verdict| match verdict {
        Some(verdict) => Ok(verdict),
        None => match python::install(&environment, "nvidia-cuda-nvrtc") {
            Ok(()) => compile_with(&environment)?.context("NVRTC was installed and is not found"),
            Err(error) => Ok(Verdict::Skipped(Need::Nvrtc, format!("no NVRTC, and it cannot be installed: {error:#}"))),
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
        command.stderr(Stdio::inherit()).stdout(Stdio::piped()).spawn().context("it could not be started")
    };
    println!("$ kernels");
    let (status, version) = watched(in_environment(&mut program("kernels")?)?)?;
    let failed = |why: &str| Ok(Some(Verdict::Failed(format!("{why} ({version})"))));
    match status.code() {
        Some(0) => {}
        Some(NO_NVRTC) => return Ok(None),
        _ if versions::numbers(&version)[..] < LEAST_NVRTC[..] => {
            return failed("this NVRTC is too old: 12.8 or newer knows sm_100; set GALERKIT_NVRTC to one");
        }
        _ => return failed("a kernel does not compile, or spills registers"),
    }
    let mut tests = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
    tests.args(["test", "--quiet", "--workspace", "--test", "all", "nvrtc::"]).current_dir(root());
    let (status, _) = watched(in_environment(&mut tests)?)?;
    if status.success() { Ok(Some(Verdict::Passed(version))) } else { failed("the tests of the compiler failed") }
}

/// Hands a program's output on while it runs; how it ended, and its first line.
fn watched(mut child: Child) -> Result<(ExitStatus, String)> {
    let mut first = None;
    for line in child.stdout.take().map(BufReader::new).into_iter().flat_map(BufRead::lines) {
        let line = line?;
        println!("{line}");
        first.get_or_insert(line);
    }
    Ok((child.wait()?, first.unwrap_or_default()))
}

/// The tests of the CUDA engine, where `galerkit doctor` finds a GPU that can be used.
pub fn gpu_tests() -> Verdict {
    match diagnosis() {
        Err(error) => Verdict::Failed(format!("galerkit doctor failed: {error:#}")),
        Ok(found) if found["auto"].as_str().is_some_and(|device| device.starts_with("cuda")) => {
            cargo(&["test", "--quiet", "--workspace", "--lib", "--test", "all", "--test", "cusparse"])
        }
        Ok(found) => Verdict::Skipped(Need::Gpu, found["reason"].as_str().unwrap_or("no GPU").into()),
    }
}

fn diagnosis() -> Result<Value> {
    let output = program("galerkit")?.args(["doctor", "--no-bandwidth", "--json"]).output()?;
    serde_json::from_slice(&output.stdout).context("it printed no JSON")
}
