//! `bench spmv --device cuda`: every format of ours next to cuSPARSE's, timed in the same way on the same GPU.

use super::results::{Comparison, Files, Results, Row, Yardstick};
use super::rows::{gigabytes, share};
use super::{keep, require_sane_padding};
use crate::args::Measure;
use crate::commands::{Ending, load};
use crate::output::{Output, bars};
use crate::plan::BenchPlan;
use anyhow::{Result, bail};
use galerkit::cuda::error::Amount;
use galerkit::cuda::map::Tuning;
use galerkit::dispatch;
use galerkit::linalg::Scalar;
use galerkit::linalg::sparse::{Csr, Format, statistics::predicted_slots};
use galerkit_bench::peer::Way;
use galerkit_bench::timing::gpu::Arena;
use galerkit_bench::timing::{Timing, effective_bytes, median};
use serde::Serialize;

/// A product on a GPU.
#[derive(Serialize)]
pub struct GpuSpmv {
    matrix: String,
    format: String,
    /// `galerkit` or `cusparse`.
    library: &'static str,
    rows: usize,
    nnz: usize,
    slots: usize,
    setup_seconds: f64,
    min_seconds: f64,
    median_seconds: f64,
    /// Slowest replay less fastest, relative to the median.
    spread: f64,
    /// Bytes of the format's arrays, x and y.
    own_bytes: u64,
    /// 20 bytes an entry in double precision.
    effective_bytes: u64,
    /// Everything fits the L2 cache.
    cached: bool,
    /// Replays of a graph were timed, not loops between events.
    graph: bool,
    /// How many times faster than cuSPARSE's compressed rows, the better algorithm.
    over_cusparse_csr: Option<f64>,
    /// How many times faster than the best format of cuSPARSE.
    over_best_cusparse: Option<f64>,
}

impl Row for GpuSpmv {
    const HEADINGS: &[&'static str] = &[
        "matrix",
        "format",
        "slots/nnz",
        "ms",
        "+-",
        "GB/s own",
        "GB/s effective",
        "own of read",
        "over cusparse csr",
        "over best cusparse",
        "note",
    ];
    fn cells(&self, read: f64) -> Vec<String> {
        let ratio = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.2}"));
        let notes = [(self.cached, "cache"), (!self.graph, "events")];
        let notes: Vec<&str> = notes.iter().filter(|(applies, _)| *applies).map(|(_, note)| *note).collect();
        vec![
            self.matrix.clone(),
            self.format.clone(),
            format!("{:.3}", self.slots as f64 / self.nnz.max(1) as f64),
            format!("{:.4}", self.median_seconds * 1e3),
            format!("{:.1} %", 100.0 * self.spread),
            gigabytes(self.own_bytes, self.median_seconds),
            gigabytes(self.effective_bytes, self.median_seconds),
            share(self.own_bytes, self.median_seconds, read),
            ratio(self.over_cusparse_csr),
            ratio(self.over_best_cusparse),
            notes.join(" "),
        ]
    }
}

/// A format with what may be chosen beyond it.
struct Candidate {
    name: String,
    format: Format,
    tuning: Tuning,
}

/// The formats of a plan; ELL also row by row, and with everything CSR in both of its ways.
fn candidates(plan: &BenchPlan, all: bool) -> Vec<Candidate> {
    let mut list = Vec::new();
    for &format in &plan.formats {
        list.push(Candidate { name: format.to_string(), format, tuning: Tuning::default() });
        let mut variant = |what: &str, tuning| {
            list.push(Candidate { name: format!("{format} {what}"), format, tuning });
        };
        match format {
            Format::Ell => variant("row-major", Tuning { row_major: true, ..Tuning::default() }),
            Format::Csr if all => {
                variant("balanced", Tuning { balanced: Some(true), ..Tuning::default() });
                variant("by rows", Tuning { balanced: Some(false), ..Tuning::default() });
            }
            _ => (),
        }
    }
    list
}

/// Measures and shows.
pub fn run(arguments: &Measure, plan: &BenchPlan, number: usize, output: Output) -> Result<Ending> {
    let arena = Arena::open(number)?;
    let cusparse = match &arena.peer {
        Ok(peer) => peer.description(),
        Err(why) => format!("skipped: {why}"),
    };
    output.note(&format!("note: {cusparse}"));
    let mut rows = Vec::new();
    for name in &plan.matrices {
        let matrix = load(name, output)?.matrix.with_precision(plan.precision);
        let first = rows.len();
        dispatch!(&matrix, A => measure(A, name, plan, arguments.all_formats, &arena, &mut rows, output));
        relate(&mut rows[first..]);
    }
    let gpu = arena.gpu().properties();
    let yardstick = Yardstick {
        read_bandwidth: Some(arena.bandwidth.read),
        copy_bandwidth: Some(arena.bandwidth.copy),
        gpu: Some(format!("{}, {}", gpu.name, Amount(gpu.memory))),
        cusparse: Some(cusparse),
        ..Yardstick::default()
    };
    let mut results = Results::new("spmv", plan, yardstick, rows)?;
    results.comparisons = comparisons(&results.results);
    if let Some(path) = &arguments.svg {
        let subtitle = format!("{}, {} precision, 20 bytes an entry", gpu.name, plan.precision);
        output.write(path, &bars::draw(&chart(&results.results, subtitle, arena.bandwidth.read))?)?;
    }
    results.publish(&Files { json: arguments.json.as_ref(), csv: arguments.csv.as_ref() }, output)
}

fn measure<S: Scalar>(
    A: &Csr<S>,
    name: &str,
    plan: &BenchPlan,
    all: bool,
    arena: &Arena,
    rows: &mut Vec<GpuSpmv>,
    output: Output,
) {
    for candidate in candidates(plan, all) {
        let row = fits(A, candidate.format).and_then(|()| {
            let Candidate { format, tuning, .. } = candidate;
            let timing = arena.product(A, format, plan.ordering, tuning, plan.repetitions)?;
            Ok(GpuSpmv::new(A, name, candidate.name.clone(), "galerkit", timing, true))
        });
        keep(row, name, &candidate.name, rows, output);
    }
    if arena.peer.is_err() {
        return;
    }
    for way in Way::all(A) {
        let timed = arena.peer_product(A, way, plan.repetitions);
        let row = timed.map(|(timing, graph)| GpuSpmv::new(A, name, way.to_string(), "cusparse", timing, graph));
        keep(row.map_err(Into::into), name, &way.to_string(), rows, output);
    }
}

/// Padding that would fill the memory measures nothing, and blocks that are mostly fill are no candidates.
fn fits<S: Scalar>(A: &Csr<S>, format: Format) -> Result<()> {
    require_sane_padding(A, format)?;
    let slots = predicted_slots(A, format);
    if matches!(format, Format::Bsr { .. }) && 2 * slots > 3 * A.nnz() as u64 {
        bail!("its blocks would be {:.0} % fill", 100.0 - 100.0 * A.nnz() as f64 / slots as f64);
    }
    Ok(())
}

impl GpuSpmv {
    fn new<S: Scalar>(
        A: &Csr<S>,
        name: &str,
        format: String,
        library: &'static str,
        timing: Timing,
        graph: bool,
    ) -> Self {
        let (seconds, middle) = (&timing.seconds, median(&timing.seconds));
        Self {
            matrix: name.into(),
            format,
            library,
            rows: A.rows(),
            nnz: A.nnz(),
            slots: timing.slots,
            setup_seconds: timing.setup_seconds,
            min_seconds: seconds[0],
            median_seconds: middle,
            spread: (seconds[seconds.len() - 1] - seconds[0]) / middle,
            own_bytes: timing.own_bytes,
            effective_bytes: effective_bytes(A),
            cached: timing.cached,
            graph,
            over_cusparse_csr: None,
            over_best_cusparse: None,
        }
    }
}

/// Fills in the ratios of one matrix.
fn relate(rows: &mut [GpuSpmv]) {
    let best = |wanted: &dyn Fn(&GpuSpmv) -> bool| {
        rows.iter()
            .filter(|row| row.library == "cusparse" && wanted(row))
            .map(|row| row.median_seconds)
            .reduce(f64::min)
    };
    let (csr, any) = (best(&|row| row.format.starts_with("cusparse csr")), best(&|_| true));
    for row in rows {
        row.over_cusparse_csr = csr.map(|seconds| seconds / row.median_seconds);
        row.over_best_cusparse = any.map(|seconds| seconds / row.median_seconds);
    }
}

/// What source 004 compares: the first format against the second.
const COMPARED: [(&str, &str, &str); 7] = [
    ("coalesced against row-major", "ell", "ell row-major"),
    ("sorted against unsorted", "k1:32", "sell:32:1"),
    ("sorted in windows against unsorted", "sell:32:256", "sell:32:1"),
    ("renumbered", "k1r:32", "k1:32"),
    ("renumbered and rows sorted", "k1rs:32", "k1:32"),
    ("renumbered", "k2r:32:16", "k2:32:16"),
    ("renumbered and rows sorted", "k2rs:32:16", "k2:32:16"),
];

fn comparisons(rows: &[GpuSpmv]) -> Vec<Comparison> {
    let mut list = Vec::new();
    let mut matrices: Vec<&str> = rows.iter().map(|row| row.matrix.as_str()).collect();
    matrices.dedup();
    for matrix in matrices {
        let seconds = |format: &str| {
            rows.iter().find(|row| row.matrix == matrix && row.format == format).map(|row| row.median_seconds)
        };
        for (what, first, second) in COMPARED {
            if let (Some(one), Some(other)) = (seconds(first), seconds(second)) {
                let (matrix, first, second) = (matrix.into(), first.into(), second.into());
                list.push(Comparison { matrix, what, first, second, ratio: other / one });
            }
        }
    }
    list
}

/// The chart: one group a matrix, one bar a format.
fn chart(rows: &[GpuSpmv], subtitle: String, read: f64) -> bars::Chart {
    let bar = |row: &GpuSpmv| bars::Bar {
        group: row.matrix.clone(),
        series: row.format.clone(),
        value: row.effective_bytes as f64 / row.median_seconds / 1e9,
    };
    bars::Chart {
        title: "Effective bandwidth of y = A x".into(),
        subtitle,
        unit: "GB/s".into(),
        bars: rows.iter().map(bar).collect(),
        line: Some((format!("read bandwidth {:.0} GB/s", read / 1e9), read / 1e9)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(format: &str, library: &'static str, seconds: f64) -> GpuSpmv {
        let A = Csr::new(1, 1, vec![0, 1], vec![0], vec![1.0]).unwrap();
        let timing = Timing {
            seconds: vec![seconds],
            setup_seconds: 0.0,
            slots: 1,
            least_bytes: 32,
            own_bytes: 36,
            cached: true,
        };
        GpuSpmv::new(&A, "m", format.into(), library, timing, true)
    }

    #[test]
    fn ratios_are_against_the_better_algorithm_and_the_best_format() {
        let mut rows = [
            row("k1:32", "galerkit", 1.0),
            row("cusparse csr alg1", "cusparse", 4.0),
            row("cusparse csr alg2", "cusparse", 3.0),
            row("cusparse sell:32", "cusparse", 2.0),
        ];
        relate(&mut rows);
        assert_eq!((rows[0].over_cusparse_csr, rows[0].over_best_cusparse), (Some(3.0), Some(2.0)));
        let mut alone = [row("k1:32", "galerkit", 1.0)];
        relate(&mut alone);
        assert_eq!((alone[0].over_cusparse_csr, alone[0].over_best_cusparse), (None, None));
    }

    #[test]
    fn the_comparisons_of_the_source_are_made_where_both_were_measured() {
        let rows = [row("ell", "galerkit", 1.0), row("ell row-major", "galerkit", 5.0), row("k1:32", "galerkit", 2.0)];
        let made = comparisons(&rows);
        assert_eq!(made.len(), 1);
        assert_eq!((made[0].what, made[0].ratio), ("coalesced against row-major", 5.0));
    }

    #[test]
    fn the_compared_formats_are_names_of_formats() {
        for (_, first, second) in COMPARED {
            for name in [first, second].map(|name| name.split(' ').next().unwrap()) {
                assert_eq!(name.parse::<Format>().unwrap().to_string(), name);
            }
        }
    }
}
