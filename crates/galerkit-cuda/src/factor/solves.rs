//! From factors on the GPU to triangular solves on the GPU: pattern, levels, slices and slots once, numbers without leaving
//! the device. The map is the one that factors from the host get, bit for bit.

use super::{Factoriser, WHAT};
use crate::error::Result;
use crate::launch::Buffer;
use crate::map::Map;
use crate::map::triangular::{self, Places, Slotted};
use galerkit_linalg::Scalar;

/// Triangular solves with the factors of a [`Factoriser`].
pub struct Solves {
    /// What is applied.
    pub map: Map,
    lower: Triangle,
    upper: Triangle,
}

/// Where the entries of a triangle come from and where they go.
struct Triangle {
    entries: usize,
    from: Buffer,
    to: Buffer,
    places: Places,
}

impl<S: Scalar> Factoriser<S> {
    /// The map that solves with the present factors; [`hand_over`](Self::hand_over) brings it later ones.
    pub fn solves(&self) -> Result<Solves> {
        let gpu = self.f.gpu();
        let (map, [below, above]) = triangular::of_pattern(gpu, &self.blank)?;
        let [lower, upper] = self.structure.triangles();
        let triangle = |from: Vec<u64>, (to, places): Slotted| -> Result<Triangle> {
            let entries = from.len();
            let from = Buffer::from_slice(gpu, WHAT, &from)?;
            Ok(Triangle { entries, from, to: Buffer::from_slice(gpu, WHAT, &to)?, places })
        };
        let solves = Solves { map, lower: triangle(lower, below)?, upper: triangle(upper, above)? };
        self.hand_over(&solves)?;
        Ok(solves)
    }

    /// The present factors for all solves queued after this; waits, and says whether all is well.
    pub fn hand_over(&self, solves: &Solves) -> Result<()> {
        let rows = self.structure.rows();
        for triangle in [&solves.lower, &solves.upper] {
            let Places { row, val, scale } = triangle.places;
            let [row, val, scale] = [row, val, scale].map(|at| solves.map.buffers[at].address());
            let (from, to) = (triangle.from.address(), triangle.to.address());
            let words = [triangle.entries as u64, from, to, self.f.address(), val];
            self.kernels.threads("factor_hand_over", triangle.entries, &words);
            self.kernels.threads("factor_gather", rows, &[rows as u64, row, self.inverse.address(), scale]);
        }
        self.f.gpu().synchronize()
    }
}
