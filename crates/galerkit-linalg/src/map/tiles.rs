//! A gather in tiles: how one reads and writes whole cache lines though its order is neither that of its input nor of
//! its output. Values of compressed rows go into slices column by column, so that neighbouring slots have sources a row
//! apart. A block therefore brings what a tile of slots needs into shared memory in the order of the input, as segments
//! of neighbours, and hands it out from there; a slot knows its source by 16 bits.
//!
//! ```text
//! input     a b c d e f            segments   (a..f)            staged  a b c d e f
//! output    a d b e c f            sources of its slots         0 3 1 4 2 5
//! ```

use super::gather_index::NO_SOURCE;
use crate::parallel;

/// Entries of a segment, at most, where there are several: one warp brings it in a few steps, and all warps have some
/// to bring.
const LONGEST: usize = 128;
/// For a slot without source.
const NONE: u16 = u16::MAX;

/// A tile as kernels read it, for whoever makes tiles elsewhere. Its entries are one segment, from `source` on, or
/// several, from segment `source` on.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::NoUninit)]
#[repr(C)]
pub struct Tile {
    first: u64,
    slots: u32,
    source: u32,
    /// Entries that it needs.
    count: u32,
    segments: u32,
}

impl Tile {
    /// The slots from `first` on, all of whose entries are among `count` neighbours from entry `source` on.
    pub fn of_neighbours(first: u64, slots: u32, source: u32, count: u32) -> Self {
        Self { first, slots, source, count, segments: 1 }
    }
}

/// The tiles of a gather.
pub(super) struct Tiles {
    pub(super) tiles: Vec<Tile>,
    /// The segments of tiles that have several. Source of the first entry; place in shared memory and, above it, the
    /// number of entries.
    pub(super) segments: Vec<[u32; 2]>,
    /// Place in shared memory of each slot's source.
    pub(super) local: Vec<u16>,
}

impl Tiles {
    /// Tiles that need at most so many entries at once; none where sources have too few neighbours for that to pay.
    pub(super) fn of(index: &[u32], capacity: usize) -> Option<Self> {
        let first = cuts(index, capacity);
        let made: Vec<(Vec<[u32; 2]>, Vec<u16>)> =
            parallel::values(first.len() - 1, &|k| tile(&index[first[k] as usize..first[k + 1] as usize]));
        let count: usize = made.iter().map(|(segments, _)| segments.len()).sum();
        if 8 * count > index.len() {
            return None;
        }
        let (mut tiles, mut segments) = (Vec::with_capacity(made.len()), Vec::new());
        let mut local = Vec::with_capacity(index.len());
        for ((own, places), &first) in made.into_iter().zip(&first) {
            let count = own.iter().map(|segment| segment[1] >> 16).sum();
            let source = if let [one] = own[..] { one[0] } else { segments.len() as u32 };
            tiles.push(Tile { first, slots: places.len() as u32, source, count, segments: own.len() as u32 });
            segments.extend(if own.len() > 1 { own } else { Vec::new() });
            local.extend(places);
        }
        Some(Self { tiles, segments, local })
    }
}

/// Where tiles end: as late as the capacity allows, but where possible behind slots whose sources are a run without
/// gaps, as those of a slice are: then no source is brought for two tiles, and no line is read twice.
fn cuts(index: &[u32], capacity: usize) -> Vec<u64> {
    let mut cuts = vec![0];
    let mut at = 0;
    while at < index.len() {
        let end = (at + capacity).min(index.len());
        let (mut least, mut most, mut count, mut whole) = (u32::MAX, 0, 0, None);
        for (i, &source) in index[at..end].iter().enumerate() {
            if source != NO_SOURCE {
                (least, most, count) = (least.min(source), most.max(source), count + 1);
            }
            if count == 0 || (most - least) as usize + 1 == count {
                whole = Some(at + i + 1);
            }
        }
        at = whole.filter(|&whole| 4 * (whole - at) >= capacity && end < index.len()).unwrap_or(end);
        cuts.push(at as u64);
    }
    cuts
}

/// The segments of one tile, and where its slots find their sources.
fn tile(index: &[u32]) -> (Vec<[u32; 2]>, Vec<u16>) {
    let mut sources: Vec<u32> = index.iter().copied().filter(|&source| source != NO_SOURCE).collect();
    sources.sort_unstable();
    sources.dedup();
    let is_one = sources.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    let longest = if is_one { sources.len().max(1) } else { LONGEST };
    let neighbours = sources.chunk_by(|one, next| one + 1 == *next).flat_map(|run| run.chunks(longest));
    let mut at = 0;
    let segments = neighbours.map(|run| {
        let segment = [run[0], at | (run.len() as u32) << 16];
        at += run.len() as u32;
        segment
    });
    let segments = segments.collect();
    let place = |&source: &u32| sources.binary_search(&source).map_or(NONE, |place| place as u16);
    (segments, index.iter().map(place).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a kernel does with tiles.
    fn gathered(tiles: &Tiles, x: &[u32]) -> Vec<u32> {
        let mut y = Vec::new();
        for tile in &tiles.tiles {
            let (source, mut staged) = (tile.source as usize, vec![0; 1 << 16]);
            if tile.segments == 1 {
                staged[..tile.count as usize].copy_from_slice(&x[source..][..tile.count as usize]);
            } else {
                for segment in &tiles.segments[source..source + tile.segments as usize] {
                    let (at, count) = ((segment[1] & 0xffff) as usize, (segment[1] >> 16) as usize);
                    staged[at..at + count].copy_from_slice(&x[segment[0] as usize..][..count]);
                }
            }
            let slots = tile.first as usize..tile.first as usize + tile.slots as usize;
            y.extend(tiles.local[slots].iter().map(|&place| if place == NONE { 0 } else { staged[place as usize] }));
        }
        y
    }

    #[test]
    fn tiles_hand_out_what_the_index_names() {
        // Slices of 4 rows with 5 entries each, column by column; a padded slot at the end of every slice.
        let slice = |s: u32| (0..5).flat_map(move |e| (0..4).map(move |l| s * 20 + l * 5 + e)).chain([NO_SOURCE]);
        let index: Vec<u32> = (0..30).flat_map(slice).collect();
        let x: Vec<u32> = (1..=600).collect();
        let expected: Vec<u32> = index.iter().map(|&j| if j == NO_SOURCE { 0 } else { x[j as usize] }).collect();
        for capacity in [7, 21, 50, 1000] {
            let tiles = Tiles::of(&index, capacity);
            assert_eq!(tiles.is_some(), capacity > 7, "{capacity}");
            tiles.into_iter().for_each(|tiles| assert_eq!(gathered(&tiles, &x), expected, "{capacity}"));
        }
        let tiles = Tiles::of(&index, 50).expect("as above");
        assert_eq!((tiles.tiles.len(), tiles.segments.len()), (15, 0), "two slices a tile, one segment each");
        let far: Vec<u32> = (0..600).map(|k| k * 7 % 600).collect();
        assert!(Tiles::of(&far, 50).is_none(), "no neighbours");
    }
}
