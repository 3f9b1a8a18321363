//! `galerkit mesh check`: what is wrong with a mesh, by number.

use super::source;
use crate::args::MeshCheck;
use crate::commands::Ending;
use crate::output::table::grouped;
use crate::output::{Output, json};
use anyhow::Result;
use galerkit_fem::mesh::orientation::CellId;
use galerkit_fem::mesh::{Findings, Mesh};
use serde::Serialize;
use std::path::Path;

/// What `mesh check` says; the fields are the keys of its JSON.
#[derive(Serialize)]
struct Report {
    mesh: String,
    sound: bool,
    findings: Vec<Finding>,
    /// What is unusual and does no harm.
    remarks: Vec<String>,
}

/// Cells that no computation can use.
#[derive(Serialize)]
struct Finding {
    kind: &'static str,
    count: usize,
    /// Block and number within it, from 0.
    cells: Vec<[usize; 2]>,
    /// What to do about it.
    advice: String,
}

/// Cells of a finding that are named unless all are asked for.
const NAMED: usize = 10;

/// Checks.
pub fn run(arguments: &MeshCheck, output: Output) -> Result<Ending> {
    let source = source::load(&arguments.mesh)?;
    let report = report(&arguments.mesh, &source.contents.mesh)?;
    if let Some(path) = &arguments.json {
        output.write(path, &json::text(&report)?)?;
    }
    if arguments.json.as_deref() != Some(Path::new("-")) {
        output.print(&report.text(output, if arguments.all { usize::MAX } else { NAMED }))?;
    }
    Ok(if report.sound { Ending::Done } else { Ending::Findings })
}

fn report(name: &str, mesh: &Mesh) -> Result<Report> {
    let found = mesh.check()?;
    let mut findings: Vec<Finding> = [
        ("inverted", &found.inverted, "turned inside out: galerkit mesh convert --repair turns them round"),
        ("degenerate", &found.degenerate, "det J vanishes or changes its sign: move their points, or remove them"),
        ("duplicate", &found.duplicates, "with the corners of an earlier cell: remove them"),
    ]
    .into_iter()
    .filter(|(_, cells, _)| !cells.is_empty())
    .map(|(kind, cells, advice)| finding(kind, cells, advice.into()))
    .collect();
    let mut remarks = remarks(&found);
    match mesh.boundary() {
        Ok(boundary) if boundary.strays > 0 => {
            let are = if boundary.strays == 1 { "listed facet is none" } else { "listed facets are none" };
            remarks.push(format!("{} {are} of its cells", grouped(boundary.strays as u64)));
        }
        Ok(_) => {}
        Err(error) => findings.push(finding("shared facet", &[], error.to_string())),
    }
    Ok(Report { mesh: name.to_string(), sound: findings.is_empty(), findings, remarks })
}

fn finding(kind: &'static str, cells: &[CellId], advice: String) -> Finding {
    let cells: Vec<[usize; 2]> = cells.iter().map(|id| [id.block, id.cell]).collect();
    Finding { kind, count: cells.len().max(1), cells, advice }
}

fn remarks(found: &Findings) -> Vec<String> {
    let mut remarks = Vec::new();
    if found.unused_points > 0 {
        let belong = if found.unused_points == 1 { "point belongs" } else { "points belong" };
        remarks.push(format!("{} {belong} to no cell", grouped(found.unused_points as u64)));
    }
    if found.components.len() > 1 {
        let parts = found.components.len();
        remarks.push(format!("the body has {} parts that share no point", grouped(parts as u64)));
    }
    remarks
}

impl Report {
    fn text(&self, output: Output, named: usize) -> String {
        let style = output.style;
        let verdict = if self.sound { style.good("sound") } else { style.bad("not sound") };
        let mut lines = vec![format!("{}: {verdict}", self.mesh)];
        for finding in &self.findings {
            lines.push(format!("{} {}: {}", grouped(finding.count as u64), finding.kind, finding.advice));
            let cells = finding.cells.iter().take(named).map(|[block, cell]| format!("  block {block} cell {cell}"));
            lines.extend(cells);
            if finding.cells.len() > named {
                lines.push(format!("  and {} more: --all names them", grouped((finding.cells.len() - named) as u64)));
            }
        }
        lines.extend(self.remarks.iter().map(|remark| format!("remark: {remark}")));
        lines.join("\n")
    }
}
