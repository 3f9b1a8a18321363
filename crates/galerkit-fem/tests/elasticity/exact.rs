//! What must hold to rounding: the patch test, rigid motions in the kernel, symmetry to the bit, forces that balance.

use super::{boxes, curved, distorted, solved};
use galerkit_fem::elasticity::Solid;
use galerkit_fem::form::Elasticity;
use galerkit_fem::form::elasticity::von_mises;
use galerkit_fem::mesh::Mesh;
use galerkit_fem::mesh::generate::{ball, girder};
use galerkit_linalg::multigrid::amg::vectors::rigid_body_modes;

fn meshes() -> Vec<Mesh> {
    let [hexahedra, tetrahedra] = boxes([1.0; 3], [3, 2, 2]).map(|mesh| distorted(mesh, 4.0));
    vec![hexahedra, tetrahedra, curved(2)]
}

/// u = G x + c, with more in it than a strain: a rotation, too.
const G: [[f64; 3]; 3] = [[1e-3, 4e-4, -2e-4], [-7e-4, 2e-3, 5e-4], [3e-4, 0.0, -1.5e-3]];

fn linear(x: &[f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| 0.1 * i as f64 + (0..3).map(|j| G[i][j] * x[j]).sum::<f64>())
}

#[test]
fn a_constant_strain_is_reproduced_on_distorted_cells() {
    let (E, nu) = (2e5, 0.3);
    let law = Elasticity::new(E, nu);
    let (lambda, mu) = (E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), E / (2.0 * (1.0 + nu)));
    for (number, mesh) in meshes().into_iter().enumerate() {
        let solid = (1..=6).fold(Solid::new(mesh, law.clone()).unwrap(), |solid, tag| solid.displace(tag, linear));
        let u = solved(&solid);
        for (x, u) in solid.mesh().points.iter().zip(u.values()) {
            let exact = linear(x);
            assert!((0..3).all(|d| (u[d] - exact[d]).abs() < 1e-13), "mesh {number}: {u:?}, {exact:?}");
        }
        let trace = G[0][0] + G[1][1] + G[2][2];
        let expected = |i: usize, j: usize| mu * (G[i][j] + G[j][i]) + if i == j { lambda * trace } else { 0.0 };
        for stress in u.stresses().unwrap() {
            assert!((0..9).all(|k| (stress[k / 3][k % 3] - expected(k / 3, k % 3)).abs() < 1e-9 * E * 1e-3));
        }
        let energy: f64 = (0..9).map(|k| 0.5 * expected(k / 3, k % 3) * G[k / 3][k % 3]).sum();
        assert!((u.energy().unwrap() / energy - 1.0).abs() < 1e-10, "the volume is 1");
        assert!(u.l2_error(&linear).unwrap() < 1e-13);
    }
}

#[test]
fn rigid_motions_are_in_the_kernel_of_what_is_not_held() {
    let mut all = meshes();
    all.push(girder(1.0, 0.4, 1, 1, 1).unwrap());
    all.push(ball(1.0, 1, 2).unwrap());
    for mesh in all {
        let points: Vec<Vec<f64>> = mesh.points.iter().map(|x| x.to_vec()).collect();
        let K = Solid::new(mesh, Elasticity::new(3.0, 0.25)).unwrap().stiffness().unwrap();
        let largest = K.val().iter().fold(0.0f64, |most, k| most.max(k.abs()));
        for mode in rigid_body_modes::<f64>(&points) {
            for i in 0..K.rows() {
                let sum: f64 = K.row(i).map(|(j, k)| k * mode[j]).sum();
                assert!(sum.abs() < 1e-12 * largest, "row {i}: {sum}");
            }
        }
        assert!((0..K.rows()).all(|i| K.row(i).all(|(j, k)| K.get(j, i) == Some(k))), "symmetric to the bit");
    }
}

#[test]
fn a_pressed_cube_has_the_stress_that_presses_it() {
    for mesh in boxes([1.0; 3], [2, 2, 2]) {
        // held at the bottom without friction it would be uniaxial; clamped with nu = 0 it is
        let solid = Solid::new(mesh, Elasticity::new(100.0, 0.0)).unwrap().clamp(5).pressure(6, 2.0);
        let equations = solid.assemble().unwrap();
        assert!((equations.load[2] + 2.0).abs() < 1e-13 && equations.load[0].abs() < 1e-13);
        let u = solved(&solid);
        let top = u.nearest(&[0.4, 0.6, 1.1]);
        assert!((u.values()[top][2] + 0.02).abs() < 1e-14, "p L / E");
        let stresses = u.stresses().unwrap();
        assert!(stresses.iter().all(|s| (s[2][2] + 2.0).abs() < 1e-12 && (von_mises(s) - 2.0).abs() < 1e-12));
        assert!((u.energy().unwrap() - 0.02).abs() < 1e-14, "p^2 / (2 E)");
        assert!((u.lengths()[u.farthest()] - 0.02).abs() < 1e-14);
        assert!((u.visible_scale() - 5.0).abs() < 1e-12, "a tenth of 1 over 0.02");
    }
}

#[test]
fn a_heavy_column_is_pressed_by_its_own_weight() {
    // u = -g (L z - z^2 / 2) / E: exact at nodes of degree 2
    let mesh = galerkit_fem::mesh::generate::brick_of_order([0.0; 3], [1.0, 1.0, 2.0], [1, 1, 2], 2).unwrap();
    let solid = Solid::new(mesh, Elasticity::new(50.0, 0.0)).unwrap().clamp(5).force(|_| [0.0, 0.0, -3.0]);
    let u = solved(&solid);
    for (x, u) in solid.mesh().points.iter().zip(u.values()) {
        assert!((u[2] + 3.0 * (2.0 * x[2] - 0.5 * x[2] * x[2]) / 50.0).abs() < 1e-13);
    }
    assert!((solid.assemble().unwrap().load[2] + 6.0).abs() < 1e-12, "the weight of two unit cubes");
}

#[test]
fn two_runs_have_the_same_bits_on_any_number_of_threads() {
    let solid = Solid::new(curved(2), Elasticity::new(1.0, 0.3)).unwrap().clamp(1).traction(2, |x| [x[1], 0.0, 1.0]);
    let first = solid.assemble().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let second = pool.install(|| solid.assemble().unwrap());
    assert!(first.A == second.A && first.b == second.b);
}
