//! The same answer whatever the format, ordering, device, precision and number of threads.

use super::Folder;

fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|v| v * v).sum::<f64>().sqrt();
    norm(&mut a.iter().zip(b).map(|(a, b)| a - b)) / norm(&mut b.iter().copied())
}

#[test]
fn formats_and_orderings_agree() {
    let folder = Folder::new();
    let problem = "solve gallery:tetra?n=7 --rhs random --rtol 1e-12";
    folder.run(&format!("{problem} --device reference --ordering natural --format csr -o x.mtx")).exits(0);
    let wanted = folder.vector("x.mtx");
    let formats = [
        "csr", "coo", "bsr:3", "ell", "ell-r", "sell:4:8", "hyb:3", "k1", "k1r", "k1rs:4", "k2", "k2r:8:4", "k2rs:8:4",
    ];
    for format in formats {
        for ordering in ["natural", "rcm"] {
            let ran =
                folder.run(&format!("{problem} --format {format} --ordering {ordering} -o y.mtx --json -")).exits(0);
            assert_eq!(ran.report()["ordering"], ordering);
            assert!(distance(&folder.vector("y.mtx"), &wanted) < 1e-9, "{format} {ordering}");
        }
    }
}

#[test]
fn preconditioners_agree_and_help() {
    let folder = Folder::new();
    let mut iterations = Vec::new();
    for precond in ["none", "jacobi", "block-jacobi:5", "ssor:1.5"] {
        let problem = "solve gallery:anisotropic2d?n=20&eps=0.1 --rtol 1e-12";
        let ran = folder.run(&format!("{problem} --precond {precond} -o {precond}.mtx --json -")).exits(0);
        assert_eq!(ran.report()["preconditioner"], precond);
        iterations.push(ran.report()["iterations"].as_u64().unwrap());
        assert!(distance(&folder.vector(&format!("{precond}.mtx")), &folder.vector("none.mtx")) < 1e-9);
    }
    assert!(iterations[3] < iterations[0], "SSOR needs fewer iterations than none: {iterations:?}");
}

#[test]
fn the_same_bits_whatever_the_number_of_threads() {
    let folder = Folder::new();
    for threads in [1, 2, 3] {
        let problem = "solve gallery:poisson3d?n=14&stencil=27 --rhs random";
        let ran = folder.run(&format!("{problem} --threads {threads} -o x{threads}.mtx --json -")).exits(0);
        assert_eq!(ran.report()["threads"], threads);
    }
    assert_eq!(folder.read("x1.mtx"), folder.read("x2.mtx"));
    assert_eq!(folder.read("x1.mtx"), folder.read("x3.mtx"));
}

#[test]
fn the_kind_comes_from_the_matrix_and_the_precision_from_the_flag() {
    let folder = Folder::new();
    let problems = [("gallery:poisson2d?n=10", ["f32", "f64"]), ("gallery:shifted_laplace2d?n=10", ["c32", "c64"])];
    for (problem, names) in problems {
        for (precision, name) in ["single", "double"].into_iter().zip(names) {
            let ran = folder.run(&format!("solve {problem} --precision {precision} --json -")).exits(0);
            assert_eq!(ran.report()["precision"], name);
            assert_eq!(ran.report()["rtol"], if precision == "single" { 1e-4 } else { 1e-8 });
        }
    }
}

#[test]
fn a_tolerance_beyond_single_precision_is_not_claimed() {
    let folder = Folder::new();
    let ran = folder.run("solve gallery:poisson2d?n=40 --precision single --rtol 1e-12 --method cg --json -").exits(1);
    assert!(ran.report()["true_residual"].as_f64().unwrap() > 1e-12);
    assert_eq!(ran.report()["converged"], false);
    assert!(ran.report()["advice"].is_string());
}

#[test]
fn matrices_that_are_not_symmetric_go_to_elimination() {
    let folder = Folder::new();
    let ran = folder.run("solve gallery:convection_diffusion2d?n=20 --json -").exits(0);
    assert_eq!(ran.report()["method"], "lu");
    let small = folder.run("solve gallery:toeplitz?n=50 --json -").exits(0);
    assert_eq!(small.report()["method"], "dense");
}

#[test]
fn random_right_hand_sides_repeat_and_seeds_change_them() {
    let folder = Folder::new();
    let solve = |seed: u32, name: &str| {
        folder.run(&format!("solve gallery:poisson1d?n=20 --rhs random --seed {seed} -o {name}")).exits(0);
        folder.vector(name)
    };
    assert_eq!(solve(1, "a.mtx"), solve(1, "b.mtx"));
    assert!(distance(&solve(2, "c.mtx"), &folder.vector("a.mtx")) > 0.1);
}

#[test]
fn elimination_claims_nothing_that_its_residual_does_not_bear_out() {
    let folder = Folder::new();
    let n = 14;
    let hilbert = |k: usize| (k / n + 1, k % n + 1, 1.0 / (k / n + k % n + 1) as f64);
    folder.matrix("hilbert.mtx", n, n, &(0..n * n).map(hilbert).collect::<Vec<_>>());
    for method in ["lu", "dense"] {
        let ran = folder.run(&format!("solve hilbert.mtx --method {method} --rtol 1e-12 --json -")).exits(1);
        let report = ran.report();
        assert_eq!(report["converged"], false);
        assert!(report["true_residual"].as_f64().unwrap() > 1e-12);
        assert!(report["backward_error"].as_f64().unwrap() < 1e-14);
        assert!(report["advice"].as_str().unwrap().contains("ill-conditioned"), "{report}");
    }
}
