//! scratch
#![allow(non_snake_case, missing_docs)]
use galerkit_linalg::{backend::*, engine::*, krylov::*, sparse::*, *};
use std::io::Read;
use std::sync::Arc;
use std::time::Instant;
fn load(p: &str) -> Csr<f64> {
    let mut f = std::fs::File::open(p).unwrap();
    let mut h = [0u8; 32];
    f.read_exact(&mut h).unwrap();
    let g = |i: usize| i64::from_le_bytes(h[8 * i..8 * i + 8].try_into().unwrap()) as usize;
    let (n, nnz) = (g(1), g(2));
    let mut b = vec![0u8; 8 * nnz];
    f.read_exact(&mut b).unwrap();
    let val = b.chunks_exact(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect();
    let mut b = vec![0u8; 4 * (n + 1)];
    f.read_exact(&mut b).unwrap();
    let ptr = b.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap()) as u64).collect();
    let mut b = vec![0u8; 4 * nnz];
    f.read_exact(&mut b).unwrap();
    let col = b.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
    Csr::new(n, n, ptr, col, val).unwrap()
}
fn med(mut f: impl FnMut(), k: usize) -> f64 {
    f();
    let mut t: Vec<f64> = (0..k)
        .map(|_| {
            let s = Instant::now();
            f();
            s.elapsed().as_secs_f64()
        })
        .collect();
    t.sort_by(|a, b| a.total_cmp(b));
    t[k / 2]
}
fn solve<E: Engine<Scalar = f64>>(mut e: E, A: &Arc<Linear<f64>>, M: &Arc<Linear<f64>>) -> (Vec<f64>, Run) {
    let a = Resident::<E>(e.load(A.clone()));
    let m = Resident::<E>(e.load(M.clone()));
    let n = A.shape().0;
    let b = e.upload(&vec![1.0; n]);
    let mut x = e.zeros_like(&b);
    let run = cg(&mut e, &a, &m, &b, &mut x, &Stop::default());
    (e.download(&x), run)
}
fn main() {
    let name = std::env::args().nth(1).unwrap();
    let csr = load(&format!("/tmp/peers-data/{name}.csr"));
    let n = csr.rows();
    let bytes = 12. * csr.nnz() as f64 + 20. * n as f64;
    let M = Arc::new(precond::jacobi(&csr).unwrap());
    let A = Arc::new(Linear::Matrix(Matrix::Csr(csr)));
    let l = Cpu.load(A.clone());
    let x = vec![1.0; n];
    let mut y = vec![0.0; n];
    let t = med(|| Cpu.apply(&l, &x, &mut y), 15);
    println!("csr apply {:.2} GB/s", bytes * 1e-9 / t);
    let s = Instant::now();
    let (x2, r2) = solve(Immediate::<f64, _>::new(Cpu), &A, &M);
    println!("immediate cpu {} {:?} {:.3}s {:?}", r2.iterations, r2.outcome, s.elapsed().as_secs_f64(), r2.elapsed);
    let s = Instant::now();
    let (x3, r3) = solve(Recorded::<f64, _>::new(Cpu), &A, &M);
    println!("recorded cpu {} {:?} {:.3}s {:?}", r3.iterations, r3.outcome, s.elapsed().as_secs_f64(), r3.elapsed);
    assert_eq!(r2.history, r3.history);
    assert!(x2 == x3);
    if n < 2000000 {
        let s = Instant::now();
        let (_x1, r1) = solve(Immediate::<f64, _>::new(Reference), &A, &M);
        println!("reference {} {:?} {:.3}s", r1.iterations, r1.outcome, s.elapsed().as_secs_f64());
    }
}
