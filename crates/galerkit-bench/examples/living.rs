//! Programs that live, timed: a prepared system solved again and with new values, and a time loop of pointwise reaction
//! and diffusion by CG that stays where it runs. `living cuda 32 64 128` or `living cpu 32`: the device, then points a
//! side; without arguments 8 on the CPU.

#![allow(non_snake_case)] // matrices keep the capital letter of the papers

use galerkit::cuda::{Cuda, Settings, launch::Gpu};
use galerkit::linalg::backend::Cpu;
use galerkit::linalg::engine::{Engine, Entry, Executor, Interpreter, Number, Recorded, Register};
use galerkit::linalg::gallery::{Stencil, poisson3d};
use galerkit::linalg::krylov::{Stop, cg, inner_stop};
use galerkit::linalg::map::Diagonal;
use galerkit::linalg::program::Precision;
use galerkit::linalg::sparse::{Csr, Format, Matrix};
use galerkit::prelude::{Device, Krylov, ResidualReplacement, Solution, Solver, Start, System};
use std::time::Instant;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let device: Device = arguments.next().unwrap_or("cpu".into()).parse()?;
    let mut grids: Vec<usize> = arguments.map(|text| text.parse()).collect::<Result<_, _>>()?;
    if grids.is_empty() {
        grids.push(8);
    }
    for &g in &grids {
        prepared(device, g)?;
    }
    for &g in &grids {
        steps(device, g)?;
    }
    Ok(())
}

/// Seconds after which what is repeated is repeated no more.
const PATIENCE: f64 = 10.0;

/// Seconds of one of many.
fn each(times: usize, mut work: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
    let begun = Instant::now();
    for _ in 0..times {
        work()?;
    }
    Ok(begun.elapsed().as_secs_f64() / times as f64)
}

/// The median of the seconds of each of many, after one that does not count; of fewer, but at least three, where those
/// take longer than [`PATIENCE`].
fn median(most: usize, mut work: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
    work()?;
    let (begun, mut seconds) = (Instant::now(), Vec::new());
    while seconds.len() < 3 || seconds.len() < most && begun.elapsed().as_secs_f64() < PATIENCE {
        seconds.push(each(1, &mut work)?);
    }
    seconds.sort_by(f64::total_cmp);
    Ok(seconds[seconds.len() / 2])
}

/// A system solved again and again where it is, beside the time of its iterations.
fn in_place(system: &mut System<'_, f64>, what: &str, iterations: usize, iteration: f64) -> Result<(), Failure> {
    let _ = system.solve_in_place(Start::Zero)?.converged_or_err()?;
    let before = system.counters();
    let solve = median(100, || system.solve_in_place(Start::Zero).map(drop).map_err(Into::into))?;
    let after = system.counters();
    println!(
        "{what}: {:.2} us a solve of {iterations} iterations of {:.3} us: {:.2} us beyond; counters {}",
        1e6 * solve,
        1e6 * iteration,
        1e6 * (solve - iterations as f64 * iteration),
        if before == after { "unchanged".to_string() } else { format!("{before:?} became {after:?}") }
    );
    Ok(())
}

/// First solve, second solve, in place, after an update.
fn prepared(device: Device, g: usize) -> Result<(), Failure> {
    let A = poisson3d(g, Stencil::Points27)?;
    let b = vec![1.0; A.rows()];
    let solver =
        Solver::new().method(Krylov::Cg).device(device).rtol(1e-8).residual_replacement(ResidualReplacement::Never);
    let mut system = solver.prepare(&A)?;
    let timed = |what: &str, work: &mut dyn FnMut() -> Result<(), Failure>| -> Result<f64, Failure> {
        let seconds = each(1, &mut *work)?;
        println!("{g}^3 {what}: {:.6} s", seconds);
        Ok(seconds)
    };
    let mut iterations = 0;
    timed("first solve", &mut || {
        iterations = system.solve(&b)?.report.iterations;
        Ok(())
    })?;
    timed("second solve", &mut || system.solve(&b).map(drop).map_err(Into::into))?;
    system.write_rhs(&b)?;
    let iteration = iteration_seconds(&A, device, &b)?;
    in_place(&mut system, &format!("{g}^3 in place"), iterations, iteration)?;
    let values: Vec<f64> = A.val().iter().map(|a| 2.0 * a).collect();
    timed("first update", &mut || Ok(system.update(&values)?))?;
    timed("second update", &mut || Ok(system.update(&values)?))?;
    timed("solve after update", &mut || system.solve(&b).map(drop).map_err(Into::into))?;
    system.write_rhs(&b)?;
    in_place(&mut system, &format!("{g}^3 in place after update"), iterations, iteration)?;
    let many = if g <= 32 { 300 } else { 20 };
    let refill = each(many, || if system.repeat_update() { Ok(()) } else { Err("nothing to repeat".into()) })?;
    let _ = system.solution()?; // waits
    // The download that waits is timed apart.
    let wait =
        (0..3).map(|_| each(1, || system.solution().map(drop).map_err(Into::into))).collect::<Result<Vec<_>, _>>()?;
    let wait = wait.into_iter().fold(f64::INFINITY, f64::min);
    let repeats = ((PATIENCE / refill) as usize).clamp(10, 400);
    let begun = Instant::now();
    (0..repeats).for_each(|_| {
        system.repeat_update();
    });
    let _ = system.solution()?;
    let whole = (begun.elapsed().as_secs_f64() - wait) / repeats as f64;
    // Entries and slots, 16 bits of index a slot, and for the diagonal an index, an entry and its inverse.
    let bytes = A.nnz() * (8 + 8 + 2) + A.rows() * (2 + 8 + 8);
    println!(
        "{g}^3 values into slots: {:.2} us queued, {:.2} us done ({} bytes must move)",
        1e6 * refill,
        1e6 * whole,
        bytes
    );
    many_right_hand_sides(&A, device, g)
}

/// Eight right-hand sides that share each pass over the matrix, and one by one.
fn many_right_hand_sides(A: &Csr<f64>, device: Device, g: usize) -> Result<(), Failure> {
    let mut system = Solver::new()
        .method(Krylov::Cg)
        .device(device)
        .rtol(1e-8)
        .residual_replacement(ResidualReplacement::Never)
        .prepare(A)?;
    // Pseudo-random numbers: no column is much easier than another.
    let mixed = |i: usize| ((i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f64 / (1 << 24) as f64 - 0.5;
    let column = |k: usize| -> Vec<f64> { (0..A.rows()).map(|i| mixed(i * 8 + k)).collect() };
    let bs: Vec<Vec<f64>> = (0..8).map(column).collect();
    let _ = system.solve_many(&bs)?;
    let report = |what: &str, work: &mut dyn FnMut() -> galerkit::Result<Vec<Solution<f64>>>| -> Result<(), Failure> {
        let begun = Instant::now();
        let solutions = work()?;
        let wall = begun.elapsed().as_secs_f64();
        let solve: f64 = solutions.iter().map(|solution| solution.report.solve_seconds).sum();
        let iterations: Vec<usize> = solutions.iter().map(|solution| solution.report.iterations).collect();
        println!(
            "{g}^3 eight right-hand sides {what}: {wall:.6} s, {solve:.6} s of it solving, iterations {iterations:?}"
        );
        Ok(())
    };
    let mut alone = Solver::new()
        .method(Krylov::Cg)
        .device(device)
        .rtol(1e-8)
        .residual_replacement(ResidualReplacement::Never)
        .prepare(A)?;
    let _ = alone.solve(&bs[0])?;
    for _ in 0..2 {
        report("at once", &mut || system.solve_many(&bs))?;
        report("one by one", &mut || bs.iter().map(|b| alone.solve(b)).collect())?;
    }
    Ok(())
}

/// Seconds of an iteration, by the difference of long and short loops.
fn iteration_seconds(A: &Csr<f64>, device: Device, b: &[f64]) -> Result<f64, Failure> {
    let run = |limit: usize| -> Result<f64, Failure> {
        let solver = Solver::new()
            .method(Krylov::Cg)
            .device(device)
            .rtol(0.0)
            .residual_replacement(ResidualReplacement::Never)
            .max_iterations(limit);
        let mut system = solver.prepare(A)?;
        system.write_rhs(b)?;
        median(30, || system.solve_in_place(Start::Zero).map(drop).map_err(Into::into))
    };
    let (short, long) = if A.rows() <= 300_000 { (20, 100) } else { (20, 60) };
    Ok((run(long)? - run(short)?) / (long - short) as f64)
}

/// A reaction-diffusion wave: Strang steps of phi, r with Aliev and Panfilov's reaction and CG for the diffusion.
fn steps(device: Device, g: usize) -> Result<(), Failure> {
    match device {
        Device::Cuda(number) => {
            let gpu = Gpu::open(number)?;
            let mut e = Recorded::over(Cuda::new(&gpu, Settings::default())?);
            wave(&mut e, g)?;
            match e.executor().failure() {
                Some(error) => Err(error.into()),
                None => Ok(()),
            }
        }
        _ => wave(&mut Recorded::over(Interpreter::new(Cpu)), g),
    }
}

const DT: f64 = 0.25;

fn wave<X: Executor<f64>>(e: &mut Recorded<f64, X>, g: usize) -> Result<(), Failure> {
    let K = poisson3d(g, Stencil::Points7)?.map_values(|a| 0.05 * a);
    let diagonal: Vec<f64> = K.diagonal().iter().map(|k| 1.0 / (1.0 / DT + 0.5 * k)).collect();
    let mut shifted = K.map_values(|k| 0.5 * k);
    for i in 0..K.rows() {
        let k = K.range(i).find(|&k| K.col()[k] as usize == i).expect("every row has a diagonal");
        shifted.val_mut()[k] += 1.0 / DT; // A = M / dt + K / 2
    }
    let sliced = |A: &Csr<f64>| Matrix::from_csr(A, Format::Sell { height: 32, sigma: 1 });
    let (A, K) = (e.load(Box::new(sliced(&shifted)?)), e.load(Box::new(sliced(&K)?)));
    let M = e.load(Box::new(Diagonal::new(diagonal)));
    let n = shifted.rows();
    let start: Vec<f64> = (0..n).map(|i| if i % g < g / 8 { 1.0 } else { 0.0 }).collect();
    let mut phi = e.upload(&start);
    let [mut r, mut b, mut delta] = [(); 3].map(|()| e.zeros(n, Precision::Full));
    let inner = inner_stop(1e-6, 50);
    let count = if n < 100_000 { 2000 } else { 400 };
    let forever = Stop { rtol: 0.0, atol: 0.0, limit: count, replacement: 0, patience: 0, ..Stop::default() };
    let none = e.number(0.0);
    let total = e.carry(none);
    let routine = e.compile(|e| {
        let one = e.number(1.0);
        let _ = e.iterate(&forever, one, |e| {
            e.pointwise([&mut phi, &mut r], [], |[phi, r], []| half_step(phi, r));
            e.apply_map(&K, &phi, &mut b);
            let zero = e.zeros(n, Precision::Full);
            e.copy(&zero, &mut delta);
            let _ = cg(e, &A, &M, &b, &mut delta, &inner); // A delta = K phi
            let told = e.nested();
            total.set(total.get() + told.count);
            let minus = e.number(-1.0);
            e.axpy(minus, &delta, &mut phi);
            e.pointwise([&mut phi, &mut r], [], |[phi, r], []| half_step(phi, r));
            e.number(1.0).abs()
        });
        Vec::new()
    });
    let _ = e.run(&routine);
    let before = e.executor().counters();
    let begun = Instant::now();
    let _ = e.run(&routine);
    let phi_now = e.download(&phi);
    let seconds = begun.elapsed().as_secs_f64() / count as f64;
    let iterations = e.read(total) / (2 * count) as f64;
    let same = before == e.executor().counters();
    let mean = phi_now.iter().sum::<f64>() / n as f64;
    // phi, r twice read and written, K phi, and each iteration as CG must.
    let bytes = (8 * 8 + 7 * 10 + 16) as f64 + iterations * (7.0 * 10.0 + 11.0 * 8.0);
    println!(
        "{g}^3 time loop: {:.2} us a step of {iterations:.2} iterations, at least {:.1} MB a step, mean phi {mean:.6}, counters {}",
        1e6 * seconds,
        bytes * n as f64 / 1e6,
        if same { "unchanged" } else { "changed" }
    );
    Ok(())
}

/// Half a step of the reaction, explicit: f_phi = c phi (phi - alpha)(1 - phi) - r phi, f_r = (gamma + mu1 r / (mu2 +
/// phi)) (-r - c phi (phi - b - 1)).
fn half_step<N: Entry>(phi: N, r: N) -> [N; 2] {
    let [alpha, b, c, gamma, mu1, mu2, dt, one] = [0.01, 0.15, 8.0, 0.002, 0.2, 0.3, 0.1 * DT, 1.0].map(N::constant);
    let f_phi = c * phi * (phi - alpha) * (one - phi) - r * phi;
    let f_r = (gamma + mu1 * r / (mu2 + phi)) * (-r - c * phi * (phi - b - one));
    [phi + dt * f_phi, r + dt * f_r]
}
