//! Indexed gather, and sums over groups of gathered entries: how values get into the slots of a stored matrix without
//! any thread writing where another does. New values of a matrix are a [`Gather`] from the entries of its pattern to
//! its slots (`values = G v`); assembly is a [`GatherSums`] of element contributions (source 004's K_elem . 1,
//! `values = S k`). Sums are taken in the stored order, so bits do not depend on threads.

use super::gather_index::{NO_SOURCE, check, picked};
use super::tiles::Tiles;
use super::{DeviceSource, Grid, LinearMap, Protocol, Word};
use crate::error::{Error, Result};
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::index::check_u32;

/// Rows that one task works on.
const ROWS: usize = 4096;

/// y_i = x_{index_i}, or 0 where there is no source.
#[derive(Clone, Debug, PartialEq)]
pub struct Gather {
    cols: usize,
    index: Vec<u32>,
}

impl Gather {
    /// From so many entries; an index beyond them is refused.
    pub fn new(cols: usize, index: Vec<u32>) -> Result<Self> {
        check(cols, index.iter().filter(|&&j| j != NO_SOURCE))?;
        Ok(Self { cols, index })
    }
    /// Where each entry comes from.
    pub fn index(&self) -> &[u32] {
        &self.index
    }
}

const GATHER: &str = "struct Map { Offset rows; const unsigned *index; };
template <class Row> __device__ inline void each_row(const Map &A, const Scalar *x, Row row) {
    const Offset threads = Offset(gridDim.x) * blockDim.x;
    for (Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x; i < A.rows; i += threads) {
        const unsigned j = A.index[i];
        row(i)(j == 0xffffffffu ? zero() : x[j]);
    }
}
";

/// Bytes of shared memory for a tile, and slots that it has at most.
const TILE: usize = 16 << 10;
const MOST_SLOTS: usize = 2048;

// A block goes from tile to tile and has what the next one needs under way while it hands out the last: entries and
// places are in registers, AHEAD of each a thread, which is all of a tile for 256 threads. Tiles of several segments
// are brought when it is their turn.
const TILED_GATHER: &str = "struct Segment { unsigned source, place; };
struct Tile { Offset first; unsigned slots, source, count, segments; };
struct Map { Offset tiles; const Tile *tile; const Segment *segment; const unsigned short *local; };
constexpr unsigned AHEAD = 8;
__device__ inline Tile tile_at(const Map &A, Offset k) {
    Tile none{};
    return k < A.tiles ? A.tile[k] : none;
}
__device__ inline void look_up(const Map &A, const Tile &t, unsigned from, unsigned (&place)[AHEAD]) {
    #pragma unroll
    for (unsigned u = 0; u < AHEAD; ++u) {
        const unsigned k = from + threadIdx.x + u * blockDim.x;
        place[u] = k < t.slots ? A.local[t.first + k] : 0u;
    }
}
__device__ inline void read(const Tile &t, const Scalar *x, Scalar (&entry)[AHEAD]) {
    #pragma unroll
    for (unsigned u = 0; u < AHEAD; ++u) {
        const unsigned k = threadIdx.x + u * blockDim.x;
        if (t.segments == 1 && k < t.count) entry[u] = stream(x + t.source + k);
    }
}
__device__ inline void bring(const Map &A, const Tile &t, const Scalar *x, const Scalar (&entry)[AHEAD], Scalar *staged) {
    #pragma unroll
    for (unsigned u = 0; u < AHEAD; ++u) {
        const unsigned k = threadIdx.x + u * blockDim.x;
        if (t.segments == 1 && k < t.count) staged[k] = entry[u];
    }
    for (unsigned k = threadIdx.x + AHEAD * blockDim.x; t.segments == 1 && k < t.count; k += blockDim.x) staged[k] = x[t.source + k];
    for (unsigned s = threadIdx.x / 32; t.segments > 1 && s < t.segments; s += blockDim.x / 32) {
        const Segment segment = A.segment[t.source + s];
        const unsigned at = segment.place & 0xffffu, count = segment.place >> 16;
        for (unsigned k = threadIdx.x % 32; k < count; k += 32) staged[at + k] = x[segment.source + k];
    }
}
static_assert(TILE <= SCRATCH_BYTES, \"a tile fits the scratch room\");
template <class Row> __device__ inline void each_row(const Map &A, const Scalar *x, Row row) {
    Scalar *staged = static_cast<Scalar *>(scratch());
    Tile now = tile_at(A, blockIdx.x), next = tile_at(A, Offset(blockIdx.x) + gridDim.x);
    unsigned place[AHEAD], later[AHEAD];
    Scalar entry[AHEAD];
    read(now, x, entry);
    look_up(A, now, 0, place);
    for (Offset k = blockIdx.x; k < A.tiles; k += gridDim.x) {
        bring(A, now, x, entry, staged);
        __syncthreads();
        const Tile after = tile_at(A, k + 2 * Offset(gridDim.x));
        read(next, x, entry);
        look_up(A, next, 0, later);
        for (unsigned from = 0;;) {
            #pragma unroll
            for (unsigned u = 0; u < AHEAD; ++u) {
                const unsigned slot = from + threadIdx.x + u * blockDim.x;
                if (slot < now.slots) row(now.first + slot)(place[u] == 0xffffu ? zero() : staged[place[u]]);
            }
            from += AHEAD * blockDim.x;
            if (from >= now.slots) break;
            look_up(A, now, from, place);
        }
        __syncthreads();
        now = next;
        next = after;
        #pragma unroll
        for (unsigned u = 0; u < AHEAD; ++u) place[u] = later[u];
    }
}
";

impl Gather {
    /// The device source of a gather by index: its words are the number of slots and the index.
    pub fn source() -> &'static str {
        GATHER
    }
    /// The device source of a gather in tiles: its words are the number of tiles, the tiles, their segments and, in 16
    /// bits, the place of each slot's source in its tile.
    pub fn tiled_source() -> String {
        format!("constexpr unsigned TILE = {TILE};\n{TILED_GATHER}")
    }
    /// Slots, and entries, that a tile has at most.
    pub fn capacity<S>() -> usize {
        (TILE / size_of::<S>()).min(MOST_SLOTS)
    }
}

impl<S: Scalar> LinearMap<S> for Gather {
    fn shape(&self) -> (usize, usize) {
        (self.index.len(), self.cols)
    }
    fn bytes(&self) -> usize {
        size_of_val(&self.index[..])
    }
    fn apply(&self, _: &[S], x: &[S], y: &mut [S]) {
        y.iter_mut().zip(&self.index).for_each(|(y, &index)| *y = picked(x, index));
    }
    fn apply_on_threads(&self, _: &[S], x: &[S], y: &mut [S]) {
        parallel::each_chunk(y, ROWS, &|first, y| {
            y.iter_mut().zip(&self.index[first..]).for_each(|(y, &index)| *y = picked(x, index));
        });
    }
    fn device_source(&self) -> Option<DeviceSource> {
        let Some(tiles) = Tiles::of(&self.index, Self::capacity::<S>()) else {
            let words = vec![Word::Number(self.index.len() as u64), Word::array(&self.index)];
            return Some(DeviceSource {
                source: GATHER.into(),
                protocol: Protocol::Rows,
                words,
                lanes: 1,
                grid: Grid::Rows,
            });
        };
        let words = vec![
            Word::Number(tiles.tiles.len() as u64),
            Word::array(&tiles.tiles),
            Word::array(tiles.segments.as_flattened()),
            Word::array(&tiles.local),
        ];
        Some(DeviceSource {
            source: Self::tiled_source(),
            protocol: Protocol::Rows,
            words,
            lanes: 1,
            grid: Grid::Fitting,
        })
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        Some(Box::new(self.clone()))
    }
}

/// y_i = sum of x_j for the j of group i, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct GatherSums {
    cols: usize,
    start: Vec<u64>,
    index: Vec<u32>,
}

impl GatherSums {
    /// Group i is `index[start[i]..start[i + 1]]`; `start` must ascend from 0 to the length of `index`.
    pub fn new(cols: usize, start: Vec<u64>, index: Vec<u32>) -> Result<Self> {
        let whole = start.first() == Some(&0) && start.last() == Some(&(index.len() as u64)) && start.is_sorted();
        if !whole {
            let problem = format!("they must ascend from 0 to {}, the number of indices", index.len());
            return Err(Error::InvalidStructure { place: "the starts of groups".into(), problem });
        }
        check(cols, index.iter())?;
        Ok(Self { cols, start, index })
    }

    /// The map that sums contributions into slots: contribution j goes to slot `slot[j]` of so many.
    pub fn into_slots(slots: usize, slot: &[u32]) -> Result<Self> {
        check_u32("the number of contributions", slot.len())?;
        let mut start = vec![0u64; slots + 1];
        for &s in slot {
            match start.get_mut(s as usize + 1) {
                Some(count) => *count += 1,
                None => check(slots, std::iter::once(&s))?,
            }
        }
        (0..slots).for_each(|s| start[s + 1] += start[s]);
        let (mut next, mut index) = (start.clone(), vec![0; slot.len()]);
        for (j, &s) in slot.iter().enumerate() {
            index[next[s as usize] as usize] = j as u32;
            next[s as usize] += 1;
        }
        Self::new(slot.len(), start, index)
    }

    fn sum<S: Scalar>(&self, i: usize, x: &[S]) -> S {
        let group = self.start[i] as usize..self.start[i + 1] as usize;
        self.index[group].iter().fold(S::zero(), |sum, &j| sum + x[j as usize])
    }
}

// Loads of some entries are under way together; they are summed one after the other.
const GATHER_SUMS: &str = "struct Map { Offset rows; const Offset *start; const unsigned *index; };
constexpr unsigned TOGETHER = 4;
template <class Row> __device__ inline void each_row(const Map &A, const Scalar *x, Row row) {
    const Offset threads = Offset(gridDim.x) * blockDim.x;
    for (Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x; i < A.rows; i += threads) {
        const Offset end = A.start[i + 1];
        Scalar sum = zero();
        for (Offset k = A.start[i]; k < end; k += TOGETHER) {
            Scalar entry[TOGETHER];
            #pragma unroll
            for (unsigned u = 0; u < TOGETHER; ++u) if (k + u < end) entry[u] = x[A.index[k + u]];
            #pragma unroll
            for (unsigned u = 0; u < TOGETHER; ++u) if (k + u < end) sum += entry[u];
        }
        row(i)(sum);
    }
}
";

impl<S: Scalar> LinearMap<S> for GatherSums {
    fn shape(&self) -> (usize, usize) {
        (self.start.len() - 1, self.cols)
    }
    fn bytes(&self) -> usize {
        size_of_val(&self.start[..]) + size_of_val(&self.index[..])
    }
    fn apply(&self, _: &[S], x: &[S], y: &mut [S]) {
        (0..y.len()).for_each(|i| y[i] = self.sum(i, x));
    }
    fn apply_on_threads(&self, _: &[S], x: &[S], y: &mut [S]) {
        parallel::each_chunk(y, ROWS, &|first, y| {
            y.iter_mut().zip(first..).for_each(|(y, i)| *y = self.sum(i, x));
        });
    }
    fn device_source(&self) -> Option<DeviceSource> {
        let rows = Word::Number(self.start.len() as u64 - 1);
        let words = vec![rows, Word::array(&self.start), Word::array(&self.index)];
        Some(DeviceSource { source: GATHER_SUMS.into(), protocol: Protocol::Rows, words, lanes: 1, grid: Grid::Rows })
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        Some(Box::new(self.clone()))
    }
}
