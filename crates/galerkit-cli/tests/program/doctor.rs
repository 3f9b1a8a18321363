//! `galerkit doctor`: on any machine it ends well and says what to do; the absence of things is made, not hoped for.

use super::{Folder, Ran};

/// Runs doctor where no NVRTC and no GPU can be seen, whatever the machine has. A driver may be there or not.
fn bare(folder: &Folder, arguments: &str) -> Ran {
    let mut command = folder.command();
    for name in ["CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "GALERKIT_NVRTC", "LD_LIBRARY_PATH"] {
        command.env_remove(name);
    }
    command.env("HOME", folder.path()).env("PATH", folder.path()).env("CUDA_VISIBLE_DEVICES", "-1");
    command.env("GALERKIT_CACHE", folder.path().join("cache"));
    let output = command.arg("doctor").args(arguments.split_whitespace()).output().unwrap();
    Ran::new(arguments, output).exits(0)
}

#[test]
fn what_is_missing_comes_with_its_remedy() {
    let folder = Folder::new();
    let text = bare(&folder, "--no-bandwidth").stdout;
    assert!(text.contains("--device auto takes cpu: no "), "{text}");
    let without_driver = text.contains("no NVIDIA driver (libcuda)\n    apt-get install nvidia-driver");
    let without_gpu = text.contains("no GPU that the driver knows\n    see nvidia-smi");
    assert!(without_driver || without_gpu, "{text}");
    // A machine may have an NVRTC under /usr/local or in the loader's path, which cannot be hidden.
    let has_nvrtc = !text.contains("NVRTC          none");
    assert!(
        has_nvrtc || text.contains("no NVRTC, which compiles the GPU kernels\n    pip install nvidia-cuda-nvrtc"),
        "{text}"
    );
}

#[test]
fn the_same_as_json() {
    let folder = Folder::new();
    let report = bare(&folder, "--json").report();
    assert_eq!(report["auto"], "cpu");
    assert_eq!(report["gpus"].as_array().unwrap().len(), 0);
    assert!(report["cpu"]["triad_bandwidth"].as_f64().unwrap() > 1e8);
    assert!(report["cpu"]["threads"].as_u64().unwrap() >= 1);
    assert_eq!(report["cache"]["folder"], folder.path().join("cache/kernels").display().to_string());
    assert_eq!((&report["cache"]["kernels"], &report["cache"]["bytes"]), (&0.into(), &0.into()));
    let missing = report["missing"].as_array().unwrap();
    assert!(missing.iter().any(|entry| entry["needed_for_gpu"] == true));
    assert!(missing.iter().all(|entry| !entry["fix"].as_str().unwrap().is_empty()));
    let unmeasured = bare(&folder, "--json --no-bandwidth").report();
    assert!(unmeasured["cpu"]["triad_bandwidth"].is_null());
}

#[test]
fn a_cache_that_cannot_be_written_is_said() {
    let folder = Folder::new();
    folder.file("cache", "a file in the way");
    let text = bare(&folder, "--no-bandwidth").stdout;
    assert!(text.contains("no cache for compiled kernels") && text.contains("set GALERKIT_CACHE"), "{text}");
}

#[test]
fn kernels_in_the_cache_are_counted() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("cache/kernels")).unwrap();
    folder.file("cache/kernels/0-sm_90-13.0.cubin", "12345");
    folder.file("cache/kernels/1-sm_90-13.0.cubin", "123");
    folder.file("cache/kernels/.1-sm_90-13.0.cubin.77-0.tmp", "unfinished");
    let report = bare(&folder, "--json --no-bandwidth").report();
    assert_eq!((&report["cache"]["kernels"], &report["cache"]["bytes"]), (&2.into(), &8.into()));
}
