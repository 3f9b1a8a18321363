//! Times over the dimension, and Amdahl's law.

use super::Plan;
use crate::output::style::Style;
use crate::output::table::{Table, grouped};
use galerkit_bench::reproduce::hpfem::{PUBLISHED, Row, Study};

/// Everything, as text.
pub(super) fn all(study: &Study, plan: &Plan, style: Style) -> String {
    let mut parts = vec![
        style.bold("Source 000: solvers of hp finite elements, A x = b with x known, residual to 1e-10"),
        times(study).render(style),
        conclusion(study, style),
    ];
    parts.extend(skipped(study));
    parts.extend(plan.no_gpu().map(|reason| format!("no GPU: {reason}")));
    if plan.places.len() > 1 {
        parts.push(String::new());
        parts.push(style.bold("Amdahl's law: from one place to another, CSR"));
        parts.push(amdahl(study, plan).render(style));
        parts.push("F: share of the loop in the first place; A = 1 / ((1 - F) + F / A_m) with A_m of the loop".into());
    }
    parts.join("\n")
}

fn times(study: &Study) -> Table {
    let headings =
        ["unknowns", "solver", "format", "place", "iterations", "set-up s", "transfer s", "loop s", "total s", "error"];
    let mut table = Table::new(&headings);
    for row in study.rows() {
        let seconds = |seconds: f64| if row.skipped.is_some() { "-".into() } else { format!("{seconds:.4}") };
        table.row(vec![
            grouped(row.unknowns as u64),
            row.solver.clone(),
            row.format.clone().unwrap_or_default(),
            row.place.clone(),
            if row.iterations > 0 { row.iterations.to_string() } else { "-".into() },
            seconds(row.setup_seconds),
            seconds(row.transfer_seconds),
            seconds(row.loop_seconds),
            seconds(row.seconds),
            row.error.map_or("-".into(), |error| format!("{error:.1e}")),
        ]);
    }
    table
}

fn conclusion(study: &Study, style: Style) -> String {
    let count = |test: &dyn Fn(&&Row) -> bool| study.rows().iter().filter(test).count();
    let (solved, ran) = (count(&|row| row.is_solved()), count(&|row| row.skipped.is_none()));
    let most = study.rows().iter().filter(|row| row.is_solved()).map(|row| row.unknowns).max().unwrap_or(0);
    let text = format!(
        "{solved} of {ran} solves have found the known solution, up to {} unknowns; the source had {}",
        grouped(most as u64),
        grouped(PUBLISHED as u64)
    );
    if solved == ran { style.good(&text) } else { style.bad(&text) }
}

/// What was not run, a line for each reason: every solver from the least dimension on.
fn skipped(study: &Study) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<(String, usize)>)> = Vec::new();
    for row in study.rows() {
        let Some(reason) = &row.skipped else { continue };
        let format = row.format.as_ref().map_or(String::new(), |format| format!(" in {format}"));
        let what = (format!("{}{format} on {}", row.solver, row.place), row.unknowns);
        match reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, rows)) if rows.iter().any(|known| known.0 == what.0) => {}
            Some((_, rows)) => rows.push(what),
            None => reasons.push((reason, vec![what])),
        }
    }
    let from = |(what, least): &(String, usize)| format!("{what} from {} on", grouped(*least as u64));
    let line = |(reason, rows): (&str, Vec<(String, usize)>)| {
        format!("not run, {reason}: {}", rows.iter().map(from).collect::<Vec<_>>().join("; "))
    };
    reasons.into_iter().map(line).collect()
}

fn amdahl(study: &Study, plan: &Plan) -> Table {
    let mut table = Table::new(&["unknowns", "solver", "from", "to", "F", "A_m", "A", "measured"]);
    for found in plan.amdahl(study) {
        table.row(vec![
            grouped(found.unknowns as u64),
            found.solver,
            found.from,
            found.place,
            format!("{:.3}", found.fraction),
            times_faster(found.of_loop),
            times_faster(found.expected),
            times_faster(found.measured),
        ]);
    }
    table
}

fn times_faster(ratio: f64) -> String {
    if ratio < 0.1 { format!("{ratio:.1e}") } else { format!("{ratio:.2}") }
}
