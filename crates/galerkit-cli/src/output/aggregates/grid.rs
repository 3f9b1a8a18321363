//! Of a square grid: a square for each point; points without an aggregate are white.

use super::colour;
use anyhow::{Result, bail};
use galerkit::linalg::Scalar;
use galerkit::linalg::multigrid::amg::NONE;
use galerkit::linalg::sparse::{Csr, bandwidth};
use std::fmt::Write;

/// Points along a side that can still be told apart.
const LONGEST: usize = 1024;

/// Points along a side.
pub fn side<S: Scalar>(A: &Csr<S>) -> Result<usize> {
    let side = A.rows().isqrt();
    if side * side != A.rows() || !(side..=side + 1).contains(&bandwidth(A)) || side > LONGEST {
        bail!(
            "aggregates are drawn of square grids in 2D with at most {LONGEST} points a side, numbered line by line; for \
             other meshes say where the unknowns are: --coordinates xy.mtx"
        );
    }
    Ok(side)
}

/// The squares.
pub fn fill(svg: &mut String, side: usize, of: &[u32]) {
    let _ = writeln!(svg, "<g transform=\"scale({:.8})\" shape-rendering=\"crispEdges\">", 1.0 / side as f64);
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
    svg.push_str("</g>\n");
}
