//! Arrays to the GPU and back, small ones by the driver and large ones by several threads through pinned memory: every
//! byte arrives, where it belongs, after what was queued before. The emulated GPU copies as late as it may, so that a
//! missing wait shows.

use bytemuck::Pod;
use galerkit_cuda::launch::{Buffer, Gpu, Staging};
use galerkit_cuda::{Cuda, Settings, testing};
use galerkit_linalg::engine::Executor;
use galerkit_linalg::program::Precision;
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::problems;
use std::fmt::Debug;
use std::sync::Arc;

const MEBI: usize = 1 << 20;
/// A copy of so many bytes pins lanes for four threads.
const MANY: usize = 64 * MEBI;

/// Elements that tell where they belong.
fn elements<T: Pod>(length: usize, seed: u64) -> Vec<T> {
    let mut bytes = vec![0u8; length * size_of::<T>()];
    for (k, word) in bytes.chunks_mut(4).enumerate() {
        let mixed = ((k as u64 ^ seed << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32 & 0x3fff_ffff; // finite as a number
        word.copy_from_slice(&mixed.to_le_bytes()[..word.len()]);
    }
    bytemuck::pod_collect_to_vec(&bytes)
}

/// Lanes exist from now on, whatever the order of tests.
fn warmed() -> Option<Arc<Gpu>> {
    let gpu = testing::gpu()?;
    Buffer::from_slice(&gpu, "many bytes", &vec![1u8; MANY]).unwrap();
    assert!(Staging::lanes(&gpu) > 0, "everything is left to the driver");
    Some(gpu)
}

/// Lengths in bytes around every limit: nothing, one element, the least that is staged, chunks and parts of chunks.
fn lengths(size: usize) -> Vec<usize> {
    let limits = [4 * MEBI, 5 * MEBI, 13 * MEBI + 4096, 37 * MEBI];
    let around = limits.iter().flat_map(|bytes| [bytes / size - 1, bytes / size, bytes / size + 1]);
    [0, 1, 1000].into_iter().chain(around).collect()
}

fn there_and_back<T: Pod + PartialEq + Debug>() {
    let Some(gpu) = warmed() else { return };
    for length in lengths(size_of::<T>()) {
        let host: Vec<T> = elements(length, 1);
        let mut buffer = Buffer::from_slice(&gpu, "a test", &host).unwrap();
        assert!(buffer.download::<T>(length).unwrap() == host, "{length} elements are others");
        let again: Vec<T> = elements(length, 2);
        buffer.clear(); // queued, and to be done before the copy
        buffer.upload(&again).unwrap();
        let mut copy = Buffer::new(&gpu, "a copy", buffer.bytes()).unwrap();
        copy.copy_from(&buffer, buffer.bytes()); // queued, and to be done before the copy back
        buffer.clear();
        assert!(copy.download::<T>(length).unwrap() == again, "{length} elements in the wrong order");
    }
}

#[test]
fn there_and_back_f64() {
    there_and_back::<f64>();
}
#[test]
fn there_and_back_f32() {
    there_and_back::<f32>();
}
#[test]
fn there_and_back_c64() {
    there_and_back::<c64>();
}
#[test]
fn there_and_back_u32() {
    there_and_back::<u32>();
}
/// Chunks are whole elements even where a MiB is not a multiple of them.
#[test]
fn there_and_back_three_words() {
    there_and_back::<[u32; 3]>();
}

#[test]
fn parts_of_a_buffer() {
    let Some(gpu) = warmed() else { return };
    let (first, length) = (MEBI + 7, 3 * MEBI + 5);
    let mut expected: Vec<u32> = elements(6 * MEBI, 3);
    let mut buffer = Buffer::from_slice(&gpu, "a test", &expected).unwrap();
    let part: Vec<u32> = elements(length, 4);
    buffer.upload_at(first, &part).unwrap();
    expected[first..first + length].copy_from_slice(&part);
    assert!(buffer.download::<u32>(6 * MEBI).unwrap() == expected);
    assert!(buffer.download_at::<u32>(first, length).unwrap() == part);
}

/// By every number of threads and chunks of every size, which are what a measurement may ask for.
#[test]
fn every_way() {
    let Some(gpu) = warmed() else { return };
    let host: Vec<u8> = elements(9 * MEBI + 11, 5);
    let mut buffer = Buffer::new(&gpu, "a test", host.len()).unwrap();
    for (threads, chunk) in [(0, MEBI), (1, MEBI), (2, 1 << 16), (3, 100_003), (16, 1 << 18)] {
        buffer.clear();
        buffer.upload_by(Staging::new(threads, chunk), 0, &host).unwrap();
        let mut back = vec![0u8; host.len()];
        buffer.download_by(Staging::new(threads, chunk), 0, &mut back).unwrap();
        assert!(back == host, "{threads} threads, chunks of {chunk}");
    }
}

/// More copies at a time than there are lanes for.
#[test]
fn side_by_side() {
    let Some(gpu) = warmed() else { return };
    std::thread::scope(|scope| {
        for seed in 0..6 {
            let gpu = if seed % 2 == 0 { gpu.clone() } else { testing::gpu().unwrap() };
            scope.spawn(move || {
                let host: Vec<u64> = elements(MEBI + 100 * seed as usize, seed);
                for _ in 0..5 {
                    let buffer = Buffer::from_slice(&gpu, "a test", &host).unwrap();
                    assert!(buffer.download::<u64>(host.len()).unwrap() == host, "{seed}");
                }
            });
        }
    });
}

/// Vectors in single precision are rounded on their way there and widened on their way back.
fn rounded<S: Scalar>() {
    let Some(gpu) = warmed() else { return };
    let mut executor = Cuda::<S>::new(&gpu, Settings::default()).unwrap();
    for length in [0, 1, 1000, 2 * MEBI + 77] {
        let host = problems::scattered::<S>(length, 6);
        let expected: Vec<S> = host.iter().map(|x| S::widen(x.to_single())).collect();
        let x = executor.upload(&host, Precision::Single);
        assert!(executor.download(x) == expected, "{length}");
        let back: Vec<S> = host.iter().rev().copied().collect();
        executor.write(x, &back);
        assert!(executor.download(x).iter().rev().eq(&expected), "{length}, written");
    }
    assert!(executor.failure().is_none());
}

#[test]
fn rounded_f64() {
    rounded::<f64>();
}
#[test]
fn rounded_c32() {
    rounded::<c32>();
}
#[test]
fn rounded_c64() {
    rounded::<c64>();
}

/// Where nothing can be pinned the driver copies. In a process of its own, whose second allocation, the first that is
/// pinned, fails.
#[test]
fn without_pinned_memory() {
    const ALONE: &str = "GALERKIT_EMULATOR_REFUSES";
    if std::env::var_os(ALONE).is_none() {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        let run = command.args(["--exact", "transfer::without_pinned_memory"]).env(ALONE, "2").output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
        return;
    }
    let Some(gpu) = testing::gpu().filter(|gpu| gpu.properties().name.starts_with("emulated")) else { return };
    let host: Vec<u32> = elements(8 * MEBI, 7);
    let buffer = Buffer::from_slice(&gpu, "a test", &host).unwrap();
    assert_eq!(Staging::lanes(&gpu), 0);
    assert!(buffer.download::<u32>(host.len()).unwrap() == host);
}
