//! Kernels from compiler and cache, loaded and launched on a GPU. Skipped, visibly, where there is none.

use galerkit_cuda::bandwidth::{measure_with, source};
use galerkit_cuda::jit::{Cache, Jit};
use galerkit_cuda::launch::Gpu;
use std::fs;
use std::sync::Arc;

fn gpu() -> Option<Arc<Gpu>> {
    Gpu::open(0).map_err(|error| galerkit_testkit::skip(&error.to_string())).ok()
}

#[test]
fn compiled_once_then_from_memory_then_from_disk() {
    let Some(gpu) = gpu() else { return };
    let folder = tempfile::tempdir().unwrap();
    let counts = |jit: &Jit| (jit.facts().repeated, jit.facts().hits, jit.facts().compiled);
    let first = Jit::with_cache(&gpu, Cache::at(folder.path()));
    first.module("bandwidth", &source()).unwrap();
    first.module("bandwidth", &source()).unwrap();
    assert_eq!(counts(&first), (1, 0, 1));
    let second = Jit::with_cache(&gpu, Cache::at(folder.path()));
    second.module("bandwidth", &source()).unwrap();
    assert_eq!((counts(&second), second.facts().warning), ((0, 1, 0), None));
}

#[test]
fn machine_code_that_the_driver_refuses_is_made_again() {
    let Some(gpu) = gpu() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cache = || Cache::at(folder.path());
    let kernels = || {
        let entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "cubin")).collect::<Vec<_>>()
    };
    let other = "extern \"C\" __global__ void other(int *p) { *p = 1; }";
    Jit::with_cache(&gpu, cache()).module("bandwidth", &source()).unwrap();
    let (file, whole) = (kernels()[0].clone(), fs::read(&kernels()[0]).unwrap());
    // Machine code of another architecture under this one's name: whole by its checksum, no use to this driver.
    let foreign = if gpu.properties().capability == (8, 0) { "sm_90" } else { "sm_80" };
    let mut compiler = galerkit_cuda::jit::Found::new(&galerkit_cuda::jit::Places::of_environment(None), cache());
    let (cubin, _) = galerkit_cuda::jit::Compiler::compile(&mut compiler, "other", other, foreign).unwrap();
    fs::write(&file, galerkit_cuda::jit::packed(&cubin)).unwrap();
    let jit = Jit::with_cache(&gpu, cache());
    jit.module("bandwidth", &source()).unwrap().kernel("bandwidth_read").unwrap();
    assert_eq!((jit.facts().hits, jit.facts().compiled), (1, 1));
    assert_eq!(fs::read(&file).unwrap(), whole);
}

#[test]
fn bandwidth_is_measured_and_everything_is_read() {
    let Some(gpu) = gpu() else { return };
    let folder = tempfile::tempdir().unwrap();
    let jit = Jit::with_cache(&gpu, Cache::at(folder.path()));
    for bytes in [32, 1 << 20, (256 << 20) + 16] {
        let measured = measure_with(&gpu, &jit, bytes).unwrap();
        assert!(measured.read > 0.0 && measured.copy > 0.0, "{measured:?}");
        assert_eq!(measured.bytes, bytes / 32 * 32);
    }
}
