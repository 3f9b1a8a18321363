//! `galerkit info`: what kind of matrix is it, and what would each format make of it.

use super::Ending;
use crate::args::Info;
use crate::output::table::{Table, grouped, pairs};
use crate::output::{Output, aggregates, json, spy};
use anyhow::Result;
use galerkit::linalg::Scalar;
use galerkit::linalg::multigrid::amg::{Amg, Built};
use galerkit::linalg::sparse::statistics::{RowLengths, predicted_slots};
use galerkit::linalg::sparse::{Csr, Format, bandwidth, definiteness_hints, locality, symmetry};
use galerkit::{Loaded, MultigridReport, dispatch};
use serde::{Serialize, Serializer};

/// Everything `info` knows; the fields are the keys of its JSON.
#[derive(Serialize)]
struct Description {
    matrix: String,
    rows: usize,
    cols: usize,
    nnz: usize,
    /// `real` or `complex`.
    kind: &'static str,
    /// The field of the file: real, complex, integer or pattern.
    field: &'static str,
    /// symmetric, hermitian, skew-symmetric, pattern-symmetric or general.
    symmetry: String,
    /// What speaks for or against positive definiteness; absent if not square.
    definiteness: Option<Definiteness>,
    row_length: RowLength,
    empty_rows: u64,
    duplicates: usize,
    /// The largest |i - j|.
    bandwidth: usize,
    /// How often a product fetches each cache line of x, estimated.
    scatter: f64,
    csr_bytes: usize,
    /// Stored values of each format, padding included.
    #[serde(serialize_with = "as_map")]
    slots: Vec<(String, u64)>,
    /// The hierarchy that `--precond amg` would build.
    multigrid: Option<MultigridReport>,
    /// Why there is none: it refuses the matrix, or that is too large to try unasked.
    #[serde(skip_serializing_if = "Option::is_none")]
    multigrid_reason: Option<String>,
}

#[derive(Serialize)]
struct RowLength {
    min: usize,
    max: usize,
    mean: f64,
    standard_deviation: f64,
    /// (from, to, rows), bounds included.
    histogram: Vec<(usize, usize, u64)>,
}

#[derive(Serialize)]
struct Definiteness {
    verdict: &'static str,
    positive_diagonal: bool,
    dominant_rows: usize,
    gershgorin: (f64, f64),
}

/// Pairs as a JSON object, in their order.
fn as_map<T: Serializer>(pairs: &[(String, u64)], serializer: T) -> std::result::Result<T::Ok, T::Error> {
    serializer.collect_map(pairs.iter().map(|(key, value)| (key, value)))
}

/// Describes.
pub fn run(arguments: &Info, output: Output) -> Result<Ending> {
    arguments.aggregates.as_deref().map_or(Ok(()), aggregates::check_name)?;
    let loaded = super::load(&arguments.matrix, output)?;
    let description = dispatch!(&loaded.matrix, A => describe(A, &loaded, arguments.multigrid));
    if let Some(path) = &arguments.spy {
        let drawing = dispatch!(&loaded.matrix, A => spy::draw(A, &loaded.name));
        output.write(path, &drawing)?;
    }
    if let Some(path) = &arguments.aggregates {
        let drawing =
            dispatch!(&loaded.matrix, A => aggregates::draw(A, &loaded.name, arguments.coordinates.as_deref()))?;
        output.write(path, &drawing)?;
    }
    let text = if arguments.json { json::text(&description)? } else { description.text(output) };
    output.print(&text)?;
    Ok(Ending::Done)
}

fn describe<S: Scalar>(A: &Csr<S>, loaded: &Loaded, is_asked: bool) -> Description {
    let lengths = RowLengths::of(A);
    let kind = if S::KIND.is_complex() { "complex" } else { "real" };
    let (multigrid, multigrid_reason) = match hierarchy(A, is_asked) {
        Ok(levels) => (Some(levels), None),
        Err(why) => (None, Some(why)),
    };
    let named = |format: Format| (format.to_string(), predicted_slots(A, format));
    Description {
        matrix: loaded.name.clone(),
        rows: A.rows(),
        cols: A.cols(),
        nnz: A.nnz(),
        kind,
        field: loaded.header.as_ref().map_or(kind, |header| header.field.name()),
        symmetry: symmetry(A).to_string(),
        definiteness: definiteness(A),
        empty_rows: lengths.histogram.first().copied().unwrap_or(0),
        duplicates: loaded.duplicates,
        bandwidth: bandwidth(A),
        scatter: locality(A).scatter(),
        csr_bytes: A.bytes(),
        slots: Format::all().into_iter().map(named).collect(),
        multigrid,
        multigrid_reason,
        row_length: RowLength {
            min: lengths.min,
            max: lengths.max,
            mean: lengths.mean,
            standard_deviation: lengths.variance.sqrt(),
            histogram: binned(&lengths.histogram),
        },
    }
}

/// The levels of algebraic multigrid, or why there are none. A large matrix is set up only where that is asked for.
fn hierarchy<S: Scalar>(A: &Csr<S>, is_asked: bool) -> std::result::Result<MultigridReport, String> {
    const LARGEST: usize = 4_000_000;
    if A.nnz() > LARGEST && !is_asked {
        let (entries, largest) = (grouped(A.nnz() as u64), grouped(LARGEST as u64));
        return Err(format!(
            "not set up: {entries} entries are more than {largest}, which takes its time; --multigrid asks for it"
        ));
    }
    let built = Built::new(A, false, &Amg::default(), &[]).map_err(|error| format!("refused: {error}"))?;
    Ok(built.summary().into())
}

/// What can be said about definiteness without a factorisation.
fn definiteness<S: Scalar>(A: &Csr<S>) -> Option<Definiteness> {
    let hints = definiteness_hints(A).ok()?;
    let self_adjoint = symmetry(A).is_self_adjoint::<S>();
    let verdict = match (self_adjoint, hints.positive_diagonal) {
        (false, _) => "not self-adjoint: use lu",
        (true, false) => "not positive definite: a diagonal entry is not positive",
        (true, true) if hints.prove_positive_definite() => "positive definite: strictly diagonally dominant",
        (true, true) => "may be positive definite: the diagonal is positive",
    };
    Some(Definiteness {
        verdict,
        positive_diagonal: hints.positive_diagonal,
        dominant_rows: hints.dominant_rows,
        gershgorin: (hints.gershgorin_low, hints.gershgorin_high),
    })
}

/// At most about 12 bins: every length if there are few, otherwise bins that double.
fn binned(histogram: &[u64]) -> Vec<(usize, usize, u64)> {
    const MOST: usize = 12;
    let used = histogram.iter().filter(|&&rows| rows > 0).count();
    let single = |(length, &rows): (usize, &u64)| (length, length, rows);
    if used <= MOST {
        return histogram.iter().enumerate().map(single).filter(|bin| bin.2 > 0).collect();
    }
    let mut bins = vec![(0, 0, histogram[0])];
    let mut from = 1;
    while from < histogram.len() {
        let to = (2 * from - 1).min(histogram.len() - 1);
        bins.push((from, to, histogram[from..=to].iter().sum()));
        from = to + 1;
    }
    bins.retain(|bin| bin.2 > 0);
    bins
}

impl Description {
    fn text(&self, output: Output) -> String {
        let style = output.style;
        let bytes = self.csr_bytes as f64 / (1 << 20) as f64;
        let lengths = &self.row_length;
        let mut facts = vec![
            ("matrix", self.matrix.clone()),
            ("shape", format!("{} x {}", grouped(self.rows as u64), grouped(self.cols as u64))),
            ("entries", format!("{}, {bytes:.1} MiB as CSR", grouped(self.nnz as u64))),
            ("kind", if self.field == self.kind { self.kind.into() } else { format!("{}, {}", self.kind, self.field) }),
            ("symmetry", self.symmetry.clone()),
        ];
        if let Some(hints) = &self.definiteness {
            facts.push(("definiteness", hints.verdict.into()));
            facts.push((
                "eigenvalues",
                format!("{:.3e} to {:.3e} (Gershgorin)", hints.gershgorin.0, hints.gershgorin.1),
            ));
        }
        facts.push(("bandwidth", grouped(self.bandwidth as u64)));
        facts.push(("scatter", format!("each cache line of x is fetched {:.1} times", self.scatter)));
        facts.push((
            "row length",
            format!(
                "{} to {}, mean {:.2}, deviation {:.2}",
                lengths.min, lengths.max, lengths.mean, lengths.standard_deviation
            ),
        ));
        if let Some(multigrid) = &self.multigrid {
            facts.push(("multigrid", multigrid.line()));
        }
        if let Some(why) = &self.multigrid_reason {
            facts.push(("multigrid", why.clone()));
        }
        if self.empty_rows > 0 {
            facts.push(("empty rows", format!("{}: the matrix is singular", grouped(self.empty_rows))));
        }
        if self.duplicates > 0 {
            facts.push(("duplicates", format!("{} summed", grouped(self.duplicates as u64))));
        }
        [pairs(&facts, style), self.histogram_table().render(style), self.slots_table().render(style)].join("\n\n")
    }

    fn histogram_table(&self) -> Table {
        const WIDTH: f64 = 40.0;
        let most = self.row_length.histogram.iter().map(|bin| bin.2).max().unwrap_or(1) as f64;
        let mut table = Table::new(&["entries", "rows", "share"]);
        for &(from, to, rows) in &self.row_length.histogram {
            let bar = "█".repeat((rows as f64 / most * WIDTH).ceil() as usize);
            let range = if from == to { from.to_string() } else { format!("{from}-{to}") };
            table.row(vec![range, grouped(rows), bar]);
        }
        table
    }

    fn slots_table(&self) -> Table {
        let mut table = Table::new(&["format", "slots", "per entry"]);
        for (format, slots) in &self.slots {
            table.row(vec![format.clone(), grouped(*slots), format!("{:.3}", *slots as f64 / self.nnz.max(1) as f64)]);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::binned;

    #[test]
    fn few_lengths_are_shown_one_by_one() {
        assert_eq!(binned(&[0, 3, 0, 5]), [(1, 1, 3), (3, 3, 5)]);
    }

    #[test]
    fn many_lengths_fall_into_doubling_bins_and_none_is_lost() {
        let bins = binned(&[1; 20]);
        assert_eq!(bins, [(0, 0, 1), (1, 1, 1), (2, 3, 2), (4, 7, 4), (8, 15, 8), (16, 19, 4)]);
    }
}
