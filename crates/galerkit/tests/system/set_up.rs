//! Set-up by the GPU that solves: the same decisions, bits and errors as by the host.

use super::new_values::other_values;
use super::{solver, told};
use galerkit::prelude::*;
use galerkit_testkit::problems::{from_triples, scattered};

fn real(name: &str) -> Csr<f64> {
    galerkit::load(name).unwrap().into_real().unwrap()
}

/// Solves on a GPU with set-up by the host and by the GPU, then with other values, and compares everything.
#[track_caller]
fn same<S: Scalar>(way: [&str; 4], A: &Csr<S>) {
    let b = scattered::<S>(A.rows(), 5);
    let on_gpu = solver(way).device(Device::Cuda(0)).autotuning(Autotuning::Modelled);
    let [mut host, mut gpu] = [usize::MAX, 0].map(|from| on_gpu.clone().device_setup_from(from).prepare(A).unwrap());
    for turn in 0..3 {
        if turn > 0 {
            let values = other_values(A, turn);
            host.update(&values).unwrap();
            gpu.update(&values).unwrap();
        }
        let (one, other) = (host.solve(&b).unwrap(), gpu.solve(&b).unwrap());
        assert_eq!(told(&one), told(&other), "{way:?}, turn {turn}");
        let [one, other] = [one.report, other.report];
        assert_eq!((one.method, one.method_reason), (other.method, other.method_reason), "{way:?}");
        assert_eq!((one.format, one.format_reason), (other.format, other.format_reason), "{way:?}");
        assert_eq!((one.preconditioner, one.ordering), (other.preconditioner, other.ordering), "{way:?}");
        assert!((one.backward_error - other.backward_error).abs() <= 1e-9 * one.backward_error, "{way:?}");
    }
}

#[test]
fn set_up_by_the_host_is_done_anew_on_a_gpu() {
    if galerkit_cuda::testing::gpu().is_none() {
        return;
    }
    let (grid, mesh) = (real("gallery:poisson3d?n=6&stencil=27"), real("gallery:tetra?n=5&order=random"));
    same(["cg", "jacobi", "auto", "natural"], &grid);
    same(["auto", "auto", "sell:32:1", "rcm"], &mesh);
    same(["minres", "none", "sell:32:64", "natural"], &mesh);
    same(["cg", "auto", "auto", "natural"], &real("gallery:poisson2d?n=17"));
    same(["cg", "ssor:1.2", "csr", "natural"], &grid);
    same(["bicgstab", "jacobi", "auto", "natural"], &real("gallery:convection_diffusion2d?n=12"));
    same(["gmres:8", "jacobi", "auto", "natural"], &grid.map_values(|a| c64::new(a, 0.1)));
}

/// What is wrong with a matrix is said in the same words.
#[test]
fn what_is_wrong_is_said_anew_on_a_gpu() {
    if galerkit_cuda::testing::gpu().is_none() {
        return;
    }
    let said = |A: &Csr<f64>, way: [&str; 4]| {
        let solver = solver(way).device(Device::Cuda(0));
        let b = vec![1.0; A.rows()];
        let [host, gpu] = [usize::MAX, 0].map(|from| match solver.clone().device_setup_from(from).solve(A, &b) {
            Ok(_) => panic!("was solved"),
            Err(error) => error.to_string(),
        });
        assert_eq!(host, gpu);
        gpu
    };
    let mut A = real("gallery:poisson2d?n=8");
    let cg = ["cg", "jacobi", "auto", "natural"];
    A.val_mut()[40] = f64::NAN;
    assert!(said(&A, cg).contains("row"));
    A.val_mut()[40] = -7.0;
    assert!(said(&A, cg).contains("symmetric"), "{}", said(&A, cg));
    let indefinite = from_triples::<f64>(3, 3, &[(0, 0, 1.0), (1, 1, -2.0), (2, 2, 1.0)]);
    assert!(said(&indefinite, cg).contains("row 2"));
    let hollow = from_triples::<f64>(3, 3, &[(0, 1, 1.0), (1, 0, 2.0), (2, 2, 1.0)]);
    assert!(said(&hollow, ["gmres:3", "jacobi", "auto", "natural"]).contains("row 1"));
    let empty = from_triples::<f64>(3, 3, &[(0, 0, 1.0), (2, 2, 1.0)]);
    assert!(said(&empty, ["auto", "auto", "auto", "natural"]).contains("row 2"));
}
