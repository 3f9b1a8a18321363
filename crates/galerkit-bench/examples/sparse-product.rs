//! A times A, and the transpose of A, on the host: seconds and multiply-adds a second, next to
//! `python benches/scipy_product.py N POINTS`.
//!
//! `cargo run --release -p galerkit-bench --example sparse-product -- 100 27`
#![allow(non_snake_case)]

use std::error::Error;
use std::time::Instant;

const REPEATS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [n, points] = [(0, "100"), (1, "7")].map(|(k, usual)| arguments.get(k).map_or(usual, String::as_str));
    let A = galerkit::load(&format!("gallery:poisson3d?n={n}&stencil={points}"))?.into_real()?;
    let work = A.multiplications(&A) as f64;
    let product = least(|| A.multiply(&A).map(|C| C.nnz()))?;
    let transpose = least(|| Ok::<usize, galerkit::linalg::Error>(A.transpose().nnz()))?;
    println!("rows {}, entries {}, {} threads", A.rows(), A.nnz(), galerkit::current_threads());
    println!("product   {:.3} s, {:.3} G multiply-adds/s, {} entries", product.0, work / product.0 * 1e-9, product.1);
    println!("transpose {:.3} s", transpose.0);
    Ok(())
}

/// The least time of some repetitions, and what came out.
fn least<E>(mut work: impl FnMut() -> Result<usize, E>) -> Result<(f64, usize), E> {
    let (mut least, mut found) = (f64::INFINITY, 0);
    for _ in 0..REPEATS {
        let begun = Instant::now();
        found = work()?;
        least = least.min(begun.elapsed().as_secs_f64());
    }
    Ok((least, found))
}
