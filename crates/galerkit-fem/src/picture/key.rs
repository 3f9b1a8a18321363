//! Which colour stands for which tag: a list at the right of an image.

use super::font::Letters;
use super::image::{Image, Rgb};

/// Tags that are listed at most.
const MOST: usize = 20;

/// Colours and what they stand for.
pub struct Key<'a> {
    /// The colours.
    pub colours: &'a [Rgb],
    /// What each stands for.
    pub labels: &'a [String],
    /// How it is written.
    pub letters: Letters,
}

impl Key<'_> {
    /// The width it needs, its distance to the right end of the image included; none if it is empty.
    pub fn width(&self) -> f32 {
        let widths = self.lines().map(|(_, label)| self.letters.width(&label));
        widths.reduce(f32::max).map_or(0.0, |widest| widest + 6.0 * self.letters.height)
    }

    /// The first lines, and how many more there are.
    fn lines(&self) -> impl ExactSizeIterator<Item = (Option<Rgb>, String)> {
        let mut lines: Vec<_> = self.colours.iter().map(|&c| Some(c)).zip(self.labels.iter().cloned()).collect();
        if lines.len() > MOST {
            let rest = lines.len() - MOST;
            lines.truncate(MOST);
            lines.push((None, format!("{rest} more")));
        }
        lines.into_iter()
    }

    /// Draws it, half way up.
    pub fn draw(&self, image: &mut Image) {
        let unit = self.letters.height;
        let left = image.width() as f32 - self.width() + 1.6 * unit;
        let lines = self.lines();
        let top = 0.5 * (image.height() as f32 - 2.1 * unit * lines.len() as f32);
        for (number, (colour, label)) in lines.enumerate() {
            let y = (top + 2.1 * unit * number as f32).round();
            let side = (1.3 * unit).round();
            if let Some(colour) = colour {
                image.fill([left as i64, y as i64], [side as i64; 2], |_| colour);
            }
            self.letters.write(image, [left + side + 0.8 * unit, y + 0.5 * (side + unit)], &label);
        }
    }
}
