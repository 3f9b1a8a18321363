//! `galerkit poisson`: what it refuses before it computes, and what it says of results that cannot be trusted.

use super::{Folder, Ran};
use serde_json::Value;

fn ran(line: &str) -> Ran {
    Folder::new().shell(&format!("galerkit poisson {line}"))
}

fn report(line: &str) -> Value {
    ran(&format!("{line} --quiet --json -")).exits(0).report()
}

fn number(report: &Value, key: &str) -> f64 {
    report[key].as_f64().unwrap_or_else(|| panic!("{key} is {}", report[key]))
}

#[test]
fn meshes_beyond_memory_are_refused_before_they_are_made() {
    for (line, words) in [
        ("--domain square --refine 40", "1.2e24 cells with about 4.8e24 unknowns need about"),
        ("--domain cube --refine 15 --degree 1", "3.5e13 cells"),
        ("--domain square --cells 20000000", "4.0e14 cells"),
        ("--domain ball --cells 100000 --degree 3", "7.0e15 cells"),
        ("--domain lshape --cells 100000000 --layers 3", "3.0e16 cells"),
    ] {
        ran(line).fails_saying(&[words, "GiB are free", "take fewer cells, cuts or layers"]);
    }
}

#[test]
fn a_limit_of_the_shell_is_kept() {
    let folder = Folder::new();
    let limited = |line: &str| folder.shell(&format!("ulimit -v 3000000; galerkit poisson {line}"));
    limited("--domain square --refine 12").fails_saying(&["16777216", "cells with about", "GiB are free"]);
    limited("--domain square --degree 1").exits(0);
}

const SPIKE: &str = "--domain square --degree 2 --exact 'exp(-3000*((x-0.37)^2+(y-0.71)^2))'";

#[test]
fn a_spike_between_the_points_of_the_rule_is_noticed() {
    let ran = ran(&format!("{SPIKE} --json -")).exits(0);
    let found = ran.report();
    // |grad u|^2 over the plane is pi, so the energy error is about 1.77; it was said to be 8e-8
    assert!(number(&found, "energy_error") > 1e-3 && number(&found, "l2_error") > 1e-6, "{found}");
    assert!(ran.stderr.contains("note: the cells do not resolve the exact solution"), "{}", ran.stderr);
    assert!(found["notes"][0].as_str().unwrap().contains("do not resolve"), "{}", found["notes"]);
    let fine = report(&format!("{SPIKE} --cells 32"));
    assert!(!fine["notes"].to_string().contains("resolve"), "{}", fine["notes"]);
}

#[test]
fn nothing_is_said_of_errors_that_are_known() {
    for line in [
        "--domain square --degree 1",
        "--domain cube --cells 2 --degree 3",
        "--domain lshape --degree 1 --layers 3 --slope 0.5",
        "--domain vertex --degree 1 --layers 2 --slope 1",
        "--domain square --degree 4 --exact 'x^3*y - 2*y^2' --kappa '1 + x*y'",
        "--domain square --degree 4 --exact 7",
        "--domain square --cells 2 --degree 3 --exact 'cos(pi*x)' --neumann exact",
    ] {
        let said = report(line)["notes"].to_string();
        assert!(!said.contains("resolve") && !said.contains("does not solve"), "{line}: {said}");
    }
}

#[test]
fn an_exact_solution_of_another_problem_is_noticed() {
    let line = "--domain square --exact 'x^2' --rhs";
    let said = ran(&format!("{line} 1")).exits(0).stderr;
    assert!(said.contains("note: --exact does not solve this problem: at (") && said.contains("is -2.0"), "{said}");
    assert!(!ran(&format!("{line} -2")).exits(0).stderr.contains("does not solve"));
    let with_kappa = "--domain cube --exact 'x*y' --kappa '1+x^2' --rhs";
    assert!(!ran(&format!("{with_kappa} '-2*x*y'")).exits(0).stderr.contains("does not solve"));
}

#[test]
fn kappa_may_be_a_matrix() {
    for line in [
        "--domain square --cells 2 --degree 3 --kappa '2,1/2,1' --exact 'x^3+x*y^2'",
        "--domain square --cells 2 --degree 4 --kappa '2+y,x*y/2,1+x^2' --exact 'x^3+x*y^2' --neumann right=exact",
        "--domain cube --degree 3 --kappa '2,1/2,max(0,-1),3,1/4,1' --exact 'x*y+z^2*x'",
        "--domain cube --degree 2 --kappa '2+x,x/2,0,3,y/4,1' --exact 'x*y+z^2' --neumann top=exact",
    ] {
        for operator in ["assembled", "matrix-free"] {
            let found = report(&format!("{line} --operator {operator} --rtol 1e-12"));
            assert!(number(&found, "energy_error") < 1e-9, "{line} {operator}: {found}");
        }
    }
    let plain = report("--domain square --cells 3 --degree 2 --rhs x --kappa 2");
    let matrix = report("--domain square --cells 3 --degree 2 --rhs x --kappa 2,0,2");
    assert!((number(&plain, "energy") - number(&matrix, "energy")).abs() < 1e-12);
}

#[test]
fn a_matrix_that_is_none_is_refused_with_the_entry_and_the_character() {
    let with = |kappa: &str| ran(&format!("--domain square --cells 2 --kappa '{kappa}'"));
    with("1,foo,1").fails_saying(&["--kappa", "'foo'", "\n  1,foo,1\n    ^"]);
    with("atan2(x,1),0,2*").fails_saying(&["\n  atan2(x,1),0,2*\n                 ^"]);
    with("1,2").fails_saying(&["2 entries came", "xx,xy,yy"]);
    with("1,0,0,1,0,1").fails_saying(&["6 entries, which is for 3D", "xx,xy,yy in the plane"]);
    with("-1,0,1").fails_saying(&["the entry xx of the coefficient of diffusion is -1"]);
    with("1,0,x-0.5").fails_saying(&["the entry yy of the coefficient of diffusion is", "positive"]);
    with("1,2,1").fails_saying(&["xx yy - xy^2 of the coefficient of diffusion is -3"]);
    ran("--domain cube --kappa 1,0,1").fails_saying(&["3 entries, which is for 2D", "xx,xy,xz,yy,yz,zz in space"]);
    ran("--domain cube --kappa 1,0,0,1,0,-2").fails_saying(&["the entry zz", "-2"]);
}

#[test]
fn numbers_with_a_minus_sign_reach_their_check() {
    ran("--adapt -1e-3").fails_saying(&["--adapt needs a tolerance above 0"]);
    ran("--rtol -1e-3").fails_saying(&["rtol = -0.001", "not negative"]);
    for line in ["--max-iterations -1", "--adapt 0.1 --max-unknowns -5"] {
        ran(line).fails_saying(&["invalid value", "a whole number is needed"]);
    }
    ran("--layers 2 --slope -1e-1").fails_saying(&["--slope -0.1 is not allowed"]);
}

#[test]
fn unknown_names_and_files_are_answered_with_what_fits_the_command() {
    ran("--precond nosuch").fails_saying(&["'nosuch'", "jacobi", "multigrid[:single]", "block-jacobi:entities"]);
    ran("--precond multigird").fails_saying(&["did you mean 'multigrid'?"]);
    let folder = Folder::new();
    folder.run("poisson --mesh nofile.msh").fails_saying(&["hint: check the path; --domain has built-in domains"]);
    let ran = folder.run("mesh info nofile.msh").fails_saying(&["hint: check the path", "gallery:NAME"]);
    assert!(!ran.stderr.contains("--domain"), "{}", ran.stderr);
    let ran = folder.run("mesh info .").fails_saying(&["hint: name a mesh file inside it"]);
    assert!(!ran.stderr.contains(".mtx"), "{}", ran.stderr);
}

#[test]
fn numbers_in_messages_are_short() {
    let square = "--domain square --cells 2";
    ran(&format!("{square} --neumann 0 --rhs '1+x*0'")).fails_saying(&["int f + int g = 1.0000, must be 0"]);
    ran("--domain square --refine-cells 9").fails_saying(&["there is no cell 9: there is one, number 0"]);
    ran(&format!("{square} --refine-cells 9")).fails_saying(&["the 4 cells are numbered from 0"]);
}

#[test]
fn files_whose_names_promise_another_kind_are_refused() {
    for (line, words) in [
        ("--vtu u.png", "--vtu u.png: it writes a .vtu file"),
        ("--png u.jpg", "--png u.jpg: it writes a .png file"),
        ("--adapt 0.1 --plot curve.pdf", "--plot curve.pdf: it writes a .svg file"),
    ] {
        let folder = Folder::new();
        folder.run(&format!("poisson {line}")).fails_saying(&[words, "give it that ending"]);
        assert!(folder.names().is_empty(), "nothing was written");
    }
}

#[test]
fn probes_outside_of_the_domain_are_noted() {
    let ran = ran("--domain square --probe 2,2 --probe 0.5,0.5 --json -").exits(0);
    assert!(ran.stderr.contains("note: --probe (2, 2, 0) lies outside of the domain"), "{}", ran.stderr);
    assert_eq!(ran.report()["probes"][0]["value"], Value::Null);
}

#[test]
fn single_precision_does_without_a_matrix() {
    let line = "--domain cube --cells 3 --degree 3 --rhs 'x+y' --operator matrix-free";
    let exact = number(&report(line), "energy");
    for precond in ["none", "jacobi", "chebyshev:3"] {
        let found = report(&format!("{line} --precision f32 --rtol 1e-5 --precond {precond}"));
        let solver = &found["solver"];
        assert_eq!((&solver["precision"], &solver["format"]), (&"f32".into(), &"matrix-free".into()));
        assert!((number(&found, "energy") - exact).abs() < 1e-5 * exact, "{precond}: {found}");
    }
    let found = report("--domain cube --cells 4 --degree 4 --precision f32");
    assert_ne!(found["solver"]["format"], "matrix-free", "what auto takes stays as it was");
}

#[test]
fn levels_and_traffic_of_multigrid_are_in_the_report() {
    for operator in ["assembled", "matrix-free"] {
        let found = report(&format!(
            "--domain cube --cells 2 --degree 8 --operator {operator} --precond multigrid --device cpu"
        ));
        let (solver, levels) = (&found["solver"], &found["solver"]["multigrid"]["levels"]);
        assert!(number(&found, "traffic_per_unknown") > 100.0 && solver["iteration_bytes"].is_u64(), "{found}");
        let of = |key: &str| levels.as_array().unwrap().iter().map(|level| level[key].clone()).collect::<Vec<_>>();
        assert_eq!((&of("degree")[..2], &of("cells")[..2]), (&[8.into(), 4.into()][..], &[8.into(), 8.into()][..]));
        assert_eq!(of("rows")[0], found["unknowns"]);
        assert!(of("seconds").iter().all(Value::is_f64) && of("bytes").iter().all(|bytes| bytes.as_u64() > Some(0)));
        assert_eq!(solver["products"], solver["iterations"], "those of its smoothing are not counted");
    }
}

#[test]
fn memory_of_an_unknown_is_not_that_of_the_program() {
    let found = report("--domain square --cells 2 --degree 1");
    let (taken, peak) = (number(&found, "memory_per_unknown"), number(&found, "peak_memory"));
    assert!(found["unknowns"] == 1 && taken < 0.6 * peak, "{taken} of {peak}");
}
