//! `galerkit reproduce alinea`: source 002's figures 7 to 14 as tables and SVG, its ratios beside ours.

use super::{held, make_folder, places};
use crate::args::ReproduceAlinea;
use crate::commands::Ending;
use crate::interrupt;
use crate::output::curves::{Axis, Curves, Series, draw};
use crate::output::table::{Table, grouped};
use crate::output::{Output, json};
use anyhow::{Result, bail};
use galerkit_bench::reproduce::alinea::problem::{Kind, Problem};
use galerkit_bench::reproduce::alinea::{Case, Row, measure};
use serde::Serialize;

/// Cells a side, unless others are asked for.
const SIDES: [(usize, &[usize]); 2] = [(2, &[100, 300, 700]), (3, &[20, 45, 80])];

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    galerkit: &'static str,
    source: &'static str,
    rows: &'a [Row],
}

/// Source 002.
pub fn run(arguments: &ReproduceAlinea, output: Output) -> Result<Ending> {
    if arguments.repetitions == 0 {
        bail!("--repetitions 0 would measure nothing: ask for at least 1");
    }
    if arguments.max_unknowns < 100 {
        bail!("--max-unknowns {} leaves no sizes: ask for at least 100", arguments.max_unknowns);
    }
    let places = places(&arguments.device, arguments.quiet, output)?;
    make_folder(arguments.svg.as_deref())?;
    let _held = held(&places);
    let (mut rows, mut last): (Vec<Row>, Option<Problem>) = (Vec::new(), None);
    for case in cases(arguments.max_unknowns) {
        let known = last.take().filter(|problem| problem.serves(case));
        let problem = &*last.insert(known.map_or_else(|| Problem::new(case), Ok)?);
        for row in measure(case, problem, &places, arguments.repetitions)? {
            if !arguments.quiet {
                output.note(&said(&row));
            }
            rows.push(row);
        }
        if interrupt::was_asked() {
            break;
        }
    }
    if let Some(folder) = &arguments.svg {
        for figure in 7..=14 {
            output.write(&folder.join(format!("figure-{figure}.svg")), &draw(&curves(figure, &rows))?)?;
        }
    }
    match arguments.json {
        true => {
            let source = "Magoulès, Cheik Ahamed, Putanowicz 2014";
            output.print(&json::text(&Report { galerkit: env!("CARGO_PKG_VERSION"), source, rows: &rows })?)?;
        }
        false => output.print(&table(&rows, output))?,
    }
    Ok(if interrupt::was_asked() { Ending::Interrupted } else { Ending::Done })
}

/// Sizes with at most so many unknowns; the smallest that is left where all are larger. Both precisions of a size
/// follow each other: they are one problem.
fn cases(most: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    for kinds in Kind::ALL.chunks(2) {
        for (dimension, sides) in SIDES {
            let largest = (most as f64).powf(1.0 / dimension as f64) as usize;
            let fitting = sides.iter().copied().filter(|side| (side + 1).pow(dimension as u32) <= most);
            let mut sides: Vec<usize> = fitting.collect();
            if sides.is_empty() {
                sides.push(largest.saturating_sub(1).max(2));
            }
            let both = |side| kinds.iter().map(move |&kind| Case { kind, dimension, side });
            cases.extend(sides.into_iter().flat_map(both));
        }
    }
    cases
}

fn said(row: &Row) -> String {
    let (unknowns, times) =
        (grouped(row.unknowns as u64), row.speedup.map_or(String::new(), |s| format!(", {s:.2} x one core")));
    let what = format!("{}D {}, {unknowns} unknowns, {}, {}", row.dimension, row.scalar, row.operation, row.place);
    format!("{what}: {:.4} ms{times}", 1e3 * row.seconds)
}

fn table(rows: &[Row], output: Output) -> String {
    let mut table = Table::new(&["figure", "operation", "scalar", "unknowns", "where", "ms", "x one core", "source"]);
    for row in rows {
        table.row(vec![
            row.figure.to_string(),
            row.operation.clone(),
            row.scalar.into(),
            grouped(row.unknowns as u64),
            row.place.clone(),
            format!("{:.4}", 1e3 * row.seconds),
            row.speedup.map_or("-".into(), |speedup| format!("{speedup:.2}")),
            row.published.map_or("-".into(), |ratio| format!("{ratio:.0}")),
        ]);
    }
    format!(
        "{}\n\nThe source has its times in pictures only; 'source' is the largest ratio of one core to its GPU that its text states.",
        table.render(output.style)
    )
}

/// How many times as fast as one core, over the size.
fn curves(figure: usize, rows: &[Row]) -> Curves {
    let mut series: Vec<Series> = Vec::new();
    for row in rows.iter().filter(|row| row.figure == figure) {
        let Some(speedup) = row.speedup else { continue };
        let name = format!("{} {}, {}", row.operation, row.scalar, row.place);
        match series.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push((row.unknowns as f64, speedup)),
            None => series.push(Series { name, points: vec![(row.unknowns as f64, speedup)] }),
        }
    }
    let (scalar, dimension) =
        (if figure < 9 { "real" } else { "complex" }, if figure.is_multiple_of(2) { "3D" } else { "2D" });
    let what = match figure {
        7..=10 => format!("{scalar} vector operations and SpMV"),
        11 | 12 => "conjugate gradients".into(),
        _ => "ORTHODIR".into(),
    };
    Curves {
        title: format!("Figure {figure}: {what} ({dimension})"),
        subtitle: format!("times one core of the same run; at most (the source): {}", headlines(figure, rows)),
        x: Axis::new("unknowns", true),
        y: Axis::new("ratio", true),
        series,
    }
}

/// The largest ratios of a figure beside those that the source states; vector operations have one.
fn headlines(figure: usize, rows: &[Row]) -> String {
    let mut largest: Vec<(String, f64, f64)> = Vec::new();
    for row in rows.iter().filter(|row| row.figure == figure) {
        let (Some(ours), Some(source)) = (row.speedup, row.published) else { continue };
        let what = if ["axpy", "dot", "norm"].contains(&row.operation.as_str()) { "vectors" } else { &row.operation };
        let name = format!("{what} {}", row.scalar);
        match largest.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, most, _)) => *most = most.max(ours),
            None => largest.push((name, ours, source)),
        }
    }
    largest.iter().map(|(name, ours, source)| format!("{name} {ours:.1} ({source:.0})")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_size_in_both_dimensions() {
        let cases = cases(500);
        assert_eq!(cases.len(), 8);
        assert!(cases.iter().all(|case| (case.side + 1).pow(case.dimension as u32) <= 500));
        assert!(super::cases(1_000_000).len() == 24);
        let names: Vec<&str> = cases.iter().map(|case| case.kind.name()).collect();
        assert_eq!(names, ["f32", "f64", "f32", "f64", "c32", "c64", "c32", "c64"]);
    }
}
