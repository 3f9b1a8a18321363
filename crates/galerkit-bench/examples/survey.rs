//! How good the model of the tuner is: times every candidate on the 15 stand-ins of the Williams set and on the Matrix
//! Market files (or folders of them) that are named, each reordered where that pays, as a solve would do.
//!
//! ```text
//! survey [--verbose] [--natural] [--only-files] [FILE or FOLDER ...]
//! ```
#![allow(non_snake_case)]

use galerkit_cuda::launch::Gpu;
use galerkit_cuda::tune::{Candidate, Statistics, rank};
use galerkit_cuda::{Cuda, Result, Settings};
use galerkit_linalg::sparse::{AnyCsr, Csr, reordering_pays};
use galerkit_linalg::{Scalar, gallery, io::matrix_market};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A loss up to this counts as right.
const CLOSE: f64 = 0.05;

/// What came of one matrix.
struct Found {
    pick: (Candidate, f64),
    best: (Candidate, f64),
    predicted: f64,
}

struct Survey {
    gpu: Arc<Gpu>,
    verbose: bool,
    natural: bool,
    losses: Vec<f64>,
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let (flags, paths): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let flag = |name: &str| flags.iter().any(|flag| flag == name);
    let gpu = Gpu::open(0)?;
    println!("{}", gpu.properties().name);
    let mut survey = Survey { gpu, verbose: flag("--verbose"), natural: flag("--natural"), losses: Vec::new() };
    let heading = ["matrix", "rows", "entries", "model's pick", "time", "best", "time", "loss", "predicted"];
    let [matrix, rows, entries, pick, time, best, best_time, loss, predicted] = heading;
    println!(
        "{matrix:<24} {rows:>9} {entries:>10}  {pick:<16} {time:>9}  {best:<16} {best_time:>9} {loss:>7} {predicted:>9}"
    );
    if !flag("--only-files") {
        for name in gallery::williams_names() {
            survey.look(name, &AnyCsr::Real(gallery::williams(name, 1)?));
        }
    }
    for path in paths.iter().flat_map(|path| files(Path::new(path))) {
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        match matrix_market::read_matrix(&path) {
            Ok(file) => survey.look(&name, &file.matrix),
            Err(error) => eprintln!("skipped: {error}"),
        }
    }
    let close = survey.losses.iter().filter(|&&loss| loss <= CLOSE).count();
    let worst = survey.losses.iter().copied().fold(0.0, f64::max);
    println!(
        "model alone within 5 % of the best on {close} of {}; worst loss {:.1} %",
        survey.losses.len(),
        100.0 * worst
    );
    Ok(())
}

/// A file, or all matrices of a folder and those below it, by name.
fn files(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else { return vec![path.into()] };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let wanted = |path: &PathBuf| path.is_dir() || path.to_string_lossy().contains(".mtx");
    paths.into_iter().filter(wanted).flat_map(|path| files(&path)).collect()
}

impl Survey {
    fn look(&mut self, name: &str, A: &AnyCsr) {
        let (rows, entries) = (A.rows(), A.nnz());
        let found = match A {
            AnyCsr::Real(A) => self.time_all(A),
            AnyCsr::Complex(A) => self.time_all(A),
        };
        let Found { pick, best, predicted } = match found {
            Ok(Some(found)) => found,
            Ok(None) => return eprintln!("skipped: {name}: no candidate ran"),
            Err(error) => return eprintln!("skipped: {name}: {error}"),
        };
        let loss = pick.1 / best.1 - 1.0;
        self.losses.push(loss);
        println!(
            "{name:<24} {rows:>9} {entries:>10}  {:<16} {:>6.1} us  {:<16} {:>6.1} us {:>5.1} % {:>6.1} us",
            pick.0,
            1e6 * pick.1,
            best.0,
            1e6 * best.1,
            100.0 * loss,
            1e6 * predicted
        );
    }

    /// Times every candidate; the model's pick is the one that a solve would build first.
    fn time_all<S: Scalar>(&self, A: &Csr<S>) -> Result<Option<Found>> {
        let order = if self.natural { None } else { reordering_pays(A).permutation };
        let reordered = order.and_then(|order| A.permute_symmetric(&order).ok());
        let A = reordered.as_ref().unwrap_or(A);
        let properties = self.gpu.properties();
        let Some(pick) = rank(&Statistics::of(A, S::KIND), properties).first().copied() else { return Ok(None) };
        let mut cuda = Cuda::<S>::new(&self.gpu, Settings::default())?;
        let mut timed: Vec<(Candidate, f64)> = Vec::new();
        for prediction in rank(&Statistics::thorough(A, S::KIND), properties) {
            let candidate = prediction.candidate;
            let seconds = candidate.build(&self.gpu, A).and_then(|map| cuda.time_product(map));
            cuda.failure().map_or(Ok(()), Err)?;
            match seconds {
                Ok(seconds) => timed.push((candidate, seconds)),
                Err(error) => eprintln!("  {candidate}: {error}"),
            }
            if self.verbose {
                let measured = timed.last().filter(|last| last.0 == candidate).map_or(f64::NAN, |last| last.1);
                let (predicted, limit) = (1e6 * prediction.seconds, prediction.limit);
                println!("    {candidate:<18} predicted {predicted:>8.1} us ({limit}), {:>8.1} us", 1e6 * measured);
            }
        }
        let picked = timed.iter().find(|(candidate, _)| *candidate == pick.candidate).copied();
        let best = timed.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1));
        Ok(picked.zip(best).map(|(picked, best)| Found { pick: picked, best, predicted: pick.seconds }))
    }
}
