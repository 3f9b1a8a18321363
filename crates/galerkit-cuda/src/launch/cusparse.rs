//! cuSPARSE, loaded from a given path: y = A x by the generic interface (cusparseSpMV), to compare products with. Only
//! the functions that are needed; versions before CUDA 13 multiply blocks by the older `bsrmv`. Reference: NVIDIA,
//! cuSPARSE library, DU-06709-001.

mod multiplication;

pub use multiplication::Multiplication;

use super::{Buffer, Gpu};
use crate::error::{Error, Result};
use galerkit_linalg::ScalarKind;
use libloading::{Library, Symbol};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr::null_mut;
use std::rc::Rc;
use std::sync::Arc;

type Handle = *mut c_void;
type Address = *mut c_void;
/// What a comparison needs of the enums of `cusparse.h`.
const INDEX_32: c_int = 2;
const INDEX_64: c_int = 3;
const ROW_MAJOR: c_int = 2;
const FROM_ZERO: c_int = 0;

/// The library, with a handle whose work goes onto a GPU's stream.
pub struct Cusparse {
    gpu: Arc<Gpu>,
    library: Library,
    path: PathBuf,
    handle: Handle,
}

/// How a matrix is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerLayout {
    /// Row starts, columns, values.
    Csr,
    /// Rows, columns, values.
    Coo,
    /// Slice starts, columns (-1 in padding), values.
    SlicedEll {
        /// Rows of a slice.
        slice: usize,
        /// Entries and padding.
        slots: usize,
    },
    /// Starts of block rows, block columns, values of blocks row by row.
    Bsr {
        /// Order of a block.
        block: usize,
        /// Blocks.
        blocks: usize,
    },
}

impl PeerLayout {
    /// Entries of the three arrays of a matrix.
    fn lengths(self, rows: usize, nnz: usize) -> [usize; 3] {
        match self {
            PeerLayout::Csr => [rows + 1, nnz, nnz],
            PeerLayout::Coo => [nnz, nnz, nnz],
            PeerLayout::SlicedEll { slice, slots } => [rows.div_ceil(slice) + 1, slots, slots],
            PeerLayout::Bsr { block, blocks } => [rows / block + 1, blocks, blocks * block * block],
        }
    }
}

/// A matrix in device memory as cuSPARSE wants it.
pub struct PeerMatrix {
    /// How.
    pub layout: PeerLayout,
    /// Its numbers.
    pub scalar: ScalarKind,
    /// Rows and columns.
    pub shape: (usize, usize),
    /// Entries without padding.
    pub nnz: usize,
    /// Indices of 64 bits instead of 32.
    pub wide: bool,
    /// The three arrays in the order that the layout names.
    pub arrays: [Buffer; 3],
}

impl Cusparse {
    /// Loads the library at a path, or by a name that the system's loader knows.
    pub fn load(gpu: &Arc<Gpu>, path: &Path) -> Result<Rc<Self>> {
        gpu.enter();
        let refuse = |reason: String| Error::Cusparse { call: format!("loading {}", path.display()), reason };
        // SAFETY: cuSPARSE's initialisers do nothing that could clash with this program.
        let library = unsafe { Library::new(path) }.map_err(|error| refuse(error.to_string()))?;
        let mut loaded = Self { gpu: gpu.clone(), library, path: path.into(), handle: null_mut() };
        type Create = unsafe extern "C" fn(*mut Handle) -> c_int;
        type SetStream = unsafe extern "C" fn(Handle, *mut c_void) -> c_int;
        let mut handle = null_mut();
        // SAFETY: writes one handle.
        let code = unsafe { loaded.function::<Create>(c"cusparseCreate")?(&mut handle) };
        loaded.check("cusparseCreate", code)?;
        loaded.handle = handle;
        // SAFETY: the stream lives as long as the GPU, which this object keeps.
        let code = unsafe { loaded.function::<SetStream>(c"cusparseSetStream")?(handle, gpu.stream.cast()) };
        loaded.check("cusparseSetStream", code)?;
        Ok(Rc::new(loaded))
    }

    /// Where it was found.
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// The GPU it works on.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// Its version, as one number: 12507 is 12.5.7.
    pub fn version(&self) -> Result<u32> {
        type Version = unsafe extern "C" fn(Handle, *mut c_int) -> c_int;
        let mut version = 0;
        // SAFETY: writes one integer.
        let code = unsafe { self.function::<Version>(c"cusparseGetVersion")?(self.handle, &mut version) };
        self.check("cusparseGetVersion", code)?;
        Ok(version as u32)
    }

    fn function<F>(&self, name: &CStr) -> Result<Symbol<'_, F>> {
        // SAFETY: the callers give the type that cuSPARSE documents for the name.
        let found = unsafe { self.library.get(name.to_bytes_with_nul()) };
        found.map_err(|error| Error::Cusparse { call: name.to_string_lossy().into_owned(), reason: error.to_string() })
    }

    fn check(&self, call: &str, code: c_int) -> Result<()> {
        type ErrorString = unsafe extern "C" fn(c_int) -> *const c_char;
        if code == 0 {
            return Ok(());
        }
        let said = self.function::<ErrorString>(c"cusparseGetErrorString").ok().map(|words| {
            // SAFETY: the library returns a constant text that ends with a zero byte.
            unsafe { CStr::from_ptr(words(code)) }.to_string_lossy().into_owned()
        });
        Err(Error::Cusparse { call: call.into(), reason: said.unwrap_or_else(|| format!("status {code}")) })
    }
}

impl Drop for Cusparse {
    fn drop(&mut self) {
        type Destroy = unsafe extern "C" fn(Handle) -> c_int;
        let _ = self.gpu.synchronize(); // its work may be under way
        if let Ok(destroy) = self.function::<Destroy>(c"cusparseDestroy") {
            // SAFETY: made once, destroyed once, idle.
            unsafe { destroy(self.handle) };
        }
    }
}

impl PeerMatrix {
    fn address(&self, array: usize) -> Address {
        self.arrays[array].address() as Address
    }

    /// The value of `cudaDataType`.
    fn data_type(&self) -> c_int {
        match self.scalar {
            ScalarKind::F32 => 0,
            ScalarKind::F64 => 1,
            ScalarKind::C32 => 4,
            ScalarKind::C64 => 5,
        }
    }

    /// Panics unless each array is as long as the layout and the sizes say: the library reads that much.
    fn require_lengths(&self) {
        let index = if self.wide { 8 } else { 4 };
        let sizes = self.layout.lengths(self.shape.0, self.nnz);
        for ((array, length), bytes) in self.arrays.iter().zip(sizes).zip([index, index, self.scalar.bytes()]) {
            assert!(array.bytes() >= length * bytes, "an array of {:?} is shorter than its sizes say", self.layout);
        }
    }

    /// Its description in the library.
    #[rustfmt::skip]
    fn describe(&self, library: &Cusparse) -> Result<Handle> {
        type Csr = unsafe extern "C" fn(*mut Handle, i64, i64, i64, Address, Address, Address, c_int, c_int, c_int, c_int) -> c_int;
        type Coo = unsafe extern "C" fn(*mut Handle, i64, i64, i64, Address, Address, Address, c_int, c_int, c_int) -> c_int;
        type Sell = unsafe extern "C" fn(*mut Handle, i64, i64, i64, i64, i64, Address, Address, Address, c_int, c_int, c_int, c_int) -> c_int;
        type Bsr = unsafe extern "C" fn(*mut Handle, i64, i64, i64, i64, i64, Address, Address, Address, c_int, c_int, c_int, c_int, c_int) -> c_int;
        let (rows, cols, nnz) = (self.shape.0 as i64, self.shape.1 as i64, self.nnz as i64);
        let (first, col, val) = (self.address(0), self.address(1), self.address(2));
        let (index, scalar) = (if self.wide { INDEX_64 } else { INDEX_32 }, self.data_type());
        self.require_lengths();
        let mut made = null_mut();
        let (call, code) = match self.layout {
            // SAFETY: the library keeps the addresses; the buffers live as long as the description, inside one object,
            // and have the lengths that the sizes say, as `require_lengths` has checked.
            PeerLayout::Csr => ("cusparseCreateCsr", unsafe {
                library.function::<Csr>(c"cusparseCreateCsr")?(&mut made, rows, cols, nnz, first, col, val, index, index, FROM_ZERO, scalar)
            }),
            // SAFETY: as above.
            PeerLayout::Coo => ("cusparseCreateCoo", unsafe {
                library.function::<Coo>(c"cusparseCreateCoo")?(&mut made, rows, cols, nnz, first, col, val, index, FROM_ZERO, scalar)
            }),
            // SAFETY: as above.
            PeerLayout::SlicedEll { slice, slots } => ("cusparseCreateSlicedEll", unsafe {
                library.function::<Sell>(c"cusparseCreateSlicedEll")?(&mut made, rows, cols, nnz, slots as i64, slice as i64, first, col, val, index, index, FROM_ZERO, scalar)
            }),
            // SAFETY: as above.
            PeerLayout::Bsr { block, blocks } => ("cusparseCreateBsr", unsafe {
                let b = block as i64;
                library.function::<Bsr>(c"cusparseCreateBsr")?(&mut made, rows / b, cols / b, blocks as i64, b, b, first, col, val, index, index, FROM_ZERO, scalar, ROW_MAJOR)
            }),
        };
        library.check(call, code)?;
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::PeerLayout;

    #[test]
    fn arrays_are_as_long_as_the_layout_says() {
        let lengths = |layout: PeerLayout| layout.lengths(34, 3); // 34 rows, 3 entries
        assert_eq!(lengths(PeerLayout::Csr), [35, 3, 3]);
        assert_eq!(lengths(PeerLayout::Coo), [3, 3, 3]);
        assert_eq!(lengths(PeerLayout::SlicedEll { slice: 32, slots: 96 }), [3, 96, 96]);
        assert_eq!(lengths(PeerLayout::Bsr { block: 2, blocks: 3 }), [18, 3, 12]);
    }
}
