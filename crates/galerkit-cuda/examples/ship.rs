//! Compiles the sources of a folder for several architectures, without a GPU, into one pack: the second half of
//! `cargo xtask ship`, which collects the sources. Persistent kernels lie there in their largest class of block sizes
//! and are packed in all of them. Ends with 0 if all compile, 1 if not, 3 if there is no NVRTC. Arguments: the folder,
//! the pack to write, and architectures [sm_80 sm_90 sm_100].

use galerkit_cuda::generate::classes;
use galerkit_cuda::jit::{Cache, Compiled, Found, Pack, Places};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, to, architectures @ ..] = &arguments[..] else {
        println!("usage: ship SOURCES PACK [ARCHITECTURE...]");
        return ExitCode::from(2);
    };
    let usual = ["sm_80", "sm_90", "sm_100"].map(String::from);
    let architectures = if architectures.is_empty() { &usual[..] } else { architectures };
    let mut found = Found::new(&Places::of_environment(None), Cache::of_environment());
    let nvrtc = match found.load() {
        Ok(nvrtc) => nvrtc,
        Err(error) => {
            println!("{error}");
            return ExitCode::from(3);
        }
    };
    let (begun, sources) = (Instant::now(), sources(Path::new(folder)));
    let jobs: Vec<(String, &str)> = architectures.iter().flat_map(|name| in_classes(&sources, name)).collect();
    let compile = |(source, name): &(String, &str)| nvrtc.compile("program", source, name);
    let cubins: Vec<_> = jobs.par_iter().map(compile).collect();
    let failed: Vec<_> = cubins.iter().filter_map(|made| made.as_ref().err()).collect();
    failed.iter().for_each(|error| println!("PROBLEM: {error}"));
    let made = jobs.iter().zip(&cubins).filter_map(|((source, architecture), cubin)| {
        cubin.as_ref().ok().map(|cubin| Compiled { source, architecture, cubin })
    });
    let made: Vec<Compiled<'_>> = made.collect();
    match Pack::write(Path::new(to), nvrtc.version(), &made) {
        Ok(bytes) => {
            let (count, seconds, megabytes) = (made.len(), begun.elapsed().as_secs_f64(), bytes as f64 / 1e6);
            println!("{to}: {count} kernels for {}, {megabytes:.1} MB, {seconds:.0} s", architectures.join(" "));
            if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(reason) => {
            println!("{reason}");
            ExitCode::FAILURE
        }
    }
}

/// Sources in every class that an architecture has, with its name.
fn in_classes<'a>(sources: &BTreeSet<String>, architecture: &'a str) -> BTreeSet<(String, &'a str)> {
    let generation: usize = architecture.trim_start_matches("sm_").parse().unwrap_or(0);
    let every = |source: &String| classes::every_class(source, generation >= FIRST_CLUSTERS);
    sources.iter().flat_map(every).map(|source| (source, architecture)).collect()
}

/// The first architecture that has clusters.
const FIRST_CLUSTERS: usize = 90;

/// The texts of a folder and those of set-up, which small systems do not ask for; each once, in an order that does not
/// depend on names.
fn sources(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let texts = entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|name| name == "cu"));
    let set_up = galerkit_cuda::sources::set_up().into_iter().map(|(_, text)| text);
    texts.filter_map(|path| std::fs::read_to_string(path).ok()).chain(set_up).collect()
}
