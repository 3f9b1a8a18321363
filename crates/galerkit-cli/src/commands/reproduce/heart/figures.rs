//! The study as charts.

use super::Study;
use crate::output::curves::{Axis, Curves, Series, draw};
use anyhow::Result;

/// Each chart with the name of its file.
pub fn draw_all(study: &Study) -> Result<Vec<(&'static str, String)>> {
    let linear = |name: &'static str| Axis { name, logarithmic: false };
    let chart = |title: &str, subtitle: &str, axes: [Axis; 2], series: Vec<Series>| {
        let [x, y] = axes;
        draw(&Curves { title: title.into(), subtitle: subtitle.into(), x, y, series })
    };
    let [with, without] = study.spiral.clone();
    let named = |name: &str, points: Vec<(f64, f64)>| Series { name: name.into(), points };
    let mut charts = vec![
        (
            "single-cell.svg",
            chart(
                "One cell",
                "Aliev and Panfilov, phi(0) = 0.2",
                [linear("ms"), linear("phi")],
                vec![named("phi", study.single_cell.clone())],
            )?,
        ),
        (
            "spiral.svg",
            chart(
                "Re-entry",
                "101 x 101 nodes, alpha = 0.05",
                [linear("units of 12.9 ms"), linear("share of nodes excited")],
                vec![named("with S2", with), named("without", without)],
            )?,
        ),
        (
            "fronts.svg",
            chart(
                "Speed of fronts",
                "error against the exact front",
                [Axis { name: "dt in ms", logarithmic: true }, linear("v/v_exact - 1")],
                fronts(study),
            )?,
        ),
    ];
    if !study.formats.is_empty() {
        let axes = [Axis { name: "entries", logarithmic: true }, Axis { name: "effective GB/s", logarithmic: true }];
        charts.push(("formats.svg", chart("Products", "effective bandwidth of each format", axes, formats(study))?));
    }
    if !study.assembly.is_empty() {
        let axes = [Axis { name: "nodes", logarithmic: true }, linear("speed-up over one core")];
        charts.push((
            "speed-ups.svg",
            chart("Newton's method on ventricles", "assembly and solve", axes, speedups(study))?,
        ));
    }
    Ok(charts)
}

/// Points of one name, from left to right.
fn grouped(points: impl Iterator<Item = (String, (f64, f64))>) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for (name, point) in points {
        match series.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => series.push(Series { name, points: vec![point] }),
        }
    }
    series.iter_mut().for_each(|series| series.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    series
}

fn fronts(study: &Study) -> Vec<Series> {
    grouped(study.fronts.iter().map(|row| (format!("{}, h = {} mm", row.scheme, row.h), (row.dt, row.error))))
}

fn formats(study: &Study) -> Vec<Series> {
    grouped(
        study.formats.iter().map(|row| (format!("{}, {}", row.format, row.device), (row.nnz as f64, row.effective))),
    )
}

fn speedups(study: &Study) -> Vec<Series> {
    grouped(study.assembly.iter().map(|row| (row.place.clone(), (row.nodes as f64, row.speedup))))
}
