//! Products and solves on the CPU: what is measured of each, and the columns it is shown in.

use super::results::Row;
use serde::Serialize;

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

pub(super) fn gigabytes(bytes: u64, seconds: f64) -> String {
    format!("{:.2}", bytes as f64 / seconds / 1e9)
}

pub(super) fn share(bytes: u64, seconds: f64, triad: f64) -> String {
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
