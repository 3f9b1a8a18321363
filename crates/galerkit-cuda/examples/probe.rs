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
        let formats = ["sell:32:1", "csr", "k1rs:32"];
        for format in formats {
            let format: Format = format.parse().expect("a format");
            let begun = Instant::now();
            let matrix = Arc::new(Linear::Matrix(Matrix::from_csr(&A, format).expect("any matrix")));
            let converted = begun.elapsed().as_secs_f64();
            for narrow in [Some(false), None] {
                for resident in [false, true] {
                    if (resident && g > 128) || (format == Format::Csr && narrow.is_none()) {
                        continue;
                    }
                    for (unroll, chunk) in [(None, 10), (Some(8), 10)] {
                        let settings = Settings {
                            resident: Some(resident),
                            chunk,
                            tuning: Tuning { narrow, unroll, ..Tuning::default() },
                            ..Settings::default()
                        };
                        let begun = Instant::now();
                        let mut e = Recorded::over(Cuda::new(&gpu, settings).expect("room"));
                        let map = Resident(e.load(matrix.clone()));
                        let M = Resident(e.load(M.clone()));
                        let (b, mut x) = (e.upload(&b), e.upload(&b));
                        let loaded = begun.elapsed().as_secs_f64();
                        let limit = if g < 100 { 2000 } else { 300 };
                        let stop = Stop { rtol: 0.0, limit, exact: 0, patience: 0, ..Stop::default() };
                        let _ = cg(&mut e, &map, &M, &b, &mut x, &Stop { limit: 20, ..stop.clone() });
                        let run = cg(&mut e, &map, &M, &b, &mut x, &stop);
                        if let Some(error) = e.executor().failure() {
                            println!("FAILED {error}");
                            return;
                        }
                        let us = run.elapsed.as_secs_f64() / run.iterations as f64 * 1e6;
                        let explained = e.executor().explain().expect("a loop ran");
                        println!(
                            "{g:4}^3 {format} narrow {narrow:?} resident {resident} unroll {unroll:?}: {us:9.2} us/iteration, {:7.0} GB/s of must-move, {} its {:?}, convert {converted:.2} s, load {loaded:.2} s",
                            explained.bytes() as f64 / us / 1e3,
                            run.iterations,
                            run.outcome
                        );
                        if unroll.is_none() && !resident {
                            println!("{explained}");
                        }
                    }
                }
            }
        }
    }
}
