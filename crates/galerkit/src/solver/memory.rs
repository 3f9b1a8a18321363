//! How many directions fit the memory that is free, decided before anything is allocated.

use crate::error::Result;
use crate::family::{directions, with_directions};
use galerkit_cuda::Error as CudaError;
use galerkit_cuda::error::Amount;
use galerkit_linalg::krylov::Krylov;

/// Fewer directions than this are no method.
const LEAST_DIRECTIONS: usize = 5;
/// Vectors beside those of the method: b, x, the residual of the final check, and one to spare.
pub(super) const BESIDE: usize = 4;

/// What a solve needs and what there is, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Matrix and preconditioner.
    pub(super) maps: usize,
    /// One vector.
    pub(super) vector: usize,
    /// Whether vectors are in single precision.
    pub(super) is_single: bool,
    /// Free on the device.
    pub(super) free: usize,
    /// In all on the device.
    pub(super) total: usize,
}

impl Room {
    fn needed(&self, method: Krylov) -> usize {
        let method = if self.is_single { method.in_single() } else { method };
        self.maps + (method.vectors() + BESIDE) * self.vector
    }

    /// Whether a method fits; a twentieth is left for kernels and partial sums.
    fn fits(&self, method: Krylov) -> bool {
        self.needed(method) <= self.free - self.free / 20
    }

    /// The method, if it must be with fewer directions and a sentence that says so. Too little memory for 5 is an
    /// error.
    pub(super) fn shorten(&self, method: Krylov) -> Result<(Krylov, Option<String>)> {
        if self.fits(method) {
            return Ok((method, None));
        }
        let asked = directions(method).unwrap_or(0);
        let shorter = |count| with_directions(method, count).filter(|&shorter| self.fits(shorter));
        let fitting = (LEAST_DIRECTIONS..asked).rev().find_map(|count| shorter(count).map(|method| (count, method)));
        match fitting {
            Some((count, shorter)) => {
                let free = Amount(self.free);
                let sentence = format!("{asked} directions do not fit the {free} that are free: {count} are kept");
                Ok((shorter, Some(sentence)))
            }
            None => {
                let least = with_directions(method, LEAST_DIRECTIONS.min(asked)).unwrap_or(method);
                let what = format!("the system with the vectors of {least}");
                let (needed, free, total) = (self.needed(least), self.free, self.total);
                Err(CudaError::OutOfMemory { what, needed, free, total }.into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GMRES: Krylov = Krylov::Gmres { restart: 30 };

    /// Room for the maps and so many vectors of 100 bytes.
    fn room(vectors: usize) -> Room {
        let free = (1000 + 100 * vectors) * 20 / 19 + 1;
        Room { maps: 1000, vector: 100, is_single: false, free, total: 1 << 20 }
    }

    #[test]
    fn what_fits_is_left_alone() {
        let (method, sentence) = room(GMRES.vectors() + BESIDE).shorten(GMRES).unwrap();
        assert_eq!((method, sentence), (GMRES, None));
        assert_eq!(room(4 + BESIDE).shorten(Krylov::Cg).unwrap().0, Krylov::Cg);
    }

    #[test]
    fn a_restart_is_as_long_as_the_memory_allows() {
        let (method, sentence) = room(GMRES.vectors() + BESIDE - 1).shorten(GMRES).unwrap();
        assert_eq!(method, Krylov::Gmres { restart: 29 });
        assert!(sentence.unwrap().contains("29 are kept"));
        let twelve = Krylov::Orthodir { restart: 12 }.vectors() + BESIDE;
        let (method, _) = room(twelve + 1).shorten(Krylov::Orthodir { restart: 50 }).unwrap();
        assert_eq!(method, Krylov::Orthodir { restart: 12 }, "a direction takes two vectors");
    }

    #[test]
    fn a_compressed_basis_takes_half_the_room_unless_all_is_in_single_precision() {
        let compressed = Krylov::CompressedGmres { restart: 30 };
        let room = room(15 + 2 + BESIDE);
        assert_eq!(room.shorten(compressed).unwrap().0, compressed);
        let (method, _) = Room { is_single: true, ..room }.shorten(compressed).unwrap();
        assert_eq!(method, Krylov::CompressedGmres { restart: 15 });
    }

    #[test]
    fn fewer_than_five_directions_are_an_error_that_says_how_much_is_missing() {
        let five = Krylov::Gmres { restart: 5 }.vectors() + BESIDE;
        assert_eq!(room(five).shorten(GMRES).unwrap().0, Krylov::Gmres { restart: 5 });
        let error = room(five - 1).shorten(GMRES).unwrap_err().to_string();
        assert!(error.contains("gmres:5"), "{error}");
        assert!(room(0).shorten(Krylov::Gmres { restart: 3 }).unwrap_err().to_string().contains("gmres:3"));
    }

    #[test]
    fn short_recurrences_cannot_be_shortened() {
        let error = room(4).shorten(Krylov::Bicgstab).unwrap_err().to_string();
        assert!(error.contains("bicgstab"), "{error}");
    }
}
