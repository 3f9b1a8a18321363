//! The study as charts.

use super::Study;
use crate::output::curves::{Axis, Curves, Series, draw};
use anyhow::Result;

/// Each chart with the name of its file.
pub fn draw_all(study: &Study) -> Result<Vec<(&'static str, String)>> {
    let linear = |name: &'static str| Axis::new(name, false);
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
                [Axis::new("dt in ms", true), linear("v/v_exact - 1")],
                fronts(study),
            )?,
        ),
    ];
    charts.push((
        "anisotropy.svg",
        chart(
            "Fibres across the way",
            "slab of 40 x 2 x 2 mm, D across half of that along",
            [linear("degrees between fibres and front"), linear("speed over that along fibres")],
            anisotropy(study),
        )?,
    ));
    charts.push((
        "slab.svg",
        chart(
            "The slab of Niederer and others 2011",
            "activation at five points; ours with Aliev and Panfilov's cells, the others with TP06",
            [linear("mm from the corner that is excited"), linear("ms")],
            slab(study),
        )?,
    ));
    if !study.formats.is_empty() {
        let axes = [Axis::new("entries", true), Axis::new("effective GB/s", true)];
        charts.push(("formats.svg", chart("Products", "effective bandwidth of each format", axes, formats(study))?));
    }
    if !study.assembly.is_empty() {
        let axes = [Axis::new("nodes", true), linear("speed-up over one core")];
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

fn anisotropy(study: &Study) -> Vec<Series> {
    let found = study.anisotropy.iter().map(|(degrees, found, _)| (*degrees, *found)).collect();
    let theory = |k: i32| (f64::from(5 * k), (0.5 + 0.5 * f64::from(5 * k).to_radians().cos().powi(2)).sqrt());
    vec![
        Series { name: "newton".into(), points: found },
        Series { name: "sqrt(n . D n / D)".into(), points: (0..=18).map(theory).collect() },
    ]
}

fn slab(study: &Study) -> Vec<Series> {
    grouped(study.slab.iter().flat_map(|row| {
        let away = row.point.iter().map(|x| x * x).sum::<f64>().sqrt();
        let times = [("ours", row.activation), ("11 codes", row.codes), ("fenicsx-beat", row.fenicsx_beat)];
        times.map(|(name, time)| (name.to_string(), (away, time)))
    }))
}

fn formats(study: &Study) -> Vec<Series> {
    grouped(
        study.formats.iter().map(|row| (format!("{}, {}", row.format, row.device), (row.nnz as f64, row.effective))),
    )
}

fn speedups(study: &Study) -> Vec<Series> {
    grouped(study.assembly.iter().map(|row| (row.place.clone(), (row.nodes as f64, row.speedup))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Color;
    use crate::commands::reproduce::heart::tables;
    use crate::output::style::Style;
    use galerkit_bench::reproduce::heart::physics::SlabRow;

    /// Both were measured, and neither was shown.
    #[test]
    fn anisotropy_is_printed_and_drawn_and_so_is_the_slab() {
        let row = SlabRow { point: [20.0, 7.0, 3.0], activation: 42.2, codes: 44.93, fenicsx_beat: 38.24 };
        let anisotropy = vec![(0.0, 1.0, 1.0), (90.0, 0.7104, 0.5_f64.sqrt())];
        let study = Study { anisotropy, slab: vec![row], ..Study::default() };
        assert!(tables::all(&study, true, Style::new(Color::Never, false)).contains("0.7104"));
        let charts = draw_all(&study).unwrap();
        let of = |name: &str| charts.iter().find(|(known, _)| *known == name).unwrap().1.clone();
        assert!(of("anisotropy.svg").contains("sqrt(n . D n / D)"));
        assert!(["ours", "11 codes", "fenicsx-beat"].iter().all(|name| of("slab.svg").contains(name)));
    }
}
