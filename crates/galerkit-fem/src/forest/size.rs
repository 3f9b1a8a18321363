//! How much memory a forest and a space on it take, known before they are made: counted cells and unknowns times what
//! was measured of each. What does not fit is refused with the numbers.

use crate::error::{Error, Result};
use galerkit_linalg::Error as LinalgError;
use galerkit_linalg::sparse::memory;

/// Bytes of a cell with its topology, by dimension: 2 or 3.
const CELL: [f64; 2] = [450.0, 1100.0];
/// What a cell takes besides where it is one of the coarse mesh.
const COARSE: [f64; 2] = [690.0, 1110.0];
/// Bytes of an unknown in spaces, vectors and operators without a matrix.
const UNKNOWN: f64 = 150.0;
/// What it takes besides where there is a matrix: contributions, the map to slots, rows.
const ROW: [f64; 2] = [800.0, 2300.0];

/// Cells and unknowns that are not there yet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    /// 2 or 3.
    pub dim: usize,
    /// Cells, cuts included.
    pub cells: f64,
    /// Cells of the coarse mesh, if that is still to be made.
    pub coarse: f64,
    /// Unknowns.
    pub unknowns: f64,
    /// Whether a matrix is made for them.
    pub has_matrix: bool,
}

impl Size {
    /// So many cells alone.
    pub fn of_cells(dim: usize, cells: f64) -> Self {
        Self { dim, cells, ..Self::default() }
    }
    /// The same cells, cut a number of times.
    pub fn cut(self, times: usize) -> Self {
        let children = 2f64.powi((self.dim * times).min(i32::MAX as usize) as i32);
        Self { cells: self.cells * children, ..self }
    }
    /// The same cells with functions of these degrees, repeated over them: about p^d a cell.
    pub fn with_degrees(self, degrees: &[usize]) -> Self {
        let sum: f64 = degrees.iter().map(|&p| (p as f64).powi(self.dim as i32)).sum();
        Self { unknowns: self.cells * sum / degrees.len().max(1) as f64, ..self }
    }
    /// About so many bytes.
    pub fn bytes(&self) -> f64 {
        let of = |each: [f64; 2]| each[usize::from(self.dim == 3)];
        let row = if self.has_matrix { of(ROW) } else { 0.0 };
        self.cells * of(CELL) + self.coarse * of(COARSE) + self.unknowns * (UNKNOWN + row)
    }
    /// An error where that is more than there is.
    pub fn check(&self) -> Result<()> {
        match memory::check("the mesh", self.bytes() as u128) {
            Err(LinalgError::OutOfMemory { needed, available, .. }) => {
                let [cells, unknowns] = [self.cells, self.unknowns];
                Err(Error::TooLarge { cells, unknowns, needed: needed as f64, available: available as f64 })
            }
            other => Ok(other?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_unknowns_are_counted_before_they_are_made() {
        let size = Size::of_cells(2, 3.0).cut(10).with_degrees(&[1, 3]);
        assert_eq!((size.cells, size.unknowns), (3.0 * 1048576.0, 5.0 * 3.0 * 1048576.0));
        let refused = Size::of_cells(2, 1.0).cut(40).check().unwrap_err().to_string();
        assert!(refused.contains("1.2e24 cells need about") && refused.contains("GiB are free"), "{refused}");
        assert!(Size::of_cells(3, 1.0).cut(1_000_000_000).check().is_err());
        assert!(Size::of_cells(3, 64.0).with_degrees(&[2]).check().is_ok());
    }
}
