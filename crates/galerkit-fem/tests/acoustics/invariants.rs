//! What holds whatever the mesh: symmetry, energy, reciprocity, conjugation, k = 0, and k as a sum of terms.

use super::{box_mesh, plane, real, simplicial, solved, tensor, with_impedance};
use galerkit_direct::sparse_lu;
use galerkit_fem::acoustics::layer::{Begin, Layer};
use galerkit_fem::acoustics::{Condition, Data, Equations, Gls, Helmholtz, Medium, PointSource, WaveSpace};
use galerkit_fem::mesh::generate;
use galerkit_linalg::c64;
use galerkit_linalg::random::Random;
use galerkit_linalg::sparse::Csr;

fn is_symmetric(A: &Csr<c64>) -> bool {
    let T = A.transpose();
    let size = A.val().iter().fold(0.0f64, |most, a| most.max(a.norm()));
    A.col() == T.col() && A.val().iter().zip(T.val()).all(|(a, t)| (a - t).norm() < 1e-13 * size)
}

fn product(A: &Csr<c64>, x: &[c64]) -> Vec<c64> {
    (0..A.rows()).map(|i| A.row(i).map(|(j, a)| a * x[j]).sum()).collect()
}

fn is_hermitian(A: &Csr<c64>) -> bool {
    let T = A.transpose();
    A.val().iter().zip(T.val()).all(|(a, t)| (a - t.conj()).norm() < 1e-13)
}

fn check_symmetry_and_energy<V: WaveSpace>(equations: &Equations<V>, B: &Csr<c64>, k: f64) {
    let A = equations.matrix(real(k)).unwrap();
    assert!(is_symmetric(&A) && !is_hermitian(&A));
    let mut random = Random::new(7);
    let u: Vec<c64> = (0..A.rows()).map(|_| c64::new(random.unit() - 0.5, random.unit() - 0.5)).collect();
    let quadratic = |A: &Csr<c64>| u.iter().zip(product(A, &u)).map(|(u, Au)| u.conj() * Au).sum::<c64>();
    // Im(u^H A u) = -k u^H B u
    let (left, right) = (quadratic(&A).im, -k * quadratic(B).re);
    assert!((left - right).abs() < 1e-12 * right.abs(), "{left} and {right}");
}

#[test]
fn matrices_are_complex_symmetric_and_lose_energy_on_the_impedance_boundary_alone() {
    // B = (A(k) with impedance - A(k) without) / (-i k)
    fn boundary<V: WaveSpace>(with: &Equations<V>, k: f64) -> Csr<c64> {
        with.matrix(real(k)).unwrap().map_values(|a| c64::new(-a.im / k, 0.0))
    }
    for p in 1..=3 {
        let equations = with_impedance(tensor(&box_mesh(2, 3), p, &[]), plane(2)).assemble().unwrap();
        check_symmetry_and_energy(&equations, &boundary(&equations, 1.0), 3.0);
        let equations = with_impedance(simplicial(&box_mesh(3, 2), p), plane(3)).assemble().unwrap();
        check_symmetry_and_energy(&equations, &boundary(&equations, 1.0), 3.0);
    }
    // the sum of all entries of B is the length of the boundary
    let equations = with_impedance(tensor(&box_mesh(2, 4), 1, &[]), plane(2)).assemble().unwrap();
    let length: f64 = boundary(&equations, 1.0).val().iter().map(|b| b.re).sum();
    assert!((length - 4.0).abs() < 1e-13);
}

#[test]
fn a_source_and_a_receiver_may_change_places() {
    let (p, q) = ([0.21, 0.34, 0.0], [0.83, 0.67, 0.0]);
    let at = |source, receiver: &[f64; 3]| {
        let problem = Helmholtz::new(tensor(&box_mesh(2, 5), 2, &[4]))
            .condition(1, Condition::sommerfeld())
            .condition(4, Condition::Soft(Data::Zero))
            .source(PointSource { place: source, amplitude: real(1.0) });
        solved(&problem.assemble().unwrap(), real(7.0)).at(receiver).unwrap()
    };
    let (there, back) = (at(p, &q), at(q, &p));
    assert!((there - back).norm() < 1e-12 * there.norm() && there.norm() > 1e-3, "{there} and {back}");
    let outside = PointSource { place: [2.0, 0.0, 0.0], amplitude: real(1.0) };
    let equations = Helmholtz::new(tensor(&box_mesh(2, 2), 1, &[])).source(outside).assemble().unwrap();
    assert!(equations.rhs(real(1.0)).unwrap_err().to_string().contains("outside"));
}

#[test]
fn another_k_is_a_sum_and_a_shift_moves_the_mass_alone() {
    let assembled = || with_impedance(tensor(&box_mesh(2, 3), 2, &[]), plane(2)).assemble().unwrap();
    let equations = assembled();
    let [K, B] = [0.0, 1.0].map(|k| equations.matrix(real(k)).unwrap());
    let k = c64::new(2.5, 0.3);
    let A = equations.matrix(k).unwrap();
    let shifted = equations.shifted(k, c64::new(1.0, 0.5)).unwrap();
    for (n, a) in A.val().iter().enumerate() {
        let (stiffness, mass, wall) = (K.val()[n], K.val()[n] - B.val()[n].re, c64::new(0.0, B.val()[n].im));
        assert!((a - (stiffness - k * k * mass + k * wall)).norm() < 1e-13);
        assert!((shifted.val()[n] - (a - c64::new(0.0, 0.5) * k * k * mass)).norm() < 1e-12);
    }
    assert!(K.val().iter().all(|k| k.im == 0.0), "k = 0 is Laplace's equation");
    let values = equations.values(k);
    assert_eq!(values, A.val());
    assert_eq!(equations.terms().len(), equations.factors(k).len());
}

/// u(-k) with conjugated data is the conjugate of u(k): e^(+i omega t) in place of e^(-i omega t).
#[test]
fn the_other_sign_of_time_conjugates_the_pressure() {
    let equations = with_impedance(tensor(&box_mesh(2, 3), 2, &[]), plane(2)).assemble().unwrap();
    let k = real(4.0);
    let (A, b) = (equations.matrix(k).unwrap(), equations.rhs(k).unwrap());
    let (A_back, b_back) = (equations.matrix(-k).unwrap(), b.iter().map(c64::conj).collect::<Vec<_>>());
    let (x, y) = (sparse_lu(&A).unwrap().solve(&b).unwrap(), sparse_lu(&A_back).unwrap().solve(&b_back).unwrap());
    assert!(x.iter().zip(&y).all(|(x, y)| (x.conj() - y).norm() < 1e-11));
}

#[test]
fn layers_are_symmetric_and_bad_data_are_refused_by_name() {
    let begin = Begin::Box { low: [0.0; 3], high: [0.5, 1.0, 1.0] };
    let layer = Layer::new(begin, 0.5, 10.0).unwrap();
    let medium = Medium { layer: Some(layer), ..Medium::uniform(2) };
    let equations = Helmholtz::new(tensor(&box_mesh(2, 4), 2, &[])).medium(medium).assemble().unwrap();
    assert!(is_symmetric(&equations.matrix(real(3.0)).unwrap()));
    assert!((layer.reflection(3.0) - (-10.0f64).exp()).abs() < 1e-18);
    for (thickness, strength, word) in [(0.0, 1.0, "thickness"), (1.0, -1.0, "strength")] {
        assert!(Layer::new(begin, thickness, strength).unwrap_err().to_string().contains(word));
    }
    let space = tensor(&box_mesh(2, 2), 1, &[]);
    let refused =
        |tag, condition| Helmholtz::new(space.clone()).condition(tag, condition).assemble().err().unwrap().to_string();
    assert!(refused(9, Condition::rigid()).contains("tag 9"));
    assert!(refused(1, Condition::Bgt2 { radius: 0.0 }).contains("radius"));
    assert!(refused(1, Condition::Infinite { centre: [0.5, 0.5, 0.0], order: 9 }).contains("1 to 8"));
    assert!(refused(1, Condition::Infinite { centre: [-0.5, 0.5, 0.0], order: 2 }).contains("convex"));
    let l_shape = tensor(&generate::l_shape(2).unwrap(), 1, &[]);
    let around = |problem, &tag: &i32| {
        Helmholtz::condition(problem, tag, Condition::Infinite { centre: [-0.5, 0.5, 0.0], order: 1 })
    };
    let corner = l_shape.boundary_tags().iter().fold(Helmholtz::new(l_shape.clone()), around);
    assert!(
        corner.assemble().err().unwrap().to_string().contains("convex"),
        "every ray leaves it once, but it has a corner"
    );
    let gls = Gls { h: 0.1, angle: Gls::ANGLE, on_walls: true };
    assert!((gls.mass(real(1e-6)).re - 1.0).abs() < 1e-9 && (gls.on_wall(real(0.01)).re - 0.01).abs() < 1e-9);
}
