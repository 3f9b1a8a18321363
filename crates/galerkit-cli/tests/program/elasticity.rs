//! `galerkit elasticity` as a user runs it: beams, files, modes, errors that name the fix.

use super::Folder;
use super::mesh::data;
use serde_json::Value;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// Length 4, side 1, E = 1e4, nu = 0.3, a shear force of 1 on its end: P L^3 / (3 E I) + P L / (kappa G A).
const BEAM: &str =
    "elasticity --geometry beam --size 4,1,1 --young 1e4 --traction right=0,0,-1 --probe 4,0.5,0.5 --json - -q";

#[test]
fn a_beam_bends_as_its_theory_says() {
    let folder = Folder::new();
    let report = folder.run(&format!("{BEAM} --cells 1 --degree 2")).exits(0).report();
    let shear = 1e4 / 2.6;
    let theory = 64.0 / (3.0 * 1e4 / 12.0) + 4.0 / (10.0 * 1.3 / 15.3 * shear);
    let found = -number(&report["probes"][0]["displacement"][2]);
    assert!((found / theory - 1.0).abs() < 0.05, "{found} and {theory}: a clamped end is stiffer");
    assert_eq!(
        (&report["degree"], &report["cells"], &report["unknowns"]),
        (&2.into(), &4.into(), &(9 * 9 * 3 - 27).into())
    );
    assert!((number(&report["load"][2]) + 1.0).abs() < 1e-12);
    // the work of the load is twice the energy
    assert!(number(&report["energy"]) > 0.45 * found && number(&report["energy"]) < 0.55 * found);
    assert!(number(&report["farthest"]["length"]) >= found && number(&report["most_stressed"]["von_mises"]) > 10.0);
    assert_eq!(report["converged"], true);
    let linear = folder.run(&format!("{BEAM} --cells 2")).exits(0).report();
    let tetrahedra = folder.run(&format!("{BEAM} --cells 2 --simplices")).exits(0).report();
    let of = |report: &Value| -number(&report["probes"][0]["displacement"][2]);
    assert!(of(&tetrahedra) < of(&linear) && of(&linear) < found, "linear cells are too stiff, tetrahedra more so");
    assert!(of(&linear) > 0.8 * found && of(&tetrahedra) > 0.4 * found);
}

#[test]
fn rigid_modes_take_the_fewest_iterations_and_grow_little() {
    let folder = Folder::new();
    let count = |cells: usize, words: &str| {
        let line = format!("elasticity --geometry beam --size 4,1,1 --cells {cells} --json - -q {words}");
        let report = folder.run(&line).exits(0).report();
        (report["iterations"].as_u64().unwrap(), report["solver"]["multigrid"]["levels"].as_array().unwrap().len())
    };
    let modes =
        ["rigid", "translations", "none"].map(|modes| count(6, &format!("--modes {modes} --precond amg,coarse=100")).0);
    assert!(modes[0] < modes[1] && modes[1] < modes[2], "{modes:?}");
    let (coarse, fine) = (count(4, "--precond amg,coarse=100"), count(8, "--precond amg,coarse=100"));
    assert!(fine.0 <= coarse.0 + 8 && fine.0 <= 40 && fine.1 >= 2, "{coarse:?} {fine:?}");
}

/// Cells of a higher degree begin with those of degree 1, on CPU and in single precision; the usual multigrid takes
/// fewer iterations than amg's own settings.
#[test]
fn multigrid_suits_every_degree() {
    let folder = Folder::new();
    let run = |words: &str| {
        let line = format!("elasticity --geometry beam --size 2,1,1 --young 1e4 --json - -q {words}");
        let report = folder.run(&line).exits(0).report();
        (report["iterations"].as_u64().unwrap(), number(&report["energy"]), report["solver"].clone())
    };
    for degree in [2, 3] {
        let usual = run(&format!("--cells 2 --degree {degree} --precond multigrid,coarse=20"));
        let plain = run(&format!("--cells 2 --degree {degree} --precond amg,coarse=20"));
        let single = run(&format!("--cells 2 --degree {degree} --precond multigrid,coarse=20,precision=f32"));
        assert!(usual.2["preconditioner"].as_str().unwrap().starts_with("degree 1 + amg"), "{}", usual.2);
        assert!(usual.0 < plain.0 && single.0 <= usual.0 + 2, "degree {degree}: {} {} {}", usual.0, plain.0, single.0);
        assert!((usual.1 / plain.1 - 1.0).abs() < 1e-6 && (single.1 / plain.1 - 1.0).abs() < 1e-6);
    }
    let [usual, plain] = ["multigrid", "amg"].map(|name| run(&format!("--cells 8 --precond {name},coarse=50")));
    assert!(usual.0 < plain.0, "degree 1: {} {}", usual.0, plain.0);
    folder.run("elasticity --precond multigrid,degre=2").fails_saying(&["degree"]);
}

/// Pairs were told the first mode, which is zero in two of three rows: their cycle was NaN. `block=7` was replaced by 3.
#[test]
fn other_kinds_of_multigrid_are_not_told_modes() {
    let folder = Folder::new();
    for precond in ["amg:pairs,coarse=20 --method fcg", "amg:classical,coarse=20", "multigrid,theta_f=0.2"] {
        let line = format!("elasticity --geometry beam --size 2,1,1 --cells 3 --json - -q --precond {precond}");
        assert_eq!(folder.run(&line).exits(0).report()["converged"], true, "{precond}");
    }
    let said = folder.run("elasticity --geometry girder --cells 1 --precond amg:pairs --method fcg").exits(0).stderr;
    assert!(said.contains("amg:pairs knows no nodes"), "{said}");
    folder.run("elasticity --precond amg,block=7").fails_saying(&["block=7", "3 rows", "--modes none"]);
}

#[test]
fn methods_agree_and_files_are_written() {
    let folder = Folder::new();
    let line = "elasticity --geometry girder --cells 1 -q";
    let direct = folder.run(&format!("{line} --method cholesky --precond none --json -")).exits(0).report();
    for how in [
        "",
        "--precond jacobi",
        "--precond amg,precision=f32 --rtol 1e-10",
        "--device reference --precond amg:pairs --method fcg",
    ] {
        let report = folder.run(&format!("{line} {how} --json -")).exits(0).report();
        let ratio = number(&report["energy"]) / number(&direct["energy"]);
        assert!((ratio - 1.0).abs() < 1e-5, "{how}: {ratio}");
    }
    folder.run(&format!("{line} --vtu u.vtu --png u.png --show displacement --scale 10 --json r.json")).exits(0);
    assert_eq!(folder.json("r.json")["scale"], 10.0);
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(bytes("u.png").starts_with(b"\x89PNG"));
    for field in ["displacement", "stress", "von Mises"] {
        let has = bytes("u.vtu").windows(field.len()).any(|word| word == field.as_bytes());
        assert!(has, "{field}");
    }
    let table = folder.run(&format!("{line} --probe 5.2,0.2,1")).exits(0).stdout;
    for word in ["solved", "girder", "unknowns", "multigrid", "displacement", "von Mises", "energy", "node"] {
        assert!(table.contains(word), "{word}: {table}");
    }
    let limited = folder.run(&format!("{line} --max-iterations 2 --json -")).exits(1);
    assert_eq!(limited.report()["converged"], false);
}

#[test]
fn a_rod_is_turned_and_pressed() {
    let folder = Folder::new();
    let line = "elasticity --geometry rod --size 4,2,2 --cells 1 --degree 3 --young 2.6e4 --json - -q";
    // a torque: tau = c r on the end, theta' = c / G, G = 1e4
    let report = folder.run(&format!("{line} --traction top=-10*y,10*x,0 --probe 1,0,4")).exits(0).report();
    let turned = number(&report["probes"][0]["length"]);
    assert!((turned / (10.0 * 4.0 / 1e4) - 1.0).abs() < 0.01, "{turned}");
    assert!(report["load"].as_array().unwrap().iter().all(|force| number(force).abs() < 1e-9));
    let report = folder.run(&format!("{line} --poisson 0 --pressure top=26 --probe 0,0,4")).exits(0).report();
    assert!((number(&report["probes"][0]["displacement"][2]) + 26.0 * 4.0 / 2.6e4).abs() < 1e-6);
}

#[test]
fn meshes_come_from_files_and_pieces_from_places() {
    let folder = Folder::new();
    folder.run("mesh convert gallery:box?n=2&simplices=1 box.msh").exits(0);
    let pulled = |words: &[&str]| {
        let mut line = vec!["elasticity", "--mesh", "box.msh", "--young", "100", "--poisson", "0", "--json", "-", "-q"];
        line.extend(words);
        let output = folder.command().args(line).output().unwrap();
        super::Ran::new("elasticity", output).exits(0).report()
    };
    for words in [
        &["--clamp", "left", "--traction", "right=2,0,0"][..],
        &["--clamp", "1", "--pressure", "2=-2"],
        &["--clamp", "x < 0.01", "--traction", "x > 0.99=2,0,0"],
        &["--clamp", "left", "--displace", "right=0.02,0,0"],
    ] {
        let report = pulled(words);
        assert!((number(&report["farthest"]["displacement"][0]) - 0.02).abs() < 1e-8, "{words:?}: {report}");
        assert!((number(&report["most_stressed"]["von_mises"]) - 2.0).abs() < 1e-6);
    }
    let Some(file) = data("meshes_shapes/beam-tet.msh.gz") else { return };
    let line = format!("elasticity --mesh {file} --clamp 1 --traction 2=0,0,-1 --young 1e3 --json - -q");
    let report = folder.run(&line).exits(0).report();
    assert!(number(&report["farthest"]["displacement"][2]) < 0.0 && report["converged"] == true);
}

#[test]
fn bad_input_is_refused_by_name() {
    let folder = Folder::new();
    folder.run("mesh convert gallery:box?n=1 box.msh").exits(0);
    folder.run("mesh convert gallery:rectangle?n=2 flat.msh").exits(0);
    let cases: [(&str, &[&str]); 16] = [
        ("--mesh box.msh --traction right=1,0,0", &["held nowhere", "clamp"]),
        ("--mesh box.msh --clamp left", &["nothing acts", "--traction"]),
        ("--mesh flat.msh --clamp left --force 0,0,1", &["hexahedra or tetrahedra"]),
        ("--geometry beam --poisson 0.5", &["Poisson's ratio", "below 0.5"]),
        ("--geometry beam --poisson -1", &["Poisson's ratio", "above -1"]),
        ("--geometry beam --young -5", &["Young's modulus", "positive"]),
        ("--geometry beam --young 0", &["Young's modulus", "positive"]),
        ("--geometry beam --young q", &["--young", "function of x, y, z"]),
        ("--geometry bean", &["bean", "beam, girder or rod"]),
        ("--geometry beam --clamp nowhere", &["no piece 'nowhere'", "left (1)"]),
        ("--geometry beam --clamp x>9", &["no facet", "x>9"]),
        ("--geometry beam --traction right=1,2", &["three functions"]),
        ("--geometry beam --traction 1,2,3", &["PIECE=VALUE"]),
        ("--geometry beam --size 1,0,1", &["--size", "above 0"]),
        ("--geometry rod --simplices", &["--simplices", "beam or girder"]),
        ("--geometry beam --modes all", &["rigid, translations or none"]),
    ];
    for (words, said) in cases {
        folder.run(&format!("elasticity {words}")).fails_saying(said);
    }
    for words in ["--cells 0", "--degree 9", "--show heat", "--scale -1", "--probe 1,2", "--pressure top=", "--force 1"]
    {
        folder.run(&format!("elasticity --geometry beam {words}")).fails_saying(&["--"]);
    }
}
