//! The results of a benchmark and how they are shown: a table for people, JSON and CSV for machines.

use crate::args::Measure;
use crate::commands::Ending;
use crate::output::{Output, csv, json, table::Table};
use crate::plan::BenchPlan;
use anyhow::{Result, bail};
use serde::Serialize;
use std::path::Path;

/// A product in one format.
#[derive(Serialize)]
pub struct Spmv {
    pub matrix: String,
    pub format: String,
    pub rows: usize,
    pub nnz: usize,
    pub slots: usize,
    pub setup_seconds: f64,
    pub min_seconds: f64,
    pub median_seconds: f64,
    /// The least bytes of a product with CSR.
    pub least_bytes: u64,
    /// The bytes of this format.
    pub own_bytes: u64,
}

/// A solve in one format.
#[derive(Serialize)]
pub struct Cg {
    pub matrix: String,
    pub format: String,
    pub preconditioner: String,
    pub rows: usize,
    pub nnz: usize,
    pub outcome: &'static str,
    pub iterations: usize,
    pub true_residual: f64,
    pub setup_seconds: f64,
    pub min_seconds: f64,
    pub median_seconds: f64,
    pub bytes_moved: u64,
}

/// One line of a benchmark.
pub trait Row: Serialize {
    /// What the columns are.
    const HEADINGS: &[&'static str];
    /// What stands in them, given the triad in bytes per second.
    fn cells(&self, triad: f64) -> Vec<String>;
}

fn gigabytes(bytes: u64, seconds: f64) -> String {
    format!("{:.2}", bytes as f64 / seconds / 1e9)
}

fn share(bytes: u64, seconds: f64, triad: f64) -> String {
    format!("{:.2}", bytes as f64 / seconds / triad)
}

impl Row for Spmv {
    const HEADINGS: &[&'static str] =
        &["matrix", "format", "slots/nnz", "min ms", "median ms", "GB/s least", "of triad", "GB/s own", "own of triad"];
    fn cells(&self, triad: f64) -> Vec<String> {
        vec![
            self.matrix.clone(),
            self.format.clone(),
            format!("{:.3}", self.slots as f64 / self.nnz.max(1) as f64),
            format!("{:.3}", self.min_seconds * 1e3),
            format!("{:.3}", self.median_seconds * 1e3),
            gigabytes(self.least_bytes, self.min_seconds),
            share(self.least_bytes, self.min_seconds, triad),
            gigabytes(self.own_bytes, self.min_seconds),
            share(self.own_bytes, self.min_seconds, triad),
        ]
    }
}

impl Row for Cg {
    const HEADINGS: &[&'static str] = &[
        "matrix",
        "format",
        "preconditioner",
        "outcome",
        "iterations",
        "true residual",
        "set-up s",
        "min s",
        "median s",
        "GB/s",
        "of triad",
    ];
    fn cells(&self, triad: f64) -> Vec<String> {
        vec![
            self.matrix.clone(),
            self.format.clone(),
            self.preconditioner.clone(),
            self.outcome.into(),
            self.iterations.to_string(),
            format!("{:.2e}", self.true_residual),
            format!("{:.4}", self.setup_seconds),
            format!("{:.4}", self.min_seconds),
            format!("{:.4}", self.median_seconds),
            gigabytes(self.bytes_moved, self.min_seconds),
            share(self.bytes_moved, self.min_seconds, triad),
        ]
    }
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
    /// Bytes per second, best of the run.
    triad_bandwidth: f64,
    results: Vec<T>,
}

impl<T: Row> Results<T> {
    /// Collects; nothing measured is an error.
    pub fn new(benchmark: &'static str, plan: &BenchPlan, triad_bandwidth: f64, results: Vec<T>) -> Result<Self> {
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
            triad_bandwidth,
            results,
        })
    }

    /// Shows and writes.
    pub fn publish(&self, arguments: &Measure, output: Output) -> Result<Ending> {
        let rows: Vec<Vec<String>> = self.results.iter().map(|row| row.cells(self.triad_bandwidth)).collect();
        if let Some(path) = &arguments.csv {
            output.write(path, &csv::table(T::HEADINGS, &rows))?;
        }
        if let Some(path) = &arguments.json {
            output.write(path, &json::text(self)?)?;
        }
        if arguments.json.as_deref() != Some(Path::new("-")) {
            let mut table = Table::new(T::HEADINGS);
            rows.into_iter().for_each(|row| table.row(row));
            let triad = self.triad_bandwidth / 1e9;
            let heading = format!("triad {triad:.2} GB/s, {} threads, {} precision", self.threads, self.precision);
            output.print(&format!("{heading}\n\n{}", table.render(output.style)))?;
        }
        Ok(Ending::Done)
    }
}
