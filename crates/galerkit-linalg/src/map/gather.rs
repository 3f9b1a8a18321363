//! Indexed gather, and sums over groups of gathered entries: how values get into the slots of a stored matrix without any
//! thread writing where another does. New values of a matrix are a [`Gather`] from the entries of its pattern to its slots
//! (`values = G v`); assembly is a [`GatherSums`] of element contributions (source 004's K_elem . 1, `values = S k`). Sums are
//! taken in the stored order, so bits do not depend on threads.

use super::tiles::Tiles;
use super::{DeviceSource, LinearMap, Protocol, Word};
use crate::error::{Error, Result};
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::index::check_u32;

/// For a slot of which no entry is the source: padding.
pub const NO_SOURCE: u32 = u32::MAX;

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

fn check<'a>(cols: usize, mut index: impl Iterator<Item = &'a u32>) -> Result<()> {
    match index.find(|&&j| j as usize >= cols) {
        None => Ok(()),
        Some(&j) => Err(Error::InvalidStructure {
            place: "the index of a gather".into(),
            problem: format!("entry {j} does not exist: there are {cols}"),
        }),
    }
}

fn picked<S: Scalar>(x: &[S], index: u32) -> S {
    if index == NO_SOURCE { S::zero() } else { x[index as usize] }
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

/// Bytes of shared memory for a tile.
const TILE: usize = 16 << 10;

// Sources of slots are read before the barrier, beside what is brought: their latencies overlap.
const TILED_GATHER: &str = "struct Map { Offset tiles; const Offset *first; const unsigned *segment_start; const uint2 *segment; const unsigned short *local; };
constexpr unsigned AHEAD = 8;
__device__ inline void places(const Map &A, Offset from, Offset end, unsigned (&place)[AHEAD]) {
    #pragma unroll
    for (unsigned u = 0; u < AHEAD; ++u) {
        const Offset i = from + threadIdx.x + u * blockDim.x;
        place[u] = i < end ? A.local[i] : 0u;
    }
}
__device__ inline void bring(const Scalar *x, unsigned count, unsigned lane, unsigned lanes, Scalar *staged) {
    #pragma unroll 8
    for (unsigned k = lane; k < count; k += lanes) staged[k] = x[k];
}
template <class Row> __device__ inline void each_row(const Map &A, const Scalar *x, Row row) {
    __shared__ double room[TILE / sizeof(double)];
    Scalar *staged = reinterpret_cast<Scalar *>(room);
    for (Offset tile = blockIdx.x; tile < A.tiles; tile += gridDim.x) {
        const Offset end = A.first[tile + 1];
        Offset from = A.first[tile];
        const unsigned first = A.segment_start[tile], last = A.segment_start[tile + 1];
        unsigned place[AHEAD];
        places(A, from, end, place);
        if (last - first == 1) {
            const uint2 segment = A.segment[first];
            bring(x + segment.x, segment.y >> 16, threadIdx.x, blockDim.x, staged);
        } else for (unsigned s = first + threadIdx.x / 32; s < last; s += blockDim.x / 32) {
            const uint2 segment = A.segment[s];
            bring(x + segment.x, segment.y >> 16, threadIdx.x % 32, 32, staged + (segment.y & 0xffffu));
        }
        __syncthreads();
        for (;;) {
            #pragma unroll
            for (unsigned u = 0; u < AHEAD; ++u) {
                const Offset i = from + threadIdx.x + u * blockDim.x;
                if (i < end) row(i)(place[u] == 0xffffu ? zero() : staged[place[u]]);
            }
            from += AHEAD * blockDim.x;
            if (from >= end) break;
            places(A, from, end, place);
        }
        __syncthreads();
    }
}
";

/// The same source with the size of its shared memory.
fn tiled_source() -> String {
    format!("constexpr unsigned TILE = {TILE};\n{TILED_GATHER}")
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
        let Some(tiles) = Tiles::of(&self.index, TILE / size_of::<S>()) else {
            let words = vec![Word::Number(self.index.len() as u64), Word::array(&self.index)];
            return Some(DeviceSource { source: GATHER.into(), protocol: Protocol::Rows, words, lanes: 1 });
        };
        let words = vec![
            Word::Number(tiles.first.len() as u64 - 1),
            Word::array(&tiles.first),
            Word::array(&tiles.segment_start),
            Word::array(tiles.segments.as_flattened()),
            Word::array(&tiles.local),
        ];
        Some(DeviceSource { source: tiled_source(), protocol: Protocol::Rows, words, lanes: 1 })
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Low>>> {
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

const GATHER_SUMS: &str = "struct Map { Offset rows; const Offset *start; const unsigned *index; };
template <class Row> __device__ inline void each_row(const Map &A, const Scalar *x, Row row) {
    const Offset threads = Offset(gridDim.x) * blockDim.x;
    for (Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x; i < A.rows; i += threads) {
        const Offset end = A.start[i + 1];
        Scalar sum = zero();
        for (Offset k = A.start[i]; k < end; ++k) sum += x[A.index[k]];
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
        Some(DeviceSource { source: GATHER_SUMS.into(), protocol: Protocol::Rows, words, lanes: 1 })
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Low>>> {
        Some(Box::new(self.clone()))
    }
}
