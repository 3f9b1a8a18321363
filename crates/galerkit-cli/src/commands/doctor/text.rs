//! The diagnosis as text.

use super::{Card, Diagnosis};
use crate::output::style::Style;
use crate::output::table::pairs;
use galerkit::cuda::error::Amount;

impl Diagnosis {
    /// A block for what is there, then what is missing, then what it comes to.
    pub fn text(&self, style: Style) -> String {
        let absent = || "none".to_string();
        let mut facts = vec![("galerkit", self.galerkit.to_string())];
        facts.extend(self.processor());
        facts.push(("NVIDIA driver", self.driver.as_ref().map_or_else(absent, |version| format!("CUDA {version}"))));
        for gpu in &self.gpus {
            facts.extend(gpu.lines());
        }
        if self.gpus.is_empty() {
            facts.push(("GPU", absent()));
        }
        let compiler = self.nvrtc.as_ref().map(|found| format!("{}, {}", found.version, found.path.display()));
        facts.push(("NVRTC", compiler.unwrap_or_else(absent)));
        facts.push(("kernel cache", self.kept()));
        facts.extend(self.pack.clone().map(|pack| ("kernel pack", pack)));
        let mut blocks = vec![pairs(&facts, style)];
        if !self.missing.is_empty() {
            let line = |missing: &super::Missing| format!("no {}\n    {}", missing.what, missing.fix);
            blocks.push(self.missing.iter().map(line).collect::<Vec<_>>().join("\n"));
        }
        let verdict = format!("--device auto takes {}: {}", self.auto, self.reason);
        blocks.push(style.bold(&verdict));
        blocks.join("\n\n")
    }

    fn processor(&self) -> Vec<(&'static str, String)> {
        let cpu = &self.cpu;
        let features = if cpu.features.is_empty() { "no vector extensions".into() } else { cpu.features.join(" ") };
        let name = cpu.name.as_deref().unwrap_or("unnamed");
        let mut facts = vec![("CPU", format!("{name}, {} threads, {features}", cpu.threads))];
        facts.extend(cpu.triad_bandwidth.map(|speed| ("  triad", gigabytes(speed))));
        facts
    }

    fn kept(&self) -> String {
        let Some(folder) = &self.cache.folder else { return "none".into() };
        let bytes = Amount(self.cache.bytes as usize);
        format!("{}, {} kernels, {bytes}", folder.display(), self.cache.kernels)
    }
}

impl Card {
    fn lines(&self) -> Vec<(&'static str, String)> {
        let mut facts = vec![(
            "GPU",
            format!(
                "{} {}, {}, compute capability {}, {} multiprocessors, L2 {}",
                self.device,
                self.name,
                Amount(self.memory_bytes),
                self.capability,
                self.multiprocessors,
                Amount(self.l2_bytes)
            ),
        )];
        if let Some(speed) = &self.bandwidth {
            facts.push(("  read", gigabytes(speed.read)));
            facts.push(("  copy", format!("{} (reads and writes)", gigabytes(speed.copy))));
        }
        facts
    }
}

fn gigabytes(bytes_per_second: f64) -> String {
    format!("{:.1} GB/s", bytes_per_second / 1e9)
}
