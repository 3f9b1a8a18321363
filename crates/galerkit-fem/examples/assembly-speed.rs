//! Speed of assembly of -div(kappa grad u) on the unit cube: the pattern with its map, element matrices, and values = S
//! k, in entries a second, beside the time to write the matrix's values once; on the threads of this machine and, for
//! values = S k, on its GPU, beside the time to move k, the map and the values at the speed of a copy. Bytes an unknown of the matrix, of the map and of the matrix-free operator.
//!
//! `assembly-speed [unknowns] [first degree] [last degree] [affine|curved] [cpu|both]`: without arguments 20000
//! unknowns, degrees 1 to 3, affine, both.
#![allow(non_snake_case)] // matrices keep the capital letter of the papers

use galerkit_cuda::bandwidth::measure;
use galerkit_cuda::{Cuda, Settings, jit::Jit, launch::Gpu};
use galerkit_fem::problem::{Assembler, Interior};
use galerkit_fem::{Forest, MatrixFree, Problem, Space, domain};
use galerkit_linalg::LinearMap;
use galerkit_linalg::backend::Cpu;
use galerkit_linalg::engine::{Engine, Executor, Interpreter, Operator, Recorded};
use galerkit_linalg::program::Precision;
use rayon::prelude::*;
use std::time::Instant;

type Failure = Box<dyn std::error::Error>;

/// Repetitions, of which the fastest counts.
const TIMES: usize = 5;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |k: usize, usual: usize| arguments.get(k).map_or(Ok(usual), |text| text.parse());
    let (unknowns, degrees) = (number(0, 20_000)?, number(1, 1)?..=number(2, 3)?);
    let has = |word: &str| arguments.iter().any(|given| given == word);
    let gpu = if has("cpu") { None } else { Gpu::open(0).map_err(|reason| println!("no GPU: {reason}")).ok() };
    println!("assembly in million entries a second, {} threads", rayon::current_num_threads());
    let copy = gpu.as_ref().map(|gpu| measure(gpu, &Jit::new(gpu))).transpose()?.map_or(0.0, |found| found.copy);
    for p in degrees {
        let problem = problem(unknowns, p, has("curved"))?;
        let n = problem.space().unknowns();
        let (assembler, pattern) = timed(|| Assembler::new(&problem, Interior::Kept));
        let assembler = assembler?;
        let known = problem.space().complete(problem.lift()?);
        let (contributions, elements) = timed(|| assembler.contributions(&problem, &known));
        let (k, _) = contributions?;
        let nnz = LinearMap::<f64>::shape(assembler.to_slots()).0;
        let write = best(&mut vec![0.0f64; nnz], |values| values.par_iter_mut().for_each(|value| *value = 1.0));
        let rate = |seconds: f64| nnz as f64 / seconds * 1e-6;
        println!("degree {p}, {n} unknowns, {nnz} entries, {} contributions", k.len());
        println!("  pattern and map {:9.1} ({pattern:.3} s), once a space", rate(pattern));
        println!("  element matrices{:9.1} ({elements:.3} s)", rate(elements));
        let host = sums(&mut Recorded::over(Interpreter::new(Cpu)), assembler.to_slots(), &k);
        println!(
            "  values = S k    {:9.1} ({host:.4} s), {:.1} times writing the values once",
            rate(host),
            host / write
        );
        if let Some(gpu) = &gpu {
            let there = sums(&mut Recorded::over(Cuda::new(gpu, Settings::default())?), assembler.to_slots(), &k);
            let write = 8.0 * nnz as f64 / copy;
            let moved = (LinearMap::<f64>::bytes(assembler.to_slots()) + 8 * (k.len() + nnz)) as f64 / copy;
            println!(
                "  values = S k    {:9.1} ({there:.6} s) on the GPU, {:.1} times writing the values once at {:.0} GB/s, \
                 {:.2} times moving k, the map and the values",
                rate(there),
                there / write,
                copy * 1e-9,
                there / moved
            );
        }
        let (A, operator) = timed(|| MatrixFree::new(&problem));
        let bytes = |map: &dyn LinearMap<f64>| map.bytes() as f64 / n as f64;
        let (map, matrix) = (bytes(assembler.to_slots()), 12.0 * nnz as f64 / n as f64);
        let free = bytes(&A?);
        println!(
            "  bytes an unknown: matrix {matrix:.0}, its map {map:.0}, matrix-free {free:.0} (made in {operator:.3} s)"
        );
    }
    Ok(())
}

fn problem(unknowns: usize, p: usize, is_curved: bool) -> Result<Problem, Failure> {
    let cuts = ((unknowns as f64).cbrt() / p as f64).round().max(1.0) as usize;
    let mut mesh = domain::cube(cuts);
    if is_curved {
        mesh.points.iter_mut().for_each(|x| {
            *x = [x[0] + 0.1 * x[1] * x[2], x[1] - 0.1 * x[0] * x[0], x[2] + 0.1 * x[0] * x[1]];
        });
    }
    let forest = Forest::new(&mesh)?;
    let degrees = vec![p; forest.cells().len()];
    Ok(Problem::poisson(Space::new(forest, &degrees, &[1])?.into(), 1.0))
}

/// Seconds of one product with S, where vectors are there already.
fn sums<X: Executor<f64>>(e: &mut Recorded<f64, X>, S: &dyn LinearMap<f64>, k: &[f64]) -> f64 {
    let (loaded, k) = (e.load(S.clone_map()), e.upload(k));
    let (mut values, flag) = (e.zeros(S.shape().0, Precision::Full), e.zeros(1, Precision::Full));
    let routine = e.compile(|e| {
        loaded.apply(e, &k, &mut values);
        Vec::new()
    });
    best(e, |e| {
        let _ = e.run(&routine);
        e.download(&flag); // waits for the product
    })
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begun = Instant::now();
    (work(), begun.elapsed().as_secs_f64())
}

/// The least of some repetitions.
fn best<T>(on: &mut T, mut work: impl FnMut(&mut T)) -> f64 {
    (0..TIMES).map(|_| timed(|| work(on)).1).fold(f64::INFINITY, f64::min)
}
