//! cuSPARSE, loaded from a given path: y = A x by the generic interface (cusparseSpMV), to compare products with. Only the
//! functions that are needed; versions before CUDA 13 multiply blocks by the older `bsrmv`.
//! Reference: NVIDIA, cuSPARSE library, DU-06709-001.

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
const PLAIN: c_int = 0;

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

/// y = A x, ready to be queued any number of times.
pub struct Multiplication {
    library: Rc<Cusparse>,
    matrix: PeerMatrix,
    x: Buffer,
    y: Buffer,
    descriptors: Descriptors,
    workspace: Buffer,
    algorithm: c_int,
    by_blocks: bool,
}

/// A, x, y, and the older kind of description that `bsrmv` wants.
#[derive(Clone, Copy)]
struct Descriptors {
    A: Handle,
    x: Handle,
    y: Handle,
    older: Handle,
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
        let mut made = null_mut();
        let (call, code) = match self.layout {
            // SAFETY: the library keeps the addresses; the buffers live as long as the description, inside one object,
            // and have the lengths that the sizes say: peer.rs makes both from one matrix.
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

impl Multiplication {
    /// Describes the operands, reserves the workspace and lets the library analyse the matrix. `algorithm` is a value of
    /// cusparseSpMVAlg_t; x and y are as long as the matrix says.
    pub fn new(library: &Rc<Cusparse>, matrix: PeerMatrix, x: Buffer, y: Buffer, algorithm: i32) -> Result<Self> {
        library.gpu.enter();
        let nothing = Descriptors { A: null_mut(), x: null_mut(), y: null_mut(), older: null_mut() };
        let workspace = Buffer::new(&library.gpu, "cuSPARSE's workspace", 1)?;
        let library = library.clone();
        let mut made = Self { library, matrix, x, y, descriptors: nothing, workspace, algorithm, by_blocks: false };
        made.descriptors.A = made.matrix.describe(&made.library)?;
        made.descriptors.x = made.vector(&made.x, made.matrix.shape.1)?;
        made.descriptors.y = made.vector(&made.y, made.matrix.shape.0)?;
        made.prepare()?;
        Ok(made)
    }

    fn vector(&self, entries: &Buffer, length: usize) -> Result<Handle> {
        type Create = unsafe extern "C" fn(*mut Handle, i64, Address, c_int) -> c_int;
        let mut made = null_mut();
        let create = self.library.function::<Create>(c"cusparseCreateDnVec")?;
        // SAFETY: the library keeps the address; the buffer lives as long as the description.
        let code = unsafe { create(&mut made, length as i64, entries.address() as Address, self.matrix.data_type()) };
        self.library.check("cusparseCreateDnVec", code)?;
        Ok(made)
    }

    /// Workspace and analysis; blocks fall back to `bsrmv` where the generic interface does not know them.
    fn prepare(&mut self) -> Result<()> {
        type Size = unsafe extern "C" fn(
            Handle,
            c_int,
            *const c_void,
            Handle,
            Handle,
            *const c_void,
            Handle,
            c_int,
            c_int,
            *mut usize,
        ) -> c_int;
        let ([one, zero], Descriptors { A, x, y, .. }) = (self.coefficients(), self.descriptors);
        let (handle, scalar) = (self.library.handle, self.matrix.data_type());
        let (one, zero) = (one.as_ptr().cast(), zero.as_ptr().cast());
        let mut bytes = 0;
        let size = self.library.function::<Size>(c"cusparseSpMV_bufferSize")?;
        // SAFETY: all descriptions are alive, the coefficients are read during the call, one size is written.
        let code = unsafe { size(handle, PLAIN, one, A, x, zero, y, scalar, self.algorithm, &mut bytes) };
        if code != 0 && matches!(self.matrix.layout, PeerLayout::Bsr { .. }) && !self.matrix.wide {
            return self.prepare_blocks();
        }
        self.library.check("cusparseSpMV_bufferSize", code)?;
        self.workspace = Buffer::new(&self.library.gpu, "cuSPARSE's workspace", bytes)?;
        match self.library.function::<Spmv>(c"cusparseSpMV_preprocess") {
            Ok(preprocess) => self.library.check("cusparseSpMV_preprocess", self.multiply(&preprocess)),
            Err(_) => Ok(()), // older than CUDA 12.4: analyses when it multiplies first
        }
    }

    fn prepare_blocks(&mut self) -> Result<()> {
        type Create = unsafe extern "C" fn(*mut Handle) -> c_int;
        let mut older = null_mut();
        // SAFETY: writes one handle.
        let code = unsafe { self.library.function::<Create>(c"cusparseCreateMatDescr")?(&mut older) };
        self.library.check("cusparseCreateMatDescr", code)?;
        (self.descriptors.older, self.by_blocks) = (older, true);
        self.launch()
    }

    /// One and zero: a real part, an imaginary part, both in the precision of the matrix, lowest byte first.
    fn coefficients(&self) -> [[u64; 2]; 2] {
        let one = match self.matrix.scalar {
            ScalarKind::F32 | ScalarKind::C32 => u64::from(1f32.to_bits()),
            ScalarKind::F64 | ScalarKind::C64 => 1f64.to_bits(),
        };
        [[one, 0], [0, 0]]
    }

    fn multiply(&self, function: &Symbol<'_, Spmv>) -> c_int {
        let ([one, zero], Descriptors { A, x, y, .. }) = (self.coefficients(), self.descriptors);
        let workspace = self.workspace.address() as Address;
        // SAFETY: all descriptions and what they describe are alive; the coefficients are read during the call.
        unsafe {
            function(
                self.library.handle,
                PLAIN,
                one.as_ptr().cast(),
                A,
                x,
                zero.as_ptr().cast(),
                y,
                self.matrix.data_type(),
                self.algorithm,
                workspace,
            )
        }
    }

    fn multiply_blocks(&self) -> Result<c_int> {
        type Bsrmv = unsafe extern "C" fn(
            Handle,
            c_int,
            c_int,
            c_int,
            c_int,
            c_int,
            *const c_void,
            Handle,
            Address,
            Address,
            Address,
            c_int,
            Address,
            *const c_void,
            Address,
        ) -> c_int;
        let PeerLayout::Bsr { block, blocks } = self.matrix.layout else {
            unreachable!("only blocks are prepared for bsrmv")
        };
        let name = match self.matrix.scalar {
            ScalarKind::F32 => c"cusparseSbsrmv",
            ScalarKind::F64 => c"cusparseDbsrmv",
            ScalarKind::C32 => c"cusparseCbsrmv",
            ScalarKind::C64 => c"cusparseZbsrmv",
        };
        let [one, zero] = self.coefficients();
        let [first, col, val] = [0, 1, 2].map(|array| self.matrix.address(array));
        let (rows, cols) = (self.matrix.shape.0 / block, self.matrix.shape.1 / block);
        let function = self.library.function::<Bsrmv>(name)?;
        // SAFETY: the arrays have the lengths that the sizes say; the coefficients are read during the call.
        Ok(unsafe {
            function(
                self.library.handle,
                0,
                PLAIN,
                rows as c_int,
                cols as c_int,
                blocks as c_int,
                one.as_ptr().cast(),
                self.descriptors.older,
                val,
                first,
                col,
                block as c_int,
                self.x.address() as Address,
                zero.as_ptr().cast(),
                self.y.address() as Address,
            )
        })
    }

    /// Queues y = A x.
    pub fn launch(&self) -> Result<()> {
        self.library.gpu.enter();
        if self.by_blocks {
            return self.library.check("bsrmv", self.multiply_blocks()?);
        }
        self.library.check("cusparseSpMV", self.multiply(&self.library.function::<Spmv>(c"cusparseSpMV")?))
    }

    /// y.
    pub fn y(&self) -> &Buffer {
        &self.y
    }
    /// The matrix.
    pub fn matrix(&self) -> &PeerMatrix {
        &self.matrix
    }
}

type Spmv = unsafe extern "C" fn(
    Handle,
    c_int,
    *const c_void,
    Handle,
    Handle,
    *const c_void,
    Handle,
    c_int,
    c_int,
    *mut c_void,
) -> c_int;

impl Drop for Multiplication {
    fn drop(&mut self) {
        type Destroy = unsafe extern "C" fn(Handle) -> c_int;
        let _ = self.library.gpu.synchronize(); // it may be under way
        let Descriptors { A, x, y, older } = self.descriptors;
        let owners = [
            (A, c"cusparseDestroySpMat"),
            (x, c"cusparseDestroyDnVec"),
            (y, c"cusparseDestroyDnVec"),
            (older, c"cusparseDestroyMatDescr"),
        ];
        for (handle, name) in owners.into_iter().filter(|(handle, _)| !handle.is_null()) {
            if let Ok(destroy) = self.library.function::<Destroy>(name) {
                // SAFETY: made once, destroyed once, idle.
                unsafe { destroy(handle) };
            }
        }
    }
}
