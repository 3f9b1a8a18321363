//! From triangles to pixels: each pixel is the mean of several samples, each sample shows the triangle nearest the
//! viewer. Edges of cells are ink on the triangles along them, so that they are hidden exactly where these are. The
//! image is cut into bands of rows, which are drawn in parallel and do not depend on each other.

use super::image::Rgb;
use galerkit_linalg::parallel;

/// A triangle on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projected {
    /// Pixels to the right, pixels downwards and nearness of the corners.
    pub corners: [[f32; 3]; 3],
    /// The field at the corners.
    pub values: [f32; 3],
    /// Brightness at the corners.
    pub shades: [f32; 3],
    /// How dark the edge opposite each corner is; 0 for none.
    pub ink: [f32; 3],
    /// Whether it is part of a cut.
    pub is_cut: bool,
    /// Whether all of it is part of an edge.
    pub is_edge: bool,
}

impl Projected {
    /// Its marked edges as bars a little nearer to the viewer: cuts leave triangles too thin for ink on themselves.
    pub fn edge_bars(&self, half_width: f32) -> Vec<Self> {
        let bar = |i: usize| {
            let [a, b] = [(i + 1) % 3, (i + 2) % 3];
            let (p, q) = (self.corners[a], self.corners[b]);
            let along = [q[0] - p[0], q[1] - p[1]];
            let length = along[0].hypot(along[1]).max(f32::MIN_POSITIVE);
            let aside = [-along[1] / length * half_width, along[0] / length * half_width];
            let moved =
                |at: [f32; 3], by: f32| [at[0] + by * aside[0], at[1] + by * aside[1], at[2] + 2.0 * half_width];
            let half = |corners, values| Self { corners, values, ink: [self.ink[i]; 3], is_edge: true, ..*self };
            let (u, v) = (self.values[a], self.values[b]);
            [
                half([moved(p, -1.0), moved(p, 1.0), moved(q, 1.0)], [u, u, v]),
                half([moved(p, -1.0), moved(q, 1.0), moved(q, -1.0)], [u, v, v]),
            ]
        };
        (0..3).filter(|&i| self.ink[i] > 0.0).flat_map(bar).collect()
    }
}

/// What a sample shows, before it has a colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fragment {
    /// The field.
    pub value: f32,
    /// Brightness.
    pub shade: f32,
    /// How much of an edge lies on it, from 0 to 1.
    pub ink: f32,
    /// Whether it is part of a cut.
    pub is_cut: bool,
}

/// How triangles are turned into pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Raster {
    /// Pixels to the right.
    pub width: usize,
    /// Pixels downwards.
    pub height: usize,
    /// Samples of a pixel along each axis.
    pub samples: usize,
    /// Half the width of an edge in pixels.
    pub half_edge: f32,
}

/// Rows of pixels that are drawn together.
const BAND: usize = 16;

impl Raster {
    /// Draws triangles over a background; `colour` gives samples their colours. Rows from top to bottom.
    pub fn draw(&self, triangles: &[Projected], background: Rgb, colour: impl Fn(Fragment) -> Rgb + Sync) -> Vec<Rgb> {
        let mut pixels = vec![background; self.width * self.height];
        let bins = self.bins(triangles);
        let size = BAND * self.width.max(1);
        parallel::each_chunk(&mut pixels, size, &|first, pixels| {
            let band = first / size;
            let mut samples = Samples::new(self, band, pixels.len() / self.width);
            bins[band].iter().for_each(|&index| samples.add(&triangles[index as usize], &colour));
            samples.resolve(pixels, background);
        });
        pixels
    }

    /// For each band the triangles that reach into it, in their order.
    fn bins(&self, triangles: &[Projected]) -> Vec<Vec<u32>> {
        let mut bins = vec![Vec::new(); self.height.div_ceil(BAND)];
        for (index, triangle) in (0..).zip(triangles) {
            let y = triangle.corners.map(|corner| corner[1]);
            let (top, bottom) = (y[0].min(y[1]).min(y[2]), y[0].max(y[1]).max(y[2]));
            let is_drawable = triangle.corners.iter().flatten().all(|x| x.is_finite());
            if is_drawable && bottom >= 0.0 && top < self.height as f32 {
                let (first, last) = (top.max(0.0) as usize / BAND, bottom as usize / BAND);
                bins[first..=last.min(self.height.div_ceil(BAND) - 1)].iter_mut().for_each(|bin| bin.push(index));
            }
        }
        bins
    }
}

/// The samples of a band.
struct Samples {
    per_pixel: usize,
    columns: usize,
    rows: usize,
    first_row: usize,
    half_edge: f32,
    nearness: Vec<f32>,
    colours: Vec<Rgb>,
}

impl Samples {
    fn new(raster: &Raster, band: usize, pixel_rows: usize) -> Self {
        let per_pixel = raster.samples;
        let (columns, rows) = (raster.width * per_pixel, pixel_rows * per_pixel);
        let (nearness, colours) = (vec![f32::NEG_INFINITY; columns * rows], vec![[0.0; 3]; columns * rows]);
        let (first_row, half_edge) = (band * BAND * per_pixel, raster.half_edge * per_pixel as f32);
        Self { per_pixel, columns, rows, first_row, half_edge, nearness, colours }
    }

    /// Barycentric coordinates are linear in x and y; a sample is inside where none is negative.
    fn add(&mut self, triangle: &Projected, colour: &impl Fn(Fragment) -> Rgb) {
        let scale = self.per_pixel as f32;
        let shift = self.first_row as f32;
        let [a, b, c] = triangle.corners.map(|[x, y, _]| [x * scale - 0.5, y * scale - 0.5 - shift]);
        let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
        let area = u[0] * v[1] - u[1] * v[0];
        if area == 0.0 {
            return; // seen edge on
        }
        let slopes = Slopes { b: [v[1] / area, -v[0] / area], c: [-u[1] / area, u[0] / area] };
        let heights = slopes.heights();
        let rows = range(a[1].min(b[1]).min(c[1]), a[1].max(b[1]).max(c[1]), self.rows);
        let columns = range(a[0].min(b[0]).min(c[0]), a[0].max(b[0]).max(c[0]), self.columns);
        for row in rows {
            for column in columns.clone() {
                let weights = slopes.at([column as f32 - a[0], row as f32 - a[1]]);
                if weights.iter().all(|&weight| weight >= -1e-5) {
                    self.show(row * self.columns + column, triangle, weights, heights, colour);
                }
            }
        }
    }

    #[inline]
    fn show(
        &mut self,
        sample: usize,
        triangle: &Projected,
        weights: [f32; 3],
        heights: [f32; 3],
        colour: &impl Fn(Fragment) -> Rgb,
    ) {
        let mean = |at: [f32; 3]| weights[0] * at[0] + weights[1] * at[1] + weights[2] * at[2];
        let nearness = mean(triangle.corners.map(|corner| corner[2]));
        if nearness <= self.nearness[sample] {
            return;
        }
        self.nearness[sample] = nearness;
        let edge = |i: usize| triangle.ink[i] * (self.half_edge + 0.5 - weights[i] * heights[i]).clamp(0.0, 1.0);
        let ink = if triangle.is_edge { triangle.ink[0] } else { edge(0).max(edge(1)).max(edge(2)) };
        let (value, shade) = (mean(triangle.values), mean(triangle.shades));
        self.colours[sample] = colour(Fragment { value, shade, ink, is_cut: triangle.is_cut });
    }

    /// The mean of each pixel's samples.
    fn resolve(&self, pixels: &mut [Rgb], background: Rgb) {
        let (n, width) = (self.per_pixel, self.columns / self.per_pixel);
        for (index, pixel) in pixels.iter_mut().enumerate() {
            let corner = index / width * n * self.columns + index % width * n;
            let mut sum = [0.0; 3];
            for sample in (0..n).flat_map(|j| (0..n).map(move |i| corner + j * self.columns + i)) {
                let is_empty = self.nearness[sample] == f32::NEG_INFINITY;
                let colour = if is_empty { background } else { self.colours[sample] };
                (0..3).for_each(|d| sum[d] += colour[d]);
            }
            *pixel = sum.map(|total| total / (n * n) as f32);
        }
    }
}

/// Derivatives of the second and third barycentric coordinate.
struct Slopes {
    b: [f32; 2],
    c: [f32; 2],
}

impl Slopes {
    #[inline]
    fn at(&self, [x, y]: [f32; 2]) -> [f32; 3] {
        let (b, c) = (self.b[0] * x + self.b[1] * y, self.c[0] * x + self.c[1] * y);
        [1.0 - b - c, b, c]
    }
    /// How far each corner is from the edge opposite: a coordinate's gradient has the length 1 / height.
    fn heights(&self) -> [f32; 3] {
        let a = [self.b[0] + self.c[0], self.b[1] + self.c[1]];
        [a, self.b, self.c].map(|[x, y]| 1.0 / (x * x + y * y).sqrt())
    }
}

/// Whole numbers from low to high, below a limit.
fn range(low: f32, high: f32, limit: usize) -> std::ops::Range<usize> {
    let first = low.ceil().max(0.0) as usize;
    let end = (high.floor() + 1.0).max(0.0) as usize;
    first.min(limit)..end.min(limit)
}
