//! `cargo xtask bench`: galerkit and the CPU peers side by side, a STREAM triad before each group, every line raw.
//! The peers must have been built as their README says; `PEERS` names the folder they were built in.

use crate::step::root;
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const HELP: &str = "\
usage: PEERS=FOLDER PEERS_DATA=FOLDER cargo xtask bench OUTPUT [THREADS]

Runs W1 (products) on q1_100, q1_160, tetperm_100, W2 (CG + Jacobi to 1e-8) on q1_100 and W0 (the reference loops), and
appends the raw lines to OUTPUT. PEERS is where the peers' install script put its programs, PEERS_DATA where their generator put the matrices.
";

/// The command.
pub fn run(arguments: &[String]) -> Result<bool> {
    let (Some(output), Some(peers)) = (arguments.first(), std::env::var_os("PEERS")) else { bail!("{HELP}") };
    let threads = arguments.get(1).map_or("2", String::as_str);
    let built = Command::new("cargo").args(["bench", "--no-run", "--bench", "peers"]).current_dir(root()).status()?;
    if !built.success() {
        bail!("the benchmark does not build");
    }
    let mut session = Session { peers: PathBuf::from(peers), threads, output: append(Path::new(output))? };
    session.say(&format!("# cargo xtask bench, {threads} threads"))?;
    for case in ["q1_100", "q1_160", "tetperm_100"] {
        session.group("W1", case)?;
    }
    session.group("W2", "q1_100")?;
    session.ours("W0", "q1_100")?;
    Ok(true)
}

fn append(path: &Path) -> Result<File> {
    File::options().create(true).append(true).open(path).with_context(|| path.display().to_string())
}

struct Session<'a> {
    peers: PathBuf,
    threads: &'a str,
    output: File,
}

impl Session<'_> {
    /// A triad, galerkit, each peer, galerkit again and a triad again, so that a drift of the machine shows.
    fn group(&mut self, workload: &str, case: &str) -> Result<()> {
        let program = |name: &str| self.peers.join("bin").join(name).display().to_string();
        let (stream, mkl, eigen, amgcl, petsc) = (
            program("stream"),
            program("mkl_peer"),
            program("eigen_peer"),
            program("amgcl_peer"),
            program("petsc_real"),
        );
        let rust = self.peers.join("rust-target/release/rust-peers").display().to_string();
        let options: &[&str] = match workload {
            "W1" => &["petsc", "W1", case, "spmv"],
            _ => &[
                "petsc-cg-jacobi",
                "W2",
                case,
                "solve",
                "-ksp_type",
                "cg",
                "-ksp_norm_type",
                "unpreconditioned",
                "-pc_type",
                "jacobi",
            ],
        };
        let mpi = ["--allow-run-as-root", "--bind-to", "core", "--quiet", "-n", self.threads, &petsc];
        self.line(&stream, &["512"], &[])?;
        self.ours(workload, case)?;
        self.line(&mkl, &[workload, case], &[])?;
        self.line("mpirun", &[&mpi[..], options].concat(), &[("OMP_NUM_THREADS", "1")])?;
        self.line(&eigen, &[workload, case], &[])?;
        self.line(&amgcl, &[workload, case], &[])?;
        self.line(&rust, &[workload, case], &[])?;
        self.ours(workload, case)?;
        self.line(&stream, &["512"], &[])
    }

    fn ours(&mut self, workload: &str, case: &str) -> Result<()> {
        self.line("cargo", &["bench", "--quiet", "--bench", "peers", "--", workload, case], &[])
    }

    /// Runs one program and keeps its result lines; a program that is missing or fails is said so, not hidden.
    fn line(&mut self, program: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<()> {
        let mut command = Command::new(program);
        for name in ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS", "OPENBLAS_NUM_THREADS"] {
            command.env(name, self.threads);
        }
        command.env("OMP_PROC_BIND", "true").env("OMP_PLACES", "cores").envs(environment.iter().copied());
        let name = Path::new(program).file_name().map_or(program.into(), |name| name.to_string_lossy());
        let child = command.args(arguments).current_dir(root()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let Ok(mut child) = child else { return self.say(&format!("skipped: {name} is not installed")) };
        if let Some(stdout) = child.stdout.take() {
            for line in BufReader::new(stdout).lines() {
                self.say(&line?)?;
            }
        }
        let status = child.wait()?;
        if status.success() { Ok(()) } else { self.say(&format!("FAILED: {name} {} ({status})", arguments.join(" "))) }
    }

    fn say(&mut self, line: &str) -> Result<()> {
        println!("{line}");
        Ok(writeln!(self.output, "{line}")?)
    }
}
