//! Lesson 3: a solver is a program. Richardson's iteration x = x + w (b - A x), written once against the engine's
//! verbs, runs at once or recorded and fused, with the same bits.
#![allow(non_snake_case)]

use galerkit::linalg::backend::Cpu;
use galerkit::linalg::engine::{Engine, Immediate, Operator, Recorded};
use galerkit::linalg::gallery;
use galerkit::linalg::krylov::{Run, Stop};
use galerkit::linalg::sparse::Matrix;

#[rustfmt::skip]
fn richardson<E: Engine>(e: &mut E, A: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, w: f64, stop: &Stop) -> Run {
    let mut r = e.zeros_like(b);
    e.residual(A, b, x, &mut r);          // r = b - A x
    let start = e.norm(&r);
    e.iterate(stop, start, |e| {
        let w = e.number(w);
        e.axpy(w, &r, x);                 // x = x + w r
        e.residual(A, b, x, &mut r);      // r = b - A x
        e.norm(&r)                        // what the monitor watches
    })
}

fn solve<E: Engine<Scalar = f64>>(mut e: E) -> (Vec<f64>, Run) {
    let matrix = gallery::poisson1d(30).expect("a small problem");
    let A = e.load(Box::new(Matrix::Csr(matrix)));
    let b = e.upload(&[1.0; 30]);
    let mut x = e.zeros_like(&b);
    let run = richardson(&mut e, &A, &b, &mut x, 0.5, &Stop { rtol: 1e-6, ..Stop::default() });
    (e.download(&x), run)
}

fn main() {
    let (x, run) = solve(Immediate::new(Cpu));
    let (x_recorded, recorded) = solve(Recorded::new(Cpu));
    println!("{:?} after {} iterations", run.outcome, run.iterations);
    assert_eq!(run.history, recorded.history);
    assert_eq!(x, x_recorded);
    println!("recorded and fused: the same {} numbers, bit for bit", x.len());
}
