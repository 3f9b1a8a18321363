//! `bench ordering`: reverse Cuthill-McKee on more and more threads and on a GPU, all with the same order.

use super::results::{Files, Results, Row, Yardstick};
use super::say_device;
use crate::args::MeasureReorder;
use crate::commands::{Ending, load};
use crate::output::Output;
use crate::plan::BenchPlan;
use anyhow::Result;
use galerkit::dispatch;
use galerkit_bench::timing::ordering::{Place, ordering};
use serde::Serialize;

/// Ordered when no matrix is named.
const DEFAULT: &str = "gallery:tetra?n=40&order=random";

/// An order, computed somewhere.
#[derive(Serialize)]
pub struct Ordered {
    matrix: String,
    /// Threads of the host, or `device`, with and without copies.
    place: String,
    rows: usize,
    nnz: usize,
    ordering_seconds: f64,
    permuting_seconds: Option<f64>,
    /// How often a line of x is fetched before and after, by the model.
    scatter: [f64; 2],
}

impl Row for Ordered {
    const HEADINGS: &[&'static str] =
        &["matrix", "rows", "nnz", "ordered on", "ordering ms", "permuting ms", "lines of x before", "after"];
    fn cells(&self, _: f64) -> Vec<String> {
        let milliseconds = |seconds: f64| format!("{:.2}", seconds * 1e3);
        vec![
            self.matrix.clone(),
            self.rows.to_string(),
            self.nnz.to_string(),
            self.place.clone(),
            milliseconds(self.ordering_seconds),
            self.permuting_seconds.map_or(String::new(), milliseconds),
            format!("{:.1}", self.scatter[0]),
            format!("{:.1}", self.scatter[1]),
        ]
    }
}

fn name(place: &Place) -> String {
    match place {
        Place::Threads(1) => "1 thread".into(),
        Place::Threads(count) => format!("{count} threads"),
        Place::Device => "device".into(),
        Place::DeviceWithCopies => "device with copies".into(),
        Place::Left(why) => format!("left to the host: {why}"),
    }
}

/// Measures and shows.
pub fn run(arguments: &MeasureReorder, output: Output) -> Result<Ending> {
    let plan = BenchPlan::of_reordering(arguments, DEFAULT)?;
    say_device(&arguments.machine, &plan, output);
    let mut rows = Vec::new();
    for matrix in &plan.matrices {
        let loaded = load(matrix, output)?.matrix;
        let (sizes, (scatter, found)) = dispatch!(&loaded, A => {
            ((A.rows(), A.nnz()), ordering(A, plan.device, plan.repetitions)?)
        });
        rows.extend(found.iter().map(|one| Ordered {
            matrix: matrix.clone(),
            place: name(&one.place),
            rows: sizes.0,
            nnz: sizes.1,
            ordering_seconds: one.ordering,
            permuting_seconds: one.permuting,
            scatter: [scatter.before, scatter.after],
        }));
    }
    let files = Files { json: arguments.json.as_ref(), csv: arguments.csv.as_ref() };
    Results::new("ordering", &plan, Yardstick::default(), rows)?.publish(&files, output)
}
