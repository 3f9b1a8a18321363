//! What goes wrong on a GPU while it is used: on the emulated one, which can be told to. Each is a sentence that names
//! the fix, and files that were there stay whole. `cargo xtask emulate -- emulated::` runs these; elsewhere they are
//! skipped, and say so.

use super::{Folder, Ran};
use galerkit::cuda::generate::classes;
use std::collections::BTreeSet;
use std::process::Command;

const SOLVE: &str =
    "solve gallery:poisson2d?n=12 --method cg --precond jacobi --format csr --ordering natural --device cuda";

/// A folder with an answer that is in the way, unless there is no emulated GPU.
fn folder() -> Option<Folder> {
    if std::env::var_os("GALERKIT_EMULATED").is_none() {
        let _ = std::io::Write::write_all(&mut std::io::stderr(), b"skipped: no emulated GPU\n");
        return None;
    }
    let folder = Folder::new();
    folder.file("x.mtx", "old");
    Some(folder)
}

/// The program, with compiled kernels of its own and something the emulated GPU is told.
fn command(folder: &Folder, arguments: &str, told: &[(&str, &str)]) -> Command {
    let mut command = folder.command();
    command.args(arguments.split_whitespace()).envs(told.iter().copied());
    command
}

fn run(folder: &Folder, arguments: &str, told: &[(&str, &str)]) -> Ran {
    Ran::new(arguments, command(folder, arguments, told).output().unwrap())
}

#[test]
fn an_allocation_that_fails_halfway_leaves_the_old_answer() {
    let Some(folder) = folder() else { return };
    let mut refused = 0;
    for allocation in ["1", "4", "7", "10"] {
        let ran = run(&folder, &format!("{SOLVE} -o x.mtx"), &[("GALERKIT_EMULATOR_REFUSES", allocation)]);
        if ran.code == 2 {
            let memory = ["of GPU memory", "cuMemHostAlloc"].iter().any(|word| ran.stderr.contains(word));
            assert!(memory, "{}", ran.fails_saying(&[]).stderr);
            assert_eq!((folder.read("x.mtx").as_str(), folder.names()), ("old", vec!["x.mtx".to_string()]));
            refused += 1;
        }
    }
    assert!(refused >= 3, "{refused} of 4");
    run(&folder, &format!("{SOLVE} -o x.mtx"), &[]).exits(0);
    assert_eq!(folder.vector("x.mtx").len(), 144);
}

/// Two ventricles without a word: about 50,000 nodes where there is a GPU, 17,000 where the CPU is asked for.
#[test]
fn a_heart_for_a_gpu_has_more_nodes() {
    let Some(folder) = folder() else { return };
    let edges = |arguments: &str| {
        let printed = run(&folder, &format!("heart --dry {arguments}"), &[]).exits(0).stdout;
        printed.lines().find_map(|line| line.strip_prefix("dx = ")?.parse::<f64>().ok()).expect("dx is printed")
    };
    for (arguments, expected) in [("", 1.31), ("--device cuda", 1.31), ("--device cpu", 1.95), ("--dx 3", 3.0)] {
        assert_eq!(edges(arguments), expected, "{arguments}");
    }
}

#[test]
fn memory_that_another_process_takes_is_an_error_with_the_amounts() {
    let Some(folder) = folder() else { return };
    let told = [("GALERKIT_EMULATOR_MEMORY", "1000000000"), ("GALERKIT_EMULATOR_TAKEN", "999999000")];
    let ran = run(&folder, &format!("{SOLVE} -o x.mtx"), &told);
    ran.fails_saying(&["of GPU memory", "of 953.7 MiB are free", "hint: ", "--device cpu"]);
    assert_eq!(folder.read("x.mtx"), "old");
}

#[test]
fn a_cache_that_cannot_be_written_is_noted_once_and_the_solve_goes_on() {
    let Some(folder) = folder() else { return };
    let place = folder.file("cache", "a file in the way").display().to_string();
    for method in ["cg", "gmres:3"] {
        let arguments = SOLVE.replace("cg", method);
        let ran = run(&folder, &arguments, &[("GALERKIT_CACHE", &place)]).exits(0);
        let notes: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("are not kept")).collect();
        assert_eq!(notes.len(), 1, "{}", ran.stderr);
        assert!(notes[0].starts_with("note: ") && notes[0].contains("set GALERKIT_CACHE"), "{}", notes[0]);
        assert!(run(&folder, &format!("{arguments} -q"), &[("GALERKIT_CACHE", &place)]).exits(0).stderr.is_empty());
    }
    assert_eq!(folder.read("cache"), "a file in the way");
}

#[test]
fn two_processes_that_compile_the_same_leave_whole_kernels() {
    let Some(folder) = folder() else { return };
    let cache = folder.path().join("cache").display().to_string();
    let start = || {
        let mut command = command(&folder, &format!("{SOLVE} -q"), &[("GALERKIT_CACHE", &cache)]);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap()
    };
    let iterations = |ran: &Ran| ran.stdout.split(',').take(2).collect::<Vec<_>>().join(",");
    let both = [start(), start()].map(|child| Ran::new(SOLVE, child.wait_with_output().unwrap()).exits(0));
    assert_eq!(iterations(&both[0]), iterations(&both[1]));
    let names = std::fs::read_dir(folder.path().join("cache/kernels")).unwrap();
    let names: Vec<String> = names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.iter().any(|name| name.ends_with(".cubin")) && !names.iter().any(|name| name.ends_with(".tmp")));
    // Everything is there: a third does well with a compiler that cannot compile.
    let third = run(&folder, &format!("{SOLVE} -q"), &[("GALERKIT_CACHE", &cache), ("CXX", "false")]).exits(0);
    assert_eq!(iterations(&third), iterations(&both[0]));
}

#[test]
fn a_driver_that_is_too_old_is_told_what_to_do() {
    let Some(folder) = folder() else { return };
    let old = [("GALERKIT_EMULATOR_DRIVER", "11040")];
    run(&folder, SOLVE, &old).fails_saying(&["is of CUDA 11.4", "12.0 is the least", "update it", "--device cpu"]);
    let large = "solve gallery:poisson2d?n=150 --method cg --max-iterations 2";
    let automatic = run(&folder, large, &old).exits(1);
    assert!(automatic.stderr.starts_with("device cpu: the NVIDIA driver is of CUDA 11.4"), "{}", automatic.stderr);
    let doctor = run(&folder, "doctor --no-bandwidth", &old).exits(0);
    assert!(doctor.stdout.contains("NVIDIA driver of CUDA 12.0 or newer"), "{}", doctor.stdout);
}

#[test]
fn a_compiler_that_is_newer_than_the_driver_is_told_what_to_do() {
    let Some(folder) = folder() else { return };
    let cache = folder.path().join("cache").display().to_string();
    let newer = [("GALERKIT_EMULATOR_NVRTC", "13"), ("GALERKIT_CACHE", &*cache)];
    let words = ["CUDA 12.8", "NVRTC 13.0", "update the driver", "pip install nvidia-cuda-nvrtc-cu12", "--device cpu"];
    run(&folder, SOLVE, &newer).fails_saying(&words);
    let automatic = run(&folder, "solve gallery:poisson2d?n=150 --method cg --max-iterations 2", &newer).exits(1);
    assert!(automatic.stderr.starts_with("device cpu: the driver (CUDA 12.8) does not take"), "{}", automatic.stderr);
    let doctor = run(&folder, "doctor --no-bandwidth", &newer).exits(0);
    assert!(doctor.stdout.contains("--device auto takes cpu: no NVRTC that fits the driver"), "{}", doctor.stdout);
}

/// The sources that a solve compiles on a GPU that is told something.
fn sources(name: &str, arguments: &str, told: &[(&str, &str)]) -> BTreeSet<String> {
    let folder = Folder::new();
    let [place, cache] = [name, "cache"].map(|name| folder.path().join(name));
    std::fs::create_dir(&place).unwrap();
    let own = [("GALERKIT_EMULATOR_SOURCES", &place), ("GALERKIT_CACHE", &cache)];
    let mut command = command(&folder, &format!("{arguments} --device cuda --max-iterations 30 -q"), told);
    let ran = Ran::new(arguments, command.envs(own).env("GALERKIT_KERNELS", "none").output().unwrap());
    assert!(matches!(ran.code, 0 | 1), "{}", ran.stderr);
    std::fs::read_dir(&place).unwrap().map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap()).collect()
}

/// What `cargo xtask ship` collects of a method and a preconditioner, one kernel in its largest class, has all that
/// systems in other classes ask for.
#[track_caller]
fn is_packed(what: &str) {
    let Some(_) = folder() else { return };
    let solve = |side: usize| format!("solve gallery:tetra?n={side} --format csr {what}");
    let largest = sources("largest", &solve(17), &[("GALERKIT_EMULATOR_PROCESSORS", "1")]);
    let packed: BTreeSet<String> = largest.iter().flat_map(|source| classes::every_class(source, true)).collect();
    for (side, processors) in [(7, "4"), (12, "20")] {
        let asked = sources("asked", &solve(side), &[("GALERKIT_EMULATOR_PROCESSORS", processors)]);
        // Exact triangular solves are graphs, which have no classes.
        assert!(
            asked.iter().any(|source| !largest.contains(source)) || what.contains("exact"),
            "{what}: the same class"
        );
        let missing = asked.difference(&packed).count();
        assert_eq!(missing, 0, "{what}: {missing} of {} modules of {side}^3 are not in the pack", asked.len());
    }
}

#[test]
fn a_pack_has_conjugate_gradients_in_every_class() {
    is_packed("--method cg --precond jacobi");
    is_packed("--method cg --precond ilu0 --triangular exact");
}

#[test]
fn a_pack_has_stabilised_gradients_in_every_class() {
    is_packed("--method bicgstab --precond none");
    is_packed("--method bicgstab --precond ilu0 --triangular sweeps:2");
}

#[test]
fn a_pack_has_cyclic_methods_in_every_class() {
    is_packed("--method gmres:9 --precond none");
    is_packed("--method gmres:9 --precond ilu0 --triangular sweeps:2");
    is_packed("--method orthodir:9 --precond jacobi");
}

#[test]
fn a_large_problem_of_the_gallery_is_born_on_the_gpu() {
    let Some(folder) = folder() else { return };
    let stages = |device: &str| -> Vec<String> {
        let solve = "solve gallery:poisson3d?n=28 --method cg --autotuning modelled --max-iterations 2 --json -";
        let report = run(&folder, &format!("{solve} --device {device}"), &[]).exits(1).report();
        let listed = report["setup_stages"].as_array().expect("a list").clone();
        listed.iter().map(|stage| stage["stage"].as_str().unwrap_or_default().to_string()).collect()
    };
    assert!(stages("cuda").contains(&"generation".into()));
    assert!(!stages("cpu").contains(&"generation".into()), "built while it was loaded");
}

#[test]
fn poisson_on_the_gpu_has_the_error_of_the_table() {
    let Some(folder) = folder() else { return };
    let line = "poisson --domain lshape --degree 1 --layers 3 --slope 0.5 --method cg --device cuda --json -";
    let report = run(&folder, line, &[]).exits(0).report();
    assert_eq!(report["solver"]["device"], "cuda:0");
    assert!((report["energy_error"].as_f64().unwrap() - 8.022e-2).abs() < 2e-5, "{report}");
}

/// The reference, this program's CPU and the GPU agree on a sweep, whose values the GPU computes from its terms.
#[test]
fn helmholtz_on_the_gpu_is_that_of_the_reference() {
    let Some(folder) = folder() else { return };
    let line = "helmholtz --geometry square --cells 6 --sweep 300:400:50 --source 0.4,0.6 --probe 0.7,0.3 --rtol 1e-10 --json - -q";
    let pressures = |device: &str, method: &str| -> Vec<f64> {
        let report = run(&folder, &format!("{line} --device {device} --method {method}"), &[]).exits(0).report();
        assert!(report["solver"]["device"].as_str().unwrap().starts_with(device));
        let of = |it: &serde_json::Value| it["probes"][0]["pressure"].as_array().unwrap().clone();
        let all: Vec<serde_json::Value> = report["sweep"].as_array().unwrap().iter().flat_map(of).collect();
        all.iter().map(|p| p.as_f64().unwrap()).collect()
    };
    let expected = pressures("reference", "orthodir:30 --precond none");
    assert_eq!(expected.len(), 6);
    for method in ["orthodir:30 --precond none", "gmres:20 --precond jacobi", "gmres:20 --precond shifted"] {
        let found = pressures("cuda", method);
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-8), "{method}: {found:?} {expected:?}");
    }
}

/// Smoothing by colours, transfers and the coarse solve of the host.
#[test]
fn a_cycle_for_waves_on_the_gpu_is_that_of_the_reference() {
    let Some(folder) = folder() else { return };
    let line = "helmholtz --geometry square --cells 6 --degree 2 --frequency 300 --source 0.4,0.6 --probe 0.7,0.3 --json - -q \
                --rtol 1e-10 --method gmres:40 --precond shifted:0.2:multigrid";
    let [expected, found] = ["reference", "cuda"].map(|device| {
        let report = run(&folder, &format!("{line} --device {device}"), &[]).exits(0).report();
        let part = |k: usize| report["probes"][0]["pressure"][k].as_f64().unwrap();
        (report["iterations"].as_u64().unwrap(), part(0), part(1))
    });
    assert!(expected.0 > 1 && found.0.abs_diff(expected.0) <= 1, "{found:?} {expected:?}");
    assert!((found.1 - expected.1).abs() + (found.2 - expected.2).abs() < 1e-8, "{found:?} {expected:?}");
}
