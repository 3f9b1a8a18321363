//! What launch shapes do to a product and to CG + Jacobi on 27-point grids: `probe GRID...`, one line for each choice.
//! For whoever changes a kernel; the figures behind the defaults come from here.
#![allow(non_snake_case)]

use galerkit_cuda::generate::Form;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::map::{Map, Tuning};
use galerkit_cuda::timing::Product;
use galerkit_cuda::{Cuda, Result, Settings, Strategy};
use galerkit_linalg::engine::{Engine, Recorded};
use galerkit_linalg::gallery::{Stencil, poisson3d};
use galerkit_linalg::krylov::{Stop, cg};
use galerkit_linalg::map::LinearMap;
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::sparse::{Format, Matrix};
use std::sync::Arc;

/// Threads a block, and blocks that a multiprocessor must hold.
const SHAPES: [(usize, usize); 3] = [(128, 8), (256, 4), (512, 2)];

fn main() -> Result<()> {
    let gpu = Gpu::open(0)?;
    for grid in std::env::args().skip(1) {
        let g: usize = grid.parse().expect("a number of points a side");
        let A = poisson3d(g, Stencil::Points27).expect("a grid that fits memory");
        let M = Preconditioner::Jacobi.build(&A).expect("a positive diagonal").expect("Jacobi is a map");
        let sliced = Matrix::from_csr(&A, Format::Sell { height: 32, sigma: 1 }).expect("any matrix can be sliced");
        let matrix = sliced;
        for (threads, min_blocks) in SHAPES {
            let form = Some(Form { threads, min_blocks, persistent: None, clustered: false, frame: [0; 2] });
            for waves in [1, 2, 4, 8, 64] {
                let settings = Settings {
                    form,
                    waves,
                    strategy: Some(if g <= 64 { Strategy::Persistent } else { Strategy::Graphs }),
                    ..Settings::default()
                };
                product(&gpu, g, &matrix, settings)?;
                if waves <= 4 {
                    iteration(&gpu, g, &matrix, &*M, settings)?;
                }
            }
        }
    }
    Ok(())
}

fn product(gpu: &Arc<Gpu>, g: usize, matrix: &Matrix<f64>, settings: Settings) -> Result<()> {
    let map = Map::load(gpu, matrix, &Tuning::default())?;
    let x = vec![1.0; map.shape.1];
    let times = Product::with_settings(gpu, map, &x, settings)?.time(5)?;
    let rate = times.bytes as f64 / times.median() / 1e9;
    println!(
        "{g}^3 product {} waves {}: {:.2} us, {rate:.0} GB/s",
        shape(settings),
        settings.waves,
        times.median() * 1e6
    );
    Ok(())
}

fn iteration(gpu: &Arc<Gpu>, g: usize, matrix: &Matrix<f64>, M: &dyn LinearMap<f64>, settings: Settings) -> Result<()> {
    let mut e = Recorded::over(Cuda::new(gpu, settings)?);
    let (A, M) = (e.load(Box::new(matrix.clone())), e.load(M.clone_map()));
    let b = vec![1.0; matrix.rows()];
    let (b, mut x) = (e.upload(&b), e.upload(&b));
    let limit = if g < 100 { 2000 } else { 100 };
    let stop = Stop { rtol: 0.0, limit, replacement: 0, patience: 0, ..Stop::default() };
    let _ = cg(&mut e, &A, &M, &b, &mut x, &Stop { limit: 20, ..stop.clone() }); // warms up
    let run = cg(&mut e, &A, &M, &b, &mut x, &stop);
    e.executor().failure().map_or(Ok(()), Err)?;
    let seconds = run.elapsed.as_secs_f64() / run.iterations as f64;
    let bytes = e.executor().explain().map_or(0, |explanation| explanation.bytes());
    let rate = bytes as f64 / seconds / 1e9;
    println!(
        "{g}^3 cg {} waves {}: {:.2} us an iteration, {rate:.0} GB/s",
        shape(settings),
        settings.waves,
        seconds * 1e6
    );
    Ok(())
}

fn shape(settings: Settings) -> String {
    settings.form.map_or("usual".into(), |form| format!("{} threads, {} blocks", form.threads, form.min_blocks))
}
