//! Table 2 of source 001, N = 2048, eps_out = 1e-12.

use super::{Method, Way, error, problem};
use galerkit_linalg::backend::Cpu;
use galerkit_linalg::engine::Recorded;
use galerkit_linalg::krylov::Outcome;

/// The columns: S 1e-3, H 1e-3, S 1e-1, H 1e-1.
fn columns() -> [Way; 4] {
    let ways = [Way::new, Way::hybrid];
    [(0, 1e-3), (1, 1e-3), (0, 1e-1), (1, 1e-1)]
        .map(|(hybrid, eps): (usize, f64)| ways[hybrid](Method::Increments, eps))
}

/// gamma, and (inner, outer - 1) of each column.
const TABLE: [(f64, [(usize, usize); 4]); 4] = [
    (0.2, [(57, 3), (57, 3), (36, 6), (36, 6)]),
    (0.4, [(79, 3), (79, 3), (48, 6), (48, 6)]),
    (0.6, [(127, 3), (127, 3), (78, 6), (78, 6)]),
    (0.8, [(279, 3), (279, 3), (204, 7), (204, 7)]),
];

#[test]
fn every_count_up_to_gamma_0_8() {
    for (gamma, published) in TABLE {
        let system = problem(2048, gamma);
        for (way, published) in columns().into_iter().zip(published) {
            let found = system.run(&mut Recorded::new(Cpu), way);
            assert_eq!((found.outcome, found.failures), (Outcome::Converged, 0));
            assert_eq!((found.inner, found.outer - 1), published, "gamma {gamma}, {way:?}");
            assert!(error(&found.x) <= 1e-10, "gamma {gamma}, {way:?}: error {:e}", error(&found.x));
            let last = found.history[found.outer] / found.history[0];
            let gap = (system.residual(&found.x) - last).abs();
            assert!(gap <= 1e-13, "gamma {gamma}, {way:?}: the residuals differ by {gap:e}");
        }
    }
}

/// Sensitive to rounding: within the bounds of the spec, the outer count exactly.
#[test]
fn counts_at_gamma_1() {
    let published: [(f64, f64, usize); 4] =
        [(13688.0, 0.005, 3), (13703.0, 0.05, 3), (17933.0, 0.005, 7), (20623.0, 0.2, 7)];
    let system = problem(2048, 1.0);
    for (way, (inner, bound, outer)) in columns().into_iter().zip(published) {
        let found = system.run(&mut Recorded::new(Cpu), way);
        assert_eq!((found.outcome, found.outer, found.failures), (Outcome::Converged, outer, 0), "{way:?}");
        let off = (found.inner as f64 - inner).abs() / inner;
        assert!(off <= bound, "{way:?}: {} sweeps, published {inner}", found.inner);
    }
}

/// Restarts at 8 or more cannot change the table, and no summation order changes it up to 0.8: a length that is not a
/// multiple of any block, all engines.
#[test]
fn engines_and_restarts_agree_on_the_counts() {
    for gamma in [0.4, 0.8] {
        let system = problem(1001, gamma);
        for way in columns() {
            let found = system.solve(way);
            let restarted = system.solve(Way { restart: 8, ..way });
            assert_eq!(found.counts(), restarted.counts());
            let low = system.solve(Way { hybrid: !way.hybrid, ..way });
            assert_eq!(found.counts(), low.counts(), "standard and hybrid, gamma {gamma}, {way:?}");
            let apart = found.x.iter().zip(&low.x).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
            assert!(apart <= 1e-14 * found.x.iter().fold(0.0, |most: f64, x| most.max(x.abs())), "r_max {apart:e}");
        }
    }
}
