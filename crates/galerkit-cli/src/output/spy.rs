//! A spy plot: where the entries of a matrix are, as SVG. A large matrix is binned into square cells whose shade says
//! how full they are; a matrix of at most `CELLS` rows and columns shows every entry.

use galerkit::linalg::Scalar;
use galerkit::linalg::sparse::Csr;
use std::fmt::Write;

const CELLS: usize = 160;
const SIZE: f64 = 640.0;
const MARGIN: f64 = 48.0;
/// From sparse to full.
const SHADES: [&str; 5] = ["#c3d5e8", "#8fb2d6", "#5b8fc4", "#2d6cae", "#0b3c73"];

/// The plot as SVG text.
pub fn draw<S: Scalar>(A: &Csr<S>, title: &str) -> String {
    let longest = A.rows().max(A.cols()).max(1);
    let per_cell = longest.div_ceil(CELLS).max(1);
    let scale = SIZE / longest as f64;
    let (width, height) = (A.cols() as f64 * scale, A.rows() as f64 * scale);
    let mut svg = String::new();
    let total = (width.max(280.0) + 2.0 * MARGIN, height + 2.0 * MARGIN);
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.1} {:.1}\" font-family=\"sans-serif\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"{:.1}\" font-size=\"15\" fill=\"#222\">{}</text>\n\
         <g transform=\"translate({MARGIN} {MARGIN})\">",
        total.0,
        total.1,
        MARGIN - 16.0,
        escaped(title)
    );
    for (shade, path) in SHADES.iter().zip(paths(A, per_cell, scale)) {
        if !path.is_empty() {
            let _ = writeln!(svg, "<path fill=\"{shade}\" d=\"{path}\"/>");
        }
    }
    let _ = writeln!(
        svg,
        "<rect width=\"{width:.2}\" height=\"{height:.2}\" fill=\"none\" stroke=\"#444\"/>\n\
         <text x=\"0\" y=\"{:.1}\" font-size=\"13\" fill=\"#555\">{} x {}, {} entries{}</text>\n</g>\n</svg>",
        height + 24.0,
        A.rows(),
        A.cols(),
        A.nnz(),
        if per_cell > 1 { format!(", one cell = {per_cell} x {per_cell}") } else { String::new() }
    );
    svg
}

/// One path for each shade: the cells of that shade, neighbours in a row joined.
fn paths<S: Scalar>(A: &Csr<S>, per_cell: usize, scale: f64) -> [String; 5] {
    let across = A.cols().div_ceil(per_cell);
    let side = per_cell as f64 * scale;
    let mut paths: [String; 5] = Default::default();
    for band in 0..A.rows().div_ceil(per_cell) {
        let mut count = vec![0u64; across];
        for i in band * per_cell..((band + 1) * per_cell).min(A.rows()) {
            A.col()[A.range(i)].iter().for_each(|&j| count[j as usize / per_cell] += 1);
        }
        let mut cell = 0;
        while cell < across {
            let shade = shade_of(count[cell], per_cell);
            let end = (cell..across).find(|&next| shade_of(count[next], per_cell) != shade).unwrap_or(across);
            if let Some(shade) = shade {
                let (x, y, w) = (cell as f64 * side, band as f64 * side, (end - cell) as f64 * side);
                let _ = write!(paths[shade], "M{x:.2} {y:.2}h{w:.2}v{side:.2}h-{w:.2}z");
            }
            cell = end;
        }
    }
    paths
}

/// The shade of a cell with so many entries: by their logarithm, a full row of the cell is already dark.
fn shade_of(count: u64, per_cell: usize) -> Option<usize> {
    let darkest = SHADES.len() - 1;
    match count {
        0 => None,
        _ if per_cell == 1 => Some(darkest),
        _ => {
            let share = (count as f64).ln_1p() / (4.0 * per_cell as f64).ln_1p();
            Some(((share * SHADES.len() as f64) as usize).min(darkest))
        }
    }
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_cells_have_no_shade_and_single_entries_the_darkest() {
        assert_eq!(shade_of(0, 1), None);
        assert_eq!(shade_of(1, 1), Some(4));
        assert_eq!(shade_of(1, 100), Some(0));
        assert_eq!(shade_of(10_000, 100), Some(4));
    }

    #[test]
    fn a_full_row_is_one_rectangle() {
        let A = Csr::new(2, 3, vec![0, 3, 3], vec![0, 1, 2], vec![1.0; 3]).unwrap();
        let [.., darkest] = paths(&A, 1, 10.0);
        assert_eq!(darkest, "M0.00 0.00h30.00v10.00h-30.00z");
    }
}
