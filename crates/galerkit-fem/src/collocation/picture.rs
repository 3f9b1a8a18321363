//! Pictures of concentrations as a doctor would read them: a time stamp, the tissues, the line that imaging shows, a
//! scale with units.
//!
//! | file | what |
//! |---|---|
//! | `map` | a rectangle: colours over the tissues on a logarithmic scale, with the contour |
//! | `curve` | an interval: c over x, with the threshold |

mod curve;
mod map;

use super::space::Collocation;
use crate::picture::font::Letters;
use crate::picture::image::{Image, Pen, Rgb};

const INK: Rgb = [0.13; 3];
const PAPER: Rgb = [1.0; 3];
const LETTERS: f32 = 11.0;
/// Pixels from the left and from the top to the title's base line.
const TITLE: [f32; 2] = [16.0, 24.0];

/// What pictures of one run share.
#[derive(Clone, Debug)]
pub struct Portrait {
    /// The concentration from which on imaging shows a tumour.
    pub threshold: f64,
    /// The largest concentration that colours tell apart.
    pub most: f64,
    /// Width and height in pixels.
    pub size: [usize; 2],
    /// Whether lengths are in cm and times in days.
    pub has_units: bool,
}

impl Portrait {
    /// Draws coefficients below a title.
    pub fn draw(&self, space: &Collocation, a: &[f64], title: &str) -> Image {
        let mut image = Image::new(self.size[0], vec![PAPER; self.size[0] * self.size[1]]);
        let letters = Letters { height: LETTERS, pen: Pen { colour: INK, width: 1.3 } };
        letters.write(&mut image, TITLE, title);
        let [threshold, most] = [self.threshold, self.most];
        match space.y() {
            Some(y) => map::Map { threshold, most, letters, has_units: self.has_units }.draw(&mut image, space, y, a),
            None => curve::Curve { threshold, most, letters, has_units: self.has_units }.draw(&mut image, space, a),
        }
        image
    }
}
