//! A prepared system that lives long: N small solves, ten thousand unless told otherwise. Prints what a solve takes at
//! the beginning and at the end, resident memory and counters; fails if memory grows after the first hundredth or if
//! anything is kept. `soak 1000000 cuda`: how many, and the device where it is not the CPU.

#![allow(non_snake_case)] // matrices keep the capital letter of the papers

use galerkit::linalg::engine::Counters;
use galerkit::linalg::gallery::{Stencil, poisson2d};
use galerkit::prelude::{Device, Krylov, Preconditioner, Solver, System};
use std::time::Instant;

type Failure = Box<dyn std::error::Error>;

/// Solves that are timed together.
const THOUSAND: usize = 1000;
/// KiB that the process may grow by after the first hundredth of the solves.
const GROWTH: usize = 1024;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments.next().map_or(Ok(10_000), |text| text.parse())?;
    let device: Device = arguments.next().map_or(Ok(Device::Cpu), |text| text.parse())?;
    let A = poisson2d(8, Stencil::Points5)?;
    let solver = Solver::new().method(Krylov::Cg).preconditioner(Preconditioner::Jacobi).device(device);
    let mut soaked = Soaked { system: solver.prepare(&A)?, rows: A.rows(), done: 0 };
    let (thousand, hundredth) = (THOUSAND.min(count.div_ceil(2)), count.div_ceil(100));
    println!("{count} solves of {} unknowns by cg with jacobi on {device}", A.rows());

    let first = soaked.seconds(thousand)?;
    let _ = soaked.seconds(hundredth.saturating_sub(thousand))?;
    let (before, early) = (soaked.system.counters(), resident_kib()?);
    println!("first {thousand}: {:.2} us a solve", 1e6 * first / thousand as f64);
    println!("after {}: {early} KiB resident, {before:?}", soaked.done);
    let _ = soaked.seconds(count.saturating_sub(soaked.done + thousand))?;
    let last = soaked.seconds(thousand)?;
    let (after, late) = (soaked.system.counters(), resident_kib()?);
    println!("last {thousand}: {:.2} us a solve", 1e6 * last / thousand as f64);
    println!("after {}: {late} KiB resident, {after:?}", soaked.done);
    judge((before, after), (early, late))
}

/// A system in use.
struct Soaked<'a> {
    system: System<'a, f64>,
    rows: usize,
    done: usize,
}

impl Soaked<'_> {
    /// Seconds of so many solves, each for a right-hand side of its own.
    fn seconds(&mut self, solves: usize) -> Result<f64, Failure> {
        let (begun, mut b) = (Instant::now(), vec![0.0; self.rows]);
        for _ in 0..solves {
            let turn = self.done % 97;
            b.iter_mut().enumerate().for_each(|(i, b)| *b = 1.0 + ((i + turn) % 13) as f64);
            let report = self.system.solve(&b)?.report;
            if !report.converged {
                return Err(format!("solve {} did not converge: {report}", self.done + 1).into());
            }
            self.done += 1;
        }
        Ok(begun.elapsed().as_secs_f64())
    }
}

/// Resident memory of this process, as Linux tells it.
fn resident_kib() -> Result<usize, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("the system tells no VmRSS")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

/// An error if anything has grown.
fn judge((before, after): (Counters, Counters), (early, late): (usize, usize)) -> Result<(), Failure> {
    let kept = |counters: Counters| (counters.vectors, counters.maps, counters.codes);
    if kept(before) != kept(after) {
        return Err("vectors, maps or codes were kept: the counters above differ".into());
    }
    if late > early + GROWTH {
        return Err(format!("resident memory grew by {} KiB, more than {GROWTH}", late - early).into());
    }
    println!("nothing was kept; memory grew by {} KiB", late.saturating_sub(early));
    Ok(())
}
