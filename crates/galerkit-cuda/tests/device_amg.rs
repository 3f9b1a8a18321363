//! The set-up of algebraic multigrid on the GPU: every array of every level is the one that the host makes, bit for
//! bit.

use galerkit_cuda::amg::{Hierarchy, Options, build, in_single, refill, set_up};
use galerkit_cuda::convert::{DeviceCsr, DiagonalOnDevice, OnDevice};
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::{Buffer, Gpu};
use galerkit_cuda::map::{Map, Tuning};
use galerkit_cuda::timing::Product;
use galerkit_cuda::{Cuda, Settings, testing};
use galerkit_linalg::engine::{Engine, Recorded};
use galerkit_linalg::krylov::{Stop, cg, verified};
use galerkit_linalg::map::LinearMap;
use galerkit_linalg::multigrid::amg::{Amg, Built, Levels};
use galerkit_linalg::precond::Prepared;
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{Coo, Csr, Matrix};
use galerkit_linalg::{Scalar, gallery};
use galerkit_testkit::amg::{LEVELS, MILLION, jump, line, problem, residual, rhs};
use galerkit_testkit::bits;
use std::sync::Arc;

fn same<S: Scalar>(what: &str, there: &DeviceCsr<S>, host: &Csr<S>) {
    assert_eq!((there.shape(), there.nnz()), ((host.rows(), host.cols()), host.nnz()), "{what}");
    let there = there.download().unwrap();
    assert!(there.start() == host.start() && there.col() == host.col(), "{what}: patterns differ");
    assert!(bits(there.val()) == bits(host.val()), "{what}: values differ");
}

/// Level for level and array for array.
fn compare<S: Scalar>(what: &str, there: &Hierarchy<S>, host: &Levels<S>) {
    assert_eq!(told(there), line(host), "{what}");
    let matrices = host.levels.iter().skip(1).map(|level| &level.A).chain([&host.A]);
    for (l, (there, (host, next))) in there.levels.iter().zip(host.levels.iter().zip(matrices)).enumerate() {
        assert_eq!(there.facts.is_smoothed, host.is_smoothed, "{what}: level {l}");
        same(&format!("{what}: P of level {l}"), &there.P, &host.P);
        same(&format!("{what}: R of level {l}"), &there.R, &host.R);
        same(&format!("{what}: A of level {}", l + 1), &there.coarse, next.as_ref().unwrap());
        let weights = there.weights.download::<S>(host.weights.len()).unwrap();
        assert!(bits(&weights) == bits(&host.weights), "{what}: weights of level {l} differ");
    }
}

/// The levels as the host's reference writes them.
fn told<S: Scalar>(there: &Hierarchy<S>) -> String {
    let level = |facts: &galerkit_cuda::amg::Facts| {
        format!("{} {} {} {:016x} | ", facts.rows, facts.nnz, facts.rounds, facts.checksum)
    };
    let levels: String = there.levels.iter().map(|made| level(&made.facts)).collect();
    format!("{levels}{} {}", there.last.rows, there.last.nnz)
}

fn on_both<S: Scalar>(gpu: &Arc<Gpu>, what: &str, A: &Csr<S>, amg: &Amg, b: &[Vec<S>], one_pass_from: usize) {
    let host = Levels::new(A, true, amg, b).unwrap();
    let options =
        Options { coarse: amg.coarse, levels: amg.levels, second: amg.second, one_pass_from, ..Options::default() };
    let near_null = b.first().map(|b| Buffer::from_slice(gpu, "b", b).unwrap());
    let there = DeviceCsr::upload(gpu, A).unwrap();
    compare(what, &set_up(gpu, &Jit::new(gpu), &there, near_null, &options).unwrap(), &host);
}

#[test]
fn the_worked_example() {
    let Some(gpu) = testing::gpu() else { return };
    let A = match gallery::build("gallery:poisson1d?n=9").unwrap() {
        gallery::Built::Real(A) => A,
        gallery::Built::Complex(_) => panic!("a real problem"),
    };
    let options = Options { coarse: 4, ..Options::default() };
    let made = set_up(&gpu, &Jit::new(&gpu), &DeviceCsr::upload(&gpu, &A).unwrap(), None, &options).unwrap();
    let level = &made.levels[0];
    assert_eq!(level.aggregates().download::<u32>(9).unwrap(), [0, 0, 1, 1, 1, 1, 2, 2, 2]);
    assert_eq!((level.facts.rounds, level.facts.aggregates), (2, 3));
    let ninth: Vec<f64> = level.P.download().unwrap().val().iter().map(|p| (9.0 * p).round()).collect();
    assert_eq!(ninth, [5.0, 6.0, 3.0, 3.0, 6.0, 9.0, 9.0, 6.0, 3.0, 3.0, 6.0, 9.0, 5.0]);
    on_both(&gpu, "n = 9", &A, &Amg { coarse: 4, ..Amg::default() }, &[], usize::MAX);
}

#[test]
fn levels_are_those_of_the_host() {
    let Some(gpu) = testing::gpu() else { return };
    let amg = Amg { coarse: 60, ..Amg::default() };
    for (name, one_pass_from) in [("p2 24", 0), ("p3 9", usize::MAX), ("p27 9", 0), ("1138_bus", usize::MAX)] {
        let Some(A) = problem(name) else { continue };
        on_both(&gpu, name, &A, &amg, &[], one_pass_from);
    }
    let single = problem("p3 8").unwrap().map_values(|a| a as f32 / 4.0);
    on_both::<f32>(&gpu, "p3 8 in f32", &single, &amg, &[], 0);
    on_both(&gpu, "jump", &jump(2, 24, 4, 1e4), &amg, &[], usize::MAX);
}

/// Paths that meet in one row, whose row of P has a column for each of them.
fn hub(paths: usize, length: usize) -> Csr<f64> {
    let place = |path: usize, k: usize| if k == 0 { 0 } else { 1 + path * length + k - 1 };
    let edges = (0..paths).flat_map(|path| (0..length).map(move |k| (place(path, k), place(path, k + 1))));
    let entries = edges.flat_map(|(i, j)| [(i, j, -1.0), (j, i, -1.0), (i, i, 1.0), (j, j, 1.001)]);
    Coo::from_triples(1 + paths * length, 1 + paths * length, &entries.collect::<Vec<_>>()).unwrap().to_csr().0
}

/// Near-null vectors, isolated rows, a dense row, a long row of P, no second set, few levels.
#[test]
fn edge_cases_are_those_of_the_host() {
    let Some(gpu) = testing::gpu() else { return };
    let amg = Amg { coarse: 40, ..Amg::default() };
    let A = problem("p2 20").unwrap();
    let signs: Vec<f64> = (0..400).map(|i| if (i % 20 + i / 20) % 2 == 0 { 1.0 } else { -2.0 }).collect();
    on_both(&gpu, "a near-null vector", &A, &amg, &[signs], 0);
    on_both(&gpu, "no second set", &A, &Amg { second: 0, ..amg }, &[], 0);
    on_both(&gpu, "two levels", &A, &Amg { levels: 2, ..amg }, &[], 0);
    on_both(&gpu, "small enough", &A, &Amg { coarse: 400, ..amg }, &[], 0);
    let fixed = |i: usize| i.is_multiple_of(7);
    let unit = (0..400).flat_map(|i| A.row(i).map(move |(j, a)| (i, j, a)).collect::<Vec<_>>());
    let unit = unit.filter(|&(i, j, _)| i == j || !fixed(i) && !fixed(j));
    let unit: Vec<_> = unit.map(|(i, j, a)| (i, j, if fixed(i) { 1.0 } else { a })).collect();
    on_both(&gpu, "unit rows", &Coo::from_triples(400, 400, &unit).unwrap().to_csr().0, &amg, &[], usize::MAX);
    let dense = (0..400).flat_map(|i| A.row(i).map(move |(j, a)| (i, j, a)).collect::<Vec<_>>());
    let dense = dense.filter(|&(i, j, _)| i != 0 && j != 0);
    let first = (1..400).flat_map(|j| [(0, j, -1e-3), (j, 0, -1e-3)]).chain([(0, 0, 10.0)]);
    let dense: Vec<_> = dense.chain(first).collect();
    on_both(&gpu, "a dense row", &Coo::from_triples(400, 400, &dense).unwrap().to_csr().0, &amg, &[], 0);
    on_both(&gpu, "a hub", &hub(40, 6), &amg, &[], 0);
    on_both(&gpu, "all isolated", &Csr::<f64>::identity(64), &amg, &[], usize::MAX);
}

#[test]
fn a_refill_is_a_set_up_of_the_same_values() {
    let Some(gpu) = testing::gpu() else { return };
    let (jit, A) = (Jit::new(&gpu), problem("p2 20").unwrap());
    let options = Options { coarse: 40, refillable: true, ..Options::default() };
    let amg = Amg { coarse: 40, ..Amg::default() };
    let there = DeviceCsr::upload(&gpu, &A).unwrap();
    let mut made = set_up(&gpu, &jit, &there, None, &options).unwrap();
    refill(&gpu, &jit, &DeviceCsr::upload(&gpu, &A.map_values(|a| 3.0 * a)).unwrap(), &mut made).unwrap();
    refill(&gpu, &jit, &there, &mut made).unwrap();
    compare("refilled", &made, &Levels::new(&A, true, &amg, &[]).unwrap());
    let mut plain = set_up(&gpu, &jit, &there, None, &Options { coarse: 40, ..Options::default() }).unwrap();
    let Err(refusal) = refill(&gpu, &jit, &there, &mut plain) else { panic!("it was not asked for") };
    assert!(refusal.to_string().contains("refillable"), "{refusal}");
}

#[test]
fn bad_matrices_are_refused_by_name() {
    let Some(gpu) = testing::gpu() else { return };
    let A = problem("p2 20").unwrap();
    let refusal = |change: &dyn Fn(&mut [f64])| {
        let mut A = A.clone();
        change(A.val_mut());
        let there = DeviceCsr::upload(&gpu, &A).unwrap();
        match set_up(&gpu, &Jit::new(&gpu), &there, None, &Options { coarse: 40, ..Options::default() }) {
            Ok(_) => panic!("was set up"),
            Err(error) => error.to_string(),
        }
    };
    assert!(refusal(&|val| val[0] = 0.0).contains("row 1 has a zero or missing diagonal"));
    assert!(refusal(&|val| val[0] = -4.0).contains("row 1 has the diagonal entry -4"));
    assert!(refusal(&|val| val[1] = f64::NAN).contains("row 1, column 2"));
}

#[test]
fn a_matrix_is_rounded_as_on_the_host() {
    let Some(gpu) = testing::gpu() else { return };
    let A = problem("p2 20").unwrap().map_values(|a| 1e30 / 3.0 * a);
    let (single, scale) = in_single(&gpu, &Jit::new(&gpu), &DeviceCsr::upload(&gpu, &A).unwrap()).unwrap();
    assert!((1.0..4.0).contains(&(scale * A.diagonal()[0])));
    same("in single precision", &single, &A.map_values(|a| (a * scale) as f32));
}

/// Slices, rows, very uneven rows, and a diagonal: what is on the GPU multiplies as what the host loads.
#[test]
fn what_is_on_the_gpu_is_a_map() {
    let Some(gpu) = testing::gpu() else { return };
    let uneven =
        |n: usize| (0..n).flat_map(move |i| (0..1 + i % 9 * 3).map(move |k| (i, (i + 5 * k) % n, 1.0 + k as f64)));
    let star = (0..900).map(|i| (i, i, 2.0)).chain((1..900).map(|j| (0, j, 1.0)));
    let of = |triples: Vec<(usize, usize, f64)>, n| Coo::from_triples(n, n, &triples).unwrap().to_csr().0;
    for A in [problem("p2 20").unwrap(), of(uneven(100).collect(), 100), of(star.collect(), 900)] {
        let x: Vec<f64> = (0..A.cols()).map(|j| (j % 5) as f64).collect();
        let expected: Vec<f64> = (0..A.rows()).map(|i| A.row(i).map(|(j, a)| a * x[j]).sum()).collect();
        let there = OnDevice::new(DeviceCsr::upload(&gpu, &A).unwrap());
        let map = Map::load(&gpu, &there, &Tuning::default()).unwrap();
        assert_eq!(Product::of_map(&gpu, map, &x).unwrap().result().unwrap(), expected);
        let (mut y, mut copy) = (vec![0.0; A.rows()], there.clone());
        there.apply(&copy.take_values(), &x, &mut y);
        assert_eq!(y, expected, "on the host");
    }
    let d = Buffer::from_slice(&gpu, "d", &[1.0, 2.0, 3.0]).unwrap();
    let mut d = DiagonalOnDevice::<f64>::new(d);
    assert_eq!((d.shape(), d.take_values()), ((3, 3), vec![1.0, 2.0, 3.0]));
    let map = Map::load(&gpu, &d, &Tuning::default()).unwrap();
    assert_eq!(map.values.as_ref().unwrap().download::<f64>(3).unwrap(), [1.0, 2.0, 3.0]);
}

#[test]
fn levels_become_maps() {
    let Some(gpu) = testing::gpu() else { return };
    let A = DeviceCsr::upload(&gpu, &problem("p2 20").unwrap()).unwrap();
    let made = set_up(&gpu, &Jit::new(&gpu), &A, None, &Options { coarse: 10, ..Options::default() }).unwrap();
    let told: Vec<_> = made.levels.iter().map(|level| (level.P.shape(), level.coarse.shape())).collect();
    let maps = made.maps();
    assert!(told.len() > 1 && maps.levels[0].A.is_none() && maps.last_weights.is_none());
    for (l, (P, coarse)) in told.into_iter().enumerate() {
        let level = &maps.levels[l];
        assert_eq!((level.P.shape(), level.R.shape()), (P, (P.1, P.0)));
        assert_eq!(level.weights.shape(), (P.0, P.0));
        let next = maps.levels.get(l + 1).map_or(&maps.last, |next| &next.A);
        assert_eq!(next.as_ref().map(|A| A.shape()), Some(coarse));
    }
}

/// CG with a cycle over levels of the GPU goes as with those of the host: in full precision, and with f32 inside.
#[test]
fn a_solve_with_levels_of_the_gpu_is_that_of_the_host() {
    let Some(gpu) = testing::gpu() else { return };
    let A = problem("p2 20").unwrap();
    let there = DeviceCsr::upload(&gpu, &A).unwrap();
    for name in ["amg,coarse=20", "amg,coarse=20,precision=f32", "amg,coarse=400", "amg,coarse=20,levels=2"] {
        let amg: Amg = name.parse().unwrap();
        let built = build(&gpu, &Jit::new(&gpu), &there, &amg).unwrap();
        let host = Built::new(&A, true, &amg, &[]).unwrap();
        let sizes = |built: &Built<f64>| -> Vec<_> {
            let told = built.summary();
            told.levels.iter().map(|l| (l.rows, l.nnz, l.aggregates, l.outside, l.rounds, l.checksum)).collect()
        };
        assert_eq!((sizes(&built), built.summary().notes), (sizes(&host), host.summary().notes), "{name}");
        let [(x, count), (expected, host_count)] = [built, host].map(|built| {
            let mut e = Recorded::over(Cuda::new(&gpu, Settings::default()).unwrap());
            let b = e.upload(&rhs(A.rows()));
            let mut x = e.zeros_like(&b);
            let A = e.load(Box::new(Matrix::Csr(A.clone())));
            let M = Prepared::Amg(Box::new(built)).load(&mut e, &A, Precision::Full);
            let result = verified(&mut e, &cg, &A, &*M, &b, &mut x, &Stop { rtol: 1e-8, ..Stop::default() });
            let x = e.download(&x);
            assert!(e.executor().failure().is_none(), "{name}: {}", e.executor().failure().unwrap());
            (x, result.run.iterations)
        });
        assert!(count.abs_diff(host_count) <= 1, "{name}: {count} and {host_count} iterations");
        assert!(
            residual(&A, &x, &rhs(A.rows())) <= 1.1e-8 && residual(&A, &expected, &rhs(A.rows())) <= 1.1e-8,
            "{name}"
        );
    }
}

/// Rows, entries, rounds and checksums of the reference problems.
#[test]
#[ignore = "takes minutes on an emulated GPU"]
fn reference_problems_have_their_checksums() {
    let Some(gpu) = testing::gpu() else { return };
    for (name, expected, _) in LEVELS.into_iter().chain([MILLION]) {
        let Some(A) = problem(name) else { continue };
        let there = DeviceCsr::upload(&gpu, &A).unwrap();
        let made = set_up(&gpu, &Jit::new(&gpu), &there, None, &Options::default()).unwrap();
        assert_eq!(told(&made), expected, "{name}");
        compare(name, &made, &Levels::new(&A, true, &Amg::default(), &[]).unwrap());
    }
}
