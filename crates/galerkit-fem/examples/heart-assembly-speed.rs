//! Speed of assembly of tetrahedra as the heart's scheme `newton` does it in every iteration: r and kappa of each
//! element, then `values = stiffness + S kappa` straight into the slots of the stored matrix, with its diagonal.
//! Microseconds of one assembly, the bytes that must move, and how often these could have moved meanwhile at the
//! bandwidth that is measured here; on the threads of this machine and on its GPU. Values of the two are compared.
//!
//! `heart-assembly-speed [nodes]... [cpu]`: without arguments 20000 nodes; 180000 nodes are a million tetrahedra.
//! Meshes are Kuhn's. Run it twice on a GPU: the first time plain kernels run while better ones are compiled.
#![allow(non_snake_case)] // matrices keep the capital letter of the papers

use galerkit_cuda::bandwidth::{Bandwidth, measure};
use galerkit_cuda::{Settings as Cuda, executor, jit::Jit, launch::Gpu};
use galerkit_fem::cardiac::cell::AlievPanfilov;
use galerkit_fem::cardiac::geometry::slab;
use galerkit_fem::cardiac::matrices::Matrices;
use galerkit_fem::cardiac::newton::Settings;
use galerkit_fem::cardiac::newton::assembly::{Assembly, Part};
use galerkit_fem::cardiac::scheme::Machine;
use galerkit_fem::cardiac::{Conductivity, Tissue};
use galerkit_linalg::engine::{Recorded, cpu_executor};
use rayon::prelude::*;
use std::time::Instant;

type Failure = Box<dyn std::error::Error>;

/// Launches, of which the fastest counts, and how long one takes at least, so that its start does not count.
const LAUNCHES: usize = 5;
const LONG: f64 = 0.05;
/// Numbers of each array of the triad that tells what the threads' memory gives: 128 MiB.
const TRIAD: usize = 1 << 24;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_cpu_alone = arguments.iter().any(|given| given == "cpu");
    let sizes = arguments.iter().filter(|given| *given != "cpu").map(|text| text.parse());
    let mut sizes: Vec<usize> = sizes.collect::<Result<_, _>>()?;
    if sizes.is_empty() {
        sizes.push(20_000);
    }
    let gpu = if is_cpu_alone { None } else { Gpu::open(0).map_err(|reason| println!("no GPU: {reason}")).ok() };
    let threads = triad();
    println!("{} threads: triad {:.1} GB/s", rayon::current_num_threads(), threads * 1e-9);
    let bandwidth = gpu.as_ref().map(|gpu| measure(gpu, &Jit::new(gpu))).transpose()?;
    if let Some(Bandwidth { read, copy, .. }) = bandwidth {
        println!("GPU: read {:.0} GB/s, copy {:.0} GB/s", read * 1e-9, copy * 1e-9);
    }
    for nodes in sizes {
        let (tissue, phi) = excited(nodes)?;
        let matrices = Matrices::new(&tissue)?;
        let (n, entries) = (tissue.points().len(), matrices.K.nnz());
        println!("{n} nodes, {} elements, {entries} entries", tissue.elements());
        let mut e = Recorded::over(cpu_executor());
        let here = shown("threads", &mut e, threads, (&tissue, &matrices, &phi))?;
        if let (Some(gpu), Some(bandwidth)) = (&gpu, bandwidth) {
            let mut e = Recorded::over(executor::<f64>(gpu, Cuda::default())?);
            let there = shown("GPU", &mut e, bandwidth.copy, (&tissue, &matrices, &phi))?;
            gpu.failure().map_or(Ok(()), Err)?;
            let size = here.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
            let apart = here.iter().zip(&there).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            println!("  values on the GPU and by threads differ by {:.1e} of the largest", apart / size);
        }
    }
    Ok(())
}

/// A cube of a millimetre's cells with oblique fibres, half excited.
fn excited(nodes: usize) -> Result<(Tissue, Vec<f64>), Failure> {
    let side = ((nodes as f64).cbrt() - 1.0).round().max(1.0);
    let tissue =
        Tissue::new(&slab([side; 3], 1.0)?, Conductivity { iso: 0.2, ani: 0.8 })?.with_fibre([0.6, 0.48, 0.64])?;
    let phi = tissue.points().iter().map(|x| 1.0 / (1.0 + (x[0] - 0.5 * side).exp())).collect();
    Ok((tissue, phi))
}

/// Prints the parts' microseconds; the values of the tangent.
fn shown(
    place: &str,
    e: &mut Machine,
    bandwidth: f64,
    (tissue, matrices, phi): (&Tissue, &Matrices, &[f64]),
) -> Result<Vec<f64>, Failure> {
    let mut assembly = Assembly::new(e, tissue, matrices, AlievPanfilov::default(), &Settings::default(), phi)?;
    for (name, part) in [("elements", Part::Elements), ("values = S k", Part::Sums), ("both", Part::Both)] {
        let (seconds, bytes) = (fastest(e, &mut assembly, part), assembly.bytes(part));
        let moving = bytes as f64 / bandwidth;
        println!(
            "  {place:8} {name:13} {:10.1} us, {:7.1} MB in {:8.1} us: {:.2} times",
            seconds * 1e6,
            bytes as f64 * 1e-6,
            moving * 1e6,
            seconds / moving
        );
    }
    Ok(assembly.values(e))
}

/// Seconds of a part, the least of some launches that are long enough.
fn fastest(e: &mut Machine, assembly: &mut Assembly<AlievPanfilov>, part: Part) -> f64 {
    let mut launch = |times: usize| {
        let begun = Instant::now();
        assembly.run(e, part, times);
        begun.elapsed().as_secs_f64()
    };
    let mut times = 1;
    while launch(times) < LONG {
        times *= 2;
    }
    (0..LAUNCHES).map(|_| launch(times) / times as f64).fold(f64::INFINITY, f64::min)
}

/// Bytes a second of a = b + s c on all threads, 24 bytes an entry.
fn triad() -> f64 {
    let (mut a, b, c) = (vec![0.0f64; TRIAD], vec![1.0f64; TRIAD], vec![2.0f64; TRIAD]);
    let mut once = || {
        let begun = Instant::now();
        a.par_iter_mut().with_min_len(1 << 16).zip(&b).zip(&c).for_each(|((a, b), c)| *a = b + 3.0 * c);
        24.0 * TRIAD as f64 / begun.elapsed().as_secs_f64()
    };
    (0..LAUNCHES).map(|_| once()).fold(0.0, f64::max)
}
