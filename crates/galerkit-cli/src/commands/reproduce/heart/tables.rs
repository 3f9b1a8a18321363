//! The study as tables.

use super::Study;
use crate::output::style::Style;
use crate::output::table::{Table, grouped};
use galerkit_bench::reproduce::heart::published::{FAR_CORNER, SPEEDUPS};

/// All of them.
pub fn all(study: &Study, reproduced: bool, style: Style) -> String {
    let mut parts = vec![fronts(study, style), anisotropy(study, style), slab(study, style), products(study, style)];
    parts.extend([reordering(study, style), assembly(study, style)]);
    let verdict = if reproduced {
        "Fronts, fibres, spiral and slab are as known."
    } else {
        "Something differs from what is known."
    };
    let said = format!(
        "{verdict} Far corner of the slab, converged: {FAR_CORNER} ms. The source prints effective bandwidths as pictures only; its \
         speed-ups over one core of an i7-950, assembly and solve on a GTX 480, grow from {} to {}.",
        SPEEDUPS[0], SPEEDUPS[1]
    );
    parts.push(said);
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

fn fronts(study: &Study, style: Style) -> String {
    let mut table = Table::new(&["scheme", "h mm", "dt ms", "speed error", "known"]);
    for row in &study.fronts {
        let known = row.published.map_or(String::new(), |known| format!("{known:+.4}"));
        table.row(vec![
            row.scheme.into(),
            row.h.to_string(),
            format!("{:.4}", row.dt),
            format!("{:+.4}", row.error),
            known,
        ]);
    }
    table.render(style)
}

fn anisotropy(study: &Study, style: Style) -> String {
    let mut table = Table::new(&["fibres at degrees", "speed over that along them", "sqrt(n . D n / D)"]);
    for (degrees, found, theory) in &study.anisotropy {
        table.row(vec![degrees.to_string(), format!("{found:.4}"), format!("{theory:.4}")]);
    }
    table.render(style)
}

fn slab(study: &Study, style: Style) -> String {
    let mut table = Table::new(&["slab at mm", "ours ms (AP)", "11 codes (TP06)", "fenicsx-beat (TP06)"]);
    for row in &study.slab {
        let [x, y, z] = row.point;
        let times = [row.activation, row.codes, row.fenicsx_beat].map(|time| format!("{time:.2}"));
        let [ours, codes, beat] = times;
        table.row(vec![format!("{x}, {y}, {z}"), ours, codes, beat]);
    }
    table.render(style)
}

fn products(study: &Study, style: Style) -> String {
    if study.formats.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&["matrix", "rows", "entries", "format", "where", "µs a product", "effective GB/s"]);
    for row in &study.formats {
        table.row(vec![
            row.matrix.clone(),
            grouped(row.rows as u64),
            grouped(row.nnz as u64),
            row.format.clone(),
            row.device.clone(),
            format!("{:.1}", 1e6 * row.seconds),
            format!("{:.1}", row.effective),
        ]);
    }
    table.render(style)
}

fn reordering(study: &Study, style: Style) -> String {
    if study.reordering.is_empty() {
        return String::new();
    }
    let never = |alpha: Option<u64>| alpha.map_or("never".into(), |alpha| alpha.to_string());
    let mut table = Table::new(&["matrix", "form", "alpha, host", "source", "alpha, GPU", "source"]);
    for row in &study.reordering {
        let source = |k: usize| {
            row.published
                .map_or(String::new(), |alpha| if alpha[k] == 0 { "never".into() } else { alpha[k].to_string() })
        };
        let device = if row.device_seconds.is_some() { never(row.alpha_device) } else { "no GPU".into() };
        table.row(vec![row.matrix.clone(), row.variant.clone(), never(row.alpha_host), source(0), device, source(1)]);
    }
    table.render(style)
}

fn assembly(study: &Study, style: Style) -> String {
    if study.assembly.is_empty() {
        return String::new();
    }
    let mut table =
        Table::new(&["heart", "nodes", "where", "steps", "Newton", "CG", "seconds", "assembly", "speed-up"]);
    for row in &study.assembly {
        table.row(vec![
            row.heart.clone(),
            grouped(row.nodes as u64),
            row.place.clone(),
            row.steps.to_string(),
            row.newton_iterations.to_string(),
            row.cg_iterations.to_string(),
            format!("{:.3}", row.seconds),
            format!("{:.0} %", 100.0 * row.assembly_share),
            format!("{:.2}", row.speedup),
        ]);
    }
    table.render(style)
}
