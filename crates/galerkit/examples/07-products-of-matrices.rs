//! Lesson 7: products and transposes of sparse matrices, on threads or on a GPU, with the same bits.
#![allow(non_snake_case)]

use galerkit::prelude::*;
use galerkit::sparse::{product, transpose};

fn main() -> galerkit::Result<()> {
    // Linear interpolation from every second point of a line to all of them.
    let (n, coarse) = (31, 15);
    let weights = |j: usize| [(2 * j, j, 0.5), (2 * j + 1, j, 1.0), (2 * j + 2, j, 0.5)];
    let triples: Vec<(usize, usize, f64)> = (0..coarse).flat_map(weights).collect();
    let (P, _) = Coo::from_triples(n, coarse, &triples)?.to_csr();
    let A = galerkit::load(&format!("gallery:poisson1d?n={n}"))?.into_real()?;

    // The Galerkin product P^T A P: what is left of the second difference on the coarse line.
    let galerkin = |device: Device| product(&transpose(&P, device)?, &product(&A, &P, device)?, device);
    let A_coarse = galerkin(Device::Cpu)?;
    println!("{} entries of {} rows: {:?}", A_coarse.nnz(), A_coarse.rows(), A_coarse.row(1).collect::<Vec<_>>());
    assert_eq!(A_coarse.row(1).collect::<Vec<_>>(), [(0, -0.5), (1, 1.0), (2, -0.5)]);

    // On a GPU it is the same to the last bit.
    match galerkin(Device::Cuda(0)) {
        Ok(there) => assert_eq!(there, A_coarse),
        Err(error) => println!("not on a GPU: {error}"),
    }
    Ok(())
}
