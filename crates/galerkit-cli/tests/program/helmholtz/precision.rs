//! Single and hybrid precision with every preconditioner that the program takes by itself.

use super::{Folder, number};

const SQUARE: &str = "helmholtz --geometry square --cells 12 --degree 3 --wavenumber 10 --exact plane:0.4 --json - -q";

#[test]
fn shifted_laplacians_run_in_every_precision() {
    let folder = Folder::new();
    let best = number(&folder.run(&format!("{SQUARE} --method lu")).exits(0).report(), "l2_error");
    for precond in
        ["shifted", "shifted:0.5:jacobi", "shifted:0.5:amg", "shifted:0.2:multigrid:2", "shifted:0.2:multigrid"]
    {
        for (precision, rtol, scalars, share) in
            [("hybrid", 1e-9, "c64+c32", 1e-4), ("f32", 1e-5, "c32", 0.2), ("f64", 1e-9, "c64", 1e-4)]
        {
            let line = format!("{SQUARE} --precond {precond} --precision {precision} --rtol {rtol:e}");
            let report = folder.run(&line).exits(0).report();
            assert!(number(&report, "true_residual") <= rtol && number(&report, "iterations") > 1.0, "{line}");
            assert!((number(&report, "l2_error") / best - 1.0).abs() < share, "{line}: {}", report["l2_error"]);
            assert_eq!(report["solver"]["precision"], scalars, "{line}");
        }
    }
}

#[test]
fn auto_finds_a_method_in_every_precision() {
    let folder = Folder::new();
    for precision in ["hybrid", "f32"] {
        for line in [
            "helmholtz --geometry car --cells 6 --frequency 90",
            "helmholtz --geometry cube --cells 4 --degree 2 --wavenumber 5 --exact plane:1,2,2",
            "helmholtz --geometry square --degree 2 --simplices --wavenumber 5 --exact plane:0.4",
        ] {
            folder.run(&format!("{line} --precision {precision} --json - -q")).exits(0);
        }
    }
    let errors = [
        folder.run(&format!("{SQUARE} --precision hybrid --method lu")),
        folder.run(&format!("{SQUARE} --precision f32 --method vpgcr --precond shifted")),
        folder.run(&format!("{SQUARE} --precision f32 --operator matrix-free")),
    ];
    for error in errors {
        let error = error.fails_saying(&[]).stderr;
        assert!(!error.contains("::") && !error.contains('<'), "no name of the language: {error}");
    }
}
