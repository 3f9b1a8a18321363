//! The colour of what a sample shows: that of its value, lit, with the ink of an edge over it.

use super::colours::ColourMap;
use super::image::Rgb;
use super::raster::Fragment;
use super::scene::Colouring;

/// Edges and letters.
pub const INK: Rgb = [0.13, 0.14, 0.18];
/// Edges of cells, and how strongly they cover what they lie on.
const EDGE: (Rgb, f32) = ([0.05, 0.05, 0.08], 0.75);
/// The same in a picture whose colours begin near black.
const LIGHT_EDGE: (Rgb, f32) = ([0.62, 0.64, 0.70], 0.55);
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
    edge: (Rgb, f32),
}

impl<'a> Paint<'a> {
    /// One ink for all edges of a picture: an edge that changed its colour on the way would look like two.
    pub fn new(colouring: Colouring, map: &'a ColourMap, range: [f64; 2], categories: &'a [Rgb]) -> Self {
        let is_dark = colouring == Colouring::Field && map.at(0.0).iter().sum::<f32>() < 0.45;
        Self { colouring, map, range, categories, edge: if is_dark { LIGHT_EDGE } else { EDGE } }
    }

    /// The colour of a sample.
    #[inline]
    pub fn colour(&self, fragment: Fragment) -> Rgb {
        let lit = self.base(fragment).map(|x| x * fragment.shade);
        let (ink, strength) = self.edge;
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
