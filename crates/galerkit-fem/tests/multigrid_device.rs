//! p-multigrid on a GPU: the kernels of its smoother, and CG with the cycle.

use crate::multigrid::{SMALL, ball_of, graded, scattered, solve};
use galerkit_cuda::jit::{Cache, Found, Places, usage};
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::map::Interface;
use galerkit_cuda::{Cuda, Settings, sources, testing};
use galerkit_fem::multigrid::blocks::blocks;
use galerkit_fem::multigrid::extension::extension_and_reduction;
use galerkit_fem::multigrid::interiors::Interiors;
use galerkit_fem::multigrid::scaling::NodalScaling;
use galerkit_fem::multigrid::{Multigrid, Settings as Choices};
use galerkit_fem::problem::Interior;
use galerkit_fem::{Problem, domain};
use galerkit_linalg::LinearMap;
use galerkit_linalg::backend::Cpu;
use galerkit_linalg::engine::{Engine, Immediate, Operator, Recorded};
use galerkit_linalg::map::{Protocol, in_precision};
use galerkit_linalg::program::Precision;
use galerkit_testkit::distance;
use std::sync::Arc;

/// y = A x on the host, and on the GPU in both precisions.
fn check(gpu: &Arc<Gpu>, map: impl LinearMap<f64> + Clone) {
    let (rows, cols) = map.shape();
    let (x, mut expected) = (scattered(cols), vec![0.0; rows]);
    let values = map.clone().take_values();
    map.apply(&values, &x, &mut expected);
    for (precision, allowed) in [(Precision::Full, 1e-14), (Precision::Single, 64.0 * f64::from(f32::EPSILON))] {
        let mut e = Recorded::over(Cuda::<f64>::new(gpu, Settings::default()).unwrap());
        let A = e.load(in_precision(map.clone(), precision));
        let (x, mut y) = (e.upload_in(&x, precision), e.zeros(rows, precision));
        A.apply(&mut e, &x, &mut y);
        let mut widened = e.zeros(rows, Precision::Full);
        e.copy(&y, &mut widened);
        let apart = distance(&e.download(&widened), &expected);
        assert!(e.executor().failure().is_none(), "{}", e.executor().failure().unwrap());
        assert!(apart < allowed, "{}, {precision:?}: {apart:e}", map.name());
    }
}

#[test]
fn maps_of_smoothers_on_a_gpu_are_those_of_the_host() {
    let Some(gpu) = testing::gpu() else { return };
    for space in [graded(&domain::vertex(1), 2, 2, 1.0), graded(&domain::lshape(1), 4, 1, 1.0)] {
        let diagonal: Vec<f64> = (0..space.unknowns()).map(|i| 1.0 + (i % 7) as f64).collect();
        check(&gpu, NodalScaling::new(blocks(&space), &diagonal));
        let (extension, reduction) = extension_and_reduction(Interiors::new(&space));
        check(&gpu, extension);
        check(&gpu, reduction);
    }
}

/// Also with a coarse system that algebraic multigrid continues, and smoothing in single precision; nothing is asked of
/// the host.
#[test]
fn cg_on_a_gpu_takes_the_cycle() {
    let Some(gpu) = testing::gpu() else { return };
    let problem = Problem::poisson(graded(&domain::lshape(1), 2, 3, 1.0), 1.0);
    check_cycles(&gpu, &problem, &[(20, Precision::Full), (20, Precision::Single), (1, Precision::Full)]);
    check_cycles(&gpu, &ball_of(2, 2), &[(20, Precision::Full), (20, Precision::Single)]);
}

fn check_cycles(gpu: &Arc<Gpu>, problem: &Problem, cases: &[(usize, Precision)]) {
    let A = problem.assemble(Interior::Kept).unwrap().A;
    for &(explicit, precision) in cases {
        let multigrid = Multigrid::new(problem, &Choices { explicit, precision, ..SMALL }).unwrap();
        let (x, of_host) = solve(&mut Immediate::new(Cpu), &A, &multigrid);
        let mut e = Recorded::over(Cuda::<f64>::new(gpu, Settings::default()).unwrap());
        let (y, of_gpu) = solve(&mut e, &A, &multigrid);
        assert!(e.executor().failure().is_none(), "{}", e.executor().failure().unwrap());
        assert_eq!(e.executor().host_products(), 0);
        let (apart, counts) = (distance(&y, &x), (of_gpu.run.iterations, of_host.run.iterations));
        assert!(apart < 1e-7 && counts.0.abs_diff(counts.1) <= 1, "{apart:e}, {counts:?} iterations");
    }
}

#[test]
fn nvrtc_compiles_the_maps_of_smoothers_and_spills_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut found = Found::new(&Places::of_environment(None), Cache::at(folder.path()));
    if let Err(error) = found.look() {
        return galerkit_testkit::skip(&error.to_string());
    }
    let nvrtc = found.load().unwrap();
    let space = graded(&domain::vertex(1), 1, 3, 0.0);
    let scaling = NodalScaling::new(blocks(&space), &vec![1.0; space.unknowns()]);
    let (extension, reduction) = extension_and_reduction(Interiors::new(&space));
    let maps: [&dyn LinearMap<f64>; 3] = [&scaling, &extension, &reduction];
    for device in maps.map(|map| map.device_source().unwrap()) {
        let Protocol::Alone { passes } = device.protocol else { panic!("{:?}", device.protocol) };
        let complete = sources::of_map("smoother", Interface::Passes(passes), &device.source);
        for (name, source) in complete.into_iter().filter(|(name, _)| name.contains(" f")) {
            for kernel in usage(nvrtc, &name, &source, "sm_90").unwrap() {
                assert_eq!(kernel.spills, 0, "{name}: {kernel:?}");
            }
        }
    }
}
