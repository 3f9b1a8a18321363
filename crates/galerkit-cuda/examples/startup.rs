//! Where the time before the first iteration goes: `startup [GRID]` solves a 27-point grid once and prints what each
//! step took, from the start of the process. Run it twice: the first run may compile.
#![allow(non_snake_case)]

use galerkit_cuda::launch::Gpu;
use galerkit_cuda::{Cuda, Result, Settings};
use galerkit_linalg::engine::{Engine, Recorded};
use galerkit_linalg::gallery::{Stencil, poisson3d};
use galerkit_linalg::krylov::{Observer, Stop, cg};
use galerkit_linalg::precond::jacobi;
use galerkit_linalg::sparse::{Format, Matrix};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

fn main() -> Result<()> {
    let begun = Instant::now();
    let say = |what: &str| println!("{:7.1} ms  {what}", 1e3 * begun.elapsed().as_secs_f64());
    let grid: usize = std::env::args().nth(1).map_or(32, |text| text.parse().expect("a number of points a side"));
    let A = poisson3d(grid, Stencil::Points27).expect("a grid that fits memory");
    let M = jacobi(&A).expect("a diagonal without zeros");
    let sliced = Matrix::from_csr(&A, Format::Sell { height: 32, sigma: 1 }).expect("any matrix can be sliced");
    say("the matrix is built and sliced");
    let gpu = Gpu::open(0)?;
    say("the GPU is open: driver, context");
    let mut e = Recorded::over(Cuda::new(&gpu, Settings::default())?);
    say("the executor has its buffers");
    let (A, M) = (e.load(Box::new(sliced)), e.load(Box::new(M)));
    let b = e.upload(&vec![1.0; grid * grid * grid]);
    let mut x = e.zeros_like(&b);
    say("the system is on the GPU");
    let seen = Arc::new(OnceLock::new());
    let first = seen.clone();
    let observer = Observer(Arc::new(move |_, _| {
        first.get_or_init(|| begun.elapsed());
        true
    }));
    let stop = Stop { observer: Some(observer), ..Stop::default() };
    let run = cg(&mut e, &A, &M, &b, &mut x, &stop);
    let seconds = seen.get().map_or(f64::NAN, |first| first.as_secs_f64());
    println!("{:7.1} ms  the first norm has come back", 1e3 * seconds);
    say(&format!("{} after {} iterations", run.outcome.name(), run.iterations));
    let facts = e.executor().jit().facts();
    println!("kernels: {} from the cache, {} compiled in {:.3} s", facts.hits, facts.compiled, facts.seconds);
    e.executor().failure().map_or(Ok(()), Err)
}
