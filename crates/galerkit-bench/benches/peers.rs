//! galerkit in the run of the CPU peers: the same matrices, read from the files of their generator, the same workloads
//! and the same result lines. Usage: `cargo bench --bench peers -- W0|W1|W2 CASE [FORMAT...]`, with `PEERS_DATA` naming
//! the folder of matrices; `cargo xtask bench` runs it beside the peers.
//!
//! `RESULT,peer,workload,case,threads,median s,min s,max s,iterations,GB/s or residual`
#![allow(non_snake_case)]

use galerkit::prelude::*;
use galerkit_bench::timing::{self, Product, median};
use std::error::Error;
use std::io::Read;

const SPMV_REPETITIONS: usize = 15;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let [workload, case, wanted @ ..] = &arguments[..] else {
        println!("skipped: usage is cargo bench --bench peers -- W0|W1|W2 CASE [FORMAT...]");
        return Ok(());
    };
    let A = read_case(case)?;
    match workload.as_str() {
        "W0" => reference_loops(&A, case, wanted),
        "W1" => products(&A, case, wanted),
        "W2" => solves(&A, case),
        _ => {
            Err(format!("unknown workload {workload}: known are W0 (reference loops), W1 (products), W2 (CG + Jacobi)")
                .into())
        }
    }
}

/// A file of the peers' generator: four 64-bit numbers (version, rows, entries, complex), values, starts, columns.
fn read_case(case: &str) -> Result<Csr<f64>, Box<dyn Error>> {
    let folder = std::env::var("PEERS_DATA").map_err(|_| "set PEERS_DATA to the folder of the peers' matrices")?;
    let mut file = std::fs::File::open(std::path::Path::new(&folder).join(format!("{case}.csr")))?;
    let header = numbers(&mut file, 4, i64::from_le_bytes)?;
    let (rows, entries) = (header[1] as usize, header[2] as usize);
    let val = numbers(&mut file, entries, f64::from_le_bytes)?;
    let start = numbers(&mut file, rows + 1, u32::from_le_bytes)?.into_iter().map(u64::from).collect();
    let col = numbers(&mut file, entries, u32::from_le_bytes)?;
    Ok(Csr::new(rows, rows, start, col, val)?)
}

fn numbers<T, const BYTES: usize>(
    file: &mut std::fs::File,
    count: usize,
    decode: fn([u8; BYTES]) -> T,
) -> std::io::Result<Vec<T>> {
    let mut bytes = vec![0; count * BYTES];
    file.read_exact(&mut bytes)?;
    Ok(bytes.as_chunks::<BYTES>().0.iter().map(|&chunk| decode(chunk)).collect())
}

/// Every format on the reference backend: what no fast kernel may be slower than.
fn reference_loops(A: &Csr<f64>, case: &str, wanted: &[String]) -> Result<(), Box<dyn Error>> {
    formats(wanted)?.into_iter().try_for_each(|format| {
        let how = Product { format, ordering: Ordering::Natural.into(), device: Device::Reference, repetitions: 3 };
        time_product(A, "W0", case, how)
    })
}

/// Every format in natural order, and what `auto` would do for this matrix.
fn products(A: &Csr<f64>, case: &str, wanted: &[String]) -> Result<(), Box<dyn Error>> {
    let how = |format, ordering| Product { format, ordering, device: Device::Cpu, repetitions: SPMV_REPETITIONS };
    for format in formats(wanted)? {
        time_product(A, "W1", case, how(format, Ordering::Natural.into()))?;
    }
    time_product(A, "W1", case, how("sell:8:256".parse()?, Choice::Auto))
}

/// The formats named, or all.
fn formats(wanted: &[String]) -> Result<Vec<Format>, Box<dyn Error>> {
    if !wanted.is_empty() {
        return Ok(wanted.iter().map(|name| name.parse()).collect::<Result<_, _>>()?);
    }
    Ok(Format::all().into_iter().chain(["sell:8:1".parse()?]).collect())
}

fn time_product(A: &Csr<f64>, workload: &str, case: &str, how: Product) -> Result<(), Box<dyn Error>> {
    let timing = timing::product(A, how)?;
    let name = format!("galerkit {} {} {}", how.device, how.format, how.ordering);
    let bandwidth = timing.least_bytes as f64 / median(&timing.seconds) * 1e-9;
    let note = format!("{bandwidth:.2} GB/s setup {:.3} s", timing.setup_seconds);
    print(&name, workload, case, &timing.seconds, 1, &note);
    Ok(())
}

/// CG with Jacobi to a true relative residual of 1e-8, right-hand side ones, everything automatic.
fn solves(A: &Csr<f64>, case: &str) -> Result<(), Box<dyn Error>> {
    let repetitions = std::env::var("PEERS_REPS").ok().and_then(|text| text.parse().ok()).unwrap_or(5usize);
    let solver = Solver::new().method(Method::CG).preconditioner(Preconditioner::Jacobi).rtol(1e-8);
    let b = vec![1.0; A.rows()];
    let reports = (0..repetitions).map(|_| Ok(solver.solve(A, &b)?.report)).collect::<galerkit::Result<Vec<_>>>()?;
    let sorted = |pick: fn(&Report) -> f64| {
        let mut seconds: Vec<f64> = reports.iter().map(pick).collect();
        seconds.sort_by(f64::total_cmp);
        seconds
    };
    let Some(last) = reports.last() else { return Err("PEERS_REPS must be at least 1".into()) };
    let name = format!("galerkit-cg-jacobi {} {}", last.format, last.ordering);
    let note = format!("residual {:.2e}", last.true_residual);
    print(&name, "W2-setup", case, &sorted(|report| report.setup_seconds), 0, "");
    print(&name, "W2-solve", case, &sorted(|report| report.solve_seconds), last.iterations, &note);
    Ok(())
}

fn print(name: &str, workload: &str, case: &str, seconds: &[f64], iterations: usize, note: &str) {
    let (least, largest) = (seconds[0], seconds[seconds.len() - 1]);
    let threads = galerkit::current_threads();
    println!(
        "RESULT,{name},{workload},{case},{threads},{:.6},{least:.6},{largest:.6},{iterations},{note}",
        median(seconds)
    );
}
