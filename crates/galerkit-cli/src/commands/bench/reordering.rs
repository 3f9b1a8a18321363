//! `bench reorder`: what it costs to bring a matrix from CSR into the forms of ELL-WARP, on the host and on the GPU,
//! and after how many products that has paid.

use super::results::{Files, Results, Row, Yardstick};
use super::{keep, say_device};
use crate::args::{Measure, MeasureReorder};
use crate::commands::{Ending, load};
use crate::output::Output;
use crate::plan::BenchPlan;
use anyhow::Result;
use galerkit::cuda::launch::Gpu;
use galerkit::linalg::Scalar;
use galerkit::linalg::sparse::{Csr, Variant};
use galerkit::{Device, dispatch};
use galerkit_bench::timing::reorder::{Conversion, break_even, csr_product, reorder};
use serde::Serialize;

/// Converted when no matrix is named.
const DEFAULT: &str = "gallery:tetra?n=40";

/// A form, converted to on the host or on the GPU.
#[derive(Serialize)]
pub struct Reordering {
    matrix: String,
    form: &'static str,
    /// `host` or `device`.
    place: &'static str,
    rows: usize,
    nnz: usize,
    /// Sorting and laying out; on the host the whole first conversion.
    analysis_seconds: f64,
    /// Columns and slots; on the host the slots.
    structure_seconds: f64,
    /// New values in a known pattern.
    refill_seconds: f64,
    csr_seconds: f64,
    product_seconds: f64,
    /// Products that win back a refill; null: never.
    alpha_refill: Option<u64>,
    /// Products that win back everything; null: never.
    alpha_all: Option<u64>,
}

impl Row for Reordering {
    const HEADINGS: &[&'static str] = &[
        "matrix",
        "form",
        "converted on",
        "analysis ms",
        "structure ms",
        "refill ms",
        "csr ms",
        "product ms",
        "alpha refill",
        "alpha all",
    ];
    fn cells(&self, _: f64) -> Vec<String> {
        let milliseconds = |seconds: f64| format!("{:.4}", seconds * 1e3);
        let alpha = |value: Option<u64>| value.map_or("never".into(), |value| value.to_string());
        vec![
            self.matrix.clone(),
            self.form.into(),
            self.place.into(),
            milliseconds(self.analysis_seconds),
            milliseconds(self.structure_seconds),
            milliseconds(self.refill_seconds),
            milliseconds(self.csr_seconds),
            milliseconds(self.product_seconds),
            alpha(self.alpha_refill),
            alpha(self.alpha_all),
        ]
    }
}

/// Measures and shows.
pub fn run(arguments: &MeasureReorder, output: Output) -> Result<Ending> {
    let plan = BenchPlan::of_reordering(arguments, DEFAULT)?;
    say_device(&arguments.machine, &plan, output);
    // Held so that the GPU is not given up and taken again between conversions.
    let _held = if let Device::Cuda(number) = plan.device { Some(Gpu::open(number)?) } else { None };
    let mut rows = Vec::new();
    for name in &plan.matrices {
        let matrix = load(name, output)?.matrix.with_precision(plan.precision);
        let csr = dispatch!(&matrix, A => csr_product(A, plan.device, plan.repetitions))?;
        for variant in Variant::ALL {
            let found = dispatch!(&matrix, A => measure(A, name, variant, csr, &plan));
            let mut both = Vec::new();
            keep(found, name, variant.name(), &mut both, output);
            rows.extend(both.into_iter().flatten());
        }
    }
    let files = Files { json: arguments.json.as_ref(), csv: arguments.csv.as_ref() };
    Results::new("reorder", &plan, Yardstick::default(), rows)?.publish(&files, output)
}

fn measure<S: Scalar>(A: &Csr<S>, name: &str, variant: Variant, csr: f64, plan: &BenchPlan) -> Result<Vec<Reordering>> {
    let reordered = reorder(A, variant, plan.device, plan.repetitions)?;
    let row = |place, costs: Conversion| Reordering {
        matrix: name.into(),
        form: variant.name(),
        place,
        rows: A.rows(),
        nnz: A.nnz(),
        analysis_seconds: costs.analysis,
        structure_seconds: costs.structure,
        refill_seconds: costs.refill,
        csr_seconds: csr,
        product_seconds: reordered.product,
        alpha_refill: break_even(costs.refill, csr, reordered.product),
        alpha_all: break_even(costs.total(), csr, reordered.product),
    };
    let device = reordered.device.map(|costs| row("device", costs));
    Ok(std::iter::once(row("host", reordered.host)).chain(device).collect())
}

impl BenchPlan {
    /// Makes sense of the arguments of `bench reorder` and `bench ordering`.
    pub(super) fn of_reordering(arguments: &MeasureReorder, default: &str) -> Result<Self> {
        let matrices = match arguments.matrices.is_empty() {
            true => vec![default.into()],
            false => arguments.matrices.clone(),
        };
        BenchPlan::new(&Measure {
            matrices,
            formats: Vec::new(),
            all_formats: false,
            machine: arguments.machine.clone(),
            ordering: "natural".into(),
            repetitions: arguments.repetitions,
            json: None,
            csv: None,
            svg: None,
        })
    }
}
