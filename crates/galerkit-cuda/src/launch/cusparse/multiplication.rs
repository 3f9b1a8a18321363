//! y = A x by cuSPARSE: operands described, workspace reserved, the matrix analysed, then queued any number of times.

use super::{Address, Cusparse, Handle, PeerLayout, PeerMatrix};
use crate::error::Result;
use crate::launch::Buffer;
use galerkit_linalg::ScalarKind;
use libloading::Symbol;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::rc::Rc;

/// CUSPARSE_OPERATION_NON_TRANSPOSE
const PLAIN: c_int = 0;

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

impl Multiplication {
    /// Describes the operands, reserves the workspace and lets the library analyse the matrix. `algorithm` is a value
    /// of cusparseSpMVAlg_t; x and y are as long as the matrix says.
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
        assert!(entries.bytes() >= length * self.matrix.scalar.bytes(), "a vector is shorter than the matrix says");
        let mut made = null_mut();
        let create = self.library.function::<Create>(c"cusparseCreateDnVec")?;
        // SAFETY: the library keeps the address; the buffer is long enough and lives as long as the description.
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
