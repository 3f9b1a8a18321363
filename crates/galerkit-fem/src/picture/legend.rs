//! The colour bar: which colour stands for which number.

use super::colours::ColourMap;
use super::font::Letters;
use super::image::{Image, Pen};

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
        let labels = ticks(self.range).into_iter().map(|(_, label)| self.letters.width(&label));
        labels.fold(0.0, f32::max) + 6.0 * self.letters.height
    }

    /// Draws it, over six tenths of the height.
    pub fn draw(&self, image: &mut Image) {
        let unit = self.letters.height;
        let height = (0.62 * image.height() as f32).round();
        let top = (0.5 * (image.height() as f32 - height)).round();
        let (left, width) = ((image.width() as f32 - self.width() + 1.4 * unit).round(), (1.5 * unit).round());
        let colour = |row: i64| self.map.at(1.0 - (row as f32 + 0.5 - top) / height);
        image.fill([left as i64, top as i64], [width as i64, height as i64], colour);
        let [low, high] = self.range;
        for (value, label) in ticks(self.range) {
            let y = top + height * (1.0 - ((value - low) / (high - low)) as f32);
            let (from, to) = (left + width + 1.0, left + width + 0.45 * unit);
            image.stroke(&[[from, y], [to, y]], Pen { width: 1.0, ..self.letters.pen });
            self.letters.write(image, [to + 0.6 * unit, y + 0.5 * unit], &label);
        }
    }
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
