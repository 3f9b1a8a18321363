//! `cargo xtask emulate`: the tests of the CUDA engine on an emulated GPU, for machines that have none; see
//! `crates/galerkit-cuda/emulator/README.md`.

use crate::require::Need;
use crate::step::{Verdict, cargo_with, root};
use crate::versions;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// What every `cargo xtask test` runs: each format and each kind of pass in double and in complex single precision,
/// every choice of a loader, parts of matrices in shared memory, conversions, orderings, products, multigrid, small
/// incomplete factors, every method in one scalar, what the emulator must find, copies by several threads, maps that are
/// wrong, memory that runs out, new values of a prepared system, steps of a tumour, a hundred steps of a heart and some
/// that are halved, the program where a GPU lets it down, and what must not be compiled again. The rest takes too long
/// for that.
const USUAL: [&str; 27] = [
    "--quiet",
    "--",
    "conformance::f64",
    "conformance::c32",
    "convert::",
    "stored::",
    "factorisations::",
    "preconditioners::triangular::factors_f64",
    "ordering::",
    "tunings::",
    "krylov::every_method_f64",
    "emulator::",
    "held::",
    "transfer::",
    "bad_input::",
    "memory_that_runs_out",
    "anew_on_a_gpu",
    "born::",
    "sparse_products::",
    "device_amg::",
    "emulated::",
    "sizes::",
    "packs::",
    "every_executor_steps_alike",
    "a_gpu_computes_what_the_reference_does",
    "a_gpu_halves_where_a_cpu_does",
    "cg_on_a_gpu_takes_the_cycle",
];
/// The programs that have such tests: those of the crates and of the command line.
const PROGRAMS: [&str; 6] = ["test", "--workspace", "--test", "all", "--test", "program"];

/// A step of `cargo xtask test`.
pub fn step() -> Verdict {
    let Some(version) = versions::first_line(&compiler()) else {
        let why = format!("no {}: install it (apt-get install g++), or name a C++ compiler in CXX", compiler());
        return Verdict::Skipped(Need::Gxx, why);
    };
    match test(&USUAL.map(String::from)) {
        Ok(Verdict::Passed(_)) => Verdict::Passed(version),
        Ok(verdict) => verdict,
        Err(error) => Verdict::Failed(format!("{error:#}")),
    }
}

/// The command: `cargo test` of galerkit-cuda with some more arguments.
pub fn run(arguments: &[String]) -> Result<bool> {
    match test(arguments)? {
        Verdict::Failed(why) => bail!(why),
        _ => Ok(true),
    }
}

fn test(arguments: &[String]) -> Result<Verdict> {
    let built = build()?;
    let nvrtc = built.join("libnvrtc.so");
    let path = |path: &Path| path.to_str().map(str::to_owned).context("the workspace's path is no text");
    let (folder, nvrtc, cache) = (path(&built)?, path(&nvrtc)?, path(&built.join("cache"))?);
    let variables = [
        ("LD_LIBRARY_PATH", &*folder),
        ("GALERKIT_NVRTC", &*nvrtc),
        ("GALERKIT_CACHE", &*cache),
        ("GALERKIT_EMULATED", "1"),
    ];
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    Ok(cargo_with(&[&PROGRAMS[..], &arguments].concat(), &variables))
}

fn compiler() -> String {
    std::env::var("CXX").unwrap_or_else(|_| "g++".into())
}

/// Builds the two libraries under target/, unless they are newer than their sources; kernels compiled before are
/// forgotten then.
pub fn build() -> Result<PathBuf> {
    let (from, to) = (root().join("crates/galerkit-cuda/emulator"), root().join("target/emulator"));
    let modified = |file: PathBuf| fs::metadata(file)?.modified();
    let sources = fs::read_dir(&from)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    let newest = sources.into_iter().map(modified).collect::<std::io::Result<Vec<SystemTime>>>()?.into_iter().max();
    let libraries = ["libcuda.so.1", "libnvrtc.so"].map(|name| modified(to.join(name)).ok());
    if libraries.iter().all(|built| built.is_some() && *built > newest) {
        return Ok(to);
    }
    if to.exists() {
        fs::remove_dir_all(&to)?;
    }
    fs::create_dir_all(to.join("include"))?;
    for header in ["kernel.h", "device.h"] {
        fs::copy(from.join(header), to.join("include").join(header))?;
    }
    compile(&from, &to.join("libcuda.so.1"), &["driver.cpp", "threads.cpp", "together.cpp"])?;
    compile(&from, &to.join("libnvrtc.so"), &["nvrtc.cpp"])?;
    Ok(to)
}

fn compile(folder: &Path, library: &Path, sources: &[&str]) -> Result<()> {
    let mut command = Command::new(compiler());
    command
        .args(["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"])
        .arg(library)
        .args(sources);
    let status = command.arg("-ldl").current_dir(folder).status().with_context(compiler)?;
    if status.success() { Ok(()) } else { bail!("{} ended with {status}", compiler()) }
}
