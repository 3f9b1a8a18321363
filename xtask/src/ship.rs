//! `cargo xtask ship`: the kernels that solves ask for, compiled ahead of time into one file that lies beside the
//! program, so that its first solve on a machine compiles nothing. What is asked for is found out by asking: every
//! solve of a list runs for some iterations on the emulated GPU, whose compiler leaves the sources in a folder; NVRTC
//! then compiles them for real GPUs.

mod solves;

use crate::emulator;
use crate::step::{Program, programs, root};
use anyhow::{Context, Result, bail};
use solves::Solve;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Where a pack is put unless a file is named.
pub const FILE: &str = "target/galerkit.kernels";
/// What the example `ship` ends with if it finds no NVRTC.
const NO_NVRTC: i32 = 3;

/// The command: `ship [FILE] [ARCHITECTURE...] [METHOD...]`.
pub fn run(arguments: &[String]) -> Result<bool> {
    let (architectures, others): (Vec<String>, Vec<String>) =
        arguments.iter().cloned().partition(|argument| argument.starts_with("sm_"));
    let (files, methods): (Vec<String>, Vec<String>) =
        others.into_iter().partition(|argument| argument.contains(['.', '/']));
    let solves = solves::of(&methods)?;
    match &files[..] {
        [] => pack(&root().join(FILE), &architectures, &solves),
        [file] => pack(&std::path::absolute(file)?, &architectures, &solves),
        _ => bail!("usage: cargo xtask ship [FILE] [sm_80 sm_90 ...] [cg gmres ...]"),
    }
}

/// Collects the sources of some solves and compiles them into a file.
fn pack(file: &Path, architectures: &[String], solves: &[Solve]) -> Result<bool> {
    let built = programs()?;
    let sources = collect(&path(&built, "galerkit")?, solves)?;
    println!("{} solves ask for {} sources", solves.len(), fs::read_dir(&sources)?.count());
    let mut command = Command::new(path(&built, "ship")?);
    command.arg(&sources).arg(file).args(architectures);
    let environment = root().join("target/nvrtc");
    if environment.is_dir() && std::env::var_os("VIRTUAL_ENV").is_none() {
        command.env("VIRTUAL_ENV", environment);
    }
    match command.status()?.code() {
        Some(0) => Ok(true),
        Some(NO_NVRTC) => bail!("there is no NVRTC: `cargo xtask test kernels` installs one under target/"),
        _ => Ok(false),
    }
}

/// Runs the solves on the emulated GPU, as many at once as there are cores; the folder of the sources that they
/// compiled.
fn collect(galerkit: &Path, solves: &[Solve]) -> Result<PathBuf> {
    let emulated = emulator::build()?;
    let place = root().join("target/ship");
    if place.exists() {
        fs::remove_dir_all(&place)?;
    }
    let (sources, cache) = (place.join("sources"), place.join("cache"));
    fs::create_dir_all(&sources)?;
    let (next, problems) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(solve) = solves.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut command = Command::new(galerkit);
            command.args(solve.arguments()).envs(solve.variables());
            command.env("GALERKIT_EMULATOR_SOURCES", &sources).env("GALERKIT_CACHE", &cache);
            command.env("LD_LIBRARY_PATH", &emulated).env("GALERKIT_NVRTC", emulated.join("libnvrtc.so"));
            command.env("GALERKIT_KERNELS", "none").stdin(Stdio::null());
            let problem = match command.output() {
                // Some iterations are enough: most solves do not converge, and say so by 1.
                Ok(output) if matches!(output.status.code(), Some(0 | 1)) => continue,
                Ok(output) => String::from_utf8_lossy(&output.stderr).trim().to_string(),
                Err(error) => error.to_string(),
            };
            problems.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(format!("{solve}: {problem}"));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
    let problems = problems.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    if problems.is_empty() { Ok(sources) } else { bail!("solves that failed:\n{}", problems.join("\n")) }
}

fn path(built: &[Program], name: &str) -> Result<PathBuf> {
    let found = built.iter().find(|program| program.name == name && !program.is_test);
    Ok(found.with_context(|| format!("cargo built no {name}"))?.path.clone())
}
