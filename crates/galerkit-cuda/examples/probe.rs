//! Throw-away figures: CG + Jacobi on 27-point grids, per iteration, in each form. `probe GRID...`
#![allow(non_snake_case)]
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::map::Tuning;
use galerkit_cuda::{Cuda, Settings};
use galerkit_linalg::Linear;
use galerkit_linalg::engine::{Engine, Recorded, Resident};
use galerkit_linalg::krylov::{Stop, cg};
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::sparse::{Format, Matrix};
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let begun = Instant::now();
    let gpu = Gpu::open(0).expect("a GPU");
    println!("open {:.3} s {:?}", begun.elapsed().as_secs_f64(), gpu.properties());
    for grid in std::env::args().skip(1) {
        let g: usize = grid.parse().expect("a number");
        let begun = Instant::now();
        let A = galerkit_linalg::gallery::poisson3d(g, galerkit_linalg::gallery::Stencil::Points27).expect("a grid");
        println!("{g}^3: {} rows, {} entries, made in {:.2} s", A.rows(), A.nnz(), begun.elapsed().as_secs_f64());
        let b = vec![1.0; A.rows()];
        let M = Arc::new(Preconditioner::Jacobi.build(&A).expect("positive diagonal").expect("a map"));
        let small = g <= 64;
        let matrix =
            Arc::new(Linear::Matrix(Matrix::from_csr(&A, Format::Sell { height: 32, sigma: 1 }).expect("any matrix")));
        let forms: Vec<(bool, usize, usize, Option<usize>, Option<bool>)> = if small {
            vec![
                (true, 512, 2, None, None),
                (true, 512, 2, Some(14), None),
                (true, 512, 2, Some(14), Some(false)),
                (false, 512, 2, None, None),
            ]
        } else {
            vec![
                (false, 512, 2, Some(4), None),
                (false, 512, 2, Some(7), None),
                (false, 512, 2, Some(9), None),
                (false, 1024, 1, Some(7), None),
                (false, 512, 2, Some(7), Some(false)),
                (false, 256, 4, Some(7), None),
            ]
        };
        for (resident, threads, min_blocks, unroll, narrow) in forms {
            let form = Some(galerkit_cuda::generate::Form { threads, min_blocks, resident: None });
            let settings = Settings {
                resident: Some(resident),
                form,
                tuning: Tuning { narrow, unroll, ..Tuning::default() },
                ..Settings::default()
            };
            let mut e = Recorded::over(Cuda::new(&gpu, settings).expect("room"));
            let map = Resident(e.load(matrix.clone()));
            let M = Resident(e.load(M.clone()));
            let (b, mut x) = (e.upload(&b), e.upload(&b));
            let limit = if g < 100 { 2000 } else { 100 };
            let stop = Stop { rtol: 0.0, limit, exact: 0, patience: 0, ..Stop::default() };
            let _ = cg(&mut e, &map, &M, &b, &mut x, &Stop { limit: 20, ..stop.clone() });
            let run = cg(&mut e, &map, &M, &b, &mut x, &stop);
            if let Some(error) = e.executor().failure() {
                println!("FAILED {error}");
                return;
            }
            let us = run.elapsed.as_secs_f64() / run.iterations as f64 * 1e6;
            let explained = e.executor().explain().expect("a loop ran");
            let shapes: Vec<_> = explained.parts.iter().map(|part| (part.shape, part.registers)).collect();
            println!(
                "{g:4}^3 narrow {narrow:?} resident {resident} threads {threads} min {min_blocks} unroll {unroll:?}: {us:9.2} us/it, {:5.0} GB/s, {} {:?} {shapes:?}",
                explained.bytes() as f64 / us / 1e3,
                run.iterations,
                run.outcome
            );
        }
    }
}
