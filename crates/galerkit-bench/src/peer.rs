//! Products by cuSPARSE, in benchmarks only: the same matrix in each of its formats, the same x, timed in the same way.
//! The library is looked for in the same places as NVRTC.

use galerkit_cuda::jit::{Places, candidates_of};
use galerkit_cuda::launch::{Buffer, Cusparse, Gpu, Graph, Multiplication, PeerLayout, PeerMatrix};
use galerkit_cuda::timing::{Times, repeats, time_repeated};
use galerkit_cuda::{Error, Result};
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::{Bsr, Csr, Format, statistics};
use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

/// A format of cuSPARSE and one of its algorithms for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Compressed rows by CUSPARSE_SPMV_CSR_ALG1 or ALG2.
    Csr(u32),
    /// Triples by CUSPARSE_SPMV_COO_ALG1 or ALG2.
    Coo(u32),
    /// Slices of 32 rows by CUSPARSE_SPMV_SELL_ALG1.
    SlicedEll,
    /// Dense blocks of this order.
    Bsr(usize),
}

impl Way {
    /// The value of cusparseSpMVAlg_t.
    fn algorithm(self) -> i32 {
        match self {
            Way::Csr(1) => 2,
            Way::Csr(_) => 3,
            Way::Coo(1) => 1,
            Way::Coo(_) => 4,
            Way::SlicedEll => 5,
            Way::Bsr(_) => 6,
        }
    }

    /// Those worth timing for a matrix: every format, blocks only where they divide the matrix and are two thirds full.
    pub fn all<S: Scalar>(A: &Csr<S>) -> Vec<Way> {
        let fits = |&block: &usize| {
            let slots = statistics::predicted_slots(A, Format::Bsr { block });
            A.rows().is_multiple_of(block) && A.cols().is_multiple_of(block) && 2 * slots <= 3 * A.nnz() as u64
        };
        let blocks = (2..=4).filter(fits).map(Way::Bsr);
        [Way::Csr(1), Way::Csr(2), Way::SlicedEll, Way::Coo(1), Way::Coo(2)].into_iter().chain(blocks).collect()
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Way::Csr(algorithm) => f.pad(&format!("cusparse csr alg{algorithm}")),
            Way::Coo(algorithm) => f.pad(&format!("cusparse coo alg{algorithm}")),
            Way::SlicedEll => f.pad("cusparse sell:32"),
            Way::Bsr(block) => f.pad(&format!("cusparse bsr:{block}")),
        }
    }
}

/// cuSPARSE, found.
pub struct Peer {
    library: Rc<Cusparse>,
}

impl Peer {
    /// The first that loads; the error tells what to install.
    pub fn find(gpu: &Arc<Gpu>) -> crate::Result<Self> {
        let places = Places::of_environment(Some(gpu.properties().driver.0));
        let given = std::env::var_os("GALERKIT_CUSPARSE").filter(|value| !value.is_empty()).map(PathBuf::from);
        let mut looked = Vec::new();
        for path in candidates_of("libcusparse", "cusparse", given.as_deref(), &places) {
            match Cusparse::load(gpu, &path) {
                Ok(library) => return Ok(Self { library }),
                Err(error) if path.is_file() => looked.push(error.to_string()),
                Err(_) => looked.push(path.display().to_string()),
            }
        }
        Err(crate::Error::NoCusparse { looked: format!("{}; {places}", looked.join(", ")) })
    }

    /// Its version and path.
    pub fn description(&self) -> String {
        let version = self.library.version().map_or_else(|_| "?".into(), dotted);
        format!("cuSPARSE {version}, {}", self.library.path().display())
    }

    /// Brings a matrix and x onto the GPU for products in this way.
    pub fn product<S: Scalar>(&self, A: &Csr<S>, way: Way, x: &[S]) -> Result<PeerProduct<S>> {
        let gpu = self.library.gpu();
        let arrays = Arrays::new(A, way)?;
        let bytes = arrays.bytes() + (A.rows() + A.cols()) * size_of::<S>();
        gpu.require_memory("a matrix for cuSPARSE", bytes)?;
        let matrix = arrays.upload(gpu, A)?;
        let x = Buffer::from_slice(gpu, "x for cuSPARSE", x)?;
        let y = Buffer::zeroed(gpu, "y of cuSPARSE", A.rows() * size_of::<S>())?;
        let multiplication = Multiplication::new(&self.library, matrix, x, y, way.algorithm())?;
        Ok(PeerProduct { gpu: gpu.clone(), multiplication, rows: A.rows(), bytes, scalar: PhantomData })
    }
}

/// 12507 → 12.5.7
fn dotted(version: u32) -> String {
    format!("{}.{}.{}", version / 1000, version / 100 % 10, version % 100)
}

/// A product by cuSPARSE.
pub struct PeerProduct<S> {
    gpu: Arc<Gpu>,
    multiplication: Multiplication,
    rows: usize,
    bytes: usize,
    scalar: PhantomData<S>,
}

impl<S: Scalar> PeerProduct<S> {
    /// y = A x, computed once.
    pub fn result(&self) -> Result<Vec<S>> {
        self.multiplication.launch()?;
        self.multiplication.y().download(self.rows)
    }

    /// Times so many replays, and whether they were replays of a graph: where the library does not allow itself to be
    /// recorded, they are loops between two events.
    pub fn time(&self, replays: usize) -> Result<(Times, bool)> {
        let cached = self.bytes <= self.gpu.properties().l2;
        let times = |(seconds, products)| Times { seconds, products, bytes: self.bytes, cached };
        match time_repeated(&self.gpu, replays, &mut |count| self.record(count)) {
            Ok(measured) => Ok((times(measured), true)),
            Err(_) if self.gpu.failure().is_none() => Ok((times(self.time_loops(replays)?), false)),
            Err(error) => Err(error),
        }
    }

    fn record(&self, count: usize) -> Result<Graph> {
        let mut queued = Ok(());
        let graph = Graph::record(&self.gpu, || queued = (0..count).try_for_each(|_| self.multiplication.launch()))?;
        queued.map(|()| graph)
    }

    fn time_loops(&self, replays: usize) -> Result<(Vec<f64>, usize)> {
        let run = |count: usize| {
            let mut queued = Ok(());
            let time = self.gpu.time(|| queued = (0..count).try_for_each(|_| self.multiplication.launch()))?;
            queued.map(|()| time.as_secs_f64() / count as f64)
        };
        run(4)?; // warms up
        let count = repeats(run(4)?);
        let mut seconds = (0..replays.max(1)).map(|_| run(count)).collect::<Result<Vec<f64>>>()?;
        seconds.sort_by(f64::total_cmp);
        Ok((seconds, count))
    }
}

/// Indices of one width.
#[derive(Debug, PartialEq)]
enum Indices {
    Narrow(Vec<i32>),
    Wide(Vec<i64>),
}

impl Indices {
    fn new(values: impl Iterator<Item = i64>, wide: bool) -> Self {
        if wide { Indices::Wide(values.collect()) } else { Indices::Narrow(values.map(|value| value as i32).collect()) }
    }
    fn upload(&self, gpu: &Arc<Gpu>) -> Result<Buffer> {
        match self {
            Indices::Narrow(values) => Buffer::from_slice(gpu, "indices for cuSPARSE", values),
            Indices::Wide(values) => Buffer::from_slice(gpu, "indices for cuSPARSE", values),
        }
    }
    fn bytes(&self) -> usize {
        match self {
            Indices::Narrow(values) => size_of_val(&values[..]),
            Indices::Wide(values) => size_of_val(&values[..]),
        }
    }
}

/// The three arrays of a layout, on the host.
struct Arrays<S> {
    layout: PeerLayout,
    wide: bool,
    first: Indices,
    col: Indices,
    val: Vec<S>,
}

/// Rows of a slice.
const SLICE: usize = 32;

impl<S: Scalar> Arrays<S> {
    fn new(A: &Csr<S>, way: Way) -> Result<Self> {
        let fits = |slots: usize| i32::try_from(slots).is_ok() && i32::try_from(A.rows().max(A.cols())).is_ok();
        let wide = !fits(A.nnz());
        let starts = |start: &[u64], wide| Indices::new(start.iter().map(|&k| k as i64), wide);
        let columns = |col: &[u32], wide| Indices::new(col.iter().map(|&j| j as i64), wide);
        match way {
            Way::Csr(_) => {
                let (first, col) = (starts(A.start(), wide), columns(A.col(), wide));
                Ok(Self { layout: PeerLayout::Csr, wide, first, col, val: A.val().to_vec() })
            }
            Way::Coo(_) => {
                let row = (0..A.rows()).flat_map(|i| std::iter::repeat_n(i as i64, A.row_length(i)));
                let (first, col) = (Indices::new(row, wide), columns(A.col(), wide));
                Ok(Self { layout: PeerLayout::Coo, wide, first, col, val: A.val().to_vec() })
            }
            Way::SlicedEll => {
                let (start, col, val) = sliced(A);
                let wide = !fits(val.len());
                let layout = PeerLayout::SlicedEll { slice: SLICE, slots: val.len() };
                Ok(Self { layout, wide, first: starts(&start, wide), col: Indices::new(col.into_iter(), wide), val })
            }
            Way::Bsr(block) => {
                let refuse = |error: galerkit_linalg::Error| Error::Unsupported {
                    what: way.to_string(),
                    reason: error.to_string(),
                };
                let blocked = Bsr::from_csr(A, block).map_err(refuse)?;
                let wide = !fits(blocked.slots());
                let layout = PeerLayout::Bsr { block, blocks: blocked.block_col().len() };
                let (first, col) = (starts(blocked.block_start(), wide), columns(blocked.block_col(), wide));
                Ok(Self { layout, wide, first, col, val: blocked.val().to_vec() })
            }
        }
    }

    fn bytes(&self) -> usize {
        self.first.bytes() + self.col.bytes() + size_of_val(&self.val[..])
    }

    fn upload(self, gpu: &Arc<Gpu>, A: &Csr<S>) -> Result<PeerMatrix> {
        let val = Buffer::from_slice(gpu, "values for cuSPARSE", &self.val)?;
        let arrays = [self.first.upload(gpu)?, self.col.upload(gpu)?, val];
        let (layout, wide) = (self.layout, self.wide);
        Ok(PeerMatrix { layout, scalar: S::KIND, shape: (A.rows(), A.cols()), nnz: A.nnz(), wide, arrays })
    }
}

/// Slice starts, columns and values of slices of [`SLICE`] rows, the last one complete; padding has column -1.
fn sliced<S: Scalar>(A: &Csr<S>) -> (Vec<u64>, Vec<i64>, Vec<S>) {
    let (mut start, mut col, mut val) = (vec![0], Vec::new(), Vec::new());
    for first in (0..A.rows()).step_by(SLICE) {
        let rows = first..(first + SLICE).min(A.rows());
        let (begin, width) = (col.len(), rows.clone().map(|i| A.row_length(i)).max().unwrap_or(0));
        col.resize(begin + SLICE * width, -1);
        val.resize(begin + SLICE * width, S::zero());
        for i in rows {
            for (e, (j, value)) in A.row(i).enumerate() {
                let slot = begin + e * SLICE + (i - first);
                (col[slot], val[slot]) = (j as i64, value);
            }
        }
        start.push(col.len() as u64);
    }
    (start, col, val)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row 0 has two entries, row 33 one, all others none.
    fn matrix() -> Csr<f64> {
        let start = (0..=34)
            .map(|i| {
                if i == 0 {
                    0
                } else if i <= 33 {
                    2
                } else {
                    3
                }
            })
            .collect();
        Csr::new(34, 34, start, vec![1, 5, 7], vec![10.0, 20.0, 30.0]).unwrap()
    }

    #[test]
    fn slices_are_padded_by_column_minus_one() {
        let (start, col, val) = sliced(&matrix());
        assert_eq!(start, [0, 64, 96]);
        assert_eq!((col[0], val[0]), (1, 10.0));
        assert_eq!((col[32], val[32]), (5, 20.0)); // the second entry of row 0
        assert_eq!((col[65], val[65]), (7, 30.0)); // row 33 is lane 1 of the second slice
        assert_eq!(col.iter().filter(|&&j| j >= 0).count(), 3);
        assert_eq!(val.iter().sum::<f64>(), 60.0);
    }

    #[test]
    fn arrays_of_every_layout() {
        let A = matrix();
        let csr = Arrays::new(&A, Way::Csr(1)).unwrap();
        assert_eq!((csr.layout, csr.wide), (PeerLayout::Csr, false));
        assert_eq!(csr.col, Indices::Narrow(vec![1, 5, 7]));
        let coo = Arrays::new(&A, Way::Coo(2)).unwrap();
        assert_eq!(coo.first, Indices::Narrow(vec![0, 0, 33]));
        let bsr = Arrays::new(&A, Way::Bsr(2)).unwrap();
        assert_eq!(bsr.layout, PeerLayout::Bsr { block: 2, blocks: 3 });
        assert_eq!(bsr.val, [0.0, 10.0, 0.0, 0.0, 0.0, 20.0, 0.0, 0.0, 0.0, 0.0, 0.0, 30.0]);
        assert_eq!(csr.bytes(), 35 * 4 + 3 * 4 + 3 * 8);
    }

    #[test]
    fn blocks_are_tried_only_where_they_fit() {
        assert!(!Way::all(&matrix()).iter().any(|way| matches!(way, Way::Bsr(_))));
        let dense = Csr::new(2, 2, vec![0, 2, 4], vec![0, 1, 0, 1], vec![1.0; 4]).unwrap();
        assert!(Way::all(&dense).contains(&Way::Bsr(2)) && !Way::all(&dense).contains(&Way::Bsr(3)));
    }

    #[test]
    fn versions_read_like_versions() {
        assert_eq!(dotted(12507), "12.5.7");
        assert_eq!(dotted(12605), "12.6.5");
    }
}
