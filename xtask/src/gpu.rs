//! `cargo xtask gpu`: packs what runs on a GPU machine without Rust (program, test programs, matrices, a script) into
//! bundle/, and puts what it wrote there back into benches/results.

mod collect;
mod script;

use crate::step::{Program, build, root};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The most that a bundle may weigh, in bytes: what is carried to the GPU machine is limited.
const MOST: u64 = 60_000_000;

/// Examples that `bundle/bench.sh` runs.
const TIMED: [&str; 7] =
    ["living", "soak", "end-to-end", "matrix-free-speed", "assembly-speed", "heart-assembly-speed", "multigrid"];

/// How cargo builds them, and the program.
const RELEASED: [&str; 11] = [
    "--release",
    "--package",
    "galerkit-cli",
    "--bin",
    "galerkit",
    "--package",
    "galerkit-bench",
    "--package",
    "galerkit-fem",
    "--package",
    "galerkit-cuda",
];

/// The command.
pub fn run(arguments: &[String]) -> Result<bool> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => pack(&root().join("bundle")),
        ["collect", folder, name] => collect::run(Path::new(folder), name),
        _ => bail!("usage: cargo xtask gpu [collect DIR NAME]"),
    }
}

/// Makes the bundle afresh.
fn pack(bundle: &Path) -> Result<bool> {
    if bundle.exists() {
        fs::remove_dir_all(bundle).with_context(|| format!("{} cannot be removed", bundle.display()))?;
    }
    fs::create_dir_all(bundle.join("tests"))?;
    fs::create_dir_all(bundle.join("timed"))?;
    // In one call, so that dependencies are compiled for one set of features.
    let timed = TIMED.into_iter().flat_map(|name| ["--example", name]);
    let released = build(&RELEASED.into_iter().chain(timed).collect::<Vec<_>>())?;
    let galerkit = released.iter().find(|program| program.name == "galerkit" && !program.is_test);
    // As `cargo xtask test` builds them: a release does not unwind, which tests need, so it would be compiled twice.
    let programs = build(&["--workspace", "--tests"])?;
    add_program(&galerkit.context("cargo built no galerkit")?.path, &bundle.join("galerkit"))?;
    let needs_gpu = |program: &&Program| {
        let of_cuda = program.package.ends_with("galerkit-cuda") || program.name == "cusparse";
        program.is_test && (of_cuda || subject(program) != program.name)
    };
    let tests: Vec<&Program> = programs.iter().filter(needs_gpu).collect();
    for test in &tests {
        add_program(&test.path, &bundle.join("tests").join(subject(test)))?;
    }
    for program in released.iter().filter(|program| TIMED.contains(&&program.name[..])) {
        add_program(&program.path, &bundle.join("timed").join(&program.name))?;
    }
    compress(bundle)?;
    fs::write(bundle.join("commit.txt"), commit()?)?;
    script::write(bundle)?;
    add_peers(bundle)?;
    add_pack(bundle)?;
    let left_out = add_data(bundle)?;
    let bytes = size(bundle)?;
    println!("{}: {:.1} MB, {} test programs", bundle.display(), bytes as f64 / 1e6, tests.len());
    if !left_out.is_empty() {
        println!("left out, because a bundle is at most {} MB: {}", MOST / 1_000_000, left_out.join(", "));
    }
    print!("{}", script::HOW_TO);
    if bytes > MOST {
        bail!("the bundle is larger than {} MB: the programs have grown, or the pack has", MOST / 1_000_000);
    }
    Ok(true)
}

/// What a program of tests is called in the bundle: several crates have one called "all".
fn subject(program: &Program) -> &str {
    match &program.name[..] {
        "all" if program.package.ends_with("galerkit-fem") => "elements",
        "all" if program.package.ends_with("galerkit") => "facade",
        name => name,
    }
}

/// Copies a program without its symbols; with them where there is no `strip`.
fn add_program(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| from.display().to_string())?;
    match Command::new("strip").arg(to).status() {
        Ok(status) if status.success() => {}
        _ => println!("note: {} keeps its symbols, because `strip` is missing", to.display()),
    }
    Ok(())
}

/// Programs travel compressed, at a third of their size; the scripts unpack them.
fn compress(bundle: &Path) -> Result<()> {
    let mut tar = Command::new("tar");
    // Programs have most of their code in common, which only a large dictionary finds.
    tar.env("XZ_OPT", "-6 --lzma2=preset=6,dict=192MiB");
    tar.args(["--create", "--xz", "--remove-files", "--file", "programs.txz", "galerkit", "tests", "timed"]);
    let status = tar.current_dir(bundle).status().context("tar could not be started")?;
    if !status.success() {
        bail!("tar ended with {status}");
    }
    Ok(())
}

/// Copies the kernels that `cargo xtask ship` has compiled ahead of time, if it has.
fn add_pack(bundle: &Path) -> Result<()> {
    let pack = root().join(crate::ship::FILE);
    if pack.is_file() {
        fs::copy(&pack, bundle.join("galerkit.kernels")).with_context(|| pack.display().to_string())?;
    } else {
        println!("note: the bundle has no kernels compiled ahead of time: `cargo xtask ship` makes them");
    }
    Ok(())
}

/// Copies the scripts of peers that need a GPU.
fn add_peers(bundle: &Path) -> Result<()> {
    let mut scripts = Vec::new();
    files(&root().join("benches"), &mut scripts)?;
    fs::create_dir_all(bundle.join("peers"))?;
    for (path, _) in scripts {
        if let Some(name) = path.file_name().filter(|name| name.to_string_lossy().starts_with("cupy_")) {
            fs::copy(&path, bundle.join("peers").join(name)).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}

/// Copies the matrices of the data folder and the hearts that `bundle/bench.sh` runs, the small ones first, as far as they fit; which did not.
fn add_data(bundle: &Path) -> Result<Vec<String>> {
    let folder = std::env::var_os("GALERKIT_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    if !folder.is_dir() {
        println!("note: no data folder, so the bundle has no matrices: set GALERKIT_DATA to it");
        return Ok(Vec::new());
    }
    let mut matrices = Vec::new();
    files(&folder, &mut matrices)?;
    matrices.retain(|(path, _)| {
        [".mtx.gz", "/UCSD_heart_29K.msh.gz"].iter().any(|end| path.to_string_lossy().ends_with(end))
    });
    matrices.sort_by_key(|(path, bytes)| (*bytes, path.clone()));
    let (mut total, mut left_out) = (size(bundle)?, Vec::new());
    for (path, bytes) in matrices {
        let name = path.strip_prefix(&folder)?;
        total += bytes;
        if total > MOST {
            left_out.push(name.display().to_string());
            continue;
        }
        let to = bundle.join("data").join(name);
        fs::create_dir_all(to.parent().context("a file is in a folder")?)?;
        fs::copy(&path, &to).with_context(|| path.display().to_string())?;
    }
    Ok(left_out)
}

fn size(folder: &Path) -> Result<u64> {
    let mut all = Vec::new();
    files(folder, &mut all)?;
    Ok(all.iter().map(|(_, bytes)| bytes).sum())
}

/// Every file below a folder, with its size.
fn files(folder: &Path, found: &mut Vec<(PathBuf, u64)>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let facts = fs::metadata(&path)?;
        if facts.is_dir() {
            files(&path, found)?;
        } else {
            found.push((path, facts.len()));
        }
    }
    Ok(())
}

/// What the bundle was made from.
fn commit() -> Result<String> {
    let git = |arguments: &[&str]| -> Result<String> {
        let output = Command::new("git").args(arguments).current_dir(root()).output().context("git")?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    let changed = if git(&["status", "--porcelain"])?.is_empty() { "" } else { " with uncommitted changes" };
    Ok(format!("{}{changed}\n", git(&["rev-parse", "HEAD"])?))
}
