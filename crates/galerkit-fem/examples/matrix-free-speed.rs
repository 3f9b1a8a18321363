//! Speed of the matrix-free operator of -div(kappa grad u) on the unit cube: unknowns a second of the product and of a
//! CG iteration, for each degree, on the threads of this machine and on its GPU, beside the assembled matrix if asked.
//!
//! `matrix-free-speed [unknowns] [first degree] [last degree] [affine|curved|stored] [cpu|cuda|both] [assembled] [hp]`:
//! without arguments 20000 unknowns, degrees 1 to 3, affine, both. `curved` bends the cube, so that no cell is a
//! parallelepiped; `stored` has a coefficient that varies; `hp` is one mesh with hanging nodes, cut finer towards a
//! corner, whose degrees grow from the first to the last with the distance from it. `variants` times the variants of
//! the kernels on the GPU. While a file named by TURN is locked by another process nothing is timed: so that several of
//! these prepare side by side.
#![allow(non_snake_case)] // matrices keep the capital letter of the papers

use galerkit_cuda::{Cuda, Settings, launch::Gpu};
use galerkit_fem::assemble::rules::Rules;
use galerkit_fem::form::{Diffusion, Field};
use galerkit_fem::problem::Interior;
use galerkit_fem::{Forest, KernelVariant, MatrixFree, Problem, Space, domain};
use galerkit_linalg::backend::Cpu;
use galerkit_linalg::engine::{Engine, Executor, Interpreter, Operator, Recorded};
use galerkit_linalg::krylov::{Stop, cg};
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{Format, Matrix};
use galerkit_linalg::{Diagonal, LinearMap};
use std::sync::Arc;
use std::time::Instant;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |k: usize, usual: usize| arguments.get(k).map_or(Ok(usual), |text| text.parse());
    let (unknowns, degrees) = (number(0, 20_000)?, number(1, 1)?..=number(2, 3)?);
    let has = |word: &str| arguments.iter().any(|given| given == word);
    let gpu = if has("cpu") { None } else { Gpu::open(0).map_err(|reason| println!("no GPU: {reason}")).ok() };
    println!("GDoF/s of a product and of a Jacobi-CG iteration, f64, {} threads", rayon::current_num_threads());
    let degrees: Vec<[usize; 2]> =
        if has("hp") { vec![[*degrees.start(), *degrees.end()]] } else { degrees.map(|p| [p, p]).collect() };
    for [p, last] in degrees {
        let problem = problem(unknowns, [p, last], &has)?;
        let begun = Instant::now();
        let A = MatrixFree::new(&problem)?;
        let diagonal = A.diagonal();
        let bytes = LinearMap::<f64>::bytes(&A) as f64 / A.unknowns() as f64;
        let (n, seconds) = (A.unknowns(), begun.elapsed().as_secs_f64());
        println!(
            "degree {p} to {last}, {n} unknowns: operator in {seconds:.2} s, reads {bytes:.0} B an unknown, kinds {:?}",
            A.kinds()
        );
        if let (true, Some(gpu)) = (has("variants"), &gpu) {
            for (name, variant) in variants(p) {
                let mut e = Recorded::over(Cuda::new(gpu, Settings::default())?);
                show("matrix-free", &name, &mut e, &A.with_variant(variant), &diagonal);
                gpu.failure().map_or(Ok(()), Err)?;
            }
            continue;
        }
        let mut maps: Vec<(&str, Box<dyn LinearMap<f64>>)> = vec![("matrix-free", Box::new(A))];
        if has("assembled") {
            let begun = Instant::now();
            let csr = problem.assemble(Interior::Kept)?.A;
            println!("  assembled {} entries in {:.2} s", csr.val().len(), begun.elapsed().as_secs_f64());
            maps.push(("assembled", Box::new(Matrix::from_csr(&csr, Format::Sell { height: 32, sigma: 1 })?)));
        }
        for (name, map) in &maps {
            if !has("cuda") {
                show(name, "cpu", &mut Recorded::over(Interpreter::new(Cpu)), &**map, &diagonal);
            }
            if let Some(gpu) = &gpu {
                let mut e = Recorded::over(Cuda::new(gpu, Settings::default())?);
                show(name, "gpu", &mut e, &**map, &diagonal);
                gpu.failure().map_or(Ok(()), Err)?;
            }
        }
    }
    Ok(())
}

/// Variants of the kernels for cells of a degree, with their names.
fn variants(p: usize) -> Vec<(String, KernelVariant)> {
    let usual = KernelVariant { least_by_tiles: 9, highest_by_vertices: 0, ..KernelVariant::default() };
    let by_vertices = |usual: KernelVariant| KernelVariant { highest_by_vertices: p, ..usual };
    let with = |usual: KernelVariant, registers| KernelVariant { registers: Some(registers), ..usual };
    let mut all = vec![("lines".into(), usual), ("lines, vertices".into(), by_vertices(usual))];
    if (5..=7).contains(&p) {
        all.push(("tiles".into(), KernelVariant { least_by_tiles: 6, ..usual }));
    } else {
        for registers in [80, 128] {
            all.push((format!("lines, vertices {registers}"), with(by_vertices(usual), registers)));
        }
    }
    all
}

/// About so many unknowns: m 2^k cells along each edge of the cube.
fn problem(unknowns: usize, [p, last]: [usize; 2], has: &dyn Fn(&str) -> bool) -> Result<Problem, Failure> {
    let begun = Instant::now();
    let middle = (p + last) as f64 / 2.0;
    let (mut cuts, mut levels) = (((unknowns as f64).cbrt() / middle).round().max(1.0) as usize, 0);
    while cuts > 7 {
        (cuts, levels) = (cuts.div_ceil(2), levels + 1);
    }
    let mut mesh = domain::cube(cuts);
    if has("curved") {
        mesh.points.iter_mut().for_each(|x| {
            *x = [x[0] + 0.1 * x[1] * x[2], x[1] - 0.1 * x[0] * x[0], x[2] + 0.1 * x[0] * x[1]];
        });
    }
    let mut forest = Forest::new(&mesh)?;
    forest.refine_all(levels)?;
    let distance =
        |forest: &Forest, e: usize| forest.map(e).at(&[0.0; 3]).0.iter().fold(0.0f64, |most, x| most.max(*x));
    if has("hp") {
        let near: Vec<usize> = (0..forest.cells().len()).filter(|&e| distance(&forest, e) < 0.4).collect();
        forest.refine(&near)?;
    }
    let degree = |e: usize| (p + (distance(&forest, e) * (last - p + 1) as f64) as usize).min(last);
    let degrees: Vec<usize> = (0..forest.cells().len()).map(degree).collect();
    let tags = forest.coarse().boundary_tags();
    let space = Arc::new(Space::new(forest, &degrees, &tags)?);
    println!("space of {} unknowns in {:.2} s", space.unknowns(), begun.elapsed().as_secs_f64());
    let kappa = if has("stored") { Field::of(|x| 1.0 + x[0] * x[1] * x[2]) } else { Field::Constant(1.0) };
    let problem = Problem::new(space).form(Diffusion::new(kappa)).source(1.0);
    Ok(problem.rules(Rules { extra: 0, ..Rules::default() }))
}

/// Products in one routine.
const PRODUCTS: usize = 6;

fn show<X: Executor<f64>>(
    name: &str,
    place: &str,
    e: &mut Recorded<f64, X>,
    map: &dyn LinearMap<f64>,
    diagonal: &[f64],
) {
    let n = diagonal.len();
    let turn = std::env::var_os("TURN").and_then(|path| std::fs::File::create(path).ok());
    turn.iter().for_each(|file| file.lock().expect("a file that can be locked"));
    let A = e.load(map.clone_map());
    let M = e.load(Box::new(Diagonal::new(diagonal.iter().map(|d| 1.0 / d).collect())));
    let (mut x, mut y) = (e.upload(&vec![1.0; n]), e.zeros(n, Precision::Full));
    let flag = e.zeros(1, Precision::Full);
    let routine = e.compile(|e| {
        for _ in 0..PRODUCTS / 2 {
            A.apply(e, &x, &mut y);
            A.apply(e, &y, &mut x);
        }
        Vec::new()
    });
    let product = (0..4).map(|_| {
        let begun = Instant::now();
        let _ = e.run(&routine);
        e.download(&flag); // waits for the products
        begun.elapsed().as_secs_f64() / PRODUCTS as f64
    });
    let product = product.fold(f64::INFINITY, f64::min);
    let b = e.upload(&vec![1.0; n]);
    let mut timed = |limit: usize| {
        let mut x = e.zeros(n, Precision::Full);
        let begun = Instant::now();
        let stop = Stop { rtol: 0.0, limit, replacement: 0, ..Stop::default() };
        let run = cg(e, &A, &M, &b, &mut x, &stop);
        (begun.elapsed().as_secs_f64(), run.iterations)
    };
    let (few, many) = (20, 80);
    timed(few);
    let (short, long) = (timed(few), timed(many));
    let iteration = (long.0 - short.0) / (long.1 - short.1).max(1) as f64;
    let rate = |seconds: f64| n as f64 / seconds * 1e-9;
    println!(
        "  {name:11} {place:18} product {:8.3} ({:.3} ms)   CG iteration {:8.3} ({:.3} ms)",
        rate(product),
        product * 1e3,
        rate(iteration),
        iteration * 1e3
    );
}
