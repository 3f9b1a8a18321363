//! D element by element on a rectangle: maps of white and grey matter.
//!
//! Where layers end along both axes, the slope of c across an interface has another ratio above a node than below it,
//! and no tensor basis can have both: c would jump, or its flux. Here c stays continuous, and the slope at such a
//! corner takes the ratio that keeps the flux in the mean over the two edges that meet there, so that mass is conserved
//! to rounding. Elsewhere, and everywhere if D is a product of a function of x and one of y, the flux is continuous at
//! every point and the order is four.
//!
//! ```text
//!  NW | NE     c_x   right 1, left  (h_N D_NE + h_S D_SE) / (h_N D_NW + h_S D_SW)
//!  ---+---     c_y   above 1, below (h_E D_NE + h_W D_NW) / (h_E D_SE + h_W D_SW)
//!  SW | SE     c_xy  D_NE / D of the element: D c_xy is continuous
//! ```

use super::layers::{check, invalid};
use super::line::Line;
use crate::error::Result;

/// D of each element of a rectangle.
#[derive(Clone, Debug, PartialEq)]
pub struct Tissue {
    /// Elements along x and along y.
    shape: [usize; 2],
    /// D, those along y fast.
    diffusion: Vec<f64>,
    /// By how much c_x differs at the left of a node, and c_y below it; nodes along y fast.
    jumps: Vec<[f64; 2]>,
}

impl Tissue {
    /// D of the elements of two lines, those along y fast.
    ///
    /// # Errors
    /// If there are more or fewer than elements, or D is not a positive number.
    pub fn new(x: &Line, y: &Line, diffusion: Vec<f64>) -> Result<Self> {
        let shape = [x.elements(), y.elements()];
        if diffusion.len() != shape[0] * shape[1] {
            return Err(invalid("map", diffusion.len().to_string(), "D is needed for each element"));
        }
        check(&diffusion)?;
        let mut tissue = Self { shape, diffusion, jumps: Vec::new() };
        let node = |k: usize| tissue.jump(x, y, [k / (shape[1] + 1), k % (shape[1] + 1)]);
        tissue.jumps = (0..(shape[0] + 1) * (shape[1] + 1)).map(node).collect();
        Ok(tissue)
    }

    /// Pixels of a map, rows from the top, on the elements of two lines: each pixel covers as many elements as any
    /// other.
    ///
    /// # Errors
    /// If rows differ in length, or elements are no multiple of pixels.
    pub fn of_pixels(x: &Line, y: &Line, rows: &[Vec<f64>]) -> Result<Self> {
        let (down, across) = (rows.len(), rows.first().map_or(0, Vec::len));
        if across == 0 || rows.iter().any(|row| row.len() != across) {
            return Err(invalid("map", format!("{down} rows"), "rows have one length, and some pixels"));
        }
        if !x.elements().is_multiple_of(across) || !y.elements().is_multiple_of(down) {
            let found = format!("{across} x {down} pixels on {} x {} elements", x.elements(), y.elements());
            return Err(invalid("map", found, "elements along each side must be a multiple of the pixels there"));
        }
        let [wide, high] = [x.elements() / across, y.elements() / down];
        let of = |i: usize, j: usize| rows[down - 1 - j / high][i / wide];
        let all = (0..x.elements()).flat_map(|i| (0..y.elements()).map(move |j| of(i, j))).collect();
        Self::new(x, y, all)
    }

    /// D of an element.
    pub fn diffusion(&self, [i, j]: [usize; 2]) -> f64 {
        self.diffusion[i * self.shape[1] + j]
    }

    fn jump(&self, x: &Line, y: &Line, [i, j]: [usize; 2]) -> [f64; 2] {
        if i == 0 || j == 0 || i == self.shape[0] || j == self.shape[1] {
            return self.jump_at_boundary([i, j]);
        }
        let [east, west] = [x.length(i), x.length(i - 1)];
        let [north, south] = [y.length(j), y.length(j - 1)];
        let [ne, nw] = [[i, j], [i - 1, j]].map(|e| self.diffusion(e));
        let [se, sw] = [[i, j - 1], [i - 1, j - 1]].map(|e| self.diffusion(e));
        [(north * ne + south * se) / (north * nw + south * sw), (east * ne + west * nw) / (east * se + west * sw)]
    }

    /// At the ends of one axis there are elements on one side only; of the slopes only the one along the boundary is an
    /// unknown.
    fn jump_at_boundary(&self, [i, j]: [usize; 2]) -> [f64; 2] {
        let (ex, ey) = (i.min(self.shape[0] - 1), j.min(self.shape[1] - 1));
        let along = |k: usize, count: usize| 0 < k && k < count;
        [
            if along(i, self.shape[0]) { self.diffusion([i, ey]) / self.diffusion([i - 1, ey]) } else { 1.0 },
            if along(j, self.shape[1]) { self.diffusion([ex, j]) / self.diffusion([ex, j - 1]) } else { 1.0 },
        ]
    }

    /// What multiplies function k along x times function l along y of an element, numbered as in [`Line::local`].
    pub fn factor(&self, [i, j]: [usize; 2], k: usize, l: usize) -> f64 {
        let node = [i + k / 2, j + l / 2];
        let [left, below] = self.jumps[node[0] * (self.shape[1] + 1) + node[1]];
        let (is_left, is_below) = (k / 2 == 1, l / 2 == 1); // the element, as the node sees it
        match (k % 2, l % 2) {
            (1, 0) if is_left => left,
            (0, 1) if is_below => below,
            (0, _) | (_, 0) => 1.0,
            _ if node[0] < self.shape[0] && node[1] < self.shape[1] => self.diffusion(node) / self.diffusion([i, j]),
            _ => 1.0, // no unknown
        }
    }
}
