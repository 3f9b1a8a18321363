//! The aggregates of a system in 2D as SVG. On a grid every point is a square in the colour of its aggregate; of a mesh,
//! or anything else whose unknowns have coordinates, every unknown is a dot, and couplings are lines.

mod grid;
mod points;

use super::spy::escaped;
use anyhow::{Context, Result, bail};
use galerkit::linalg::Scalar;
use galerkit::linalg::io::matrix_market;
use galerkit::linalg::multigrid::amg::{Aggregates, Amg, Levels, hash::hash};
use galerkit::linalg::sparse::{AnyCsr, Csr};
use std::fmt::Write;
use std::path::Path;

const SIZE: f64 = 640.0;
const MARGIN: f64 = 48.0;

/// Only files that are named as what they hold.
pub fn check_name(path: &Path) -> Result<()> {
    let is_svg = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
    if !is_svg && path != Path::new("-") {
        bail!("--aggregates {}: the picture is SVG: end the name in .svg", path.display());
    }
    Ok(())
}

/// The picture as SVG text: of a grid, or of unknowns with coordinates from a file.
pub fn draw<S: Scalar>(A: &Csr<S>, title: &str, coordinates: Option<&Path>) -> Result<String> {
    let Some(path) = coordinates else {
        let side = grid::side(A)?;
        let aggregates = first(A)?;
        return Ok(framed(A, title, &aggregates, |svg| grid::fill(svg, side, &aggregates.of)));
    };
    let points = read(path, A.rows()).with_context(|| format!("--coordinates {}", path.display()))?;
    let aggregates = first(A)?;
    Ok(framed(A, title, &aggregates, |svg| points::fill(svg, A, &points, &aggregates.of)))
}

/// Those of the finest level.
fn first<S: Scalar>(A: &Csr<S>) -> Result<Aggregates> {
    let levels = Levels::new(A, false, &Amg { coarse: 1, levels: 2, ..Amg::default() }, &[])?;
    let Some(level) = levels.levels.into_iter().next() else {
        bail!("the matrix has no aggregates: the smoother alone does")
    };
    Ok(level.aggregates)
}

/// x and y of every unknown, in a square of side 1 with y downwards.
fn read(path: &Path, rows: usize) -> Result<Vec<[f64; 2]>> {
    let AnyCsr::Real(table) = matrix_market::read_matrix(path)?.matrix else { bail!("coordinates are real numbers") };
    if (table.rows(), table.cols()) != (rows, 2) {
        bail!("{} x {} numbers, but {rows} unknowns need x and y each: {rows} x 2", table.rows(), table.cols());
    }
    let at = |i: usize| [0, 1].map(|axis| table.get(i, axis).unwrap_or(0.0));
    let points: Vec<[f64; 2]> = (0..rows).map(at).collect();
    let bound = |axis: usize, of: fn(f64, f64) -> f64| points.iter().map(|p| p[axis]).reduce(of).unwrap_or(0.0);
    let (low, high) = ([0, 1].map(|axis| bound(axis, f64::min)), [0, 1].map(|axis| bound(axis, f64::max)));
    let extent = (high[0] - low[0]).max(high[1] - low[1]);
    let extent = if extent > 0.0 { extent } else { 1.0 };
    Ok(points.iter().map(|p| [(p[0] - low[0]) / extent, (high[1] - p[1]) / extent]).collect())
}

/// A page with a title around what `fill` draws in a square of side 1.
fn framed<S: Scalar>(A: &Csr<S>, title: &str, aggregates: &Aggregates, fill: impl FnOnce(&mut String)) -> String {
    let total = SIZE + 2.0 * MARGIN;
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {total:.1} {total:.1}\" font-family=\"sans-serif\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"{:.1}\" font-size=\"15\" fill=\"#222\">{}: {} aggregates of {} rows</text>\n\
         <g transform=\"translate({MARGIN} {MARGIN}) scale({SIZE})\">",
        MARGIN - 16.0,
        escaped(title),
        aggregates.count,
        A.rows()
    );
    fill(&mut svg);
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// A colour that neighbours are unlikely to share.
fn colour(aggregate: u32) -> String {
    let bits = hash(u64::from(aggregate));
    format!("hsl({} {}% {}%)", bits % 360, 45 + (bits >> 16) % 35, 45 + (bits >> 32) % 30)
}
