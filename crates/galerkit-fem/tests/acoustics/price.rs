//! Prices of elimination.

use super::{box_mesh, plane, real, simplicial, tensor, with_impedance};
use galerkit_direct::Fill;
use galerkit_fem::acoustics::price::in_the_plane;
use galerkit_fem::acoustics::{Equations, WaveSpace};

/// Counted entries and multiplications by their bounds.
fn shares<V: WaveSpace>(equations: &Equations<V>) -> [f64; 2] {
    let A = equations.matrix(real(1.0)).unwrap();
    let (counted, bound) = (Fill::of_lu(&A).unwrap(), in_the_plane(A.rows()));
    [counted.entries / bound.entries, counted.multiplications / bound.multiplications]
}

#[test]
fn in_the_plane_counts_are_below_their_bounds_for_every_degree() {
    let mut found = Vec::new();
    for (p, n) in [(1, 60), (1, 120), (2, 40), (3, 30), (4, 6), (4, 25), (6, 16), (8, 12)] {
        let mesh = box_mesh(2, n);
        found.push((p, n, shares(&with_impedance(tensor(&mesh, p, &[]), plane(2)).assemble().unwrap())));
        if p <= 4 {
            found.push((p, n, shares(&with_impedance(simplicial(&mesh, p), plane(2)).assemble().unwrap())));
        }
    }
    assert!(found.iter().all(|(.., shares)| shares.iter().all(|share| (0.1..0.7).contains(share))), "{found:?}");
}
