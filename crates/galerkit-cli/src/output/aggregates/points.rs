//! Of unknowns with coordinates: a dot for each in the colour of its aggregate, and a line for each pair that A couples,
//! thick and in that colour within an aggregate, thin and grey between two. Dots without an aggregate are hollow.

use super::colour;
use galerkit::linalg::Scalar;
use galerkit::linalg::multigrid::amg::NONE;
use galerkit::linalg::sparse::Csr;
use std::fmt::Write;

/// A mean distance of neighbours in a square of side 1.
fn step(count: usize) -> f64 {
    1.0 / (count.max(1) as f64).sqrt()
}

/// Lines below, dots above.
pub fn fill<S: Scalar>(svg: &mut String, A: &Csr<S>, points: &[[f64; 2]], of: &[u32]) {
    let step = step(points.len());
    let pairs = |i: usize| A.row(i).map(|(j, _)| j).filter(move |&j| j > i);
    let is_within = |i: usize, j: usize| of[i] == of[j] && of[i] != NONE;
    let line = |i: usize, j: usize| {
        let ([x, y], [u, v]) = (points[i], points[j]);
        format!("M{x:.5} {y:.5}L{u:.5} {v:.5}")
    };
    let all = || (0..A.rows()).flat_map(|i| pairs(i).map(move |j| (i, j)));
    let thin: String = all().filter(|&(i, j)| !is_within(i, j)).map(|(i, j)| line(i, j)).collect();
    let _ = writeln!(svg, "<path d=\"{thin}\" stroke=\"#ccc\" stroke-width=\"{:.6}\" fill=\"none\"/>", 0.05 * step);
    let _ = writeln!(svg, "<g stroke-width=\"{:.6}\" stroke-linecap=\"round\">", 0.45 * step);
    for (i, j) in all().filter(|&(i, j)| is_within(i, j)) {
        let _ = writeln!(svg, "<path d=\"{}\" stroke=\"{}\"/>", line(i, j), colour(of[i]));
    }
    svg.push_str("</g>\n");
    for (&[x, y], &own) in points.iter().zip(of) {
        let fill = if own == NONE { "white\" stroke=\"#888".into() } else { colour(own) };
        let (radius, width) = (0.25 * step, 0.05 * step);
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.5}\" cy=\"{y:.5}\" r=\"{radius:.6}\" stroke-width=\"{width:.6}\" fill=\"{fill}\"/>"
        );
    }
}
