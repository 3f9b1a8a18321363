//! Pipelined sweeps against natural order, bit for bit; plans that can be checked by hand; and that sweeps end wherever
//! they are called from.

use super::Schedule;
use super::apart::{Apart, seams};
use super::pipeline::Pipeline;
use super::plan::{Need, Order, Plan, cuts};
use crate::gallery::{Stencil, poisson1d, poisson2d, poisson3d};
use crate::map::Triangular;
use crate::precond::{Factors, Ssor, diagonal_blocks, ilu0};
use crate::scalar::{Scalar, c32, c64};
use crate::sparse::{Coo, Csr};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::LazyLock;

/// Pools of 1 to 4 threads.
static POOLS: LazyLock<Vec<ThreadPool>> =
    LazyLock::new(|| (1..=4).map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap()).collect());

/// Numbers whose sums depend on their order.
fn uneven<S: Scalar>(k: usize) -> S {
    S::from_parts(1.0 / (3 + k % 11) as f64, 1.0 / (7 + k % 5) as f64)
}

/// Entries at the places, uneven numbers, and a diagonal that dominates.
fn matrix<S: Scalar>(n: usize, places: &[(usize, usize)]) -> Csr<S> {
    let away = places.iter().enumerate().filter(|(_, (i, j))| i != j);
    let mut triples: Vec<_> = away.map(|(k, &(i, j))| (i, j, uneven::<S>(k))).collect();
    triples.extend((0..n).map(|i| (i, i, S::from_f64(places.len() as f64 + 1.0))));
    Coo::from_triples(n, n, &triples).unwrap().to_csr().0
}

fn natural<S: Scalar>(M: &impl Triangular<S>, x: &[S]) -> Vec<S> {
    let mut y = vec![S::zero(); x.len()];
    M.solve(x, &mut y);
    y
}

fn right_hand_side<S: Scalar>(n: usize) -> Vec<S> {
    (0..n).map(|i| uneven(5 * i + 2)).collect()
}

/// The pipeline of so many threads in a pool of as many, and of one.
fn check<S: Scalar>(M: &impl Triangular<S>, threads: usize, chunk: usize, block: usize) {
    let x = right_hand_side::<S>(M.scale().len());
    let expected = natural(M, &x);
    let pipeline = Pipeline::with_sizes(M, threads, chunk, block).unwrap();
    for pool in [&POOLS[threads - 1], &POOLS[0]] {
        let mut y = vec![S::from_f64(f64::NAN); x.len()];
        pool.install(|| pipeline.apply(M, M.own(), &x, &mut y));
        assert!(y == expected, "{threads} threads, chunks of {chunk}, blocks of {block}");
    }
    let mut y = vec![S::from_f64(f64::NAN); x.len()];
    Schedule::Alone.apply(M, M.own(), &x, &mut y);
    assert!(y == expected, "alone");
}

fn check_both<S: Scalar>(n: usize, places: &[(usize, usize)], threads: usize, chunk: usize, block: usize) {
    let A = matrix::<S>(n, places);
    check(&Ssor::from_csr(&A, 1.3).unwrap(), threads, chunk, block);
    check(&ilu0(&A).unwrap(), threads, chunk, block);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150, failure_persistence: None, rng_seed: RngSeed::Fixed(3), ..ProptestConfig::default()
    })]

    /// Any pattern, symmetric or not; every chunk size down to single rows.
    #[test]
    fn pipelined_sweeps_have_the_bits_of_natural_order(
        n in 0usize..70,
        pairs in prop::collection::vec((0usize..70, 0usize..70), 0..300),
        mirrored in any::<bool>(),
        threads in 1usize..=4,
        chunk in 1usize..12,
        block in 1usize..6,
    ) {
        let inside = pairs.into_iter().filter(|&(i, j)| i < n && j < n);
        let places: Vec<_> = if mirrored { inside.flat_map(|(i, j)| [(i, j), (j, i)]).collect() } else { inside.collect() };
        check_both::<f64>(n, &places, threads, chunk, block);
        check_both::<f32>(n, &places, threads, chunk, block);
        check_both::<c64>(n, &places, threads, chunk, block);
        check_both::<c32>(n, &places, threads, chunk, block);
    }
}

/// Lines of 3 points, two of them a chunk apart: each point needs the one before it and the one below it.
#[test]
fn a_grid_is_cut_at_its_lines() {
    let A = poisson2d(3, Stencil::Points5).unwrap();
    let M = ilu0(&A).unwrap();
    let order = Order::ascending(M.lower()).unwrap();
    assert_eq!(order.distances(), [1, 1, 1, 3, 1, 1, 3, 1, 1]);
    let lines = cuts(&order.distances(), 2);
    assert_eq!(lines, [0, 3, 6, 9]);
    let plan = Plan::new(order, lines, 2);
    assert_eq!((plan.chunks(), plan.blocks(1).collect::<Vec<_>>()), (3, vec![3..5, 5..6]));
    let need = |chunk, blocks| vec![Need { chunk, blocks }];
    let needs: Vec<_> = (0..3).flat_map(|c| [plan.needs(c, 0).to_vec(), plan.needs(c, 1).to_vec()]).collect();
    assert_eq!(needs, [vec![], vec![], need(0, 1), need(0, 2), need(1, 1), need(1, 2)]);
    let back = Order::descending(M.upper()).unwrap();
    assert_eq!(back.distances(), order.distances()); // the grid looks the same from its other end
}

/// What an earlier block of the chunk has waited for is not waited for again.
#[test]
fn a_need_is_listed_once() {
    let M = Ssor::from_csr(&matrix::<f64>(6, &[(3, 2), (4, 0), (4, 2), (5, 1)]), 1.0).unwrap();
    let plan = Plan::new(Order::ascending(M.lower()).unwrap(), vec![0, 3, 6], 1);
    let needs: Vec<_> = (0..3).map(|b| plan.needs(1, b).to_vec()).collect();
    assert_eq!(needs, [vec![Need { chunk: 0, blocks: 3 }], vec![], vec![]]);
}

#[test]
fn triangles_with_entries_on_the_wrong_side_are_not_pipelined() {
    let A = matrix::<f64>(3, &[(0, 1), (1, 0)]);
    assert!(Order::ascending(&A).is_none() && Order::descending(&A).is_none());
}

/// Rows 0 and 1 need each other by L, rows 2 to 4 by U and L, row 5 nothing.
#[test]
fn what_falls_apart_is_seen() {
    let seams_of = |places: &[(usize, usize)]| seams(&Ssor::from_csr(&matrix::<f64>(6, places), 1.0).unwrap());
    assert_eq!(seams_of(&[(1, 0), (2, 4), (3, 2)]), [2, 5, 6]);
    assert_eq!(seams_of(&[(2, 4), (3, 2), (5, 0)]), [6]);
    assert_eq!(seams_of(&[(0, 5)]), [6]);
    assert_eq!(seams_of(&[]), [1, 2, 3, 4, 5, 6]);
}

/// As many blocks as threads: a range each. Many blocks: joined to a few ranges, none of which cuts a block. Blocks of
/// which one has most of the rows, fewer than threads, or none: not worth it, or better chunk behind chunk.
#[test]
fn blocks_wait_for_nobody() {
    let grid = poisson3d(50, Stencil::Points7).unwrap();
    let blocks = |count: usize| ilu0(&diagonal_blocks(&grid, count).unwrap()).unwrap();
    for threads in 2..=4 {
        let M = blocks(threads);
        let apart = Apart::new(&M, threads).unwrap();
        let expected: Vec<_> = (0..threads).map(|k| k * 125_000 / threads..(k + 1) * 125_000 / threads).collect();
        assert_eq!(apart.ranges(), expected);
        assert!(apart.gain > 0.9 * threads as f64 && apart.gain <= threads as f64, "{}", apart.gain);
        assert!(matches!(schedule(&M, threads), Schedule::Apart(_)));
    }
    let apart = Apart::new(&blocks(1250), 2).unwrap();
    assert!((6..=9).contains(&apart.ranges().len()) && apart.gain > 1.8, "{:?} {}", apart.ranges(), apart.gain);
    assert!(apart.ranges().iter().all(|range| range.start % 100 == 0 && range.end % 100 == 0));
    assert!(apart.ranges().windows(2).all(|pair| pair[0].end == pair[1].start));
    assert_eq!((apart.ranges()[0].start, apart.ranges()[apart.ranges().len() - 1].end), (0, 125_000));
    assert!(matches!(schedule(&blocks(2), 4), Schedule::Pipelined(_)));
    assert!(Apart::new(&ilu0(&grid).unwrap(), 2).is_none() && Apart::new(&blocks(2), 1).is_none());
    let chain = poisson1d(100_000).unwrap();
    let triples = (0..100_000).flat_map(|i| chain.row(i).map(move |(j, a)| (i, j, a)));
    let cut: Vec<_> = triples.filter(|&(i, j, _)| (i < 90_000) == (j < 90_000)).collect();
    let uneven = ilu0(&Coo::from_triples(100_000, 100_000, &cut).unwrap().to_csr().0).unwrap();
    assert_eq!(seams(&uneven), [90_000, 100_000]);
    assert!(Apart::new(&uneven, 2).is_none());
}

/// The schedule for so many threads; it has the bits of natural order.
fn schedule(M: &Factors<f64>, threads: usize) -> Schedule {
    let schedule = POOLS[threads - 1].install(|| Schedule::new(M));
    let x = right_hand_side::<f64>(M.rows());
    for pool in [&POOLS[threads - 1], &POOLS[0]] {
        let mut y = vec![f64::NAN; x.len()];
        pool.install(|| schedule.apply(M, M.own(), &x, &mut y));
        assert!(y == natural(M, &x));
    }
    schedule
}

fn is_pipelined(A: &Csr<f64>, threads: usize) -> bool {
    let M = ilu0(A).unwrap();
    matches!(schedule(&M, threads), Schedule::Pipelined(_))
}

/// Planes of a grid follow each other; a chain of rows, a small system and a single thread have nothing to gain.
#[test]
fn threads_are_used_where_they_gain() {
    for threads in 2..=4 {
        assert!(is_pipelined(&poisson3d(40, Stencil::Points7).unwrap(), threads));
        assert!(is_pipelined(&poisson3d(30, Stencil::Points27).unwrap(), threads));
    }
    assert!(matches!(schedule(&ilu0(&Csr::identity(100_000)).unwrap(), 2), Schedule::Apart(_)));
    assert!(!is_pipelined(&poisson1d(100_000).unwrap(), 4));
    assert!(!is_pipelined(&poisson2d(20, Stencil::Points5).unwrap(), 4));
    assert!(!is_pipelined(&poisson3d(40, Stencil::Points7).unwrap(), 1));
    assert!(!is_pipelined(&Csr::identity(0), 4));
}

fn grid() -> Factors<f64> {
    ilu0(&poisson3d(16, Stencil::Points7).unwrap()).unwrap()
}

/// Planned for more threads than there are, called from within work of the same pool, several times at once.
#[test]
fn sweeps_end_wherever_they_are_called_from() {
    let M = grid();
    let x = right_hand_side::<f64>(M.rows());
    let expected = natural(&M, &x);
    for threads in 1..=4 {
        let pipeline = Pipeline::with_sizes(&M, 4, 256, 16).unwrap();
        let apply = || {
            let mut y = vec![f64::NAN; x.len()];
            pipeline.apply(&M, M.own(), &x, &mut y);
            y == expected
        };
        assert!(apply(), "outside of any pool of ours");
        let pool = &POOLS[threads - 1];
        assert!(pool.install(|| (0..24).into_par_iter().all(|_| apply())), "{threads} threads");
        assert!(pool.install(|| rayon::join(apply, || rayon::join(apply, apply))) == (true, (true, true)));
    }
}

/// A preconditioner that panics in one row.
struct Failing(Factors<f64>);

impl Triangular<f64> for Failing {
    fn lower(&self) -> &Csr<f64> {
        self.0.lower()
    }
    fn upper(&self) -> &Csr<f64> {
        self.0.upper()
    }
    fn scale(&self) -> &[f64] {
        self.0.inverse()
    }
    fn forward(&self, _: f64, x: f64, sum: f64) -> f64 {
        assert!(x < 5.0, "too large");
        x - sum
    }
    fn backward(&self, scale: f64, u: f64, sum: f64) -> f64 {
        scale * (u - sum)
    }
}

#[test]
fn a_panic_in_one_thread_ends_the_others() {
    let M = Failing(grid());
    let mut x = vec![1.0; M.0.rows()];
    x[700] = 6.0;
    let pipeline = Pipeline::with_sizes(&M, 3, 256, 16).unwrap();
    let run = || POOLS[2].install(|| pipeline.apply(&M, M.own(), &x, &mut vec![0.0; x.len()]));
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
}

/// Bicubic collocation on n x n elements as source 003 numbers it: rows need others of the two columns of elements
/// before, 8 n levels.
fn collocation(n: usize) -> Csr<f64> {
    let size = 2 * n;
    let near = move |r: usize| (2 * (r / 2)).saturating_sub(1)..(2 * (r / 2) + 3).min(size);
    let entries = (0..size * size).flat_map(move |row| {
        let (i, j) = (row / size, row % size);
        near(i).flat_map(move |a| near(j).map(move |b| (row, a * size + b, if (a, b) == (i, j) { 20.0 } else { 1.0 })))
    });
    Coo::from_triples(size * size, size * size, &entries.collect::<Vec<_>>()).unwrap().to_csr().0
}

#[test]
fn threads_that_would_only_wait_are_left_out() {
    let M = ilu0(&collocation(160)).unwrap();
    let busy = |threads| Pipeline::new(&M, threads).unwrap().threads;
    assert_eq!([busy(2), busy(4), busy(16)], [2, 2, 2]);
}
