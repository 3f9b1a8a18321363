//! `galerkit mesh info`, `mesh check` and `mesh convert`.

use super::Folder;
use std::path::Path;

/// Two tetrahedra on a common face, the second inside out, and a point that none of them has.
const INVERTED: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 5 \"bulk\"\n$EndPhysicalNames\n\
$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 0 -1\n6 9 9 9\n$EndNodes\n\
$Elements\n2\n1 4 2 5 5 1 2 3 4\n2 4 2 5 5 1 2 3 5\n$EndElements\n";

fn near(value: &serde_json::Value, expected: f64) -> bool {
    (value.as_f64().unwrap() / expected - 1.0).abs() < 1e-6
}

/// A file of the data folder, as an argument; none, after saying so, if it is not there.
pub fn data(name: &str) -> Option<String> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("GALERKIT_DATA").map_or(beside, Into::into);
    let file = folder.join(name);
    if !file.is_file() {
        let mut err = std::io::stderr();
        let _ =
            std::io::Write::write_all(&mut err, format!("skipped: {name} is not here; set GALERKIT_DATA\n").as_bytes());
        return None;
    }
    Some(std::fs::canonicalize(file).unwrap().display().to_string())
}

#[test]
fn info_measures_a_box_and_a_ball() {
    let folder = Folder::new();
    let report = folder.run("mesh info gallery:box?n=3 --json -").exits(0).report();
    assert_eq!((&report["points"], &report["dimension"]), (&64.into(), &3.into()));
    assert_eq!(report["cells"][0], serde_json::json!({"shape": "hexahedron", "order": 1, "count": 27}));
    assert_eq!(report["bounding_box"], serde_json::json!([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]));
    assert!(near(&report["volume"], 1.0) && near(&report["surface"], 6.0));
    assert!(near(&report["quality"]["edge_ratio"]["max"], 1.0) && near(&report["quality"]["angle"]["min"], 90.0));
    assert_eq!(report["components"], serde_json::json!([27]));
    let sides: u64 = report["boundary"].as_array().unwrap().iter().map(|piece| piece["count"].as_u64().unwrap()).sum();
    assert_eq!(sides, 54);
    let ball = folder.run("mesh info gallery:ball?n=2&order=4 --json ball.json").exits(0);
    assert!(ball.stdout.contains("hexahedra of order 4") && ball.stdout.contains("scaled Jacobian"), "{}", ball.stdout);
    let volume = folder.json("ball.json")["volume"].as_f64().unwrap();
    assert!((volume / (4.0 / 3.0 * std::f64::consts::PI) - 1.0).abs() < 1e-3, "{volume}");
}

/// Width and height of a PNG.
fn size(folder: &Folder, name: &str) -> [u32; 2] {
    let bytes = std::fs::read(folder.path().join(name)).unwrap();
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()))
}

#[test]
fn info_draws_what_is_asked() {
    let folder = Folder::new();
    folder.run("mesh info gallery:ball?n=2 --png ball.png --size 160x120 --cut x=0.1 --view -1,1,0.5").exits(0);
    assert_eq!(size(&folder, "ball.png"), [160, 120]);
    folder.run("mesh info gallery:lshape --png l.png").exits(0);
    assert_eq!(size(&folder, "l.png"), [1000, 800]);
    for (options, words) in [
        ("--size 10", "--size 10"),
        ("--size 1x1", "16 to"),
        ("--cut w=1", "x=0.5"),
        ("--view 0,0,0", "not all 0"),
        ("--view 1,2", "three numbers"),
        ("--field u", "no field 'u'"),
    ] {
        folder.run(&format!("mesh info gallery:box --png no.png {options}")).fails_saying(&[words]);
    }
    assert_eq!(folder.names(), ["ball.png", "l.png"]);
}

#[test]
fn check_lists_findings_by_number_and_repair_mends_them() {
    let folder = Folder::new();
    folder.file("a.msh", INVERTED);
    let ran = folder.run("mesh check a.msh").exits(1);
    for words in ["not sound", "1 inverted", "block 0 cell 1", "--repair", "remark: 1 point belongs to no cell"] {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
    }
    let report = folder.run("mesh check a.msh --json -").exits(1).report();
    assert_eq!((&report["sound"], &report["findings"][0]["kind"]), (&false.into(), &"inverted".into()));
    assert_eq!(report["findings"][0]["cells"], serde_json::json!([[0, 1]]));
    let info = folder.run("mesh info a.msh --json -").exits(0).report();
    assert_eq!((&info["inverted"], &info["regions"][0]["name"]), (&1.into(), &"bulk".into()));
    assert_eq!((&info["format"], &info["unused_points"]), (&"Gmsh".into(), &1.into()));
    assert!(near(&info["volume"], 1.0 / 3.0));
    let ran = folder.run("mesh convert a.msh b.vtu --repair").exits(0);
    assert!(ran.stderr.contains("1 inverted cell was turned round"), "{}", ran.stderr);
    assert!(folder.run("mesh check b.vtu").exits(0).stdout.contains("b.vtu: sound"));
}

#[test]
fn degenerate_duplicate_and_overlapping_cells_are_found() {
    let folder = Folder::new();
    folder.file("flat.msh", &INVERTED.replace("4 0 0 1", "4 1 1 0"));
    let ran = folder.run("mesh check flat.msh").exits(1);
    assert!(ran.stdout.contains("1 degenerate") && ran.stdout.contains("block 0 cell 0"), "{}", ran.stdout);
    folder.run("mesh convert flat.msh no.msh --repair").fails_saying(&["degenerate", "block 0 cell 0"]);
    let third = "$Elements\n3\n1 4 2 5 5 1 2 3 4\n2 4 2 5 5 1 3 2 5\n3 4 2 5 5 1 2 3 4\n";
    let twice = INVERTED.replace("$Elements\n2\n1 4 2 5 5 1 2 3 4\n2 4 2 5 5 1 2 3 5\n", third);
    folder.file("twice.msh", &twice);
    let ran = folder.run("mesh check twice.msh").exits(1);
    assert!(ran.stdout.contains("1 duplicate") && ran.stdout.contains("3 cells share"), "{}", ran.stdout);
    let info = folder.run("mesh info twice.msh --json -").exits(0).report();
    assert!(info["boundary_error"].as_str().unwrap().contains("3 cells share"));
}

#[test]
fn conversions_there_and_back_keep_the_mesh() {
    let folder = Folder::new();
    folder.run("mesh convert gallery:shell?n=1&order=3 a.msh").exits(0);
    folder.run("mesh convert a.msh b.vtu").exits(0);
    folder.run("mesh convert b.vtu c.msh --gmsh 2.2 --ascii").exits(0);
    assert!(folder.read("c.msh").starts_with("$MeshFormat\n2.2 0 8"));
    let described = ["a.msh", "b.vtu", "c.msh"].map(|name| {
        let report = folder.run(&format!("mesh info {name} --json -")).exits(0).report();
        (report["points"].clone(), report["cells"].clone(), report["volume"].clone(), report["format"].clone())
    });
    assert_eq!(described[0].0, described[2].0);
    assert_eq!(described[0].1, described[1].1);
    assert!(near(&described[2].2, described[0].2.as_f64().unwrap()));
    assert_eq!((&described[1].3, &described[2].3), (&"VTU".into(), &"Gmsh".into()));
}

#[test]
fn what_cannot_be_read_or_written_is_an_error() {
    let folder = Folder::new();
    folder.file("text.msh", "no mesh at all\n");
    folder.run("mesh check text.msh").fails_saying(&["text.msh", "Gmsh"]);
    folder.run("mesh check none.msh").fails_saying(&["none.msh"]);
    folder.run("mesh info gallery:donut").fails_saying(&["gallery:donut", "fichera"]);
    folder.run("mesh info gallery:ball?radius=2").fails_saying(&["radius"]);
    folder.run("mesh info gallery:box?n=0").fails_saying(&["box"]);
    folder.run("mesh convert gallery:box out.stl").fails_saying(&["out.stl", ".vtu"]);
    assert_eq!(folder.names(), ["text.msh"]);
}

#[test]
fn meshes_of_hearts_are_described_and_drawn() {
    let folder = Folder::new();
    for name in ["meshes_heart/ldrb_demo.msh.gz", "meshes_heart/heart_short_axis_0.vtu.gz"] {
        let Some(path) = data(name) else { return };
        let report = folder.run(&format!("mesh info {path} --png h.png --size 200x160 --json -")).exits(0).report();
        assert!(report["volume"].as_f64().unwrap() > 0.0 && report["points"].as_u64().unwrap() > 100, "{name}");
        assert_ne!(report["format"], "unknown", "{name}");
        assert_eq!(size(&folder, "h.png"), [200, 160]);
    }
}

#[test]
fn fields_on_points_and_cells_are_drawn() {
    let folder = Folder::new();
    let Some(path) = data("meshes_vtk/bridge3d.vtk.gz") else { return };
    for field in ["node_groups", "mat_id"] {
        folder.run(&format!("mesh info {path} --png {field}.png --field {field} --size 200x160")).exits(0);
        assert_eq!(size(&folder, &format!("{field}.png")), [200, 160]);
    }
    let refused = folder.run(&format!("mesh info {path} --png no.png --field u"));
    refused.fails_saying(&["no field 'u'", "node_groups", "mat_id"]);
}
