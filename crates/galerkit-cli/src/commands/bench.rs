//! `galerkit bench`: products and solves in every format, next to a triad of the same run.

mod cupy;
mod iterations;
mod krylov;
mod ordering;
mod products;
mod reordering;
mod results;
mod rows;
mod solvers;
mod triangular;

use super::Ending;
use crate::args::{Machine, Measure, MeasureCg};
use crate::output::{Output, bars};
use crate::plan::BenchPlan;
use anyhow::{Result, bail};
use galerkit::linalg::Scalar;
use galerkit::linalg::precond::Preconditioner;
use galerkit::linalg::sparse::statistics::predicted_slots;
use galerkit::linalg::sparse::{Csr, Format};
use galerkit::{Device, Method, Rhs, Solver, TriangularSolve, dispatch};
use galerkit_bench::bandwidth::Triad;
use galerkit_bench::timing::{Product, median, product};
pub use krylov::run as krylov;
pub use ordering::run as ordering;
pub use reordering::run as reorder;
use results::{Files, Results, Yardstick};
use rows::{Cg, Spmv};
pub use triangular::run as triangular;

/// Times y = A x.
pub fn spmv(arguments: &Measure, output: Output) -> Result<Ending> {
    let plan = BenchPlan::new(arguments)?;
    say_device(&arguments.machine, &plan, output);
    if let Device::Cuda(number) = plan.device {
        return products::run(arguments, &plan, number, output);
    }
    let (mut results, mut triad) = (Vec::new(), Triads::default());
    for name in &plan.matrices {
        let matrix = super::load(name, output)?.matrix.with_precision(plan.precision);
        for &format in &plan.formats {
            let row = dispatch!(&matrix, A => time_product(A, name, format, &plan));
            keep(row, name, &format.to_string(), &mut results, output);
            triad.measure(dispatch!(&matrix, A => A.bytes()));
        }
    }
    if let Some(path) = &arguments.svg {
        output.write(path, &bars::draw(&chart(&results, triad.best(), &plan))?)?;
    }
    Results::new("spmv", &plan, triad.yardstick(), results)?.publish(&files(arguments), output)
}

/// Times conjugate gradients.
pub fn cg(arguments: &MeasureCg, output: Output) -> Result<Ending> {
    let plan = BenchPlan::new(&arguments.measure)?;
    say_device(&arguments.measure.machine, &plan, output);
    let preconditioner: Preconditioner = arguments.precond.parse()?;
    let solver = Solver::new()
        .method(Method::CG)
        .preconditioner(preconditioner)
        .triangular(TriangularSolve::by_name(preconditioner))
        .rtol(arguments.rtol)
        .max_iterations(arguments.max_iterations)
        .ordering(plan.ordering)
        .device(plan.device);
    if let Device::Cuda(number) = plan.device {
        return iterations::run(arguments, &plan, &solver, number, output);
    }
    let (mut results, mut triad) = (Vec::new(), Triads::default());
    for name in &plan.matrices {
        let matrix = super::load(name, output)?.matrix.with_precision(plan.precision);
        for &format in &plan.formats {
            let solver = solver.clone().format(format);
            let row = dispatch!(&matrix, A => time_solve(A, name, format, &solver, plan.repetitions));
            keep(row, name, &format.to_string(), &mut results, output);
            triad.measure(dispatch!(&matrix, A => A.bytes()));
        }
    }
    Results::new("cg", &plan, triad.yardstick(), results)?.publish(&files(&arguments.measure), output)
}

fn files(arguments: &Measure) -> Files<'_> {
    Files { json: arguments.json.as_ref(), csv: arguments.csv.as_ref() }
}

/// The chart: one group a matrix, one bar a format, by the least traffic, which makes formats comparable.
fn chart(rows: &[Spmv], triad: f64, plan: &BenchPlan) -> bars::Chart {
    let bar = |row: &Spmv| bars::Bar {
        group: row.matrix.clone(),
        series: row.format.clone(),
        value: row.least_bytes as f64 / row.min_seconds / 1e9,
    };
    bars::Chart {
        title: "Bandwidth of y = A x by the least traffic of CSR".into(),
        subtitle: format!("{}, {} threads, {} precision", plan.device, galerkit::current_threads(), plan.precision),
        unit: "GB/s".into(),
        bars: rows.iter().map(bar).collect(),
        line: Some((format!("triad {:.1} GB/s", triad / 1e9), triad / 1e9)),
    }
}

/// What `--device auto` took, and why.
fn say_device(machine: &Machine, plan: &BenchPlan, output: Output) {
    if machine.device == "auto" {
        output.note(&format!("device {}: {}", plan.device, plan.device_reason));
    }
}

/// The triad of a run: a quick look while all matrices may sit in a cache, beyond all caches from the first that
/// cannot.
#[derive(Default)]
struct Triads {
    quick: Option<Triad>,
    large: Option<Triad>,
}

impl Triads {
    /// Runs the triad once more, next to a matrix of so many bytes.
    fn measure(&mut self, matrix_bytes: usize) {
        const LARGE: usize = 32 << 20;
        if matrix_bytes >= LARGE || self.large.is_some() {
            self.large.get_or_insert_with(Triad::beyond_caches).measure();
        } else {
            self.quick.get_or_insert_with(Triad::quick).measure();
        }
    }

    fn best(&self) -> f64 {
        self.large.as_ref().or(self.quick.as_ref()).map_or(f64::NAN, Triad::best)
    }

    fn yardstick(&self) -> Yardstick {
        Yardstick { triad_bandwidth: Some(self.best()), ..Yardstick::default() }
    }
}

/// A format that a matrix does not fit is left out, and said so.
fn keep<T>(row: Result<T>, name: &str, format: &str, rows: &mut Vec<T>, output: Output) {
    match row {
        Ok(row) => rows.push(row),
        Err(problem) => output.note(&format!("note: {name} in {format} left out: {problem:#}")),
    }
}

/// Padding that would fill the memory measures nothing.
fn require_sane_padding<S: Scalar>(A: &Csr<S>, format: Format) -> Result<()> {
    const MOST_BYTES: u64 = 2 << 30;
    let slots = predicted_slots(A, format);
    let bytes = slots.saturating_mul(size_of::<S>() as u64 + 4);
    if bytes > MOST_BYTES && slots / 10 > A.nnz() as u64 {
        bail!("it would take {:.1} GiB, {} slots an entry", bytes as f64 / (1 << 30) as f64, slots / A.nnz() as u64);
    }
    Ok(())
}

fn time_product<S: Scalar>(A: &Csr<S>, name: &str, format: Format, plan: &BenchPlan) -> Result<Spmv> {
    require_sane_padding(A, format)?;
    let (ordering, device, repetitions) = (plan.ordering, plan.device, plan.repetitions);
    let timing = product(A, Product { format, ordering, device, repetitions })?;
    Ok(Spmv {
        matrix: name.into(),
        format: format.to_string(),
        rows: A.rows(),
        nnz: A.nnz(),
        slots: timing.slots,
        setup_seconds: timing.setup_seconds,
        min_seconds: timing.seconds[0],
        median_seconds: median(&timing.seconds),
        least_bytes: timing.least_bytes,
        own_bytes: timing.own_bytes,
    })
}

fn time_solve<S: Scalar>(A: &Csr<S>, name: &str, format: Format, solver: &Solver, repetitions: usize) -> Result<Cg> {
    require_sane_padding(A, format)?;
    let b = Rhs::Ones.entries(A.rows())?;
    let mut seconds = Vec::new();
    let mut report = solver.solve(A, &b)?.report;
    for repetition in 0..repetitions {
        if repetition > 0 {
            report = solver.solve(A, &b)?.report;
        }
        seconds.push(report.solve_seconds);
    }
    seconds.sort_by(f64::total_cmp);
    Ok(Cg {
        matrix: name.into(),
        format: format.to_string(),
        preconditioner: report.preconditioner.to_string(),
        rows: A.rows(),
        nnz: A.nnz(),
        outcome: report.outcome.name(),
        iterations: report.iterations,
        true_residual: report.true_residual,
        setup_seconds: report.setup_seconds,
        min_seconds: seconds[0],
        median_seconds: median(&seconds),
        bytes_moved: report.bytes_moved.unwrap_or(0),
    })
}
