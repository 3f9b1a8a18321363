//! The colour bar: which colour stands for which number.

use super::colours::ColourMap;
use super::font::Letters;
use super::image::{Image, Pen, Rgb};

/// A colour bar at the right of an image.
pub struct Legend<'a> {
    /// Its colours.
    pub map: &'a ColourMap,
    /// The numbers at its lower and upper end.
    pub range: [f64; 2],
    /// How its numbers are written.
    pub letters: Letters,
}

impl Legend<'_> {
    /// The width it needs, its distance to the right end of the image included.
    pub fn width(&self) -> f32 {
        self.width_with(&ticks(self.range))
    }
    /// The same with marks of one's own.
    pub fn width_with(&self, marks: &[(f64, String)]) -> f32 {
        let labels = marks.iter().map(|(_, label)| self.letters.width(label));
        labels.fold(0.0, f32::max) + 6.0 * self.letters.height
    }

    /// Draws it, over six tenths of the height.
    pub fn draw(&self, image: &mut Image) {
        self.draw_with(image, &ticks(self.range));
    }
    /// The same with marks of one's own: numbers of the range, and what is written beside them.
    pub fn draw_with(&self, image: &mut Image, marks: &[(f64, String)]) {
        let unit = self.letters.height;
        let (height, width) = (bar_height(image), self.bar_width());
        let (top, left) = (bar_top(image), (image.width() as f32 - self.width_with(marks) + 1.4 * unit).round());
        let colour = |row: i64| self.map.at(1.0 - (row as f32 + 0.5 - top) / height);
        image.fill([left as i64, top as i64], [width as i64, height as i64], colour);
        for (value, label) in marks {
            let y = self.row(image, *value);
            let (from, to) = (left + width + 1.0, left + width + 0.45 * unit);
            image.stroke(&[[from, y], [to, y]], Pen { width: 1.0, ..self.letters.pen });
            self.letters.write(image, [to + 0.6 * unit, y + 0.5 * unit], label);
        }
    }
    /// A line across a bar with these marks where a number is.
    pub fn mark(&self, image: &mut Image, value: f64, marks: &[(f64, String)], colour: Rgb) {
        let left = (image.width() as f32 - self.width_with(marks) + 1.4 * self.letters.height).round();
        let y = self.row(image, value);
        image.stroke(&[[left, y], [left + self.bar_width(), y]], Pen { width: 2.0, colour });
    }

    fn bar_width(&self) -> f32 {
        (1.5 * self.letters.height).round()
    }
    fn row(&self, image: &Image, value: f64) -> f32 {
        let [low, high] = self.range;
        bar_top(image) + bar_height(image) * (1.0 - ((value - low) / (high - low)) as f32)
    }
}

fn bar_height(image: &Image) -> f32 {
    (0.62 * image.height() as f32).round()
}
fn bar_top(image: &Image) -> f32 {
    (0.5 * (image.height() as f32 - bar_height(image))).round()
}

/// Round numbers in a range and how they are written, all with the same decimals.
pub fn ticks([low, high]: [f64; 2]) -> Vec<(f64, String)> {
    let rough = (high - low) / 5.0;
    if !(rough > 0.0 && rough.is_finite()) {
        return Vec::new();
    }
    let power = 10f64.powf(rough.log10().floor());
    let step =
        power * [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| rough <= factor * power * 1.000_001).unwrap_or(10.0);
    let largest = low.abs().max(high.abs());
    let slack = 1e-9 * (high - low);
    let (first, last) = (((low - slack) / step).ceil() as i64, ((high + slack) / step).floor() as i64);
    (first..=last).map(|k| (k as f64 * step, label(k, step, largest))).collect()
}

/// k step, in decimals if these are short, else with a power of ten.
fn label(k: i64, step: f64, largest: f64) -> String {
    let value = k as f64 * step;
    let decimals = (-(step * 1.000_001).log10().floor()).max(0.0) as usize;
    if k == 0 {
        return "0".into();
    }
    if (1e-3..1e5).contains(&largest) {
        return format!("{value:.decimals$}");
    }
    let digits = (value.abs().log10().floor() - (step * 1.000_001).log10().floor()).max(0.0) as usize;
    format!("{value:.digits$e}")
}
