//! How fast arrays go from pageable memory to a GPU and back: by the driver, and by several threads through pinned
//! memory. `transfer`: 64 MiB, 512 MiB and 2 GiB, as `solve` copies; `transfer 512 all`: so many MiB, by every number
//! of threads with chunks of several sizes. The best of five; what comes back is compared. Skipped, visibly, where
//! there is no GPU.

use galerkit::cuda::launch::{Buffer, Gpu, Staging};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

type Failure = Box<dyn std::error::Error>;

const REPETITIONS: usize = 5;
const MEBI: usize = 1 << 20;

fn main() -> Result<ExitCode, Failure> {
    let gpu = match Gpu::open(0) {
        Ok(gpu) => gpu,
        Err(error) => {
            eprintln!("skipped: {error}");
            return Ok(ExitCode::SUCCESS);
        }
    };
    let (all, sizes): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|word| word == "all");
    let mut sizes: Vec<usize> = sizes.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
    if sizes.is_empty() {
        sizes = vec![64, 512, 2048];
    }
    first(&gpu)?;
    println!("{:>8} {:<28} {:>9} {:>9}   GB/s, best of {REPETITIONS}", "MiB", "copied by", "up", "down");
    for mebi in sizes {
        for (name, way) in ways(!all.is_empty()) {
            let [up, down] = speeds(&gpu, mebi * MEBI, way)?;
            println!("{mebi:>8} {name:<28} {:>9.1} {:>9.1}", up / 1e9, down / 1e9);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What the first large copy of a process costs, which pins the buffers, beside the second.
fn first(gpu: &Arc<Gpu>) -> Result<(), Failure> {
    let host = vec![1u8; 256 * MEBI];
    for which in ["first", "second"] {
        let begun = Instant::now();
        Buffer::from_slice(gpu, "a measurement", &host)?;
        println!("{which} upload of 256 MiB into a new buffer: {:.1} ms", 1e3 * begun.elapsed().as_secs_f64());
    }
    Ok(())
}

/// Ways to copy, with their names.
fn ways(all: bool) -> Vec<(String, Staging)> {
    let mut ways =
        vec![("the driver".into(), Staging::new(0, MEBI)), ("threads, as solve does".into(), Staging::usual())];
    if all {
        for threads in [1, 2, 4, 8, 12, 16] {
            for kibi in [128, 256, 512, 1024] {
                ways.push((format!("{threads} threads, {kibi} KiB"), Staging::new(threads, kibi << 10)));
            }
        }
    }
    ways
}

/// Bytes a second, up and down.
fn speeds(gpu: &Arc<Gpu>, bytes: usize, way: Staging) -> Result<[f64; 2], Failure> {
    let host: Vec<u64> = (0..bytes as u64 / 8).map(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let mut back = vec![1u64; host.len()]; // touched: pages that are not there yet would be counted
    let mut buffer = Buffer::new(gpu, "a measurement", bytes)?;
    let mut best = [0.0_f64; 2];
    for _ in 0..REPETITIONS {
        let begun = Instant::now();
        buffer.upload_by(way, 0, &host)?;
        best[0] = best[0].max(bytes as f64 / begun.elapsed().as_secs_f64());
        back.fill(1);
        let begun = Instant::now();
        buffer.download_by(way, 0, &mut back)?;
        best[1] = best[1].max(bytes as f64 / begun.elapsed().as_secs_f64());
        if back != host {
            return Err("what came back is not what was sent".into());
        }
    }
    Ok(best)
}
