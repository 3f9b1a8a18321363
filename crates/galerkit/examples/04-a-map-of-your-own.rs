//! Lesson 4: a matrix need not be stored. A 3D Laplacian that knows only its grid is a `LinearMap` like any other; CG
//! takes it on the CPU and, since it brings its kernel source along, on a GPU, where it is fused like the formats of
//! the library.
#![allow(non_snake_case)]

use galerkit::cuda::{Cuda, Settings, launch::Gpu};
use galerkit::linalg::Scalar;
use galerkit::linalg::backend::Cpu;
use galerkit::linalg::engine::{Engine, Executor, Interpreter, Recorded};
use galerkit::linalg::krylov::{Run, Stop, cg};
use galerkit::linalg::map::{DeviceSource, Diagonal, Grid, LinearMap, Protocol, Word};

/// The 7-point Laplacian on a grid of nx x ny x nz points, x fastest; beyond the grid everything is zero.
#[derive(Clone, Debug)]
struct Laplacian {
    nx: usize,
    ny: usize,
    nz: usize,
}

impl<S: Scalar> LinearMap<S> for Laplacian {
    fn shape(&self) -> (usize, usize) {
        let n = self.nx * self.ny * self.nz;
        (n, n)
    }
    /// Nothing is stored, so nothing is read.
    fn bytes(&self) -> usize {
        0
    }
    /// Each point times 6, less its neighbours in ascending order: the kernel below subtracts in the same order.
    fn apply(&self, _: &[S], u: &[S], v: &mut [S]) {
        let (nx, ny, nz) = (self.nx, self.ny, self.nz);
        let plane = nx * ny;
        for (i, v) in v.iter_mut().enumerate() {
            let (x, y, z) = (i % nx, i / nx % ny, i / plane);
            let before = [(z > 0, plane), (y > 0, nx), (x > 0, 1)].map(|(is_there, step)| is_there.then(|| i - step));
            let after = [(x + 1 < nx, 1), (y + 1 < ny, nx), (z + 1 < nz, plane)];
            let after = after.map(|(is_there, step)| is_there.then(|| i + step));
            let neighbours = before.into_iter().chain(after).flatten();
            *v = neighbours.fold(S::from_f64(6.0) * u[i], |sum, j| sum - u[j]);
        }
    }
    fn device_source(&self) -> Option<DeviceSource> {
        let words = [self.nx, self.ny, self.nz].map(|n| Word::Number(n as u64)).to_vec();
        Some(DeviceSource { source: SOURCE.into(), protocol: Protocol::Rows, words, lanes: 1, grid: Grid::Rows })
    }
}

/// The same in CUDA C++: threads take rows in turn, and `row(i)(sum)` is where the library goes on with the sum. The
/// members of `Map` are the words above, in order; sizes are numbers, not text, so one compiled kernel serves every
/// grid.
const SOURCE: &str = "struct Map { Offset nx, ny, nz; };
template <class Row> __device__ inline void each_row(const Map &A, const Scalar *u, Row row) {
    const Offset threads = Offset(gridDim.x) * blockDim.x, plane = A.nx * A.ny, rows = plane * A.nz;
    for (Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x; i < rows; i += threads) {
        const Offset x = i % A.nx, y = i / A.nx % A.ny, z = i / plane;
        Scalar sum = Scalar(6) * u[i];
        if (z > 0) sum -= u[i - plane];
        if (y > 0) sum -= u[i - A.nx];
        if (x > 0) sum -= u[i - 1];
        if (x + 1 < A.nx) sum -= u[i + 1];
        if (y + 1 < A.ny) sum -= u[i + A.nx];
        if (z + 1 < A.nz) sum -= u[i + plane];
        row(i)(sum);
    }
}
";

/// A x = 1 by CG, preconditioned by the diagonal, on whatever executes programs.
fn solve<X: Executor<f64>>(executor: X, laplacian: &Laplacian) -> (Vec<f64>, Run) {
    let mut e = Recorded::over(executor);
    let (rows, _) = LinearMap::<f64>::shape(laplacian);
    let A = e.load(Box::new(laplacian.clone()));
    let M = e.load(Box::new(Diagonal::new(vec![1.0 / 6.0; rows])));
    let b = e.upload(&vec![1.0; rows]);
    let mut x = e.zeros_like(&b);
    let run = cg(&mut e, &A, &M, &b, &mut x, &Stop { rtol: 1e-10, ..Stop::default() });
    (e.download(&x), run)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let laplacian = Laplacian { nx: 24, ny: 20, nz: 16 };
    let (x, run) = solve(Interpreter::new(Cpu), &laplacian);
    println!("{} unknowns and no matrix: {:?} after {} iterations", x.len(), run.outcome, run.iterations);
    match Gpu::open(0) {
        Err(reason) => println!("no GPU, so the CPU's answer stands alone: {reason}"),
        Ok(gpu) => {
            let (y, run) = solve(Cuda::new(&gpu, Settings::default())?, &laplacian);
            gpu.failure().map_or(Ok(()), Err)?;
            let largest = x.iter().fold(0.0f64, |most, x| most.max(x.abs()));
            let apart = x.iter().zip(&y).fold(0.0f64, |most, (x, y)| most.max((x - y).abs())) / largest;
            println!("{}: {:?} after {} iterations", gpu.properties().name, run.outcome, run.iterations);
            println!("the answers are {apart:.1e} apart, relative to the largest entry");
            assert!(apart < 1e-9);
        }
    }
    Ok(())
}
