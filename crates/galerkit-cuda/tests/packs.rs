//! Kernels compiled ahead of time, and side by side. On the emulated GPU, whose compiler leaves its sources in a
//! folder; skipped, visibly, elsewhere.

use galerkit_cuda::jit::{Cache, Compiled, Compiler, Found, Pack, Places};
use galerkit_cuda::{Cuda, Settings, testing};
use galerkit_linalg::engine::{Engine, Recorded};
use galerkit_linalg::krylov::{Stop, cg};
use galerkit_linalg::precond::jacobi;
use galerkit_linalg::sparse::Matrix;
use galerkit_testkit::problems;
use std::path::Path;
use std::process::Command;

/// Set for the process that is to solve.
const CHILD: &str = "GALERKIT_PACK_TEST";

/// Run alone in a process by the test below.
#[test]
fn solved() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let gpu = testing::gpu().unwrap();
    let mut e = Recorded::over(Cuda::new(&gpu, Settings::default()).unwrap());
    let A = problems::hermitian::<f64>(14);
    let b = e.upload(&problems::product(&A, &problems::scattered(A.rows(), 5)));
    let mut x = e.zeros_like(&b);
    let M = e.load(Box::new(jacobi(&A).unwrap()));
    let A = e.load(Box::new(Matrix::Csr(A)));
    let run = cg(&mut e, &A, &M, &b, &mut x, &Stop::default());
    assert!(run.outcome == galerkit_linalg::krylov::Outcome::Converged && e.executor().failure().is_none());
    let facts = e.executor().jit().facts();
    println!("modules {} {} {}", facts.shipped, facts.hits, facts.compiled);
    println!("warning {:?}", facts.warning);
    println!("bits {:?}", galerkit_testkit::bits(&e.download(&x)));
}

/// What a process says that solves with an empty cache: how many modules were shipped, cached and compiled, its
/// warning, and the bits of x.
fn solve(variables: &[(&str, &Path)]) -> ([usize; 3], String, String) {
    let cache = tempfile::tempdir().unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "packs::solved", "--nocapture"]).env(CHILD, "1").env("GALERKIT_CACHE", cache.path());
    command.envs(variables.iter().copied());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let after = |word: &str| {
        let line = text.lines().find_map(|line| line.split_once(word)).unwrap_or_else(|| panic!("{text}"));
        line.1.to_string()
    };
    let counts: Vec<usize> = after("modules ").split(' ').map(|count| count.parse().unwrap()).collect();
    (counts.try_into().unwrap(), after("warning "), after("bits "))
}

/// A pack of the sources in a folder, by the compiler that is there.
fn pack(sources: &Path, file: &Path) {
    let texts =
        std::fs::read_dir(sources).unwrap().map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    let texts: Vec<String> = texts.collect();
    let mut compiler = Found::new(&Places::of_environment(None), Cache::at(sources.join("cache")));
    let mut compile = |text: &String| compiler.compile("program", text, "sm_90").unwrap();
    let made: Vec<_> = texts.iter().map(&mut compile).collect();
    let kernels: Vec<_> = texts.iter().zip(&made).collect();
    let kernels = kernels.iter().map(|(source, made)| Compiled { source, architecture: "sm_90", cubin: &made.0 });
    Pack::write(file, made[0].1, &kernels.collect::<Vec<_>>()).unwrap();
}

#[test]
fn with_a_pack_and_an_empty_cache_a_solve_compiles_nothing() {
    if std::env::var_os("GALERKIT_EMULATED").is_none() {
        return galerkit_testkit::skip("no emulated GPU");
    }
    let folder = tempfile::tempdir().unwrap();
    let (sources, file, none) =
        (folder.path().join("sources"), folder.path().join("galerkit.kernels"), Path::new("none"));
    std::fs::create_dir(&sources).unwrap();
    let (counts, warning, bits) = solve(&[("GALERKIT_EMULATOR_SOURCES", &sources), ("GALERKIT_KERNELS", none)]);
    assert!(matches!(counts, [0, 0, (1..)]) && warning == "None", "{counts:?} {warning}");
    pack(&sources, &file);
    // No compiler is needed then, and the bits are the same.
    let (with_pack, warning, bits_with_pack) =
        solve(&[("GALERKIT_KERNELS", &file), ("GALERKIT_NVRTC", Path::new("/nowhere/libnvrtc.so"))]);
    assert!(matches!(with_pack, [(1..), 0, 0]) && warning == "None", "{with_pack:?} {warning}");
    assert_eq!(bits_with_pack, bits);
    // One that cannot be used is said to be so, once, and is no error.
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[40] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let (without, warning, bits_without) = solve(&[("GALERKIT_KERNELS", &file)]);
    assert!(without == counts && warning.contains("is not used"), "{without:?} {warning}");
    assert_eq!(bits_without, bits);
}

#[test]
fn the_first_program_that_is_compiled_takes_the_others_along() {
    let Some(gpu) = testing::gpu() else { return };
    let mut e = Recorded::over(Cuda::<f64>::new(&gpu, Settings::default()).unwrap());
    let (x, y) = (e.upload(&[1.0; 70]), e.upload(&[2.0; 70]));
    // Constants that no earlier run has had, so that no cache has the sources.
    let unheard = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as f64;
    let routines = [unheard, -unheard].map(|constant| {
        e.compile(|e| {
            let a = e.number(constant);
            let mut z = e.zeros_like(&x);
            e.copy(&y, &mut z);
            e.axpy(a, &x, &mut z);
            vec![e.norm(&z)]
        })
    });
    let compiled = |e: &Recorded<f64, Cuda<f64>>| e.executor().jit().facts().compiled;
    let first = e.run(&routines[0]);
    assert_eq!(compiled(&e), 2, "both, side by side");
    let second = e.run(&routines[1]);
    assert_eq!(compiled(&e), 2);
    drop((first, second));
}
