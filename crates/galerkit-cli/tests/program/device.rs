//! `--device` and `--explain`: what was taken and why is said in one line, a GPU that is not there is an error with its
//! fix, and what ran can be explained. The driver is told to show no GPU, so that these hold on every machine.

use super::{Folder, Ran};

/// Runs on a machine without a GPU, or as if on one.
fn without_gpu(folder: &Folder, arguments: &str) -> Ran {
    let arguments_list = arguments.split_whitespace();
    let output = folder.command().args(arguments_list).env("CUDA_VISIBLE_DEVICES", "-1").output().unwrap();
    Ran::new(arguments, output)
}

/// What is said where no GPU can be used.
fn names_the_lack(text: &str) -> bool {
    text.contains("no NVIDIA driver found") || text.contains("the NVIDIA driver knows no GPU")
}

#[test]
fn auto_says_in_one_line_why_it_took_the_cpu() {
    let folder = Folder::new();
    let large = "solve gallery:poisson2d?n=150 --max-iterations 2 --json -";
    let ran = without_gpu(&folder, large).exits(1);
    let line = ran.stderr.lines().next().unwrap();
    assert!(line.starts_with("device cpu: ") && names_the_lack(line), "{}", ran.stderr);
    let report = ran.report();
    assert_eq!(report["device"], "cpu");
    assert_eq!(format!("device cpu: {}", report["device_reason"].as_str().unwrap()), line);
    assert!(!without_gpu(&folder, &format!("{large} --quiet")).exits(1).stderr.contains("device"));

    let bench = "bench spmv gallery:poisson2d?n=10 --formats csr --repetitions 1 --json -";
    let ran = without_gpu(&folder, bench).exits(0);
    assert!(ran.stderr.starts_with("device cpu: ") && names_the_lack(&ran.stderr), "{}", ran.stderr);
    assert!(names_the_lack(ran.report()["device_reason"].as_str().unwrap()));
}

#[test]
fn a_heart_for_a_cpu_has_fewer_nodes() {
    let folder = Folder::new();
    assert!(without_gpu(&folder, "heart --dry").exits(0).stdout.contains("dx = 1.95\n"));
}

#[test]
fn small_systems_and_elimination_stay_on_the_cpu_and_say_so() {
    let folder = Folder::new();
    let small = folder.run("solve gallery:poisson2d?n=10 --method cg").exits(0);
    assert_eq!(small.stderr, "device cpu: 460 entries are too few for a GPU, which pays from 50000\n");
    for method in ["auto", "cholesky"] {
        let direct = folder.run(&format!("solve gallery:poisson2d?n=10 --method {method}")).exits(0);
        assert_eq!(direct.stderr, "device cpu: cholesky runs on the CPU only\n");
    }
    assert_eq!(folder.run("solve gallery:poisson2d?n=10 --device cpu").exits(0).stderr, "");
    assert_eq!(folder.run("solve gallery:poisson2d?n=10 --device reference").exits(0).stderr, "");
}

#[test]
fn a_gpu_that_is_not_there_is_an_error_that_names_the_fix() {
    let folder = Folder::new();
    for command in
        ["solve gallery:poisson2d?n=10", "bench spmv gallery:poisson2d?n=10", "bench cg gallery:poisson2d?n=10"]
    {
        for device in ["cuda", "cuda:0", "cuda:7"] {
            let ran = without_gpu(&folder, &format!("{command} --device {device}")).fails_saying(&["--device cpu"]);
            assert!(names_the_lack(&ran.stderr), "{}", ran.stderr);
        }
    }
    folder.run("solve gallery:poisson2d?n=10 --device cuda:x").fails_saying(&["cuda:x", "cuda:N"]);
}

#[test]
fn an_iteration_is_explained_pass_by_pass() {
    let folder = Folder::new();
    let ran = folder.run("solve gallery:poisson2d?n=10 --device cpu --precond jacobi --format csr --explain").exits(0);
    let choices = [
        "device          cpu: asked for",
        "method          cg: ",
        "preconditioner  jacobi: asked for",
        "format          csr: asked for",
        "ordering        natural: ",
        "work            4 vectors kept beside b and x; ",
    ];
    for word in choices {
        assert!(ran.stdout.contains(word), "'{word}' is missing in: {}", ran.stdout);
    }
    assert!(ran.stdout.contains("3 passes an iteration on "), "{}", ran.stdout);
    // q = A p with (p, q) in the first; r, z, (r, z), ||r|| and the updates of x and p in the others.
    let passes: Vec<&str> = ran.stdout.split("  pass ").skip(1).collect();
    let lines = |pass: &str| pass.lines().skip(1).filter(|line| line.contains(" = ")).count();
    assert_eq!((lines(passes[0]), lines(passes[1]) + lines(passes[2])), (2, 6), "{}", ran.stdout);
}

#[test]
fn the_bytes_of_an_iteration_are_those_of_its_passes() {
    let folder = Folder::new();
    let ran = folder.run("solve gallery:poisson2d?n=10 --device cpu --format csr --explain --json -").exits(0);
    let report = ran.report();
    // CSR with 64-bit row starts, the diagonal, and vectors of 100 numbers: 12, or 11 where x and p share a pass.
    let vectors = (report["iteration_bytes"].as_i64().unwrap() - (460 * 12 + 101 * 8) - 800) / 800;
    assert!((11..=12).contains(&vectors), "{report}");
    assert!(ran.stderr.contains("pass 3") && report["explanation"].as_str().unwrap().contains("pass 3"));
    let stages: Vec<&str> =
        report["setup_stages"].as_array().unwrap().iter().filter_map(|it| it["stage"].as_str()).collect();
    let common = ["checks", "ordering", "statistics", "conversion", "scaling", "compile", "transfer"];
    assert!(common.iter().all(|stage| stages.contains(stage)) && stages.len() == common.len(), "{stages:?}");
    assert!(report["setup_stages"][0]["seconds"].as_f64().unwrap() > 0.0 && ran.stderr.contains("checks 0."));
    let direct = folder.run("solve gallery:poisson2d?n=10 --method lu --explain").exits(0);
    assert!(direct.stdout.contains("elimination has no iteration to explain"), "{}", direct.stdout);
    let plain = folder.run("solve gallery:poisson2d?n=10 --device reference --explain").exits(0);
    assert!(plain.stdout.contains("nothing is fused"), "{}", plain.stdout);
}
