//! A report as a table for people.

use super::{Report, Storage};
use std::fmt;

/// Stages that are named where set-up takes longer than the solve.
const NAMED: usize = 3;

impl Report {
    /// The lines of the summary table: what, and how much.
    pub fn summary(&self) -> Vec<(&'static str, String)> {
        let mut lines = vec![
            ("outcome", self.outcome.name().replace('_', " ")),
            ("matrix", self.matrix_line()),
            ("method", self.method_line()),
            ("storage", format!("{}, {} ordering", self.format, self.ordering)),
            ("device", self.device_line()),
            ("true residual", format!("{:.3e} relative, {:.1e} asked", self.true_residual, self.tolerance())),
            ("backward error", format!("{:.3e}", self.backward_error)),
            ("time", format!("{:.3} s solve, {:.3} s set-up", self.solve_seconds, self.setup_seconds)),
        ];
        if let Some(inner) = &self.inner {
            lines.insert(3, ("inner solves", inner.line()));
        }
        if let Some(multigrid) = &self.multigrid {
            lines.insert(3, ("multigrid", multigrid.line()));
        }
        if self.tried.len() > 1 {
            lines.insert(3, ("tried before", self.failures().join("; ")));
        }
        if let Some(dimension) = self.null_space {
            lines.insert(2, ("null space", format!("dimension {dimension}: the matrix is singular")));
        }
        if self.setup_seconds + self.transfer_seconds > self.solve_seconds && self.setup_stages.seconds() > 0.0 {
            let slowest: Vec<String> = self.setup_stages.slowest(NAMED).iter().map(ToString::to_string).collect();
            lines.push(("slowest stages", slowest.join(", ")));
        }
        if let Some(bytes) = self.bytes_moved.filter(|_| self.solve_seconds > 0.0) {
            let rate = bytes as f64 / self.solve_seconds / 1e9;
            let fraction = self.bandwidth_fraction.map(|f| format!(", {f:.2} of a triad")).unwrap_or_default();
            lines.push(("memory", format!("{:.2} GB moved, {rate:.1} GB/s{fraction}", bytes as f64 / 1e9)));
        }
        if let Some(advice) = &self.advice {
            lines.push(("advice", advice.clone()));
        }
        lines
    }

    fn method_line(&self) -> String {
        let restarts = match self.restarts {
            0 => String::new(),
            1 => ", 1 restart".into(),
            n => format!(", {n} restarts"),
        };
        match self.is_iterative() {
            true => format!("{}, {} iterations{restarts}", self.method_name(), self.iterations),
            false => self.method.to_string(),
        }
    }

    fn matrix_line(&self) -> String {
        match self.format {
            Storage::MatrixFree => format!("{} rows, matrix-free, {}", self.rows, self.precision),
            Storage::Sparse(_) | Storage::Dense => {
                format!("{} rows, {} entries, {}", self.rows, self.nnz, self.precision)
            }
        }
    }

    fn device_line(&self) -> String {
        match self.threads {
            1 => format!("{}, 1 thread", self.device),
            n => format!("{}, {n} threads", self.device),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (what, value)) in self.summary().into_iter().enumerate() {
            write!(f, "{}{what:<15} {value}", if i > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}
