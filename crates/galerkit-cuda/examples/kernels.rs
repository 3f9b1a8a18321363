//! Compiles every kernel for several architectures, without a GPU, and prints what each takes:
//! `cargo xtask test kernels`. Ends with 0 if all compile without spills, 1 if not, 3 if there is no NVRTC. Unless
//! architectures are given, kernels are assembled for sm_90, which says their registers and spills, and compiled as far
//! as PTX for the others: the assembler takes longer than the compiler. Arguments: architectures [sm_80 sm_90 sm_100],
//! and parts of names to compile only those.

use galerkit_cuda::jit::{Cache, Found, Places, Usage, usage};
use galerkit_cuda::launch::Nvrtc;
use galerkit_cuda::{Error, sources};
use std::collections::HashSet;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// A source for an architecture, and what came of it.
struct Job {
    name: String,
    source: String,
    architecture: String,
    is_assembled: bool,
    result: Mutex<Option<Result<Vec<Usage>, Error>>>,
}

impl Job {
    fn compile(&self, nvrtc: &Nvrtc) -> Result<Vec<Usage>, Error> {
        if self.is_assembled {
            return usage(nvrtc, &self.name, &self.source, &self.architecture);
        }
        let virtual_one = self.architecture.replace("sm_", "compute_");
        // Nobody runs it: whether it compiles is known before it is optimised.
        let quick = if nvrtc.version() >= (13, 0) { &["--Ofast-compile=max"][..] } else { &[] };
        nvrtc.compile_with(&self.name, &self.source, &virtual_one, quick).map(|_| Vec::new())
    }
}

fn main() -> ExitCode {
    let mut found = Found::new(&Places::of_environment(None), Cache::of_environment());
    let nvrtc = match found.load() {
        Ok(nvrtc) => nvrtc,
        Err(error) => {
            println!("{error}");
            return ExitCode::from(3);
        }
    };
    println!("NVRTC {}.{}, {}", nvrtc.version().0, nvrtc.version().1, nvrtc.path().display());
    let jobs = jobs();
    // One after the other: while NVRTC compiles quickly in one thread, what it assembles in another spills.
    for is_assembled in [true, false] {
        compile(&jobs.iter().filter(|job| job.is_assembled == is_assembled).collect::<Vec<_>>(), nvrtc);
    }
    if report(jobs) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// By all threads.
fn compile(jobs: &[&Job], nvrtc: &Nvrtc) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    *job.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(job.compile(nvrtc));
                }
            });
        }
    });
}

fn jobs() -> Vec<Job> {
    let (mut architectures, wanted): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("sm_"));
    let all_assembled = !architectures.is_empty();
    if !all_assembled {
        architectures = ["sm_80", "sm_90", "sm_100"].map(String::from).into();
    }
    let (mut jobs, mut seen) = (Vec::new(), HashSet::new());
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part));
    // Some maps differ in their arguments alone: a text is compiled once.
    let mut is_new = |source: &String| seen.insert(source.clone());
    let mut sources: Vec<_> =
        sources::all().into_iter().filter(|(name, _)| is_wanted(name)).filter(|(_, source)| is_new(source)).collect();
    // The longest first: else one thread is still busy with them while the others have nothing left.
    sources.sort_by_key(|(_, source)| std::cmp::Reverse(source.len()));
    for (name, source) in sources {
        for architecture in &architectures {
            let (name, source, architecture) = (name.clone(), source.clone(), architecture.clone());
            let is_assembled = all_assembled || architecture == "sm_90";
            jobs.push(Job { name, source, architecture, is_assembled, result: Mutex::new(None) });
        }
    }
    jobs
}

/// Prints the table and then whatever is wrong; whether nothing is.
fn report(jobs: Vec<Job>) -> bool {
    println!("{:<56} {:<7} {:>9} {:>6} {:>6} {:>6}", "kernel", "arch", "registers", "spills", "stack", "shared");
    let (mut wrong, mut kernels, mut to_ptx) = (Vec::new(), 0, 0);
    for job in jobs {
        match job.result.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(Ok(usages)) if !usages.is_empty() => {
                for Usage { kernel, architecture, registers, spills, stack, shared } in usages {
                    let full = format!("{}: {kernel}", job.name);
                    println!("{full:<56} {architecture:<7} {registers:>9} {spills:>6} {stack:>6} {shared:>6}");
                    kernels += 1;
                    if spills > 0 {
                        wrong.push(format!("{full} spills {spills} bytes on {architecture}"));
                    }
                }
            }
            Some(Ok(_)) if !job.is_assembled => to_ptx += 1,
            Some(Err(error)) => wrong.push(error.to_string()),
            _ => wrong.push(format!("{} has no kernel, or NVRTC says nothing of it", job.name)),
        }
    }
    println!("{kernels} kernels compiled, {to_ptx} sources more as far as PTX, {} problems", wrong.len());
    wrong.iter().for_each(|problem| println!("PROBLEM: {problem}"));
    wrong.is_empty()
}
