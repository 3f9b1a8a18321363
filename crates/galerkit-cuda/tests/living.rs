//! Programs that live, on the GPU: pointwise closures, values of maps as vectors, maps that users bring, and routines
//! that are run again, each held against the reference.

use galerkit_cuda::backend::Verbs;
use galerkit_cuda::{Cuda, Settings, Strategy, testing};
use galerkit_linalg::backend::{Backend, Reference};
use galerkit_linalg::engine::{Engine, Entry, Executor, Immediate, Operator, Recorded};
use galerkit_linalg::krylov::{Stop, cg, inner_stop};
use galerkit_linalg::map::{DeviceSource, Diagonal, Gather, GatherSums, Grid, LinearMap, NO_SOURCE, Protocol, Word};
use galerkit_linalg::program::{Outcome, Precision, Run};
use galerkit_linalg::sparse::{Format, Matrix};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::{bits, distance, problems};

/// Every function of an entry; the other lengths are not a multiple of anything.
fn closures<E: Engine>(e: &mut E, n: usize) -> [Vec<E::Scalar>; 3] {
    let mut x = e.upload(&problems::scattered::<E::Scalar>(n, 3));
    let mut y = e.upload(&problems::scattered::<E::Scalar>(n, 4));
    let mut low = e.upload_in(&problems::scattered::<E::Scalar>(n, 5), Precision::Single);
    let two = e.number(2.0);
    e.pointwise([&mut x, &mut y], [&low], |[x, y], [low]| {
        let (half, two) = (E::Entry::constant(0.5), E::Entry::scalar(two));
        let smooth = (x.abs() + half).sqrt().ln().exp() * x.conj() / (y.abs() + two) - y.re().powi(3);
        let chosen = E::Entry::select(E::Entry::both(x.less(y), E::Entry::not(y.at_most(half))), x.min(y), x.max(low));
        let powers = (x.abs() + half).powf(half) + E::Entry::select(E::Entry::either(x.less(y), y.less(x)), y, -x);
        [smooth + chosen, powers]
    });
    let scale = e.dot(&x, &x);
    e.pointwise([&mut low], [&y], |[low], [y]| [low + y / (E::Entry::scalar(scale).abs() + E::Entry::constant(1.0))]);
    [e.download(&x), e.download(&y), e.download(&low)]
}

fn closures_as_the_reference<S: Scalar>(tolerance: f64) {
    let Some(gpu) = testing::gpu() else { return };
    for n in [1, 31, 1000, 5003] {
        let expected = closures(&mut Immediate::<S, _>::new(Reference), n);
        let run = || {
            let mut e = Recorded::over(Cuda::<S>::new(&gpu, Settings::default()).unwrap());
            let found = closures(&mut e, n);
            assert!(e.executor().failure().is_none(), "{}", e.executor().failure().unwrap());
            found
        };
        let found = run();
        for (found, expected) in found.iter().zip(&expected) {
            assert!(distance(found, expected) <= tolerance, "n = {n}: {:e}", distance(found, expected));
        }
        assert_eq!(found.each_ref().map(|x| bits(x)), run().each_ref().map(|x| bits(x)), "other bits");
    }
}

#[test]
fn closures_f64() {
    closures_as_the_reference::<f64>(1e-6); // one of the vectors is in single precision
}
#[test]
fn closures_f32() {
    closures_as_the_reference::<f32>(1e-5);
}
#[test]
fn closures_c64() {
    closures_as_the_reference::<c64>(1e-6);
}
#[test]
fn closures_c32() {
    closures_as_the_reference::<c32>(1e-5);
}

/// Values that a program has computed are those of the next product, in every format.
#[test]
fn values_are_a_vector() {
    let Some(gpu) = testing::gpu() else { return };
    let A = problems::hermitian::<f64>(9);
    let x = problems::scattered::<f64>(A.rows(), 7);
    let doubled = problems::product(&A.map_values(|a| 2.0 * a), &x);
    for format in Format::all() {
        let mut e = Recorded::over(Cuda::<f64>::new(&gpu, Settings::default()).unwrap());
        let stored = Matrix::from_csr(&A, format).unwrap();
        let order = stored.order().cloned();
        let mut matrix = e.load(Box::new(stored));
        e.pointwise([&mut matrix.values], [], |[a], []| [a + a]);
        let inward = order.as_ref().map_or(x.clone(), |order| order.gather(&x).unwrap());
        let (from, mut to) = (e.upload(&inward), e.zeros(A.rows(), Precision::Full));
        matrix.apply(&mut e, &from, &mut to);
        let found = e.download(&to);
        let found = order.as_ref().map_or(found.clone(), |order| order.scatter(&found).unwrap());
        assert!(e.executor().failure().is_none(), "{format}: {}", e.executor().failure().unwrap());
        assert!(distance(&found, &doubled) <= 1e-13, "{format}: {:e}", distance(&found, &doubled));
    }
}

#[test]
fn gathers_and_sums_over_groups() {
    let Some(gpu) = testing::gpu() else { return };
    let x: Vec<f64> = (0..700).map(f64::from).collect();
    let picks = (0..1500u32).map(|i| if i % 5 == 3 { NO_SOURCE } else { i * 7 % 700 }).collect();
    let slots: Vec<u32> = (0..700u32).map(|j| j * j % 43).collect();
    let maps: [Box<dyn LinearMap<f64>>; 2] =
        [Box::new(Gather::new(700, picks).unwrap()), Box::new(GatherSums::into_slots(50, &slots).unwrap())];
    for map in maps {
        let mut expected = vec![0.0; map.shape().0];
        map.apply(&[], &x, &mut expected);
        let mut e = Recorded::over(Cuda::<f64>::new(&gpu, Settings::default()).unwrap());
        let loaded = e.load(map);
        let (from, mut to) = (e.upload(&x), e.zeros(expected.len(), Precision::Full));
        loaded.apply(&mut e, &from, &mut to);
        assert_eq!(e.download(&to), expected);
    }
}

/// 3 on the diagonal, -1 beside it: without kernel source, or with one that stands alone.
#[derive(Clone, Debug)]
struct Chain(usize, Option<&'static str>);

const ALONE: &str = "struct Map { Offset rows; };
template <int PASS> __device__ inline void apply(const Map &A, const Scalar *x, Scalar *y) {
    for (Offset i = thread_index(); i < A.rows; i += thread_count())
        y[i] = 3 * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < A.rows ? x[i + 1] : 0);
}
";

impl LinearMap<f64> for Chain {
    fn shape(&self) -> (usize, usize) {
        (self.0, self.0)
    }
    fn bytes(&self) -> usize {
        0
    }
    fn apply(&self, _: &[f64], x: &[f64], y: &mut [f64]) {
        for i in 0..self.0 {
            let (left, right) = (if i > 0 { x[i - 1] } else { 0.0 }, x.get(i + 1).copied().unwrap_or(0.0));
            y[i] = 3.0 * x[i] - left - right;
        }
    }
    fn device_source(&self) -> Option<DeviceSource> {
        let words = vec![Word::Number(self.0 as u64)];
        let source = self.1?.to_string();
        Some(DeviceSource { source, protocol: Protocol::Alone { passes: 1 }, words, lanes: 1, grid: Grid::Rows })
    }
}

fn chain_by_cg<E: Engine<Scalar = f64>>(e: &mut E, n: usize, source: Option<&'static str>) -> (Vec<f64>, usize) {
    let (A, M) = (e.load(Box::new(Chain(n, source))), e.load(Box::new(Diagonal::new(vec![1.0 / 3.0; n]))));
    let (b, mut x) = (e.upload(&vec![1.0; n]), e.zeros(n, Precision::Full));
    let run = cg(e, &A, &M, &b, &mut x, &Stop { rtol: 1e-12, replacement: 3, ..Stop::default() });
    (e.download(&x), run.iterations)
}

#[test]
fn maps_without_kernel_source_and_with_one_that_stands_alone() {
    let Some(gpu) = testing::gpu() else { return };
    let (expected, there) = chain_by_cg(&mut Immediate::new(Reference), 500, None);
    for source in [None, Some(ALONE)] {
        let mut e = Recorded::over(Cuda::<f64>::new(&gpu, Settings::default()).unwrap());
        let (x, iterations) = chain_by_cg(&mut e, 500, source);
        assert!(e.executor().failure().is_none(), "{}", e.executor().failure().unwrap());
        assert!(iterations.abs_diff(there) <= 1 && distance(&x, &expected) <= 1e-11, "{}", source.is_some());
        assert_eq!(e.executor().host_products() > 0, source.is_none(), "kernels form residuals too");
    }
}

/// b - A x of a map whose kernel stands alone, on the GPU and within rounding.
#[test]
fn residuals_of_maps_that_stand_alone() {
    let Some(gpu) = testing::gpu() else { return };
    for n in [1, 33, 597] {
        let (map, b, x) = (Chain(n, Some(ALONE)), problems::scattered::<f64>(n, 4), problems::scattered::<f64>(n, 5));
        let mut expected = vec![0.0; n];
        map.apply(&[], &x, &mut expected);
        expected.iter_mut().zip(&b).for_each(|(r, b)| *r = b - *r);
        let mut e = Recorded::over(Cuda::<f64>::new(&gpu, Settings::default()).unwrap());
        let A = e.load(Box::new(map.clone()));
        let (on_gpu, x_there, mut r) = (e.upload(&b), e.upload(&x), e.zeros(n, Precision::Full));
        A.residual(&mut e, &on_gpu, &x_there, &mut r);
        assert!(distance(&e.download(&r), &expected) <= 1e-15, "{n}");
        let verbs = Verbs::new(&gpu, Settings::default()).unwrap();
        let (placed, mut r) = (verbs.load(Box::new(map)), vec![f64::NAN; n]);
        verbs.residual(&placed.map, &placed.values, &b, &x, &mut r);
        assert!(distance(&r, &expected) <= 1e-15, "{n}");
        assert_eq!(e.executor().host_products(), 0);
    }
}

/// A time loop with reaction and nested CG, compiled once: every run after the first changes no counter, and the waves
/// agree.
#[test]
fn a_time_loop_runs_again_without_compiling() {
    let Some(gpu) = testing::gpu() else { return };
    let A = problems::laplacian::<f64>(9, 2);
    for strategy in [Strategy::Persistent, Strategy::HostDriven] {
        let settings = Settings { strategy: Some(strategy), ..Settings::default() };
        let mut e = Recorded::over(Cuda::<f64>::new(&gpu, settings).unwrap());
        let mut reference = Recorded::new(Reference);
        let found = time_loop(&mut e, &A);
        assert!(e.executor().failure().is_none(), "{}", e.executor().failure().unwrap());
        assert!(distance(&found, &time_loop(&mut reference, &A)) <= 1e-8, "{strategy:?}");
    }
}

fn time_loop<X: Executor<f64>>(e: &mut Recorded<f64, X>, A: &galerkit_linalg::sparse::Csr<f64>) -> Vec<f64> {
    let n = A.rows();
    let matrix = e.load(Box::new(Matrix::from_csr(A, Format::Sell { height: 32, sigma: 1 }).unwrap()));
    let M = e.load(Box::new(Diagonal::new(A.diagonal().iter().map(|d| 1.0 / d).collect())));
    let (mut phi, mut delta) = (e.upload(&problems::scattered::<f64>(n, 2)), e.zeros(n, Precision::Full));
    let forever = Stop { rtol: 0.0, limit: 4, replacement: 0, patience: 0, ..Stop::default() };
    let inner = inner_stop(1e-10, 200);
    let routine = e.compile(|e| {
        let one = e.number(1.0);
        let _ = e.iterate(&forever, one, |e| {
            e.pointwise([&mut phi], [], |[phi], []| [phi - phi * phi * phi * Entry::constant(0.1)]);
            let zero = e.zeros(n, Precision::Full);
            e.copy(&zero, &mut delta);
            let _ = cg(e, &matrix, &M, &phi, &mut delta, &inner);
            e.pointwise([&mut phi], [&delta], |[phi], [delta]| [phi + delta]);
            e.number(1.0)
        });
        Vec::new()
    });
    let _ = e.run(&routine);
    let before = e.executor().counters();
    let runs = e.run(&routine);
    assert_eq!((runs[0].iterations, before), (4, e.executor().counters()));
    e.download(&phi)
}

/// x, the true residual and what came of it: x = 0 and CG in one program, twice, and then CG alone from the x of the
/// moment.
fn from_zero<X: Executor<f64>>(e: &mut Recorded<f64, X>, b: &[f64], stop: &Stop) -> Vec<(Vec<f64>, f64, Run)> {
    let A = problems::laplacian::<f64>(b.len(), 1);
    let diagonal = A.diagonal().iter().map(|a| 1.0 / a).collect();
    let (matrix, M) = (e.load(Box::new(Matrix::Csr(A))), e.load(Box::new(Diagonal::new(diagonal))));
    let (b, mut x) = (e.upload(b), e.upload(&vec![7.0; b.len()]));
    let mut r = e.zeros_like(&b);
    let mut solve = e.compile(|e| {
        let _ = cg(e, &matrix, &M, &b, &mut x, stop);
        e.residual(&matrix, &b, &x, &mut r);
        vec![e.norm(&r)]
    });
    let begin = |e: &mut Recorded<f64, X>| {
        let zero = e.zeros_like(&x);
        e.copy(&zero, &mut x);
        vec![e.norm(&b)]
    };
    let whole = e.compile_before(begin, &mut solve);
    [&whole, &whole, &solve]
        .map(|routine| {
            let run = e.run(routine).remove(0);
            let norm = e.read_scalar(*routine.scalars.last().unwrap());
            (e.download(&x), norm, run)
        })
        .into()
}

#[test]
fn a_loop_with_what_stands_around_it_is_one_launch_and_has_the_same_answer() {
    let Some(gpu) = testing::gpu() else { return };
    let stop = Stop { rtol: 1e-10, replacement: 0, ..Stop::default() };
    // In one launch, in two, ended by a number that is none, and at an end before it begins.
    let cases = [problems::scattered::<f64>(60, 3), problems::scattered(600, 3), vec![f64::NAN; 60], vec![0.0; 60]];
    for b in cases {
        let expected = from_zero(&mut Recorded::new(Reference), &b, &stop);
        let mut e = Recorded::over(Cuda::<f64>::new(&gpu, Settings::default()).unwrap());
        let found = from_zero(&mut e, &b, &stop);
        assert!(e.executor().failure().is_none(), "{}", e.executor().failure().unwrap());
        let outcomes = |all: &[(Vec<f64>, f64, Run)]| all.iter().map(|it| it.2.outcome).collect::<Vec<Outcome>>();
        assert_eq!(outcomes(&found), outcomes(&expected));
        assert_eq!(bits(&found[0].0), bits(&found[1].0), "the first run has the bits of the second");
        assert_eq!((found[0].1.to_bits(), found[0].2.iterations), (found[1].1.to_bits(), found[1].2.iterations));
        for (found, expected) in found.iter().zip(&expected).filter(|(_, expected)| expected.1.is_finite()) {
            assert!(distance(&found.0, &expected.0) <= 1e-8, "{:e}", distance(&found.0, &expected.0));
            assert!((found.1 - expected.1).abs() <= 1e-8 * (1.0 + expected.1), "{} {}", found.1, expected.1);
        }
    }
}
