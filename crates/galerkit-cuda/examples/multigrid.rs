//! The set-up of algebraic multigrid for Poisson's equation on a grid that is born on the GPU: `multigrid SIDE... [27]
//! [f32] [repeats=N] [quick]`. Prints levels with their checksums, the time of the whole set-up (best of N), of its
//! stages, of a refill, and A A in multiply-adds a second. 7 points and f64 unless asked otherwise; `quick` leaves out
//! refill and A A.
#![allow(non_snake_case)]

use galerkit_cuda::amg::{Facts, Hierarchy, Options, in_single, refill, set_up};
use galerkit_cuda::convert::{DeviceCsr, born};
use galerkit_cuda::error::Amount;
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::product::{multiplications, product, transpose};
use galerkit_cuda::{Error, Result};
use galerkit_linalg::Scalar;
use galerkit_linalg::gallery::{OnGrid, parse};
use std::sync::Arc;
use std::time::Instant;

/// Stages that multiply.
const PRODUCTS: [&str; 3] = ["A P", "R(AP)", "mirror"];

struct Asked {
    sides: Vec<usize>,
    points: usize,
    is_single: bool,
    repeats: usize,
    is_quick: bool,
}

fn main() -> Result<()> {
    let mut asked = Asked { sides: Vec::new(), points: 7, is_single: false, repeats: 5, is_quick: false };
    for argument in std::env::args().skip(1) {
        match (&*argument, argument.strip_prefix("repeats=")) {
            ("27", _) => asked.points = 27,
            ("f32", _) => asked.is_single = true,
            ("quick", _) => asked.is_quick = true,
            (_, Some(count)) => asked.repeats = count.parse().expect("repeats=NUMBER"),
            (side, _) => asked.sides.push(side.parse().expect("points a side, 27, f32, quick or repeats=N")),
        }
    }
    let gpu = Gpu::open(0)?;
    println!("{}, {} free", gpu.properties().name, Amount(gpu.free_memory()?.0));
    for &side in &asked.sides {
        let name = format!("poisson3d?n={side}&stencil={}", asked.points);
        let Ok(Some(OnGrid::Real(grid))) = parse(&name).and_then(|recipe| recipe.on_grid()) else {
            panic!("{name} is a real problem on a grid")
        };
        println!("== {name} {}", if asked.is_single { "f32" } else { "f64" });
        if asked.is_single {
            let begun = Instant::now();
            let (A, scale) = in_single(&gpu, &Jit::new(&gpu), &born(&gpu, &Jit::new(&gpu), &grid)?)?;
            println!("born and rounded, times {scale}, in {:.1} ms", 1e3 * begun.elapsed().as_secs_f64());
            measure(&gpu, &A, &asked)?;
        } else {
            measure(&gpu, &born(&gpu, &Jit::new(&gpu), &grid)?, &asked)?;
        }
    }
    Ok(())
}

fn measure<S: Scalar>(gpu: &Arc<Gpu>, A: &DeviceCsr<S>, asked: &Asked) -> Result<()> {
    let jit = Jit::new(gpu);
    let usual = Options::default();
    let mut best = f64::INFINITY;
    for _ in 0..asked.repeats.max(1) {
        let begun = Instant::now();
        let made = set_up(gpu, &jit, A, None, &usual)?;
        let seconds = begun.elapsed().as_secs_f64();
        best = best.min(seconds);
        print!("{:.1} ", 1e3 * seconds);
        drop(made);
    }
    println!("ms; best {:.2} ms, {:.2} ms a million rows", 1e3 * best, 1e9 * best / A.shape().0 as f64);
    let made = set_up(gpu, &jit, A, None, &Options { timed: true, ..usual.clone() })?;
    stages(&made);
    println!("levels hold {}, free beside them {}", Amount(made.bytes()), Amount(gpu.free_memory()?.0));
    drop(made);
    if asked.is_quick {
        return Ok(());
    }
    let two_passes = Options { timed: true, one_pass_from: usize::MAX, ..usual.clone() };
    println!("products in two passes:");
    stages(&set_up(gpu, &jit, A, None, &two_passes)?);
    refilled(gpu, &jit, A, &usual)?;
    squared(gpu, &jit, A)
}

fn refilled<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>, usual: &Options) -> Result<()> {
    let mut made = set_up(gpu, jit, A, None, &Options { refillable: true, ..usual.clone() })?;
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let begun = Instant::now();
        refill(gpu, jit, A, &mut made)?;
        best = best.min(begun.elapsed().as_secs_f64());
    }
    println!("refill {:.2} ms", 1e3 * best);
    Ok(())
}

/// A A and the transpose of A by the public functions, memory for the result included.
fn squared<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>) -> Result<()> {
    let (mut square, mut mirror, mut nnz) = (f64::INFINITY, f64::INFINITY, 0);
    for _ in 0..3 {
        let begun = Instant::now();
        match product(gpu, jit, A, A) {
            Ok(C) => (square, nnz) = (square.min(begun.elapsed().as_secs_f64()), C.nnz()),
            Err(Error::OutOfMemory { .. }) => println!("A A does not fit"),
            Err(error) => return Err(error),
        }
        let begun = Instant::now();
        transpose(gpu, jit, A)?;
        mirror = mirror.min(begun.elapsed().as_secs_f64());
    }
    let work = multiplications(gpu, jit, A, A)? as f64 * 1e-9;
    let (rate, square, mirror) = (work / square, 1e3 * square, 1e3 * mirror);
    println!("A A: {nnz} entries, {work:.3} G multiply-adds, {square:.2} ms, {rate:.1} G/s; transpose {mirror:.2} ms");
    Ok(())
}

fn stages<S: Scalar>(made: &Hierarchy<S>) {
    let level = |facts: &Facts| format!("{} {} {} {:016x}", facts.rows, facts.nnz, facts.rounds, facts.checksum);
    let line: Vec<String> = made.levels.iter().map(|level_| level(&level_.facts)).collect();
    println!("line: {} | {} {}", line.join(" | "), made.last.rows, made.last.nnz);
    let (mut all, mut products, mut work) = (0.0, 0.0, 0.0);
    for (l, level) in made.levels.iter().enumerate() {
        let facts = &level.facts;
        let told: Vec<String> = facts.stages.iter().map(|(name, time)| format!("{name} {:.3}", 1e3 * time)).collect();
        let sum: f64 = facts.stages.iter().map(|(_, time)| time).sum();
        let time: f64 = facts.stages.iter().filter(|(name, _)| PRODUCTS.contains(name)).map(|(_, time)| time).sum();
        let madds = facts.work.iter().sum::<u64>() as f64;
        (all, products, work) = (all + sum, products + time, work + madds);
        let rate = madds / time * 1e-9;
        println!(
            "level {l}: {:.3} ms: {} | P {} entries | {:.3} G multiply-adds, {rate:.1} G/s",
            1e3 * sum,
            told.join(", "),
            level.P.nnz(),
            madds * 1e-9
        );
    }
    println!(
        "stages {:.2} ms, products {:.2} ms at {:.1} G multiply-adds/s",
        1e3 * all,
        1e3 * products,
        work / products * 1e-9
    );
}
