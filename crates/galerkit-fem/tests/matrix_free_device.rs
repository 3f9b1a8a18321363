//! The same product on a GPU, and its kernels through the real compiler.

use crate::acoustics::operators::{apart, noise, scenes};
use crate::matrix_free::distance;
use crate::scenes::{random_forest, random_space};
use galerkit_cuda::jit::{Cache, Found, Places, usage};
use galerkit_cuda::map::Interface;
use galerkit_cuda::{Cuda, Settings, sources, testing};
use galerkit_fem::assemble::rules::Rules;
use galerkit_fem::form::{Diffusion, Field, Kappa, Robin};
use galerkit_fem::mesh::generate;
use galerkit_fem::{Forest, KernelVariant, MatrixFree, Problem, Space, domain};
use galerkit_linalg::engine::{Engine, Operator, Recorded};
use galerkit_linalg::krylov::{Stop, cg};
use galerkit_linalg::map::{Protocol, single_map};
use galerkit_linalg::program::Precision;
use galerkit_linalg::random::Random;
use galerkit_linalg::{Diagonal, LinearMap, c64};
use std::sync::Arc;

fn varying(space: Arc<Space>) -> Problem {
    let kappa = Field::of(|x| 1.0 + x[0] * x[0] + 0.5 * (3.0 * x[1]).sin() + x[2] * x[2]);
    Problem::new(space).form(Diffusion::new(kappa)).source(1.0).rules(Rules { extra: 0, ..Rules::default() })
}

/// y = A x on the GPU, in full or in single precision.
fn product(gpu: &Arc<galerkit_cuda::launch::Gpu>, A: &MatrixFree<f64>, x: &[f64], precision: Precision) -> Vec<f64> {
    let mut e = Recorded::over(Cuda::<f64>::new(gpu, Settings::default()).unwrap());
    let map: Box<dyn LinearMap<f64>> = match precision {
        Precision::Full => Box::new(A.clone()),
        Precision::Single => single_map(A.to_single().unwrap()),
    };
    let A = e.load(map);
    let (from, mut to) = (e.zeros(x.len(), precision), e.zeros(x.len(), precision));
    let mut from = from;
    let given = e.upload(x);
    e.copy(&given, &mut from);
    A.apply(&mut e, &from, &mut to);
    let mut result = e.zeros(x.len(), Precision::Full);
    e.copy(&to, &mut result);
    let y = e.download(&result);
    assert!(e.executor().failure().is_none(), "{}", e.executor().failure().unwrap());
    y
}

#[test]
fn the_product_on_a_gpu_is_that_of_the_host() {
    let Some(gpu) = testing::gpu() else { return };
    let mut random = Random::new(71);
    let further = asked_degrees().into_iter().map(|degree| (3, degree));
    for (dim, degree) in [(2, 2), (2, 5), (3, 2), (3, 3)].into_iter().chain(further) {
        let hanging = Arc::new(random_space(dim, 2, degree, &[1], &mut random));
        let regular = Forest::new(&random_mesh(dim)).unwrap();
        let regular = Arc::new(Space::new(regular.clone(), &vec![degree; regular.cells().len()], &[]).unwrap());
        let tag = regular.forest().coarse().boundary_tags()[0];
        let problems = [
            Problem::poisson(hanging.clone(), 1.0),
            varying(hanging).mass(1.0),
            varying(regular.clone()),
            Problem::poisson(regular, 1.0).mass(0.5).robin(Robin::new(tag, 1.0)),
        ];
        for (k, problem) in problems.iter().enumerate() {
            let A = MatrixFree::new(problem).unwrap();
            let x: Vec<f64> = (0..A.unknowns()).map(|_| random.unit() - 0.5).collect();
            let mut expected = vec![0.0; x.len()];
            A.apply(&[], &x, &mut expected);
            for (precision, allowed) in [(Precision::Full, 1e-13), (Precision::Single, 64.0 * f64::from(f32::EPSILON))]
            {
                let y = product(&gpu, &A, &x, precision);
                let (apart, allowed) = (distance(&y, &expected), allowed * (degree as f64 / 5.0).max(1.0));
                assert!(apart < allowed, "dimension {dim}, degree {degree}, problem {k}, {precision:?}: {apart:e}");
                assert_eq!(product(&gpu, &A, &x, precision), y, "other bits the second time");
            }
        }
    }
}

/// The degrees that a run on a real GPU asks for: the emulated one would take minutes.
fn asked_degrees() -> Vec<usize> {
    let asked = std::env::var("GALERKIT_DEGREES").unwrap_or_default();
    asked.split_whitespace().map(|degree| degree.parse().unwrap()).collect()
}

fn random_mesh(dim: usize) -> galerkit_fem::Mesh {
    if dim == 2 { domain::lshape(2) } else { domain::fichera(1) }
}

/// A cube whose cells are no boxes.
fn bent_forest() -> Forest {
    let mut mesh = domain::cube(2);
    mesh.points.iter_mut().for_each(|x| *x = [x[0] + 0.1 * x[1] * x[2], x[1] - 0.05 * x[0], x[2] + 0.2 * x[0] * x[0]]);
    Forest::new(&mesh).unwrap()
}

/// The same, refined here and there.
fn bent_cube(degree: usize) -> Arc<Space> {
    let mut forest = bent_forest();
    forest.refine(&[0]).unwrap();
    let degrees: Vec<usize> = (0..forest.cells().len()).map(|e| degree + e % 2).collect();
    Arc::new(Space::new(forest, &degrees, &[1]).unwrap())
}

#[test]
fn geometry_from_vertices_is_that_of_the_host() {
    let Some(gpu) = testing::gpu() else { return };
    let further = asked_degrees().into_iter().filter(|degree| *degree < 10); // bent_cube takes the next one too
    for degree in [1, 3].into_iter().chain(further) {
        for problem in [Problem::poisson(bent_cube(degree), 1.0), Problem::poisson(bent_cube(degree), 1.0).mass(2.0)] {
            let by_vertices = KernelVariant { highest_by_vertices: 10, ..KernelVariant::default() };
            let A = MatrixFree::new(&problem).unwrap().with_variant(by_vertices);
            assert!(LinearMap::<f64>::device_source(&A).unwrap().source.contains("TRILINEAR = true"));
            let x: Vec<f64> = (0..A.unknowns()).map(|i| (i as f64).sin()).collect();
            let mut expected = vec![0.0; x.len()];
            A.apply_on_threads(&[], &x, &mut expected);
            let apart = distance(&product(&gpu, &A, &x, Precision::Full), &expected);
            assert!(apart < 1e-13 * (degree as f64 / 5.0).max(1.0), "degree {degree}: {apart:e}");
        }
    }
}

#[test]
fn cells_by_matrix_instructions_are_those_of_the_host() {
    let Some(gpu) = testing::gpu() else { return };
    let tiles = KernelVariant { least_by_tiles: 6, ..KernelVariant::default() };
    for (degree, extra) in [(7, 0), (6, 0), (6, 1)] {
        let space = Arc::new(Space::new(bent_forest(), &[degree; 8], &[1]).unwrap());
        let rules = Rules { extra, ..Rules::default() };
        // From vertices, and from stored factors.
        let problems =
            [Problem::poisson(space.clone(), 1.0).mass(2.0), varying(space.clone()), varying(space).mass(1.0)];
        for problem in problems.map(|problem| problem.rules(rules.clone())) {
            let A = MatrixFree::new(&problem).unwrap().with_variant(tiles);
            let x: Vec<f64> = (0..A.unknowns()).map(|i| (i as f64).sin()).collect();
            let mut expected = vec![0.0; x.len()];
            A.apply_on_threads(&[], &x, &mut expected);
            assert!(LinearMap::<f64>::device_source(&A).unwrap().source.contains("tiles.cu"));
            let y = product(&gpu, &A, &x, Precision::Full);
            assert!(distance(&y, &expected) < 1e-13, "degree {degree}: {:e}", distance(&y, &expected));
            assert_eq!(product(&gpu, &A, &x, Precision::Full), y, "other bits the second time");
        }
    }
}

#[test]
fn curved_cells_and_tensors_keep_their_factors() {
    let ball = Forest::new(&generate::ball(1.0, 1, 2).unwrap()).unwrap();
    let ball = Space::new(ball.clone(), &vec![2; ball.cells().len()], &[]).unwrap();
    let kappa = Kappa::Tensor([[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    let problems = [Problem::poisson(ball.into(), 1.0), Problem::new(bent_cube(1)).form(Diffusion { kappa })];
    for problem in problems {
        let source = LinearMap::<f64>::device_source(&MatrixFree::new(&problem).unwrap()).unwrap().source;
        assert!(source.contains("TRILINEAR = false"));
    }
}

#[test]
fn the_energy_of_a_product_is_the_dot_product() {
    let Some(gpu) = testing::gpu() else { return };
    let mut random = Random::new(73);
    let problems = [
        Problem::poisson(Arc::new(random_space(3, 2, 2, &[1], &mut random)), 1.0),
        Problem::poisson(bent_cube(2), 1.0).mass(1.0),
        varying(bent_cube(1)),
    ];
    for problem in problems {
        let A = MatrixFree::new(&problem).unwrap();
        let x: Vec<f64> = (0..A.unknowns()).map(|_| random.unit() - 0.5).collect();
        let mut y = vec![0.0; x.len()];
        A.apply_on_threads(&[], &x, &mut y);
        let expected: f64 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
        let mut e = Recorded::over(Cuda::<f64>::new(&gpu, Settings::default()).unwrap());
        let A = e.load(Box::new(A));
        let (x, mut y) = (e.upload(&x), e.zeros(x.len(), Precision::Full));
        A.apply(&mut e, &x, &mut y);
        let numbers = [e.dot(&x, &y), e.dot(&y, &y)];
        let found = numbers.map(|number| e.value(number));
        assert!((found[0] - expected).abs() < 1e-12 * expected, "{found:?} {expected}");
        let squares: f64 = e.download(&y).iter().map(|y| y * y).sum();
        assert!((found[1] - squares).abs() < 1e-12 * squares, "rows are summed for others all the same");
    }
}

#[test]
fn waves_on_a_gpu_are_those_of_the_host() {
    let Some(gpu) = testing::gpu() else { return };
    for (number, scene) in scenes().into_iter().enumerate() {
        let A = scene().assemble_boundary().unwrap().operator(c64::new(3.0, 0.1)).unwrap();
        assert!(LinearMap::<c64>::device_source(&A).is_some());
        let x = noise(A.unknowns());
        let mut expected = x.clone();
        A.apply(&[], &x, &mut expected);
        let energy: c64 = x.iter().zip(&expected).map(|(x, y)| x.conj() * y).sum();
        let mut e = Recorded::over(Cuda::<c64>::new(&gpu, Settings::default()).unwrap());
        let A = e.load(A.boxed());
        let (x, mut y) = (e.upload(&x), e.zeros(x.len(), Precision::Full));
        A.apply(&mut e, &x, &mut y);
        let dot = e.dot(&x, &y);
        let found = e.value(dot);
        let y = e.download(&y);
        assert!(e.executor().failure().is_none(), "{}", e.executor().failure().unwrap());
        assert!(apart(&y, &expected) < 1e-13, "scene {number}: {:e}", apart(&y, &expected));
        assert!((found - energy.re).abs() < 1e-12 * energy.norm(), "scene {number}: {found} for {energy}");
    }
}

#[test]
fn cells_too_large_for_shared_memory() {
    let Some(gpu) = testing::gpu() else { return };
    let forest = Forest::new(&domain::cube(1)).unwrap();
    let space = Arc::new(Space::new(forest, &[4], &[]).unwrap());
    let problem = varying(space).rules(Rules { extra: 9, ..Rules::default() });
    let A = MatrixFree::new(&problem).unwrap();
    assert_eq!(A.kinds(), [[4, 14, 1]]);
    let x: Vec<f64> = (0..A.unknowns()).map(|i| (i as f64).sin()).collect();
    let mut expected = vec![0.0; x.len()];
    A.apply_on_threads(&[], &x, &mut expected);
    let apart = distance(&product(&gpu, &A, &x, Precision::Full), &expected);
    assert!(apart < 1e-13, "{apart:e}");
}

#[test]
fn cg_on_a_gpu_takes_it_as_any_map() {
    let Some(gpu) = testing::gpu() else { return };
    let mut random = Random::new(72);
    let forest = random_forest(2, 4, &mut random);
    let degrees: Vec<usize> = (0..forest.cells().len()).map(|e| 2 + e % 2).collect();
    let problem = Problem::poisson(Arc::new(Space::new(forest, &degrees, &[1]).unwrap()), 1.0);
    let A = MatrixFree::new(&problem).unwrap();
    let b = A.right_hand_side(&problem).unwrap();
    let inverse = A.diagonal().iter().map(|d| 1.0 / d).collect();
    for replacement in [0, 50] {
        let mut e = Recorded::over(Cuda::<f64>::new(&gpu, Settings::default()).unwrap());
        let (A, M) = (e.load(Box::new(A.clone())), e.load(Box::new(Diagonal::new(Vec::clone(&inverse)))));
        let (b, mut x) = (e.upload(&b), e.zeros(b.len(), Precision::Full));
        let run = cg(&mut e, &A, &M, &b, &mut x, &Stop { rtol: 1e-12, replacement, ..Stop::default() });
        assert!(e.executor().failure().is_none(), "{}", e.executor().failure().unwrap());
        let apart = distance(&e.download(&x), problem.solve().unwrap().unknowns());
        assert!(apart < 1e-9, "{apart:e} after {} iterations", run.iterations);
    }
}

#[test]
fn nvrtc_compiles_the_kernels_and_spills_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut found = Found::new(&Places::of_environment(None), Cache::at(folder.path()));
    if let Err(error) = found.look() {
        return galerkit_testkit::skip(&error.to_string());
    }
    let nvrtc = found.load().unwrap();
    let asked = asked_degrees();
    for p in if asked.is_empty() { vec![2, 5] } else { asked } {
        let space = Arc::new(Space::new(Forest::new(&domain::cube(1)).unwrap(), &[p], &[]).unwrap());
        let bent = Arc::new(Space::new(bent_forest(), &[p; 8], &[]).unwrap());
        let bent = Problem::poisson(bent, 1.0).rules(Rules { extra: 0, ..Rules::default() });
        for problem in [Problem::poisson(space.clone(), 1.0), varying(space), bent] {
            let A = MatrixFree::new(&problem).unwrap();
            let single = A.to_single().unwrap();
            for (scalar, device) in [("f64", LinearMap::<f64>::device_source(&A)), ("f32", single.device_source())] {
                let device = device.unwrap();
                let Protocol::Elements { passes, energy, threads, registers } = device.protocol else {
                    panic!("{:?}", device.protocol)
                };
                let interface = Interface::Elements { passes, energy, threads, registers };
                let complete = sources::of_map("matrix_free", interface, &device.source);
                let (name, source) = complete.into_iter().find(|(name, _)| name.ends_with(scalar)).unwrap();
                for kernel in usage(nvrtc, &name, &source, "sm_90").unwrap() {
                    println!("degree {p} {name} {kernel:?}");
                    assert_eq!(kernel.spills, 0, "degree {p}, {kernel:?}");
                }
            }
        }
    }
}

#[test]
fn nvrtc_compiles_the_kernels_of_waves() {
    let folder = tempfile::tempdir().unwrap();
    let mut found = Found::new(&Places::of_environment(None), Cache::at(folder.path()));
    if let Err(error) = found.look() {
        return galerkit_testkit::skip(&error.to_string());
    }
    let nvrtc = found.load().unwrap();
    for scene in [1, 4] {
        let A = scenes()[scene]().assemble_boundary().unwrap().operator(c64::new(3.0, 0.1)).unwrap();
        let device = LinearMap::<c64>::device_source(&A).unwrap();
        let Protocol::Elements { passes, energy, threads, registers } = device.protocol else {
            panic!("{:?}", device.protocol)
        };
        let interface = Interface::Elements { passes, energy, threads, registers };
        let complete = sources::of_map("waves", interface, &device.source);
        let (name, source) = complete.into_iter().find(|(name, _)| name.ends_with("c64")).unwrap();
        for kernel in usage(nvrtc, &name, &source, "sm_90").unwrap() {
            println!("scene {scene} {name} {kernel:?}");
        }
    }
}
