//! The cache in front of a compiler that only counts: no GPU, no NVRTC.

use super::*;
use crate::error::Error;
use crate::jit::Version;
use std::fs;
use std::path::PathBuf;

/// Machine code that says what it was made of.
struct Fake {
    version: Option<Version>,
    calls: usize,
}

impl Compiler for Fake {
    fn version(&mut self) -> Result<Version> {
        self.version.ok_or(Error::NoNvrtc { looked: "nowhere".into() })
    }
    fn compile(&mut self, _: &str, source: &str, architecture: &str) -> Result<(Vec<u8>, Version)> {
        let version = self.version()?;
        self.calls += 1;
        Ok((format!("{source} {architecture} {version:?}").into_bytes(), version))
    }
}

fn cubins(folder: &tempfile::TempDir, version: Option<Version>, architecture: &str) -> Cubins<Fake> {
    Cubins::new(Fake { version, calls: 0 }, Cache::at(folder.path().join("kernels")), architecture, 13)
}

/// The machine code, and how often the compiler ran for it in a fresh process.
fn ask(folder: &tempfile::TempDir, version: Version, architecture: &str, source: &str) -> (String, usize) {
    let mut cubins = cubins(folder, Some(version), architecture);
    let (cubin, origin) = cubins.get("k", source).unwrap();
    let is_cached = origin == Origin::Cache;
    assert_eq!(is_cached, cubins.compiler.calls == 0);
    assert_eq!((cubins.hits, cubins.compiled), (usize::from(is_cached), cubins.compiler.calls));
    assert_eq!(cubins.warning, None);
    (String::from_utf8(cubin).unwrap(), cubins.compiler.calls)
}

fn only_file(folder: &tempfile::TempDir) -> PathBuf {
    let files: Vec<PathBuf> = fs::read_dir(folder.path().join("kernels")).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}

#[test]
fn hits_only_for_the_same_source_architecture_and_version() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(ask(&folder, (13, 0), "sm_90", "a"), ("a sm_90 (13, 0)".into(), 1));
    assert_eq!(ask(&folder, (13, 0), "sm_90", "a"), ("a sm_90 (13, 0)".into(), 0));
    assert_eq!(ask(&folder, (13, 1), "sm_90", "a"), ("a sm_90 (13, 1)".into(), 1));
    assert_eq!(ask(&folder, (13, 0), "sm_80", "a"), ("a sm_80 (13, 0)".into(), 1));
    assert_eq!(ask(&folder, (13, 0), "sm_90", "b"), ("b sm_90 (13, 0)".into(), 1));
    assert_eq!(ask(&folder, (13, 0), "sm_90", "a").1, 0);
    assert_eq!(Cache::at(folder.path().join("kernels")).contents().0, 4);
}

#[test]
fn damaged_entries_are_compiled_again_and_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    ask(&folder, (13, 0), "sm_90", "a");
    let file = only_file(&folder);
    let whole = fs::read(&file).unwrap();
    let mut flipped = whole.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let mut other_format = whole.clone();
    other_format[0] ^= 1;
    let damaged = [flipped, other_format, whole[..whole.len() - 1].to_vec(), whole[..20].to_vec(), Vec::new()];
    for bytes in damaged {
        fs::write(&file, bytes).unwrap();
        assert_eq!(ask(&folder, (13, 0), "sm_90", "a"), ("a sm_90 (13, 0)".into(), 1));
        assert_eq!(fs::read(&file).unwrap(), whole);
        assert_eq!(ask(&folder, (13, 0), "sm_90", "a").1, 0);
    }
}

#[test]
fn without_a_compiler_the_newest_whole_entry_that_fits_is_used() {
    let folder = tempfile::tempdir().unwrap();
    for version in [(12, 8), (12, 10), (14, 0)] {
        ask(&folder, version, "sm_90", "a");
    }
    let without = |architecture, source| cubins(&folder, None, architecture).get("k", source);
    assert_eq!(without("sm_90", "a").unwrap(), (b"a sm_90 (12, 10)".to_vec(), Origin::Cache)); // 14 is too new for the driver
    assert!(matches!(without("sm_80", "a"), Err(Error::NoNvrtc { .. })));
    assert!(matches!(without("sm_90", "b"), Err(Error::NoNvrtc { .. })));
}

#[test]
fn a_folder_that_cannot_be_written_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("kernels"), "a file in the way").unwrap();
    let mut cubins = cubins(&folder, Some((13, 0)), "sm_90");
    assert_eq!(cubins.get("k", "a").unwrap(), (b"a sm_90 (13, 0)".to_vec(), Origin::Compiler));
    assert!(cubins.warning.unwrap().contains("kernels"));
}

#[test]
fn many_threads_at_once() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for source in 0..40 {
                    let source = format!("{source} {}", "x".repeat(100_000));
                    assert_eq!(ask(&folder, (13, 0), "sm_90", &source).0, format!("{source} sm_90 (13, 0)"));
                }
            });
        }
    });
    assert_eq!(fs::read_dir(folder.path().join("kernels")).unwrap().count(), 40); // and no temporary file
    assert_eq!(ask(&folder, (13, 0), "sm_90", &format!("7 {}", "x".repeat(100_000))).1, 0);
}

/// Set for the process below.
const FULL: &str = "GALERKIT_FULL_DISK";

/// Run alone, by the test below, where no file may grow beyond a few hundred bytes.
#[test]
fn on_a_full_disk() {
    let Some(folder) = std::env::var_os(FULL).map(PathBuf::from) else { return };
    let long = "a".repeat(5000);
    let mut cubins = Cubins::new(Fake { version: Some((13, 0)), calls: 0 }, Cache::at(&folder), "sm_90", 13);
    let (cubin, origin) = cubins.get("k", &long).unwrap();
    assert!(origin == Origin::Compiler && cubin.len() > 5000);
    let said = cubins.warning.clone().expect("it cannot be kept");
    assert!(said.contains("are not kept") && said.contains("File too large"), "{said}");
    assert!(cache_warning().is_some_and(|said| said.contains("are not kept")));
    // What is compiled ahead is not compiled a second time, though nothing could be kept.
    let sources = ["b".repeat(5000), "c".repeat(5000)];
    cubins.make_ahead("k", &[&sources[0], &sources[1]]);
    sources.iter().for_each(|source| assert_eq!(cubins.get("k", source).unwrap().1, Origin::Compiler));
    assert_eq!((cubins.compiled, cubins.compiler.calls), (3, 3));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing half-written");
}

#[test]
fn a_full_disk_costs_the_cache_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" --exact jit::cubins::tests::on_a_full_disk --nocapture"]);
    let output = command.arg(std::env::current_exe().unwrap()).env(FULL, folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
fn what_is_packed_needs_neither_cache_nor_compiler_unless_the_driver_refuses_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("galerkit.kernels");
    let packed = crate::jit::Compiled { source: "a", architecture: "sm_80", cubin: b"packed" };
    Pack::write(&path, (13, 0), &[packed]).unwrap();
    let ask = |version, architecture: &str| {
        let mut cubins = cubins(&folder, version, architecture);
        cubins.pack = Some(Pack::open(&path).unwrap());
        cubins
    };
    // No NVRTC; and a GPU of the same generation that takes the same machine code.
    for architecture in ["sm_80", "sm_86"] {
        let mut cubins = ask(None, architecture);
        assert!(cubins.has("a") && !cubins.has("b"));
        assert_eq!(cubins.get("k", "a").unwrap(), (b"packed".to_vec(), Origin::Pack));
        assert_eq!((cubins.shipped, cubins.hits, cubins.compiled), (1, 0, 0));
    }
    assert!(ask(None, "sm_90").get("k", "a").is_err());
    let mut cubins = ask(Some((13, 0)), "sm_80");
    cubins.make_ahead("k", &["a", "b"]);
    assert_eq!(cubins.compiler.calls, 1, "only what is not packed");
    cubins.refuse_pack();
    assert_eq!(cubins.get("k", "a").unwrap().1, Origin::Compiler);
    assert!(cubins.warning.unwrap().contains("is not used"));
}
