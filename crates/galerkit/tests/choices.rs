//! What a user can choose: names that are read back, names that are refused, and values that cannot be meant.

use crate::systems::real;
use galerkit::prelude::*;
use std::fmt::Display;
use std::str::FromStr;

fn reads_back<T>(names: &[&str])
where
    T: FromStr + Display + PartialEq + std::fmt::Debug,
    galerkit::Error: From<T::Err>,
{
    assert_eq!("auto".parse::<Choice<T>>().unwrap(), Choice::Auto);
    assert_eq!(Choice::<T>::Auto.to_string(), "auto");
    for name in names {
        let choice: Choice<T> = name.parse().unwrap();
        assert_eq!(choice.to_string(), *name);
        assert_eq!(choice.given().unwrap().to_string(), *name);
    }
    let said = "nonsense".parse::<Choice<T>>().unwrap_err().to_string();
    assert!(said.contains("known are auto, ") || said.contains("not allowed"), "{said}");
}

#[test]
fn every_choice_has_a_name_that_is_read_back() {
    reads_back::<Method>(&["cg", "gmres:50", "lu", "cholesky", "dense"]);
    reads_back::<Preconditioning>(&["none", "jacobi", "ssor:1.5", "inner:cg,rtol=0.1"]);
    reads_back::<Format>(&["csr", "sell:8:256", "ell"]);
    reads_back::<Ordering>(&["natural", "rcm", "colours"]);
    reads_back::<TriangularSolve>(&["exact", "sweeps:2"]);
    reads_back::<Device>(&["cpu", "reference", "cuda:1"]);
    reads_back::<Precision>(&["single", "double", "hybrid"]);
    reads_back::<ResidualReplacement>(&["never", "20"]);
}

/// Only the list of whole names begins with `auto`, not that of a part.
#[test]
fn a_part_of_a_name_is_not_offered_auto() {
    let said = |name: &str| name.parse::<Choice<Preconditioning>>().unwrap_err().to_string();
    assert!(said("inner:cg,tol=1").contains("known are rtol"), "{}", said("inner:cg,tol=1"));
    assert!(said("jakobi").contains("known are auto, none, jacobi"), "{}", said("jakobi"));
}

#[test]
fn residuals_are_replaced_when_asked_and_every_0_iterations_is_refused() {
    let A = galerkit::load("gallery:poisson2d?n=30").unwrap().into_real().unwrap();
    let b = vec![1.0; A.rows()];
    let solve = |replacement: Choice<ResidualReplacement>| {
        Solver::new().method(Krylov::Cg).residual_replacement(replacement).solve(&A, &b)
    };
    let [never, often, auto] = [ResidualReplacement::Never.into(), ResidualReplacement::Every(3).into(), Choice::Auto]
        .map(|it| solve(it).unwrap());
    assert_ne!(never.x, often.x);
    assert_eq!(never.report.iterations, often.report.iterations);
    assert_eq!(solve(ResidualReplacement::Every(50).into()).unwrap().x, auto.x);
    let said = solve(ResidualReplacement::Every(0).into()).unwrap_err().to_string();
    assert!(said.contains("1 or more iterations, or never"), "{said}");
}

/// The name that ParILU had before is read, and the new one written.
#[test]
fn the_old_name_of_parilu_still_does() {
    for parameters in ["", ":3", ":3:2"] {
        let old: Preconditioning = format!("ilu0-fixed{parameters}").parse().unwrap();
        assert_eq!(old, format!("parilu0{parameters}").parse().unwrap());
        assert!(old.to_string().starts_with("parilu0:"));
    }
}

/// A preconditioner that the method of the program's choice cannot have ended the solve, though others can have it.
#[test]
fn a_named_preconditioner_finds_a_method_that_can_have_it() {
    let shift = |(i, j, a): (usize, usize, f64)| if i == j { a - 2.6 } else { a };
    let A = real("gallery:poisson2d?n=8");
    let entries: Vec<f64> = (0..A.rows()).flat_map(|i| A.row(i).map(move |(j, a)| shift((i, j, a)))).collect();
    let A = Csr::new(A.rows(), A.cols(), A.start().to_vec(), A.col().to_vec(), entries).unwrap();
    let b = vec![1.0; A.rows()];
    for name in ["ilu0", "ilu0:matched"] {
        let precond: Preconditioning = name.parse().unwrap();
        let report = Solver::new().preconditioner(precond).solve(&A, &b).unwrap().report;
        assert!(report.converged && !report.method.to_string().starts_with("minres"), "{name}: {report}");
        assert!(report.method_reason.contains("cannot have that preconditioner"), "{}", report.method_reason);
    }
}
