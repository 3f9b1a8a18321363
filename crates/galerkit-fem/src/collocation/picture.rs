//! Pictures of concentrations: on a rectangle a map on a logarithmic scale with the contour that imaging shows and lines where layers meet,
//! on an interval the curve of c.

use super::line::{Line, Local};
use super::space::Collocation;
use crate::picture::colours::ColourMap;
use crate::picture::font::Letters;
use crate::picture::image::{Image, Pen, Rgb};
use crate::picture::legend::Legend;
use rayon::prelude::*;

const INK: Rgb = [0.13; 3];
const PAPER: Rgb = [1.0; 3];
const CONTOUR: Rgb = [1.0, 1.0, 1.0];
const INTERFACE: Rgb = [0.75; 3];
/// Decades below the threshold that colours show.
const DECADES: f64 = 3.0;
const LETTERS: f32 = 11.0;
/// Above, below and at the left of the map.
const MARGIN: [usize; 3] = [38, 16, 16];

/// What pictures of one run share.
#[derive(Clone, Debug)]
pub struct Portrait {
    /// The concentration from which on imaging shows a tumour.
    pub threshold: f64,
    /// The largest concentration that colours tell apart.
    pub most: f64,
    /// Width and height in pixels.
    pub size: [usize; 2],
}

impl Portrait {
    /// Draws coefficients below a title.
    pub fn draw(&self, space: &Collocation, a: &[f64], title: &str) -> Image {
        let mut image = Image::new(self.size[0], vec![PAPER; self.size[0] * self.size[1]]);
        let letters = Letters { height: LETTERS, pen: Pen { colour: INK, width: 1.3 } };
        letters.write(&mut image, [MARGIN[2] as f32, MARGIN[0] as f32 - 14.0], title);
        match space.y() {
            Some(y) => self.map(&mut image, space, y, a, letters),
            None => self.curve(&mut image, space, a),
        }
        image
    }

    fn map(&self, image: &mut Image, space: &Collocation, y: &Line, a: &[f64], letters: Letters) {
        let colours = ColourMap::heat();
        let low = self.threshold.log10() - DECADES;
        let range = [low, self.most.log10().max(low + 1.0)];
        let legend = Legend { map: &colours, range, letters };
        let ([left, right], [bottom, top]) = (space.x().ends(), y.ends());
        let room = [
            self.size[0] as f64 - legend.width() as f64 - MARGIN[2] as f64,
            (self.size[1] - MARGIN[0] - MARGIN[1]) as f64,
        ];
        let scale = (room[0] / (right - left)).min(room[1] / (top - bottom)); // pixels a unit of length
        let (width, height) = (((right - left) * scale) as usize, ((top - bottom) * scale) as usize);
        let at = samples(space, y, a, [width, height]);
        let shown = |c: f64| colours.at(((c.max(1e-300).log10() - low) / (range[1] - low)) as f32);
        for row in 0..height {
            for column in 0..width {
                let c = at[row * width + column];
                let (x, y) = ((MARGIN[2] + column) as i64, (MARGIN[0] + row) as i64);
                image.blend(x, y, shown(c), 1.0);
                // the contour: nearer than a pixel and a half by the slope of log c
                let log = |row: usize, column: usize| at[row * width + column].max(1e-300).ln();
                let across = log(row, (column + 1).min(width - 1)) - log(row, column.saturating_sub(1));
                let along = log((row + 1).min(height - 1), column) - log(row.saturating_sub(1), column);
                let slope = 0.5 * across.hypot(along) + 1e-12;
                let away = (log(row, column) - self.threshold.ln()).abs() / slope;
                image.blend(x, y, CONTOUR, (1.6 - away).clamp(0.0, 1.0) as f32);
            }
        }
        let diffusion = space.x().diffusion();
        for i in (1..diffusion.len()).filter(|&i| diffusion[i] != diffusion[i - 1]) {
            let x = MARGIN[2] as f32 + ((space.x().nodes()[i] - left) * scale) as f32;
            let (from, to) = (MARGIN[0] as f32, (MARGIN[0] + height) as f32);
            image.stroke(&[[x, from], [x, to]], Pen { colour: INTERFACE, width: 1.0 });
        }
        legend.draw(image);
        letters.write(image, [image.width() as f32 - legend.width() + LETTERS, MARGIN[0] as f32 - 14.0], "log10 c");
    }

    fn curve(&self, image: &mut Image, space: &Collocation, a: &[f64]) {
        let [left, right] = space.x().ends();
        let (width, height) = (self.size[0] - 2 * MARGIN[2], self.size[1] - MARGIN[0] - MARGIN[1]);
        let place = |x: f64, c: f64| {
            let across = MARGIN[2] as f64 + width as f64 * (x - left) / (right - left);
            [across as f32, (MARGIN[0] as f64 + height as f64 * (1.0 - c / self.most).clamp(0.0, 1.0)) as f32]
        };
        for (c, colour) in [(0.0, INK), (self.threshold, [0.75, 0.2, 0.1])] {
            image.stroke(&[place(left, c), place(right, c)], Pen { colour, width: 1.0 });
        }
        let point = |k: usize| left + (right - left) * k as f64 / width as f64;
        let points: Vec<[f32; 2]> =
            (0..=width).map(|k| place(point(k), space.at(a, &[point(k).min(right)]).unwrap_or(0.0))).collect();
        points.windows(2).for_each(|pair| image.stroke(pair, Pen { colour: [0.0, 0.35, 0.6], width: 2.0 }));
    }
}

/// The spline at the middles of pixels, rows from the top.
fn samples(space: &Collocation, y: &Line, a: &[f64], [width, height]: [usize; 2]) -> Vec<f64> {
    let middles = |line: &Line, count: usize| -> Vec<Local> {
        let [from, to] = line.ends();
        let place = |k: usize| from + (to - from) * (k as f64 + 0.5) / count as f64;
        (0..count).filter_map(|k| line.at(place(k))).collect()
    };
    let (columns, rows) = (middles(space.x(), width), middles(y, height));
    let fast = space.shape()[1];
    let mut c = vec![0.0; width * height];
    c.par_chunks_mut(width).enumerate().for_each(|(row, line)| {
        let across = rows[height - 1 - row];
        // the spline along this line first, then along x
        let on_line: Vec<f64> = (0..space.shape()[0])
            .map(|i| across.iter().filter_map(|(j, v)| Some(v * a[i * fast + (*j)?])).sum())
            .collect();
        for (c, along) in line.iter_mut().zip(&columns) {
            *c = along.iter().filter_map(|(i, v)| Some(v * on_line[(*i)?])).sum();
        }
    });
    c
}
