//! `galerkit poisson`: rows of the specification's tables as one command each, and everything a user can get wrong.

use super::{Folder, Ran};
use serde_json::Value;

fn report(line: &str) -> Value {
    Folder::new().shell(&format!("galerkit poisson {line} --quiet --json -")).exits(0).report()
}

#[track_caller]
fn assert_near(found: &Value, expected: f64, tolerance: f64) {
    let found = found.as_f64().unwrap_or_else(|| panic!("{found} is no number"));
    assert!((found - expected).abs() <= tolerance * expected.abs(), "{found:e} is not {expected:e}");
}

#[test]
fn uniform_cubes_have_the_errors_of_the_table() {
    let exact = "--exact 'sin(pi*x)*sin(pi*y)*sin(pi*z)'";
    for (p, unknowns, error) in [(1, 1, 8.8728e-1), (2, 27, 1.7891e-1), (3, 125, 2.3396e-2)] {
        for data in ["", exact, "--method cg --precond jacobi"] {
            let found = report(&format!("--domain cube --cells 2 --degree {p} {data}"));
            assert_eq!(found["unknowns"], unknowns);
            assert_near(&found["energy_error"], error, 6e-5);
            assert!(found["true_residual"].as_f64().unwrap() < 1e-10 && found["iterations"].is_u64());
            let whole = 3.0 * std::f64::consts::PI.powi(2) / 8.0;
            if data.is_empty() {
                assert_near(&found["energy"], whole - error * error, 1e-4);
            }
        }
    }
}

#[test]
fn dimensions_are_those_of_the_table() {
    for (line, total, free) in [
        ("--degree 1", 27, 1),
        ("--degree 2", 125, 27),
        ("--degree 1 --refine-cells 0", 34, 2),
        ("--degree 2 --refine-cells 0", 181, 53),
    ] {
        let found = report(&format!("--domain cube --cells 2 {line}"));
        assert_eq!((&found["dimension"], &found["unknowns"]), (&total.into(), &free.into()), "{line}");
    }
    let mixed = report("--domain cube --cells 2 --degree 1,2");
    let turned = report("--domain cube --cells 2 --degree 2,1");
    assert_eq!(mixed["dimension"], turned["dimension"], "layers of degree 1 and 2 along z, either way round");
    assert_eq!((&mixed["degree_min"], &mixed["degree_max"]), (&1.into(), &2.into()));
}

#[test]
fn corners_have_the_errors_of_the_table() {
    for (line, unknowns, error) in [
        ("--domain lshape --degree 1 --layers 3 --slope 0.5", 148, 8.022e-2),
        ("--domain lshape --degree 1 --layers 6 --slope 0.5", 479, 2.008e-2),
        ("--domain lshape --degree 1 --layers 3 --slope 1 --condense", 254, 8.001e-2),
        ("--domain vertex --degree 2 --layers 3 --slope 1", 1316, 1.826e-2),
    ] {
        let found = report(line);
        assert_eq!(found["unknowns"], unknowns, "{line}");
        assert_near(&found["energy_error"], error, 3e-4);
        let whole = if line.contains("lshape") { 1.836226661875f64 } else { 0.140438116178 };
        let by_energy = (whole - found["energy"].as_f64().unwrap()).sqrt();
        assert!((by_energy - error).abs() < 3e-4 * error, "{line}: {by_energy:e}");
    }
}

#[test]
fn curves_fall_exponentially_and_are_drawn() {
    let folder = Folder::new();
    folder
        .run("poisson --domain lshape --layers 6 --slope 0.5 --compare --plot c.svg --json r.json --vtu u.vtu --png u.png")
        .exits(0);
    let curves = folder.json("r.json")["curves"].clone();
    let names: Vec<&str> = curves.as_array().unwrap().iter().map(|curve| curve["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["hp", "h", "p"]);
    let last = |i: usize| curves[i]["points"].as_array().unwrap().last().unwrap()["energy_error"].as_f64().unwrap();
    assert!(last(0) < 0.6 * last(1) && last(0) < last(2));
    assert!(folder.read("c.svg").contains("N^(1/3)"));
    assert!(std::fs::read(folder.path().join("u.vtu")).unwrap().starts_with(b"<?xml"));
    assert!(std::fs::read(folder.path().join("u.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn the_automatic_loop_reaches_its_tolerance_or_says_so() {
    let found = report("--domain lshape --degree 2 --adapt 0.02");
    assert_eq!(found["tolerance_reached"], true);
    let (error, estimate) = (found["energy_error"].as_f64().unwrap(), found["estimate"].as_f64().unwrap());
    assert!(estimate <= 0.02 * found["energy"].as_f64().unwrap().sqrt() && error < 1.2 * estimate);
    let ran = Folder::new().run("poisson --domain fichera --degree 1 --adapt 1e-6 --max-unknowns 50 --json -").exits(1);
    assert_eq!(ran.report()["tolerance_reached"], false);
}

#[test]
fn polynomials_are_found_whatever_the_boundary_data() {
    let exact = "--exact 'x^3*y - 2*y^2' --kappa '1 + x*y'";
    for boundary in [
        "",
        "--neumann exact",
        "--neumann top=exact --robin right=2",
        "--robin '1 + x'",
        "--dirichlet left=-2*y^2 --neumann 2=exact",
    ] {
        let found = report(&format!("--domain square --cells 2 --refine-cells 1 --degree 4 {exact} {boundary}"));
        let error = |name: &str| found[name].as_f64().unwrap();
        assert!(error("energy_error") < 1e-9 && error("l2_error") < 1e-9, "{boundary}: {found}");
        assert_eq!(found["mean_free"], boundary == "--neumann exact");
    }
}

#[test]
fn values_may_begin_with_a_minus_sign_and_points_are_probed() {
    let found = report("--domain square --rhs -2+x*0 --probe -1,0 --probe 0.25,0.5 --dirichlet right=-1 --neumann 0");
    // u'' = 2 with u(1) = -1 and u'(0) = 0: u = x^2 - 2
    assert_eq!(found["probes"][0]["value"], Value::Null);
    assert_near(&found["probes"][1]["value"], 0.0625 - 2.0, 1e-12);
    for phase in ["mesh", "space", "assembly", "solve", "errors"] {
        assert!(found["phases"][phase].is_f64(), "{phase}");
    }
    let still = report("--domain square --degree 1 --rhs 0 --dirichlet x --probe 0.3,0.5");
    assert_eq!(still["unknowns"], 0);
    assert_near(&still["probes"][0]["value"], 0.3, 1e-12);
}

#[test]
fn single_precision_and_threads_are_taken() {
    let found = report("--domain cube --cells 2 --degree 2 --method cg --precision f32 --threads 1");
    assert_eq!((&found["solver"]["precision"], &found["solver"]["rtol"]), (&"f32".into(), &1e-4.into()));
    assert_near(&found["energy_error"], 1.7891e-1, 1e-3);
}

#[test]
fn meshes_from_files_are_solved_on() {
    let folder = Folder::new();
    let nodes = "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0.4 0.5 0\n$EndNodes\n";
    let cells = "$Elements\n5\n1 1 2 7 1 1 2\n2 2 2 1 1 1 2 5\n3 2 2 1 1 2 3 5\n4 2 2 1 1 3 4 5\n5 2 2 1 1 4 1 5\n$EndElements\n";
    folder.file("t.msh", &format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n{nodes}{cells}"));
    for basis in ["", "--basis lagrange", "--basis hierarchical"] {
        let line = "galerkit poisson --mesh t.msh --degree 2 --exact x^2+y --neumann 7=exact --vtu t.vtu --json - -q";
        let found = folder.shell(&format!("{line} {basis}")).exits(0).report();
        assert!(found["energy_error"].as_f64().unwrap() < 1e-12, "{found}");
    }
    folder.run("poisson --mesh t.msh --basis nodal").fails_saying(&["--basis nodal", "lagrange or hierarchical"]);
    folder.run("poisson --mesh t.msh --layers 2").fails_saying(&["--layers needs quadrilaterals or hexahedra"]);
    folder.run("poisson --mesh t.msh --degree 5").fails_saying(&["degrees are from 1 to 4"]);
    folder.run("poisson --mesh t.msh --dirichlet 9=1").fails_saying(&["no piece '9'", "0, 7"]);
    folder.run("poisson --mesh u.msh").fails_saying(&["No such file", "did you mean 't.msh'?"]);
    folder
        .file("empty.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n0\n$EndNodes\n$Elements\n0\n$EndElements\n");
    folder.run("poisson --mesh empty.msh").fails_saying(&["the file holds no cells"]);
}

#[test]
fn inverted_cells_and_separate_parts_are_noted() {
    let folder = Folder::new();
    let nodes = "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 5 0 0\n5 6 0 0\n6 5 1 0\n$EndNodes\n";
    let cells = "$Elements\n2\n1 2 2 1 1 1 2 3\n2 2 2 1 1 4 6 5\n$EndElements\n";
    folder.file("two.msh", &format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n{nodes}{cells}"));
    let ran = folder.run("poisson --mesh two.msh --degree 3 --exact x*y^2 --json -").exits(0);
    assert!(ran.report()["energy_error"].as_f64().unwrap() < 1e-10, "{}", ran.stdout);
    assert!(ran.stderr.contains("1 inverted cells were turned round"), "{}", ran.stderr);
    assert!(ran.stderr.contains("2 parts share no point"), "{}", ran.stderr);
}

/// Energy and errors, as far as both have them.
#[track_caller]
fn assert_same(line: &str, more: &str) {
    let [assembled, without] = ["assembled", "matrix-free"].map(|operator| {
        let more = if operator == "assembled" { "" } else { more };
        report(&format!("{line} --operator {operator} {more} --rtol 1e-12"))
    });
    for key in ["energy", "energy_error", "l2_error"] {
        if let (Some(one), Some(other)) = (assembled[key].as_f64(), without[key].as_f64()) {
            assert!((one - other).abs() <= 1e-9 * f64::max(1.0, one.abs()), "{line}, {key}: {one:e} {other:e}");
        }
    }
    assert_eq!(
        (&assembled["unknowns"], &assembled["mean_free"]),
        (&without["unknowns"], &without["mean_free"]),
        "{line}"
    );
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&assembled), keys(&without), "{line}");
    assert_eq!(keys(&assembled["solver"]), keys(&without["solver"]), "{line}");
    assert_eq!(without["solver"]["format"], "matrix-free");
}

#[test]
fn every_domain_without_a_matrix() {
    for (line, more) in [
        ("--domain square --cells 3 --degree 4", "--precond none"),
        ("--domain cube --cells 2 --degree 2 --refine-cells 0,3", "--precond jacobi"),
        ("--domain lshape --degree 1 --layers 3 --slope 1", ""),
        ("--domain vertex --degree 1 --layers 2 --slope 1", ""),
        ("--domain fichera --degree 2 --rhs x --dirichlet reentrant=x+y", "--method minres"),
        ("--domain lprism --degree 2 --kappa 1+x^2 --dirichlet 'top=x*y'", ""),
        ("--domain ball --degree 2", "--method gmres:40"),
        ("--domain shell --degree 2 --dirichlet inner=1", ""),
        ("--domain cylinder --degree 2 --robin side=2,1", "--device reference"),
        ("--domain square --cells 2 --degree 3 --rhs 'cos(pi*x)' --neumann 0", ""),
        ("--domain square --cells 1 --degree 1", ""),
        ("--domain cube --cells 2 --degree 3 --refine-cells 0", "--precond chebyshev:3"),
        ("--domain square --cells 2 --degree 3 --rhs 'cos(pi*x)' --neumann 0", "--precond chebyshev"),
        ("--domain square --cells 1 --degree 1", "--precond chebyshev"),
    ] {
        assert_same(line, more);
    }
}

#[test]
fn curves_and_the_automatic_loop_without_a_matrix() {
    assert_same("--domain lshape --adapt 5e-2", "");
    let folder = Folder::new();
    let line = "poisson --domain lshape --degree 1 --layers 4 --slope 0.5 --plot c.svg --operator matrix-free";
    let ran = folder.shell(&format!("galerkit {line}")).exits(0);
    assert!(ran.stdout.contains("cg + jacobi") && folder.read("c.svg").contains("<svg"), "{}", ran.stdout);
}

#[test]
fn auto_does_without_a_matrix_where_cells_are_smaller() {
    let cube = "--domain cube --rhs 1 --device cpu";
    let chosen = |line: &str| {
        report(&format!("{cube} {}{line}", if line.contains("--cells") { "" } else { "--cells 4 " }))["solver"].clone()
    };
    let large = chosen("--degree 4");
    assert_eq!(large["format"], "matrix-free");
    assert!(large["preconditioner_reason"].as_str().unwrap().contains("levels: degree 4"), "{large}");
    for line in ["--degree 4 --precond jacobi", "--degree 3 --cells 6"] {
        let chosen = chosen(line);
        assert_eq!((&chosen["format"], &chosen["preconditioner"]), (&"matrix-free".into(), &"jacobi".into()), "{line}");
    }
    for line in ["--degree 2", "--degree 3", "--degree 4 --precond ic0", "--degree 4 --operator assembled"] {
        assert_ne!(chosen(line)["format"], "matrix-free", "{line}");
    }
    refused("--domain cube --operator matrix").fails_saying(&["--operator matrix", "auto, assembled or matrix-free"]);
}

#[test]
fn without_a_matrix_on_a_gpu() {
    if std::env::var_os("GALERKIT_EMULATED").is_none() {
        let _ = std::io::Write::write_all(&mut std::io::stderr(), b"skipped: no emulated GPU\n");
        return;
    }
    assert_same("--domain cube --cells 2 --degree 2 --refine-cells 0", "--device cuda");
    assert_same("--domain square --cells 1 --degree 1", "--device cuda");
}

#[test]
fn what_needs_a_matrix_is_refused_without_one() {
    let without = |more: &str| refused(&format!("--domain square --operator matrix-free {more}"));
    without("--method cholesky").fails_saying(&["--method cholesky needs a matrix", "cg", "--operator assembled"]);
    without("--method vpgcr:4").fails_saying(&["--method vpgcr:4 needs a matrix"]);
    without("--precond ssor:1")
        .fails_saying(&["--precond ssor:1 needs a matrix", "none, jacobi, chebyshev:DEGREE, multigrid"]);
    without("--precond inner:cg").fails_saying(&["--precond inner:cg needs a matrix"]);
    without("--precision hybrid").fails_saying(&["--precision hybrid needs a matrix", "--precision f64"]);
    without("--condense").fails_saying(&["--condense needs a matrix", "--operator assembled"]);
    without("--neumann 0").fails_saying(&["balance"]);
    let folder = Folder::new();
    let nodes = "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n";
    folder.file("one.msh", &format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n{nodes}"));
    let ran = folder.run("poisson --mesh one.msh --operator matrix-free");
    ran.fails_saying(&["--operator matrix-free needs quadrilaterals or hexahedra"]);
}

#[test]
fn multigrid_and_blocks_of_entities_with_and_without_a_matrix() {
    for line in [
        "--domain cube --cells 2 --degree 8",
        "--domain lshape --degree 2 --layers 4 --slope 1",
        "--domain square --cells 4 --degree 6 --rhs 'cos(pi*x)' --neumann 0",
    ] {
        let plain = report(&format!("{line} --rtol 1e-12 --device cpu"));
        for operator in ["assembled", "matrix-free"] {
            for precond in ["multigrid", "multigrid:single", "block-jacobi:entities"] {
                let found = report(&format!("{line} --operator {operator} --precond {precond} --device cpu"));
                assert_near(&found["energy"], plain["energy"].as_f64().unwrap(), 1e-9);
                let is_multigrid = precond != "block-jacobi:entities";
                assert!(!is_multigrid || found["iterations"].as_u64().unwrap() <= 20, "{line} {precond}");
                let words = if is_multigrid { "levels: degree" } else { "blocks of vertices" };
                let reason = found["solver"]["preconditioner_reason"].as_str().unwrap();
                assert!(reason.contains(words), "{reason}");
            }
        }
    }
    let ran = Folder::new().shell("galerkit poisson --domain cube --cells 2 --degree 4 --precond multigrid").exits(0);
    assert!(ran.stdout.contains("cg + p-multigrid") && ran.stdout.contains("inverted explicitly"), "{}", ran.stdout);
    let ran = Folder::new().shell("galerkit poisson --domain lshape --adapt 5e-2 --precond multigrid").exits(0);
    assert!(ran.stdout.contains("cg + p-multigrid"), "{}", ran.stdout);
}

#[test]
fn multigrid_on_a_gpu() {
    if std::env::var_os("GALERKIT_EMULATED").is_none() {
        let _ = std::io::Write::write_all(&mut std::io::stderr(), b"skipped: no emulated GPU\n");
        return;
    }
    for operator in ["assembled", "matrix-free"] {
        let line = "--domain lshape --degree 2 --layers 3 --slope 1 --rtol 1e-10";
        let [host, gpu] = ["cpu", "cuda"]
            .map(|device| report(&format!("{line} --operator {operator} --precond multigrid --device {device}")));
        assert_near(&gpu["energy"], host["energy"].as_f64().unwrap(), 1e-9);
    }
}

#[test]
fn what_multigrid_cannot_do_is_refused() {
    let with = |more: &str| refused(&format!("--domain square --degree 4 --cells 4 {more}"));
    with("--precond multigrid:half").fails_saying(&["--precond multigrid:half", "multigrid:single"]);
    with("--precond multigrid --method cholesky").fails_saying(&["needs an iterative method", "--method cholesky"]);
    with("--precond multigrid --precision hybrid").fails_saying(&["--precision f64", "multigrid:single"]);
    with("--precond multigrid --condense").fails_saying(&["leave --condense out"]);
    let folder = Folder::new();
    let nodes = "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n";
    folder.file("one.msh", &format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n{nodes}"));
    folder.run("poisson --mesh one.msh --precond multigrid").fails_saying(&["need quadrilaterals or hexahedra"]);
}

fn refused(line: &str) -> Ran {
    Folder::new().shell(&format!("galerkit poisson {line}"))
}

#[test]
fn bad_numbers_and_names_are_refused() {
    refused("--degree 0").fails_saying(&["degrees are from 1 to 10"]);
    refused("--degree 11").fails_saying(&["--degree 11"]);
    refused("--cells 0").fails_saying(&["--cells 0"]);
    for line in ["--cells -2", "--degree -1,2", "--degree 1.5", "--refine -1", "--refine-cells -3,1", "--layers -1"] {
        refused(line).fails_saying(&["invalid value", "a whole number is needed"]);
    }
    refused("--domain cub").fails_saying(&["no domain 'cub'", "cube", "fichera"]);
    refused("--domain square --refine-cells 9").fails_saying(&["there is no cell 9"]);
    refused("--layers 12 --slope 1").fails_saying(&["degree", "hint: choose a lower --degree"]);
    refused("--domain ball --layers 2").fails_saying(&["ball has none"]);
    refused("--operator dense").fails_saying(&["--operator dense", "assembled or matrix-free"]);
    refused("--adapt 0").fails_saying(&["tolerance above 0"]);
    refused("--domain square --plot a.svg").fails_saying(&["add --adapt TOL, or --layers L"]);
    refused("--domain fichera --layers 2 --plot a.svg").fails_saying(&["needs the exact solution", "--adapt TOL"]);
    refused("--probe 1,a").fails_saying(&["--probe 1,a is no point"]);
    refused("--method nonsense").fails_saying(&["nonsense"]);
}

#[test]
fn bad_expressions_are_shown_with_the_character() {
    let square = "--domain square --cells 2";
    refused(&format!("{square} --rhs 'sin(foo)'")).fails_saying(&[
        "--rhs",
        "'foo'",
        "known are x, y, z",
        "\n  sin(foo)\n      ^",
    ]);
    refused(&format!("{square} --exact '(x'")).fails_saying(&["not closed", "\n  (x\n  ^"]);
    refused(&format!("{square} --dirichlet left=2x")).fails_saying(&["--dirichlet left=2x", "\n  2x\n   ^"]);
    refused(&format!("{square} --rhs z")).fails_saying(&["depends on z"]);
    refused(&format!("{square} --rhs 'ln(-x)'")).fails_saying(&["the source is NaN"]);
}

#[test]
fn bad_boundary_data_are_refused() {
    let square = "--domain square --cells 2";
    refused(&format!("{square} --dirichlet west=1")).fails_saying(&["no piece 'west'", "left (1)", "top (4)"]);
    refused(&format!("{square} --dirichlet 1=0 --neumann left=0")).fails_saying(&["two conditions"]);
    refused(&format!("{square} --dirichlet 1 --neumann 2")).fails_saying(&["two conditions name no piece"]);
    refused(&format!("{square} --neumann exact")).fails_saying(&["add --exact"]);
    refused(&format!("{square} --kappa -1")).fails_saying(&["diffusion is -1", "positive"]);
    refused(&format!("{square} --kappa 'x - 1/2'")).fails_saying(&["must be positive"]);
    refused(&format!("{square} --neumann 0")).fails_saying(&["do not balance", "int f + int g = 1", "--dirichlet"]);
    let ran = refused(&format!("{square} --neumann 0 --rhs 'x - 1/2'")).exits(0);
    assert!(ran.stderr.contains("pure Neumann") && ran.stderr.contains("mean 0"), "{}", ran.stderr);
}
