//! Many cases in many places, each held against the published count and, in hybrid form, against the standard solution
//! of one core: r_max = max |x_S - x_H| / max |x_S|, equation 6 of source 001.

use super::{Case, Form, Place, Published, Solved, Verdict, published, solve};
use galerkit::Result;
use galerkit_linalg::backend::norm_inf;
use serde::Serialize;

/// One case in one place.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Where: `cpu, 1 core`, `cpu, 2 threads`, `cuda:0`.
    pub place: String,
    /// Rows.
    pub n: usize,
    /// The entry below the diagonal.
    pub gamma: f64,
    /// The tolerance of the inner iteration.
    pub eps: f64,
    /// The precision of the inner iteration.
    pub form: Form,
    /// How the outer iteration ended.
    pub outcome: &'static str,
    /// Sweeps.
    pub inner: usize,
    /// Sweeps of each inner solve; of the last 16 if there were more.
    pub sweeps: Vec<usize>,
    /// Updates of x.
    pub outer: usize,
    /// Inner solves of no use.
    pub failures: usize,
    /// Time in the outer loop.
    pub seconds: f64,
    /// max |x_i - 1|
    pub error: f64,
    /// For the hybrid form: how far from the standard solution of the first place.
    pub r_max: Option<f64>,
    /// What was published.
    pub published: Option<Published>,
    /// How ours stands to it.
    pub verdict: Option<Verdict>,
}

impl Row {
    /// Whether it converged, and to a published count if there is one.
    pub fn good(&self) -> bool {
        self.outcome == "converged" && self.verdict != Some(Verdict::Outside)
    }
}

/// What was measured so far.
#[derive(Clone, Debug, Default)]
pub struct Study {
    rows: Vec<Row>,
    /// Standard solutions of the first place.
    standard: Vec<(Case, Vec<f64>)>,
}

impl Study {
    /// Solves a case in a place. Standard before hybrid, and the place that others are compared to first.
    pub fn add(&mut self, place: Place, case: Case, repetitions: usize) -> Result<&Row> {
        let found = solve(place, case, repetitions)?;
        let entry = published(&case);
        let row = Row {
            place: place.to_string(),
            n: case.n,
            gamma: case.gamma,
            eps: case.eps,
            form: case.form,
            outcome: found.outcome.name(),
            inner: found.inner,
            sweeps: found.sweeps.clone(),
            outer: found.outer,
            failures: found.failures,
            seconds: found.seconds,
            error: found.x.iter().map(|x| (x - 1.0).abs()).fold(0.0, f64::max),
            r_max: self.r_max(&case, &found),
            published: entry,
            verdict: entry.map(|entry| entry.judge(&found)),
        };
        if case.form == Form::Standard && !self.standard.iter().any(|(known, _)| *known == case) {
            self.standard.push((case, found.x));
        }
        self.rows.push(row);
        Ok(&self.rows[self.rows.len() - 1])
    }

    fn r_max(&self, case: &Case, found: &Solved) -> Option<f64> {
        let standard = Case { form: Form::Standard, ..*case };
        let (_, x) = self.standard.iter().find(|(known, _)| *known == standard)?;
        let apart: Vec<f64> = x.iter().zip(&found.x).map(|(x, y)| x - y).collect();
        (case.form == Form::Hybrid).then(|| norm_inf(&apart) / norm_inf(x))
    }

    /// Everything, in the order it was measured.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The row of a case in a place.
    pub fn row(&self, place: &str, case: &Case) -> Option<&Row> {
        let same = |row: &&Row| (row.n, row.gamma, row.eps, row.form) == (case.n, case.gamma, case.eps, case.form);
        self.rows.iter().filter(|row| row.place == place).find(same)
    }

    /// How many times faster the second (place, case) is.
    pub fn speedup(&self, slow: (&str, &Case), fast: (&str, &Case)) -> Option<f64> {
        Some(self.row(slow.0, slow.1)?.seconds / self.row(fast.0, fast.1)?.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit::Device;

    #[test]
    fn counts_do_not_depend_on_the_place_and_forms_agree() {
        let mut study = Study::default();
        let cases = Form::ALL.map(|form| Case { n: 100, gamma: 0.4, form, eps: 1e-1 });
        let places =
            [Place::ONE_CORE, Place { device: Device::Cpu, threads: Some(2) }, Place::whole(Device::Reference)];
        for place in places {
            for case in cases {
                let row = study.add(place, case, 2).unwrap();
                assert!(row.good() && row.error < 1e-10 && row.seconds > 0.0 && row.published.is_none());
                assert_eq!(row.r_max.is_some(), case.form == Form::Hybrid);
                assert!(row.r_max.is_none_or(|apart| apart < 1e-13), "{row:?}");
            }
        }
        let counts: Vec<_> = study.rows().iter().map(|row| (row.inner, row.outer)).collect();
        assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
        let names: Vec<&str> = study.rows().iter().map(|row| row.place.as_str()).collect();
        assert_eq!(names[..4], ["cpu, 1 core", "cpu, 1 core", "cpu, 2 threads", "cpu, 2 threads"]);
        let [standard, hybrid] = &cases;
        let gain = study.speedup(("cpu, 1 core", standard), ("reference", hybrid)).unwrap();
        assert!(gain > 0.0 && study.speedup(("nowhere", standard), ("reference", hybrid)).is_none());
    }
}
