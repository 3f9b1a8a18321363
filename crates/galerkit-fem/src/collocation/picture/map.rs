//! A map of c over its tissues: light where cells spread fast, dark where they spread slowly; colours on a logarithmic
//! scale that fade into the tissue three decades below what imaging shows, whose contour is white.

use crate::collocation::line::Line;
use crate::collocation::space::{Collocation, Place};
use crate::picture::colours::ColourMap;
use crate::picture::font::Letters;
use crate::picture::image::{Image, Pen, Rgb};
use crate::picture::legend::{Legend, ticks};
use rayon::prelude::*;

const CONTOUR: Rgb = [1.0; 3];
const INTERFACE: Rgb = [0.35; 3];
/// Shades of the slowest and the fastest tissue.
const SHADES: [f64; 2] = [0.56, 0.88];
/// Decades below the threshold that colours show, and in how many of them tissue shines through.
const DECADES: [f64; 2] = [3.0, 1.5];
/// Pixels above, below and at the left of the map.
const MARGIN: [usize; 3] = [36, 62, 16];

/// How maps are drawn.
pub struct Map {
    pub threshold: f64,
    pub most: f64,
    pub letters: Letters,
    pub has_units: bool,
}

impl Map {
    pub fn draw(&self, image: &mut Image, space: &Collocation, y: &Line, a: &[f64]) {
        let (colours, range) = (ColourMap::heat(), self.range());
        let legend = Legend { map: &colours, range, letters: self.letters };
        let marks = decades(range);
        let ([left, right], [bottom, top]) = (space.x().ends(), y.ends());
        let beside = (legend.width_with(&marks) as usize).max(96); // "c per cm2" stands above the bar
        let room = [
            image.width().saturating_sub(beside + MARGIN[2]) as f64,
            image.height().saturating_sub(MARGIN[0] + MARGIN[1]) as f64,
        ];
        let scale = (room[0] / (right - left)).min(room[1] / (top - bottom)); // pixels a unit of length
        let size = [((right - left) * scale) as usize, ((top - bottom) * scale) as usize];
        self.paint(image, space, &Raster::new(space, y, a, size), &colours);
        legend.draw_with(image, &marks);
        legend.mark(image, self.threshold.log10(), &marks, CONTOUR);
        let unit = if self.has_units { "c per cm2" } else { "c" };
        self.letters.write(image, [(image.width() - beside) as f32 + 14.0, MARGIN[0] as f32 + 14.0], unit);
        self.explain(image, space, [size[1] as f64, scale]);
    }

    fn range(&self) -> [f64; 2] {
        let low = self.threshold.log10() - DECADES[0];
        [low, self.most.log10().max(low + 1.0)]
    }

    fn paint(&self, image: &mut Image, space: &Collocation, raster: &Raster, colours: &ColourMap) {
        let ([low, high], [width, height]) = (self.range(), raster.size);
        let shade = shades(space, raster);
        for row in 0..height {
            for column in 0..width {
                let (x, y) = ((MARGIN[2] + column) as i64, (MARGIN[0] + row) as i64);
                image.blend(x, y, [shade[row * width + column] as f32; 3], 1.0);
                if raster.is_interface(space, row, column) {
                    image.blend(x, y, INTERFACE, 0.7);
                }
                let level = raster.at(row, column).max(1e-300).log10();
                let cover = ((level - low) / DECADES[1]).clamp(0.0, 1.0);
                image.blend(x, y, colours.at(((level - low) / (high - low)) as f32), cover as f32);
                let away = (raster.at(row, column) - self.threshold).abs() / raster.slope(row, column);
                image.blend(x, y, CONTOUR, (1.6 - away).clamp(0.0, 1.0) as f32);
            }
        }
    }

    /// Below the map: a length to compare with, what the white line is, what the shades are.
    fn explain(&self, image: &mut Image, space: &Collocation, [height, scale]: [f64; 2]) {
        let [left, right] = space.x().ends();
        let steps = ticks([0.0, 0.4 * (right - left)]);
        let length = steps.iter().map(|(length, _)| *length).find(|length| *length > 0.0).unwrap_or(0.0);
        let name = format!("{length}{}", if self.has_units { " cm" } else { "" });
        let (from, base) = (MARGIN[2] as f32, MARGIN[0] as f32 + height as f32 + 12.0);
        let to = from + (length * scale) as f32;
        let pen = Pen { width: 2.0, ..self.letters.pen };
        image.stroke(&[[from, base - 4.0], [from, base], [to, base], [to, base - 4.0]], pen);
        let small = Letters { height: 0.82 * self.letters.height, ..self.letters };
        small.write(image, [to + 8.0, base + 2.0], &name);
        small.write(image, [from, base + 20.0], &format!("white line: c = {}, what imaging shows", self.threshold));
        small.write(image, [from, base + 36.0], &self.tissues(space));
    }

    fn tissues(&self, space: &Collocation) -> String {
        let (found, unit) = (distinct(space), if self.has_units { " cm2/day" } else { "" });
        match &found[..] {
            [one] => format!("one tissue: D {one}{unit}"),
            [dark, light] => format!("light: D {light}{unit}, dark: D {dark}{unit}"),
            [dark, .., light] => format!("{} tissues: D {dark} (dark) to {light} (light){unit}", found.len()),
            [] => String::new(),
        }
    }
}

/// D of all tissues, ascending.
fn distinct(space: &Collocation) -> Vec<f64> {
    let across = space.y().map_or(1, Line::elements);
    let mut all: Vec<f64> = (0..space.elements()).map(|k| space.diffusion([k / across, k % across])).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// The shade of the tissue at each pixel: in even steps, however far apart tissues are.
fn shades(space: &Collocation, raster: &Raster) -> Vec<f64> {
    let found = distinct(space);
    let last = (found.len() - 1).max(1) as f64;
    let of = |k: usize| {
        let d = raster.diffusion(space, k / raster.size[0], k % raster.size[0]);
        let rank = found.partition_point(|other| *other < d) + usize::from(found.len() == 1);
        SHADES[0] + rank as f64 / last * (SHADES[1] - SHADES[0])
    };
    (0..raster.size[0] * raster.size[1]).map(of).collect()
}

/// The powers of ten in a range of exponents, as they are read.
fn decades([low, high]: [f64; 2]) -> Vec<(f64, String)> {
    let name = |k: i32| match k {
        -3..=0 => format!("{:.*}", (-k) as usize, 10f64.powi(k)),
        1..=4 => format!("{:.0}", 10f64.powi(k)),
        _ => format!("1e{k}"),
    };
    ((low - 1e-9).ceil() as i32..=(high + 1e-9).floor() as i32).map(|k| (f64::from(k), name(k))).collect()
}

/// The spline at the middles of pixels, rows from the top.
struct Raster {
    size: [usize; 2],
    columns: Vec<Place>,
    rows: Vec<Place>,
    c: Vec<f64>,
}

impl Raster {
    fn new(space: &Collocation, y: &Line, a: &[f64], size: [usize; 2]) -> Self {
        let middles = |line: &Line, count: usize| -> Vec<Place> {
            let [from, to] = line.ends();
            let middle = |k: usize| from + (to - from) * (k as f64 + 0.5) / count as f64;
            (0..count).filter_map(|k| line.place(middle(k))).collect()
        };
        let columns = middles(space.x(), size[0]);
        let rows: Vec<Place> = middles(y, size[1]).into_iter().rev().collect();
        let mut c = vec![0.0; size[0] * size[1]];
        c.par_chunks_mut(size[0].max(1)).zip(&rows).for_each(|(line, row)| {
            line.iter_mut().zip(&columns).for_each(|(c, column)| *c = space.value(a, column, row));
        });
        Self { size, columns, rows, c }
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.c[row * self.size[0] + column]
    }
    /// By how much c changes from pixel to pixel.
    fn slope(&self, row: usize, column: usize) -> f64 {
        let [width, height] = self.size;
        let across = self.at(row, (column + 1).min(width - 1)) - self.at(row, column.saturating_sub(1));
        let along = self.at((row + 1).min(height - 1), column) - self.at(row.saturating_sub(1), column);
        0.5 * across.hypot(along) + f64::MIN_POSITIVE
    }
    fn diffusion(&self, space: &Collocation, row: usize, column: usize) -> f64 {
        space.diffusion([self.columns[column].0, self.rows[row].0])
    }
    /// Whether tissue changes towards the pixel at the right or the one below.
    fn is_interface(&self, space: &Collocation, row: usize, column: usize) -> bool {
        let here = self.diffusion(space, row, column);
        (column + 1 < self.size[0] && self.diffusion(space, row, column + 1) != here)
            || (row + 1 < self.size[1] && self.diffusion(space, row + 1, column) != here)
    }
}
