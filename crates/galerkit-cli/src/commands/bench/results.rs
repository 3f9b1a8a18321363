//! A whole benchmark and how it is shown: a table for people, JSON and CSV for machines.

use crate::commands::Ending;
use crate::output::{Output, csv, json, table::Table};
use crate::plan::BenchPlan;
use anyhow::{Result, bail};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// One line of a benchmark.
pub trait Row: Serialize {
    /// What the columns are.
    const HEADINGS: &[&'static str];
    /// What stands in them, given the yardstick in bytes per second.
    fn cells(&self, yardstick: f64) -> Vec<String>;
}

/// What results are measured against, in bytes per second, and what was there to compare with.
#[derive(Default, Serialize)]
pub struct Yardstick {
    /// A STREAM triad on the CPU, best of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triad_bandwidth: Option<f64>,
    /// Reading the GPU's memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_bandwidth: Option<f64>,
    /// Copying it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copy_bandwidth: Option<f64>,
    /// The GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpu: Option<String>,
    /// cuSPARSE, or why it was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cusparse: Option<String>,
}

impl Yardstick {
    /// Bytes per second.
    pub fn value(&self) -> f64 {
        self.read_bandwidth.or(self.triad_bandwidth).unwrap_or(f64::NAN)
    }

    fn words(&self, threads: usize) -> String {
        match (&self.gpu, self.read_bandwidth, self.triad_bandwidth) {
            (Some(gpu), Some(read), _) => format!("{gpu}, read {:.0} GB/s", read / 1e9),
            (_, _, Some(triad)) => format!("triad {:.2} GB/s, {threads} threads", triad / 1e9),
            _ => format!("{threads} threads"),
        }
    }
}

/// One choice against another.
#[derive(Serialize)]
pub struct Comparison {
    pub matrix: String,
    /// What is compared.
    pub what: &'static str,
    pub first: String,
    pub second: String,
    /// How many times faster the first is.
    pub ratio: f64,
}

/// Where results go.
pub struct Files<'a> {
    pub json: Option<&'a PathBuf>,
    pub csv: Option<&'a PathBuf>,
}

/// A whole benchmark.
#[derive(Serialize)]
pub struct Results<T> {
    galerkit: &'static str,
    benchmark: &'static str,
    device: String,
    device_reason: String,
    precision: String,
    ordering: String,
    threads: usize,
    repetitions: usize,
    #[serde(flatten)]
    yardstick: Yardstick,
    pub results: Vec<T>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<Comparison>,
}

impl<T: Row> Results<T> {
    /// Collects; nothing measured is an error.
    pub fn new(benchmark: &'static str, plan: &BenchPlan, yardstick: Yardstick, results: Vec<T>) -> Result<Self> {
        if results.is_empty() {
            bail!("nothing could be measured: see the notes above");
        }
        Ok(Self {
            galerkit: env!("CARGO_PKG_VERSION"),
            benchmark,
            device: plan.device.to_string(),
            device_reason: plan.device_reason.clone(),
            precision: plan.precision.to_string(),
            ordering: plan.ordering.to_string(),
            threads: galerkit::current_threads(),
            repetitions: plan.repetitions,
            yardstick,
            results,
            comparisons: Vec::new(),
        })
    }

    /// Shows and writes.
    pub fn publish(&self, files: &Files<'_>, output: Output) -> Result<Ending> {
        let yardstick = self.yardstick.value();
        let rows: Vec<Vec<String>> = self.results.iter().map(|row| row.cells(yardstick)).collect();
        if let Some(path) = files.csv {
            output.write(path, &csv::table(T::HEADINGS, &rows))?;
        }
        if let Some(path) = files.json {
            output.write(path, &json::text(self)?)?;
        }
        if files.json.is_none_or(|path| path != Path::new("-")) {
            let mut table = Table::new(T::HEADINGS);
            rows.into_iter().for_each(|row| table.row(row));
            let heading = format!("{}, {} precision", self.yardstick.words(self.threads), self.precision);
            output.print(&format!("{heading}\n\n{}", table.render(output.style)))?;
            self.print_comparisons(output)?;
        }
        Ok(Ending::Done)
    }

    fn print_comparisons(&self, output: Output) -> Result<()> {
        if self.comparisons.is_empty() {
            return Ok(());
        }
        let mut table = Table::new(&["matrix", "comparison", "first", "second", "times faster"]);
        for Comparison { matrix, what, first, second, ratio } in &self.comparisons {
            table.row(vec![matrix.clone(), (*what).into(), first.clone(), second.clone(), format!("{ratio:.2}")]);
        }
        output.print(&format!("\n{}", table.render(output.style)))
    }
}
