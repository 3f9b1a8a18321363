//! Loaded machine code and launching it. Every kernel of galerkit takes one argument: a struct of 8-byte words.

use super::{Gpu, refused};
use crate::error::{Error, Result};
use cudarc::driver::{result, sys};
use std::ffi::{CString, c_void};
use std::sync::Arc;

/// A compiled source, loaded.
pub struct Module {
    gpu: Arc<Gpu>,
    code: Code,
}

/// Machine code in the context of a GPU. It stays there as long as the process lives: what was loaded once is often
/// asked for again, and loading takes as long as hundreds of iterations of a small system.
#[derive(Clone, Copy)]
pub struct Code(sys::CUmodule);

// SAFETY: the driver's handles may be used from any thread; see Gpu.
unsafe impl Send for Code {}

/// A kernel with what the compiler says of it. Keeps its module loaded.
#[derive(Clone)]
pub struct Kernel {
    module: Arc<Module>,
    function: sys::CUfunction,
    name: String,
    /// Registers a thread.
    pub registers: usize,
    /// Bytes of spilled registers and arrays a thread.
    pub local_bytes: usize,
}

/// How many threads a launch has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Blocks.
    pub blocks: usize,
    /// Threads a block.
    pub threads: usize,
    /// Bytes of dynamic shared memory a block.
    pub shared: usize,
    /// All blocks at the same time, so that they can wait for each other.
    pub cooperative: bool,
    /// May be launched before the kernel in front of it has ended; it must then wait for that one itself.
    pub overlapped: bool,
    /// All blocks are one cluster: at the same time, near each other. From compute capability 9.0 on.
    pub clustered: bool,
}

impl Shape {
    /// A plain launch.
    pub fn new(blocks: usize, threads: usize) -> Self {
        Self { blocks, threads, shared: 0, cooperative: false, overlapped: false, clustered: false }
    }
}

impl Module {
    /// Loads a cubin.
    pub fn load(gpu: &Arc<Gpu>, cubin: &[u8]) -> Result<Arc<Self>> {
        gpu.enter();
        // SAFETY: the driver reads an ELF image, whose length it finds in the header; a broken one is refused.
        let loaded = unsafe { result::module::load_data(cubin.as_ptr().cast()) };
        Ok(Arc::new(Self { gpu: gpu.clone(), code: Code(refused("cuModuleLoadData", loaded)?) }))
    }
    /// Code that was loaded already, for the same GPU.
    pub fn of(gpu: &Arc<Gpu>, code: Code) -> Arc<Self> {
        Arc::new(Self { gpu: gpu.clone(), code })
    }
    /// Its code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// A kernel by name.
    pub fn kernel(self: &Arc<Self>, name: &str) -> Result<Kernel> {
        self.gpu.enter();
        let call = format!("cuModuleGetFunction for {name}");
        let symbol = CString::new(name).expect("kernel names have no zero byte");
        // SAFETY: the module is loaded.
        let function = refused(&call, unsafe { result::module::get_function(self.code.0, symbol) })?;
        use sys::CUfunction_attribute as Attribute;
        // SAFETY: the function was just given by the driver.
        let attribute = |which| refused(&call, unsafe { result::function::get_function_attribute(function, which) });
        Ok(Kernel {
            module: self.clone(),
            function,
            name: name.into(),
            registers: attribute(Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)? as usize,
            local_bytes: attribute(Attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)? as usize,
        })
    }
}

// SAFETY: the driver's handles may be used from any thread; see Gpu.
unsafe impl Send for Module {}
// SAFETY: as above; a module is never changed.
unsafe impl Sync for Module {}
// SAFETY: a handle and its module; see Module.
unsafe impl Send for Kernel {}
// SAFETY: as above.
unsafe impl Sync for Kernel {}

impl Kernel {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The GPU it is loaded on.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.module.gpu
    }

    /// Lets a block have so many bytes of dynamic shared memory, where that is more than the usual 48 KiB.
    pub fn allow_shared(&self, bytes: usize) -> Result<()> {
        let which = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        self.gpu().enter();
        // SAFETY: the function is loaded.
        let set = unsafe { result::function::set_function_attribute(self.function, which, bytes as i32) };
        refused(&format!("{bytes} bytes of shared memory for {}", self.name), set)
    }

    /// How many blocks fit the GPU at the same time.
    pub fn resident_blocks(&self, threads: usize, shared: usize) -> Result<usize> {
        self.gpu().enter();
        let mut blocks = 0;
        // SAFETY: writes one integer; the function is loaded.
        let asked = unsafe {
            sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(&mut blocks, self.function, threads as i32, shared)
        };
        refused("cuOccupancyMaxActiveBlocksPerMultiprocessor", asked.result())?;
        Ok(blocks as usize * self.gpu().properties().sm_count)
    }

    /// Queues a launch. `arguments` are the words of the kernel's one struct. A refusal is kept in the GPU's error slot
    /// with the kernel's name and shape.
    pub fn launch(&self, shape: Shape, arguments: &[u64]) {
        let gpu = self.gpu();
        gpu.enter();
        let mut parameters = [arguments.as_ptr().cast_mut().cast::<c_void>()];
        let (grid, block) = ((shape.blocks as u32, 1, 1), (shape.threads as u32, 1, 1));
        let shared = shape.shared as u32;
        // SAFETY: the driver copies the words during the call; every address in them belongs to a buffer that is freed
        // only after the stream has passed this launch.
        let queued = unsafe {
            if shape.cooperative {
                result::launch_cooperative_kernel(self.function, grid, block, shared, gpu.stream, &mut parameters)
            } else if shape.overlapped || shape.clustered {
                launch_extended(self.function, shape, gpu.stream, &mut parameters)
            } else {
                result::launch_kernel(self.function, grid, block, shared, gpu.stream, &mut parameters)
            }
        };
        let named = refused("a launch", queued).map_err(|error| match error {
            Error::Driver { reason, .. } => {
                let Shape { blocks, threads, shared, .. } = shape;
                let call = format!("launching {} ({blocks} blocks of {threads} threads, {shared} B shared)", self.name);
                Error::Driver { call, reason }
            }
            other => other,
        });
        gpu.note(named);
    }
}

/// A launch that may overlap the end of the kernel in front of it (programmatic dependent launch), or whose blocks are
/// one cluster.
///
/// # Safety
/// As for any launch: function, stream and parameters must be valid during the call.
unsafe fn launch_extended(
    function: sys::CUfunction,
    shape: Shape,
    stream: sys::CUstream,
    parameters: &mut [*mut c_void],
) -> std::result::Result<(), cudarc::driver::DriverError> {
    use sys::CUlaunchAttributeID as Id;
    let (id, value) = if shape.clustered {
        let clusterDim = sys::CUlaunchAttributeValue_union__bindgen_ty_1 { x: shape.blocks as u32, y: 1, z: 1 };
        (Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, sys::CUlaunchAttributeValue { clusterDim })
    } else {
        let value = sys::CUlaunchAttributeValue { programmaticStreamSerializationAllowed: 1 };
        (Id::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, value)
    };
    let mut attribute = sys::CUlaunchAttribute { id, pad: Default::default(), value };
    let configuration = sys::CUlaunchConfig {
        gridDimX: shape.blocks as u32,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: shape.threads as u32,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: shape.shared as u32,
        hStream: stream,
        attrs: &mut attribute,
        numAttrs: 1,
    };
    // SAFETY: the configuration and its attribute live until the call returns; the rest is the caller's promise.
    unsafe { sys::cuLaunchKernelEx(&configuration, function, parameters.as_mut_ptr(), std::ptr::null_mut()) }.result()
}
