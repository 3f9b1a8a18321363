//! What an application of incomplete factors costs on a GPU, by each way to solve with their triangles; a model, from
//! benches/results/2026-11-17-h200/triangular.txt:
//!
//! ```text
//! exact      steps * (STEP + ENTRY * entries of a row) + bytes / (EXACT * bandwidth)       steps: levels of both triangles
//! K sweeps   K * max(2 PASS, bytes / (SWEPT * bandwidth))                                  bytes: both triangles and vectors
//! work       iterations * (application + rest of an iteration)
//! ```
//!
//! Iterations are relative to those of exact solves in the order that is there otherwise. Rows of one colour wait for
//! nobody of theirs, so there are as many levels as colours, where a grid in natural order has about as many as rows
//! along its edges; but what a multicolour ordering drops makes incomplete factors weaker (Saad, Iterative methods, 2nd
//! ed., section 12.4.3; Duff and Meurant, BIT 29 (1989) 635-657). Sweeps are weaker too, by as much as their error says
//! ([`sweep_errors`](galerkit_linalg::precond::sweep_errors)). The survey behind both is in docs/preconditioning.md.

use galerkit_cuda::launch::Properties;
use galerkit_cuda::tune::read_bandwidth;
use galerkit_linalg::Scalar;
use galerkit_linalg::precond::Factors;
use galerkit_linalg::sparse::Csr;
use std::fmt;

/// Seconds from one level to the next: a number is published, a trip through the L2 cache brings it to the rows that
/// wait, and they sum; and for each entry of such a row. On an H200 1.0 us with 2 entries a row, 1.5 with 3.5 and 4.7
/// with 29; 0.2 to 0.8 us were seen too.
const STEP: f64 = 0.8e-6;
const ENTRY: f64 = 0.13e-6;
/// The part of the read bandwidth that exact solves get beside waiting: 2 M rows of 7 points by colours.
const EXACT: f64 = 0.25;
/// The part that sweeps get, with rows of 2 to 4 entries.
const SWEPT: f64 = 0.35;
/// Seconds of a pass over anything small, in a graph.
const PASS: f64 = 2e-6;
/// The part of the bandwidth that the rest of an iteration gets, and its least seconds.
const OTHERS: f64 = 0.5;
const LEAST_REST: f64 = 5e-6;
/// Vectors that an iteration reads or writes beside its product and its solves.
const VECTORS: usize = 12;
/// How many times the iterations colours take: with ilu0 on 31 matrices that converge in both orders 2.06 in the mean,
/// 1.5 in the median. Time is what is weighed, so the mean counts.
const BY_COLOURS: f64 = 2.1;
/// How many more iterations sweeps take: 1 + 2.5 errors, the line through 45 cases with an error of at most 0.2, which
/// take 0.7 to 1.3 times that.
const BY_ERROR: f64 = 2.5;
/// Sweeps of a larger error are not trusted. Up to here none of the survey's 45 cases failed, nor of 30 others with
/// matrices that it did not have; beyond, iterations are no longer foreseen (up to 8 times as many), and one failed at
/// 0.45.
const TRUSTED: f64 = 0.2;

/// Sweeps that are tried: fewer take too many iterations, more cost too much.
pub(crate) const COUNTS: [usize; 3] = [2, 3, 5];

/// A way to solve with triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Exactly, in the order that is there.
    Exact,
    /// Exactly, colour by colour.
    Colours,
    /// By Jacobi sweeps, in the order that is there.
    Sweeps(usize),
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Way::Exact => f.write_str("exact"),
            Way::Colours => f.write_str("colours"),
            Way::Sweeps(count) => write!(f, "sweeps:{count}"),
        }
    }
}

/// What the model knows of a system on a GPU.
#[derive(Clone, Copy, Debug)]
pub(crate) struct System {
    /// Bytes of a product and of the vectors of an iteration.
    rest: usize,
    /// Bytes of both triangles and the diagonal.
    factors: usize,
    /// Bytes of a sweep of both triangles, with its vectors.
    sweep: usize,
    /// Entries of a row of a triangle.
    entries: f64,
    bandwidth: f64,
}

impl System {
    /// Of a matrix and its factors.
    pub(crate) fn new<S: Scalar>(A: &Csr<S>, factors: &Factors<S>, properties: &Properties) -> Self {
        Self::of(A, factors.bytes(), factors.nnz(), properties)
    }

    /// Of a matrix whose factors have its pattern.
    pub(crate) fn of_pattern<S: Scalar>(A: &Csr<S>, properties: &Properties) -> Self {
        Self::of(A, A.bytes(), A.nnz(), properties)
    }

    fn of<S: Scalar>(A: &Csr<S>, factors: usize, nnz: usize, properties: &Properties) -> Self {
        let (rows, vector) = (A.rows(), A.rows() * size_of::<S>());
        let entries = nnz.saturating_sub(rows) as f64 / (2 * rows.max(1)) as f64;
        let (rest, sweep) = (A.bytes() + VECTORS * vector, factors + 6 * vector);
        Self { rest, factors, sweep, entries, bandwidth: read_bandwidth(properties) }
    }

    /// Seconds of two exact solves in so many steps.
    fn exact(&self, steps: usize) -> f64 {
        steps as f64 * (STEP + ENTRY * self.entries) + self.factors as f64 / (EXACT * self.bandwidth)
    }

    /// Seconds of a sweep of both triangles.
    fn sweep(&self) -> f64 {
        (2.0 * PASS).max(self.sweep as f64 / (SWEPT * self.bandwidth))
    }

    /// Seconds of what else an iteration does.
    fn rest(&self) -> f64 {
        LEAST_REST.max(self.rest as f64 / (OTHERS * self.bandwidth))
    }
}

/// What a way is expected to cost.
#[derive(Clone, Debug)]
pub(crate) struct Cost {
    pub(crate) way: Way,
    /// Seconds of an application.
    pub(crate) application: f64,
    /// Seconds of the rest of an iteration.
    rest: f64,
    /// Iterations, relative to those of exact solves.
    iterations: f64,
    /// What it depends on: steps, or the error of sweeps.
    detail: String,
}

impl Cost {
    /// Exact solves in so many steps, in the order that is there.
    pub(crate) fn exact(system: &System, steps: usize) -> Self {
        Self::new(system, Way::Exact, system.exact(steps), 1.0, format!("{steps} steps"))
    }

    /// Exact solves with so many colours.
    pub(crate) fn colours(system: &System, colours: usize) -> Self {
        let steps = 2 * colours;
        Self::new(system, Way::Colours, system.exact(steps), BY_COLOURS, format!("{steps} steps"))
    }

    /// So many sweeps with an error; none if that is too large.
    pub(crate) fn sweeps(system: &System, count: usize, error: f64) -> Option<Self> {
        let seconds = count as f64 * system.sweep();
        let detail = format!("an error of {error:.2}");
        let cost = Self::new(system, Way::Sweeps(count), seconds, 1.0 + BY_ERROR * error, detail);
        (error <= TRUSTED).then_some(cost)
    }

    fn new(system: &System, way: Way, application: f64, iterations: f64, detail: String) -> Self {
        Self { way, application, rest: system.rest(), iterations, detail }
    }

    /// Seconds for what an iteration with exact solves achieves.
    pub(crate) fn work(&self) -> f64 {
        self.iterations * (self.application + self.rest)
    }

    fn words(&self) -> String {
        format!("{} {:.0} us ({})", self.way, 1e6 * self.work(), self.detail)
    }
}

/// The way that takes the least time; of equal ones the first.
pub(crate) fn best(costs: &[Cost]) -> Option<&Cost> {
    costs.iter().min_by(|a, b| a.work().total_cmp(&b.work()))
}

/// All ways, the best first, in a sentence; sweeps that are not trusted with their least error.
pub(crate) fn sentence(costs: &[Cost], errors: &[f64], origin: &str) -> String {
    let mut sorted: Vec<&Cost> = costs.iter().collect();
    sorted.sort_by(|a, b| a.work().total_cmp(&b.work()));
    let words: Vec<String> = sorted.into_iter().map(Cost::words).collect();
    let swept = costs.iter().any(|cost| matches!(cost.way, Way::Sweeps(_)));
    let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
    let distrust = match errors.is_empty() || swept {
        true => String::new(),
        false => format!("; sweeps are not trusted with an error of {least:.2}"),
    };
    format!("expected for an iteration's worth, {origin}: {}{distrust}", words.join(", "))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use galerkit_linalg::gallery::{Stencil, poisson2d};
    use galerkit_linalg::precond::ilu0;

    /// An H200.
    pub(crate) fn properties() -> Properties {
        Properties {
            ordinal: 0,
            name: "a GPU".into(),
            capability: (9, 0),
            memory: 140 << 30,
            l2: 50 << 20,
            sm_count: 132,
            shared: 227 << 10,
            driver: (13, 0),
        }
    }

    /// What triangular.txt has for poisson2d, 300 x 300: 1163 us exactly, 7.0 by colours and 3.5 us a sweep.
    #[test]
    fn a_plane_as_it_was_measured() {
        let A = poisson2d(300, Stencil::Points5).unwrap();
        let system = System::new(&A, &ilu0(&A).unwrap(), &properties());
        let within = |found: f64, measured: f64| found / measured < 2.0 && measured / found < 2.0;
        assert!(within(system.exact(1198), 1163e-6), "{}", system.exact(1198));
        assert!(within(system.exact(4), 7e-6), "{}", system.exact(4));
        assert!(within(system.sweep(), 3.5e-6), "{}", system.sweep());
        assert!((system.entries - 2.0).abs() < 0.02);
    }

    #[test]
    fn errors_decide_how_many_sweeps_and_whether_any() {
        let A = poisson2d(300, Stencil::Points5).unwrap();
        let system = System::of_pattern(&A, &properties());
        let ways = |errors: [f64; 3]| {
            let mut costs = vec![Cost::exact(&system, 1198), Cost::colours(&system, 2)];
            costs.extend(COUNTS.iter().zip(errors).filter_map(|(&count, error)| Cost::sweeps(&system, count, error)));
            (best(&costs).unwrap().way, sentence(&costs, &errors, "by a model"))
        };
        let (way, words) = ways([0.07, 0.05, 0.01]);
        assert_eq!(way, Way::Sweeps(2));
        assert!(words.starts_with("expected for an iteration's worth, by a model: sweeps:2 "), "{words}");
        assert!(words.contains("(an error of 0.07)") && words.contains("(1198 steps)"), "{words}");
        assert_eq!(ways([0.5, 0.02, 0.01]).0, Way::Sweeps(3));
        let (way, words) = ways([3.0, 1.0, 0.6]);
        assert_eq!(way, Way::Colours);
        assert!(words.ends_with("sweeps are not trusted with an error of 0.60"), "{words}");
        assert_eq!(ways([f64::NAN; 3]).0, Way::Colours);
        assert_eq!(best(&[Cost::exact(&system, 4), Cost::sweeps(&system, 2, 0.0).unwrap()]).unwrap().way, Way::Exact);
    }
}
