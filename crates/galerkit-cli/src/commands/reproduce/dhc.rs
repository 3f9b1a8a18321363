//! `galerkit reproduce dhc`: the four sizes of source 003, time a step on the CPU, on a GPU, and with triangular solves
//! by the host.

use super::{held, make_folder, places};
use crate::args::ReproduceDhc;
use crate::commands::Ending;
use crate::interrupt;
use crate::output::curves::{Axis, Curves, Series, draw};
use crate::output::table::{Table, grouped};
use crate::output::{Output, json};
use anyhow::{Result, bail};
use galerkit_bench::reproduce::dhc::{Row, SIDES, affordable, bandwidth, measure, variants};
use serde::Serialize;

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    galerkit: &'static str,
    source: &'static str,
    /// Every step was solved, and the mass follows its law.
    reproduced: bool,
    /// Bytes a second of each place, where they were asked for.
    bandwidth: &'a [(String, f64)],
    rows: &'a [Row],
}

/// Source 003.
pub fn run(arguments: &ReproduceDhc, output: Output) -> Result<Ending> {
    let sides = if arguments.sides.is_empty() { SIDES.to_vec() } else { arguments.sides.clone() };
    if let Some(side) = sides.iter().find(|side| !(2..=2048).contains(*side) || !side.is_multiple_of(2)) {
        bail!("--sides {side} is not allowed: an even number of elements from 2 to 2048");
    }
    if arguments.steps == 0 {
        bail!("--steps 0 would measure nothing: ask for at least 1");
    }
    if arguments.seconds.is_nan() || arguments.seconds <= 0.0 {
        bail!("--seconds {} is not allowed: a time above 0", arguments.seconds);
    }
    let places = places(&arguments.device, arguments.quiet, output)?;
    make_folder(arguments.svg.as_deref())?;
    let _held = held(&places);
    let asked = places.iter().filter(|_| arguments.bandwidth);
    let measured: Vec<(String, f64)> =
        asked.filter_map(|place| Some((place.to_string(), bandwidth(*place)?))).collect();
    let mut rows = Vec::new();
    let cases = sides.iter().flat_map(|&side| variants(&places).into_iter().map(move |variant| (side, variant)));
    for (side, variant) in cases {
        if interrupt::was_asked() {
            break;
        }
        let Some(steps) = affordable(&rows, side, variant, arguments.steps, arguments.seconds) else {
            let what = format!("{} {} on {}", variant.method, variant.scheme, variant.place);
            output.note(&format!("{side} elements a side by {what} left out: longer than {} s", arguments.seconds));
            continue;
        };
        let row = measure(side, variant, steps)?;
        if !arguments.quiet {
            output.note(&said(&row));
        }
        rows.push(row);
    }
    if let Some(folder) = &arguments.svg {
        output.write(&folder.join("time-a-step.svg"), &draw(&figure(&rows))?)?;
    }
    let reproduced = rows.iter().all(Row::good);
    match arguments.json {
        true => {
            let source = "Vilanakis, Mathioudakis: discontinuous Hermite collocation on GPUs";
            let report =
                Report { galerkit: env!("CARGO_PKG_VERSION"), source, reproduced, bandwidth: &measured, rows: &rows };
            output.print(&json::text(&report)?)?;
        }
        false => output.print(&table(&rows, &measured, output))?,
    }
    Ok(match (interrupt::was_asked(), reproduced) {
        (true, _) => Ending::Interrupted,
        (false, true) => Ending::Done,
        (false, false) => Ending::NotConverged,
    })
}

fn said(row: &Row) -> String {
    let (unknowns, milliseconds) = (grouped(row.unknowns as u64), 1e3 * row.step);
    let what = format!("{unknowns} unknowns, {}, {} {}", row.place, row.solver, row.scheme);
    format!("{what}: {milliseconds:.3} ms a step, {:.1} iterations", row.iterations)
}

fn table(rows: &[Row], measured: &[(String, f64)], output: Output) -> String {
    let mut table = Table::new(&[
        "elements",
        "unknowns",
        "dofs",
        "where",
        "solver",
        "step",
        "steps",
        "ms a step",
        "MB a step",
        "GB/s",
        "iterations",
        "set-up s",
        "residual",
    ]);
    for row in rows {
        table.row(vec![
            grouped(row.elements as u64),
            grouped(row.unknowns as u64),
            grouped(row.dofs as u64),
            row.place.clone(),
            row.solver.clone(),
            row.scheme.clone(),
            row.steps.to_string(),
            format!("{:.3}", 1e3 * row.step),
            format!("{:.1}", 1e-6 * row.bytes),
            speed(row, measured),
            format!("{:.1}", row.iterations),
            format!("{:.3}", row.setup),
            format!("{:.0e}", row.true_residual),
        ]);
    }
    format!(
        "{}\n\nMB a step: what it must move if nothing stays in a cache.{}\nThe source has its times in pictures only, on a Tesla M2070 beside MATLAB R2012b on six cores, and says: up to 50 % \
         faster than MATLAB for fine discretizations.",
        table.render(output.style),
        measured.iter().map(|(place, speed)| format!(" {place}: {:.1} GB/s.", 1e-9 * speed)).collect::<String>()
    )
}

/// Bytes a second, and their share of what was measured.
fn speed(row: &Row, measured: &[(String, f64)]) -> String {
    let speed = row.bytes / row.step;
    let share = measured.iter().find(|(place, _)| *place == row.place).map(|(_, most)| speed / most);
    format!("{:.2}{}", 1e-9 * speed, share.map_or(String::new(), |share| format!(" ({:.0} %)", 100.0 * share)))
}

fn figure(rows: &[Row]) -> Curves {
    let mut series: Vec<Series> = Vec::new();
    for row in rows {
        let (name, point) =
            (format!("{} {}, {}", row.solver, row.scheme, row.place), (row.unknowns as f64, 1e3 * row.step));
        match series.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => series.push(Series { name, points: vec![point] }),
        }
    }
    Curves {
        title: "Time a step of discontinuous Hermite collocation".into(),
        subtitle: "two layers, h = 1/16, dt = 0.05, tolerance 1e-10; the source's sizes".into(),
        x: Axis::new("unknowns", true),
        y: Axis::new("milliseconds a step", true),
        series,
    }
}
