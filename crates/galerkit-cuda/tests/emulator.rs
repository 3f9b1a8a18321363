//! The emulated GPU (`cargo xtask emulate`) finds the faults that it is there for. Each runs in a process of its own,
//! because a launch that fails takes the device with it. Skipped, visibly, on real GPUs and where there is none.

use galerkit_cuda::jit::{Cache, Jit};
use galerkit_cuda::launch::{Buffer, Gpu, Shape};
use std::process::Command;

const THREADS: usize = 64;
/// Names the kernel that the process started for it launches.
const FAULT: &str = "GALERKIT_FAULT";

const KERNELS: &str = r#"
struct Args { unsigned *p; unsigned long long n; };
KERNEL sound(const __grid_constant__ Args a) {
    __shared__ unsigned s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    const unsigned next = s[(threadIdx.x + 1) % 64];
    a.p[threadIdx.x] = next + __shfl_xor_sync(0xffffffffu, next, 1);
}
KERNEL no_barrier(const __grid_constant__ Args a) {
    __shared__ unsigned s[64];
    s[threadIdx.x] = threadIdx.x + 1000 * a.p[threadIdx.x];
    a.p[threadIdx.x] = s[(threadIdx.x + 1) % 64];
}
KERNEL behind_the_end(const __grid_constant__ Args a) { a.p[threadIdx.x + 1] = 1; }
KERNEL for_ever(const __grid_constant__ Args a) {
    if (threadIdx.x == 63) while (*(volatile unsigned *)(a.p + 5) != 77) __nanosleep(40);
}
KERNEL half_a_warp(const __grid_constant__ Args a) {
    if (threadIdx.x % 32 < 16) a.p[threadIdx.x] = __shfl_sync(0xffffffffu, threadIdx.x, 3);
    else __syncthreads();
}
KERNEL other_deeds(const __grid_constant__ Args a) {
    if (threadIdx.x % 2) __syncwarp();
    else a.p[threadIdx.x] = __ballot_sync(0xffffffffu, true);
}
KERNEL no_cluster(const __grid_constant__ Args a) { cluster_barrier(); }
"#;

/// The GPU, if it is the emulated one. Where it was asked for, by `cargo xtask emulate`, it must be there: otherwise
/// every other test would skip itself and the run would look good.
fn emulated() -> Option<std::sync::Arc<Gpu>> {
    let opened = Gpu::open(0).map_err(|error| error.to_string());
    let found = opened
        .and_then(|gpu| if gpu.properties().name.starts_with("emulated") { Ok(gpu) } else { Err("a real GPU".into()) });
    if let Err(reason) = &found {
        assert!(std::env::var_os("GALERKIT_EMULATED").is_none(), "the emulated GPU is not there: {reason}");
        galerkit_testkit::skip(reason);
    }
    found.ok()
}

/// Run alone in a process by the tests below, with the kernel's name in the environment.
#[test]
fn launched() {
    let Some(kernel) = std::env::var_os(FAULT) else { return };
    let gpu = emulated().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let source = galerkit_cuda::generate::prelude(galerkit_linalg::ScalarKind::F64)
        + &KERNELS.replace("KERNEL", "extern \"C\" __global__ void");
    let module = Jit::with_cache(&gpu, Cache::at(folder.path())).module("faults", &source).unwrap();
    let buffer = Buffer::from_slice(&gpu, "words", &[1u32; THREADS]).unwrap();
    let kernel = module.kernel(kernel.to_str().unwrap()).unwrap();
    kernel.launch(Shape::new(1, THREADS), &[buffer.address(), THREADS as u64]);
    println!("words {:?}", buffer.download::<u32>(THREADS).unwrap());
}

/// What a process prints that launches a kernel, threads in some order.
fn output(kernel: &str, order: &str) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "emulator::launched", "--nocapture"])
        .env(FAULT, kernel)
        .env("GALERKIT_EMULATOR_ORDER", order);
    let output = command.output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn words(output: &str) -> &str {
    output.lines().find_map(|line| line.split_once("words ")).unwrap_or_else(|| panic!("{output}")).1
}

#[test]
fn a_sound_kernel_does_not_hang_on_the_order_of_threads() {
    let Some(_) = emulated() else { return };
    let expected: Vec<usize> = (0..THREADS).map(|t| (t + 1) % THREADS + ((t ^ 1) + 1) % THREADS).collect();
    for order in ["ascending", "descending", "3"] {
        assert_eq!(words(&output("sound", order)), format!("{expected:?}"));
    }
}

#[test]
fn a_missing_barrier_shows_in_another_order() {
    let Some(_) = emulated() else { return };
    assert_ne!(words(&output("no_barrier", "ascending")), words(&output("no_barrier", "descending")));
}

#[test]
fn faults_are_named_with_their_place() {
    let Some(_) = emulated() else { return };
    for (kernel, complaint) in [
        ("behind_the_end", "no memory at"),
        ("for_ever", "threads wait for what never comes"),
        ("half_a_warp", "threads wait for others"),
        ("other_deeds", "lanes of one warp ask for different things"),
        ("no_cluster", "a barrier of clusters in a launch without"),
    ] {
        let output = output(kernel, "ascending");
        assert!(output.contains(complaint) && output.contains(&format!("{kernel}, block 0, thread")), "{output}");
        assert!(!output.contains("words ["), "{output}");
    }
}
