//! `galerkit mesh info`: what is in a mesh, and how good it is.

use super::describe::{Description, Piece, Range, describe};
use super::{picture, source};
use crate::args::MeshInfo;
use crate::commands::Ending;
use crate::output::table::{Table, grouped, pairs};
use crate::output::{Output, json};
use anyhow::Result;
use std::path::Path;

/// Describes.
pub fn run(arguments: &MeshInfo, output: Output) -> Result<Ending> {
    let plan = picture::plan(arguments)?;
    let source = source::load(&arguments.mesh)?;
    let description = describe(&arguments.mesh, &source)?;
    if let Some(path) = &arguments.png {
        picture::draw(path, &source.contents, &plan)?;
    }
    if let Some(path) = &arguments.json {
        output.write(path, &json::text(&description)?)?;
    }
    if arguments.json.as_deref() != Some(Path::new("-")) {
        output.print(&description.text(output))?;
    }
    Ok(Ending::Done)
}

impl Description {
    fn text(&self, output: Output) -> String {
        let style = output.style;
        let mut parts = vec![pairs(&self.facts(), style)];
        parts.push(table("region", &self.regions, measure_name(self.dimension)).render(style));
        if !self.boundary.is_empty() {
            parts.push(table("boundary", &self.boundary, measure_name(self.dimension - 1)).render(style));
        }
        if self.quality.is_some() {
            parts.push(self.quality_table().render(style));
        }
        parts.join("\n\n")
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let cells = self.cells.iter().map(|cells| {
            let order = if cells.order > 1 { format!(" of order {}", cells.order) } else { String::new() };
            format!("{} {}{order}", grouped(cells.count as u64), plural(cells.shape, cells.count))
        });
        let [low, high] = self.bounding_box;
        let along = |d: usize| format!("[{:.6}, {:.6}]", low[d], high[d]);
        let mut facts = vec![
            ("mesh", self.mesh.clone()),
            ("format", self.format.into()),
            ("points", grouped(self.points as u64)),
            ("cells", cells.collect::<Vec<_>>().join(", ")),
            ("box", (0..3).map(along).collect::<Vec<_>>().join(" x ")),
            (measure_name(self.dimension), format!("{:.9}", self.volume)),
        ];
        if self.dimension > 1 && !self.boundary.is_empty() {
            let name = if self.dimension == 3 { "surface" } else { "perimeter" };
            facts.push((name, format!("{:.9}", self.surface)));
        }
        facts.push(("parts", components(&self.components)));
        facts.push(("orientation", self.orientation()));
        let counted = |(what, count): (&'static str, usize)| (count > 0).then(|| (what, grouped(count as u64)));
        let rest = [("listed twice", self.duplicates), ("unused points", self.unused_points)];
        facts.extend(rest.into_iter().chain([("interfaces", self.interfaces)]).filter_map(counted));
        facts.extend(self.boundary_error.iter().map(|error| ("boundary", error.clone())));
        let fields = self.fields.concat().join(", ");
        facts.extend((!fields.is_empty()).then_some(("fields", fields)));
        facts
    }

    fn orientation(&self) -> String {
        match (self.inverted, self.degenerate) {
            (0, 0) => "all cells sound".into(),
            (inverted, degenerate) => {
                format!("{} inverted, {} degenerate", grouped(inverted as u64), grouped(degenerate as u64))
            }
        }
    }

    fn quality_table(&self) -> Table {
        let mut table = Table::new(&["quality", "least", "mean", "largest"]);
        let mut row = |name: &str, range: Option<Range>| {
            if let Some(Range { min, mean, max }) = range {
                table.row([name.to_string()].into_iter().chain([min, mean, max].map(number)).collect());
            }
        };
        if let Some(quality) = &self.quality {
            row(measure_name(self.dimension), Some(quality.volume));
            row("edge ratio", Some(quality.edge_ratio));
            row("smallest angle", quality.angle);
            row("scaled Jacobian", quality.scaled_jacobian);
        }
        table
    }
}

fn number(x: f64) -> String {
    if x != 0.0 && !(1e-3..1e5).contains(&x.abs()) { format!("{x:.3e}") } else { format!("{x:.4}") }
}

fn plural(shape: &str, count: usize) -> String {
    match shape {
        shape if count == 1 => shape.into(),
        "vertex" => "vertices".into(),
        "tetrahedron" | "hexahedron" => shape.replace("hedron", "hedra"),
        shape => format!("{shape}s"),
    }
}

fn measure_name(dim: usize) -> &'static str {
    ["count", "length", "area", "volume"][dim]
}

fn components(sizes: &[usize]) -> String {
    const NAMED: usize = 6;
    if sizes.len() < 2 {
        return "1".into();
    }
    let named: Vec<String> = sizes.iter().take(NAMED).map(|&cells| grouped(cells as u64)).collect();
    let rest = if sizes.len() > NAMED { ", ..." } else { "" };
    format!("{}, of {}{rest} cells", sizes.len(), named.join(", "))
}

fn table(what: &'static str, pieces: &[Piece], measure: &'static str) -> Table {
    const MOST: usize = 40;
    let mut table = Table::new(&[what, "name", "cells", measure]);
    for piece in pieces.iter().take(MOST) {
        let name = piece.name.clone().unwrap_or_else(|| if piece.tag == 0 { "untagged".into() } else { "-".into() });
        table.row(vec![piece.tag.to_string(), name, grouped(piece.count as u64), number(piece.measure)]);
    }
    if pieces.len() > MOST {
        table.row(vec!["...".into(), format!("{} more", pieces.len() - MOST), "-".into(), "-".into()]);
    }
    table
}
