//! `bench krylov` as meant.

use super::{BenchPlan, Place};
use crate::args::MeasureKrylov;
use anyhow::{Context, Result, bail};
use galerkit::{Choice, Krylov, Preconditioning};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Compared when no matrix is named.
const DEFAULT: &str = "gallery:poisson2d?n=100";
/// What the table compares.
const TABLE_PRECONDITIONERS: [&str; 3] = ["none", "jacobi", "ilu0"];
/// Seconds that a solve of the table may take.
const TABLE_LIMIT: f64 = 10.0;
/// Folders of the data that hold systems.
const FOLDERS: [&str; 4] = ["complex", "fem_systems", "irregular", "suitesparse"];

/// A comparison of methods, as meant.
#[derive(Debug)]
pub struct KrylovPlan {
    /// Matrices, order, precision, device, repetitions.
    pub bench: BenchPlan,
    /// The methods.
    pub methods: Vec<Krylov>,
    /// The preconditioners.
    pub preconditioners: Vec<Choice<Preconditioning>>,
    /// Relative tolerance.
    pub rtol: f64,
    /// Most products with A.
    pub products: usize,
    /// Most time of one solve.
    pub time_limit: Option<Duration>,
}

impl KrylovPlan {
    /// Makes sense of the arguments.
    pub fn new(arguments: &MeasureKrylov) -> Result<Self> {
        if arguments.repetitions == 0 {
            bail!("--repetitions 0 would measure nothing: ask for at least 1");
        }
        let table = arguments.table.is_some();
        let seconds = arguments.time_limit.or(table.then_some(TABLE_LIMIT));
        let time_limit = seconds.map(|seconds| {
            Duration::try_from_secs_f64(seconds).with_context(|| format!("--time-limit {seconds} is no time to wait"))
        });
        let methods = match arguments.methods.is_empty() {
            true => Krylov::ALL.to_vec(),
            false => arguments.methods.iter().map(|name| name.parse()).collect::<Result<_, _>>()?,
        };
        let names: Vec<&str> = match arguments.precond.is_empty() {
            true if table => TABLE_PRECONDITIONERS.to_vec(),
            true => vec!["auto"],
            false => arguments.precond.iter().map(String::as_str).collect(),
        };
        let names = joined(&names);
        let preconditioners = names.iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
        let ordering = arguments.ordering.parse()?;
        let place = Place::new(&arguments.machine)?;
        let (device, device_reason) = place.of_benchmark();
        let matrices = match (arguments.matrices.is_empty(), table) {
            (false, _) => arguments.matrices.clone(),
            (true, false) => vec![DEFAULT.into()],
            (true, true) => data_files()?,
        };
        let (precision, repetitions) = (place.precision, arguments.repetitions);
        let bench =
            BenchPlan { matrices, formats: Vec::new(), ordering, precision, device, device_reason, repetitions };
        let (rtol, products) = (arguments.rtol, arguments.max_products);
        Ok(Self { bench, methods, preconditioners, rtol, products, time_limit: time_limit.transpose()? })
    }
}

/// Options of inner solves stand behind commas, as the names of a list do: they are put back where they belong.
fn joined(names: &[&str]) -> Vec<String> {
    let mut whole: Vec<String> = Vec::new();
    for name in names {
        match whole.last_mut() {
            Some(last) if last.starts_with("inner:") && name.contains('=') => *last += &format!(",{name}"),
            _ => whole.push(name.to_string()),
        }
    }
    whole
}

/// The Matrix Market files of the data folder, in order.
fn data_files() -> Result<Vec<String>> {
    let Some(data) = std::env::var_os("GALERKIT_DATA").map(PathBuf::from) else {
        bail!("there is no matrix to solve: name some, or set GALERKIT_DATA to the folder of data files");
    };
    let mut files: Vec<String> = FOLDERS.iter().flat_map(|folder| matrices_in(&data.join(folder))).collect();
    files.sort();
    match files.is_empty() {
        true => bail!("{} has no Matrix Market files in {}", data.display(), FOLDERS.join(", ")),
        false => Ok(files),
    }
}

fn matrices_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.path().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".mtx.gz") || name.ends_with(".mtx")).collect()
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn options_go_with_their_inner_solve() {
        let names = ["jacobi", "inner:cg", "rtol=0.01", "precond=ssor:1.2", "inner:jacobi", "none"];
        assert_eq!(joined(&names), ["jacobi", "inner:cg,rtol=0.01,precond=ssor:1.2", "inner:jacobi", "none"]);
    }
}
