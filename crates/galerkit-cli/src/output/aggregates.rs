//! The aggregates of a grid in 2D as SVG: every point is a square in the colour of its aggregate; points without one
//! are white.

use super::spy::escaped;
use anyhow::{Result, bail};
use galerkit::linalg::Scalar;
use galerkit::linalg::multigrid::amg::{Amg, Levels, NONE, hash::hash};
use galerkit::linalg::sparse::{Csr, bandwidth};
use std::fmt::Write;
use std::path::Path;

const SIZE: f64 = 640.0;
const MARGIN: f64 = 48.0;
/// Points along a side that can still be told apart.
const LONGEST: usize = 1024;

/// Only files that are named as what they hold.
pub fn check_name(path: &Path) -> Result<()> {
    let is_svg = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
    if !is_svg && path != Path::new("-") {
        bail!("--aggregates {}: the picture is SVG: end the name in .svg", path.display());
    }
    Ok(())
}

/// The picture as SVG text.
pub fn draw<S: Scalar>(A: &Csr<S>, title: &str) -> Result<String> {
    let side = A.rows().isqrt();
    if side * side != A.rows() || !(side..=side + 1).contains(&bandwidth(A)) || side > LONGEST {
        bail!("aggregates are drawn of square grids in 2D with at most {LONGEST} points a side, numbered line by line");
    }
    let levels = Levels::new(A, false, &Amg { coarse: 1, levels: 2, ..Amg::default() }, &[])?;
    let Some(level) = levels.levels.first() else { bail!("the matrix has no aggregates: the smoother alone does") };
    let (of, scale, total) = (&level.aggregates.of, SIZE / side as f64, SIZE + 2.0 * MARGIN);
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {total:.1} {total:.1}\" font-family=\"sans-serif\" \
         shape-rendering=\"crispEdges\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"{:.1}\" font-size=\"15\" fill=\"#222\">{}: {} aggregates of {} rows</text>\n\
         <g transform=\"translate({MARGIN} {MARGIN}) scale({scale:.5})\">",
        MARGIN - 16.0,
        escaped(title),
        level.aggregates.count,
        A.rows()
    );
    for y in 0..side {
        let line = &of[y * side..(y + 1) * side];
        let mut first = 0;
        for run in line.chunk_by(|a, b| a == b) {
            if run[0] != NONE {
                let (length, row) = (run.len(), side - 1 - y); // y points up
                let fill = colour(run[0]);
                let _ =
                    writeln!(svg, "<rect x=\"{first}\" y=\"{row}\" width=\"{length}\" height=\"1\" fill=\"{fill}\"/>");
            }
            first += run.len();
        }
    }
    svg.push_str("</g>\n</svg>\n");
    Ok(svg)
}

/// A colour that neighbours are unlikely to share.
fn colour(aggregate: u32) -> String {
    let bits = hash(u64::from(aggregate));
    format!("hsl({} {}% {}%)", bits % 360, 45 + (bits >> 16) % 35, 45 + (bits >> 32) % 30)
}
