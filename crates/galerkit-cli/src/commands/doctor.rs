//! `galerkit doctor`: what this machine can compute on, how fast its memory is, and what to install for what is
//! missing.

mod processor;
mod remedy;
mod text;

use super::Ending;
use crate::args::Doctor;
use crate::output::{Output, json};
use anyhow::Result;
use galerkit::cuda::available::{Kernels, kernels};
use galerkit::cuda::bandwidth::{Bandwidth, measure};
use galerkit::cuda::jit::{Cache, Jit, Pack};
use galerkit::cuda::launch::{self, Gpu, Properties};
use processor::Processor;
use remedy::Missing;
use serde::Serialize;
use std::path::PathBuf;

/// Everything `doctor` knows; the fields are the keys of its JSON. What is absent is null.
#[derive(Serialize)]
struct Diagnosis {
    galerkit: &'static str,
    /// What `--device auto` takes: `cuda:0` or `cpu`.
    auto: String,
    /// Why.
    reason: String,
    cpu: Processor,
    /// The CUDA version of the driver, as `13.0`.
    driver: Option<String>,
    gpus: Vec<Card>,
    nvrtc: Option<Compiler>,
    cache: Kept,
    /// The pack of kernels that a release carries: where it is and what it has, or why it is not used.
    pack: Option<String>,
    /// What is missing, each with what to do.
    missing: Vec<Missing>,
}

#[derive(Serialize)]
struct Card {
    device: String,
    name: String,
    /// Compute capability, as `9.0`.
    capability: String,
    memory_bytes: usize,
    l2_bytes: usize,
    multiprocessors: usize,
    /// Bytes per second.
    bandwidth: Option<Bandwidth>,
}

#[derive(Serialize)]
struct Compiler {
    path: PathBuf,
    version: String,
}

#[derive(Serialize)]
struct Kept {
    folder: Option<PathBuf>,
    kernels: usize,
    bytes: u64,
}

/// Looks, measures and says.
pub fn run(arguments: &Doctor, output: Output) -> Result<Ending> {
    let diagnosis = Diagnosis::new(!arguments.no_bandwidth);
    output.print(&if arguments.json { json::text(&diagnosis)? } else { diagnosis.text(output.style) })?;
    Ok(Ending::Done)
}

impl Diagnosis {
    fn new(measured: bool) -> Self {
        let found = launch::gpus();
        let first = found.as_ref().ok().and_then(|list| list.first());
        let (made, cache) = (kernels(first), Cache::of_environment());
        let mut missing = Vec::new();
        missing.extend(found.as_ref().err().map(|error| Missing::of(error, None)));
        missing.extend(made.as_ref().err().map(|error| Missing::of(error, first.map(|gpu| gpu.driver))));
        let misfit = first.and_then(|gpu| made.as_ref().ok()?.fit(gpu).err());
        missing.extend(misfit.iter().map(|error| Missing::of(error, None)));
        missing.extend(cache.check().err().map(Missing::cache));
        let mut gpus = Vec::new();
        for gpu in found.iter().flatten() {
            let bandwidth = (measured && made.is_ok() && misfit.is_none()).then(|| bandwidth(gpu));
            missing.extend(bandwidth.iter().filter_map(|result| result.as_ref().err()).map(|e| Missing::of(e, None)));
            gpus.push(Card::new(gpu, bandwidth.and_then(Result::ok)));
        }
        let (auto, reason) = choice(first, &missing);
        let (count, bytes) = cache.contents(); // after the measurements, which may have filled it
        Self {
            galerkit: env!("CARGO_PKG_VERSION"),
            auto,
            reason,
            cpu: Processor::new(measured),
            driver: first.map(|gpu| dotted(gpu.driver)),
            gpus,
            nvrtc: made.ok().and_then(Compiler::new),
            cache: Kept { folder: cache.folder().map(Into::into), kernels: count, bytes },
            pack: pack(first),
            missing,
        }
    }
}

/// What `--device auto` takes, and why: the GPU unless something that it needs is missing.
fn choice(gpu: Option<&Properties>, missing: &[Missing]) -> (String, String) {
    match (gpu, missing.iter().find(|missing| missing.needed_for_gpu)) {
        (Some(gpu), None) => (format!("cuda:{}", gpu.ordinal), format!("{} and kernels for it are there", gpu.name)),
        (_, Some(missing)) => ("cpu".into(), format!("no {}", missing.what)),
        (None, None) => ("cpu".into(), "no GPU".into()),
    }
}

/// The pack, in words.
fn pack(gpu: Option<&Properties>) -> Option<String> {
    let found = match Pack::of_environment() {
        Ok(found) => found?,
        Err(reason) => return Some(reason),
    };
    let architecture = gpu.map(Properties::architecture);
    let count = architecture.map(|name| format!(", {} kernels for {name}", found.count_for(&name)));
    Some(format!("{}{}, by NVRTC {}", found.path().display(), count.unwrap_or_default(), dotted(found.version())))
}

/// Opens a GPU and measures.
fn bandwidth(gpu: &Properties) -> galerkit::cuda::Result<Bandwidth> {
    let gpu = Gpu::open(gpu.ordinal)?;
    measure(&gpu, &Jit::new(&gpu))
}

fn dotted(version: (u32, u32)) -> String {
    format!("{}.{}", version.0, version.1)
}

impl Card {
    fn new(gpu: &Properties, bandwidth: Option<Bandwidth>) -> Self {
        Self {
            device: format!("cuda:{}", gpu.ordinal),
            name: gpu.name.clone(),
            capability: dotted(gpu.capability),
            memory_bytes: gpu.memory,
            l2_bytes: gpu.l2,
            multiprocessors: gpu.sm_count,
            bandwidth,
        }
    }
}

impl Compiler {
    fn new(kernels: Kernels) -> Option<Self> {
        match kernels {
            Kernels::Compiled(path, version) => Some(Self { path, version: dotted(version) }),
            Kernels::Cached(_) => None,
        }
    }
}
