//! Lesson 2: the same matrix in several formats, and what ordering does to a badly numbered mesh.
#![allow(non_snake_case)]

use galerkit::linalg::sparse::statistics::predicted_slots;
use galerkit::linalg::sparse::{bandwidth, reordering_pays, reverse_cuthill_mckee};
use galerkit::prelude::*;

fn main() -> galerkit::Result<()> {
    // Tetrahedra in random order: what a mesh generator may hand you.
    let A = galerkit::load("gallery:tetra?n=40&order=random")?.into_real()?;

    for format in Format::all() {
        let padding = predicted_slots(&A, format) as f64 / A.nnz() as f64;
        println!("{:>12}  {padding:.2} slots an entry", format.to_string());
    }

    let order = reverse_cuthill_mckee(&A)?;
    let ordered = A.permute_symmetric(&order)?;
    println!("bandwidth {} before, {} after reverse Cuthill-McKee", bandwidth(&A), bandwidth(&ordered));
    println!("{}", reordering_pays(&A)); // what `Solver` decides by itself, and why

    // Whatever the order of the iterations, x comes back in yours.
    let b = vec![1.0; A.rows()];
    let natural = Solver::new().ordering(Ordering::Natural).solve(&A, &b)?;
    let reordered = Solver::new().ordering(Ordering::Rcm).solve(&A, &b)?;
    let gap = natural.x.iter().zip(&reordered.x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("largest difference of the two solutions: {gap:.1e}");
    assert!(gap < 1e-6);
    Ok(())
}
