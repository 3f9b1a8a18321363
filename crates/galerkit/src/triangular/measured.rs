//! Seconds of applications as measured on a GPU: timed once for a pattern, then kept on disk beside the tuner's
//! decisions. What is kept are times and not the decision, which depends on the numbers of a matrix too.

use crate::error::Result;
use crate::triangular_model::{Cost, Way, best};
use galerkit_cuda::tune::Key;
use galerkit_cuda::tune::cache::Cache;
use galerkit_linalg::Scalar;
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::sparse::Csr;

/// Matrices with fewer rows are not measured, as by the tuner of formats: compiling and timing takes longer than the
/// solve.
const LEAST_ROWS: usize = 20_000;
/// Ways that the model thinks slower than the best by more than this are not timed.
const WORTH_TIMING: f64 = 3.0;
/// A sweep of both triangles, of which all sweeps are made.
const SWEEP: &str = "sweep";

/// Where times of a pattern are kept.
pub(super) struct Times {
    cache: Cache,
    key: Key,
    known: Vec<(String, f64)>,
    /// Whether any was measured just now.
    pub(super) fresh: bool,
}

impl Times {
    /// Those of a preconditioner for a matrix in the order that is there, on a GPU of this name; none for a small
    /// matrix.
    pub(super) fn of<S: Scalar>(A: &Csr<S>, name: Preconditioner, gpu: &str, cache: Cache) -> Option<Self> {
        if A.rows() <= LEAST_ROWS {
            return None;
        }
        let key = Key::new(A, S::KIND, &format!("{gpu}, triangular solves of {name}"));
        let known = cache.times(&key);
        Some(Self { cache, key, known, fresh: false })
    }

    /// Puts measured seconds of an application in place of expected ones, where more than one kind of solve is near the
    /// best. `measure` times an exact way, or for sweeps one sweep of both triangles.
    pub(super) fn refine(&mut self, costs: &mut [Cost], mut measure: impl FnMut(Way) -> Result<f64>) {
        let Some(least) = best(costs).map(Cost::work) else { return };
        let near = |cost: &Cost| cost.work() <= WORTH_TIMING * least;
        let mut names: Vec<String> = costs.iter().filter(|cost| near(cost)).map(|cost| kind(cost.way)).collect();
        names.dedup(); // sweeps stand side by side
        if names.len() < 2 {
            return;
        }
        for cost in costs.iter_mut().filter(|cost| near(cost)) {
            if let Some(seconds) = self.seconds(cost.way, &mut measure) {
                cost.application = match cost.way {
                    Way::Sweeps(count) => count as f64 * seconds,
                    Way::Exact | Way::Colours => seconds,
                };
            }
        }
    }

    /// As known, or measured and kept; none where it could not be measured.
    fn seconds(&mut self, way: Way, measure: &mut impl FnMut(Way) -> Result<f64>) -> Option<f64> {
        let name = kind(way);
        if let Some((_, seconds)) = self.known.iter().find(|(known, _)| *known == name) {
            return Some(*seconds);
        }
        let seconds = measure(way).ok()?;
        self.known.push((name, seconds));
        self.fresh = true;
        // Times that cannot be kept are measured again.
        let _ = self.cache.keep_times(&self.key, &self.known);
        Some(seconds)
    }

    /// Where the times came from, in words.
    pub(super) fn origin(&self) -> &'static str {
        match (self.fresh, self.known.is_empty()) {
            (true, _) => "measured on this GPU",
            (false, false) => "measured on this GPU in an earlier solve",
            (false, true) => "by the model",
        }
    }
}

fn kind(way: Way) -> String {
    match way {
        Way::Exact | Way::Colours => way.to_string(),
        Way::Sweeps(_) => SWEEP.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triangular_model::System;
    use crate::triangular_model::tests::properties;
    use galerkit_linalg::gallery::{Stencil, poisson2d};

    fn costs(A: &Csr<f64>) -> Vec<Cost> {
        let system = System::of_pattern(A, &properties());
        let swept = [2, 3].into_iter().filter_map(|count| Cost::sweeps(&system, count, 0.05));
        [Cost::exact(&system, 1000), Cost::colours(&system, 2)].into_iter().chain(swept).collect()
    }

    #[test]
    fn what_was_measured_decides_and_is_measured_once() {
        let folder = tempfile::tempdir().unwrap();
        let cache = || Cache::at(folder.path().join("tuning"));
        let A = poisson2d(150, Stencil::Points5).unwrap();
        let ilu0 = Preconditioner::Ilu { fill: 0 };
        let times = || Times::of(&A, ilu0, "a GPU", cache()).unwrap();
        let (mut asked, mut found) = (Vec::new(), costs(&A));
        assert!(matches!(best(&found).unwrap().way, Way::Sweeps(2)));
        let mut first = times();
        assert_eq!(first.origin(), "by the model");
        first.refine(&mut found, |way| {
            asked.push(way);
            Ok(if way == Way::Colours { 1e-6 } else { 1e-3 })
        });
        assert_eq!(asked, [Way::Colours, Way::Sweeps(2)], "exact solves are far off, a sweep is timed once");
        assert_eq!(best(&found).unwrap().way, Way::Colours);
        assert_eq!(found[3].application, 3e-3);
        assert!(first.fresh && first.origin() == "measured on this GPU");
        let (mut second, mut again) = (times(), costs(&A));
        second.refine(&mut again, |way| panic!("{way} was timed already"));
        assert_eq!(best(&again).unwrap().way, Way::Colours);
        assert!(!second.fresh && second.origin().ends_with("earlier solve"));
        let other = Times::of(&A, Preconditioner::Ic0 { shift: 0.0 }, "a GPU", cache()).unwrap();
        assert_eq!(other.origin(), "by the model", "another preconditioner has times of its own");
    }

    #[test]
    fn a_clear_case_or_a_small_matrix_is_not_timed() {
        let A = poisson2d(150, Stencil::Points5).unwrap();
        let ilu0 = Preconditioner::Ilu { fill: 0 };
        let mut times = Times::of(&A, ilu0, "a GPU", Cache::none()).unwrap();
        let mut clear: Vec<Cost> = costs(&A).into_iter().filter(|cost| cost.way != Way::Colours).collect();
        times.refine(&mut clear, |way| panic!("{way} is timed"));
        times.refine(&mut [], |way| panic!("{way} is timed"));
        let small = poisson2d(100, Stencil::Points5).unwrap();
        assert!(Times::of(&small, ilu0, "a GPU", Cache::none()).is_none());
        // A GPU that cannot time something leaves the model's word.
        let mut found = costs(&A);
        let failure = || galerkit_cuda::Error::NoGpu.into();
        times.refine(&mut found, |_| Err(failure()));
        assert!(matches!(best(&found).unwrap().way, Way::Sweeps(2)) && !times.fresh);
    }
}
