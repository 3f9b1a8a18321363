//! The colour of what a sample shows: that of its value, lit, with the ink of an edge over it.

use super::colours::ColourMap;
use super::image::Rgb;
use super::raster::Fragment;
use super::scene::Colouring;

/// Edges and letters.
pub const INK: Rgb = [0.13, 0.14, 0.18];
/// Edges on what is dark itself.
const LIGHT_INK: Rgb = [0.62, 0.64, 0.70];
const SKIN: Rgb = [0.74, 0.83, 0.92];
const CUT: Rgb = [0.95, 0.78, 0.52];

/// What values are turned into colours with.
pub struct Paint<'a> {
    /// What colours stand for.
    pub colouring: Colouring,
    /// Colours of a field.
    pub map: &'a ColourMap,
    /// Numbers that the ends of the map stand for.
    pub range: [f64; 2],
    /// Colours of tags.
    pub categories: &'a [Rgb],
}

impl Paint<'_> {
    /// The colour of a sample.
    #[inline]
    pub fn colour(&self, fragment: Fragment) -> Rgb {
        let lit = self.base(fragment).map(|x| x * fragment.shade);
        let is_dark = 0.30 * lit[0] + 0.59 * lit[1] + 0.11 * lit[2] < 0.22;
        let (ink, strength) = if is_dark { (LIGHT_INK, 0.55) } else { (INK, 0.8) };
        [0, 1, 2].map(|d| lit[d] + strength * fragment.ink * (ink[d] - lit[d]))
    }

    #[inline]
    fn base(&self, fragment: Fragment) -> Rgb {
        let [low, high] = self.range.map(|x| x as f32);
        let category = || self.categories.get(fragment.value.round() as usize).copied().unwrap_or(SKIN);
        match self.colouring {
            Colouring::Field => self.map.at((fragment.value - low) / (high - low)),
            Colouring::Regions => category(),
            _ if fragment.is_cut => CUT,
            Colouring::Sides => category(),
            Colouring::Plain => SKIN,
        }
    }
}
