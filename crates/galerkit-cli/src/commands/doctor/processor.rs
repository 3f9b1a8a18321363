//! The CPU: what it is called, what of it the kernels use, how fast it moves memory.

use serde::Serialize;

/// A CPU.
#[derive(Serialize)]
pub struct Processor {
    /// Its name, where the system tells it.
    pub name: Option<String>,
    /// Threads that solves use.
    pub threads: usize,
    /// Instruction sets among those that kernels can use.
    pub features: Vec<&'static str>,
    /// Bytes per second of a STREAM triad.
    pub triad_bandwidth: Option<f64>,
}

impl Processor {
    /// This machine's.
    pub fn new(measured: bool) -> Self {
        Self {
            name: name(),
            threads: galerkit::current_threads(),
            features: features(),
            triad_bandwidth: measured.then(galerkit_bench::bandwidth::triad),
        }
    }
}

fn name() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim().to_string())
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    let detected = [
        ("avx2", is_x86_feature_detected!("avx2")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
        ("avx512vl", is_x86_feature_detected!("avx512vl")),
    ];
    detected.iter().filter(|(_, present)| *present).map(|(name, _)| *name).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    Vec::new()
}
