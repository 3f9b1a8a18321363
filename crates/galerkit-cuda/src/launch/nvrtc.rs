//! NVRTC, loaded from a given path: CUDA C++ in, machine code out. Only the ten functions that are needed.

use crate::error::{Error, Result};
use libloading::{Library, Symbol};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr::null_mut;

/// A loaded compiler.
pub struct Nvrtc {
    library: Library,
    path: PathBuf,
    version: (u32, u32),
}

type Program = *mut c_void;

impl Nvrtc {
    /// Loads the library at a path, or by a name that the system's loader knows.
    pub fn load(path: &Path) -> Result<Self> {
        let bad = |reason: String| Error::BadNvrtc { path: path.into(), reason };
        // SAFETY: NVRTC's initialisers do nothing that could clash with this program.
        let library = unsafe { Library::new(path) }.map_err(|error| bad(error.to_string()))?;
        let mut nvrtc = Self { library, path: path.into(), version: (0, 0) };
        let (mut major, mut minor) = (0, 0);
        type Version = unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int;
        // SAFETY: nvrtcVersion writes two integers.
        let code = unsafe { nvrtc.function::<Version>(c"nvrtcVersion")?(&mut major, &mut minor) };
        nvrtc.check(code, "nvrtcVersion")?;
        nvrtc.version = (major as u32, minor as u32);
        Ok(nvrtc)
    }

    /// Where it was found.
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// Its CUDA version, for example (13, 0).
    pub fn version(&self) -> (u32, u32) {
        self.version
    }

    /// Options of every compilation, besides the architecture.
    pub const OPTIONS: [&str; 2] = ["--std=c++17", "--device-int128"];

    /// Compiles a source to a cubin. On failure the compiler's log is in the error.
    pub fn compile(&self, name: &str, source: &str, architecture: &str) -> Result<Vec<u8>> {
        self.compile_with(name, source, architecture, &[]).map(|(cubin, _)| cubin)
    }

    /// Compiles a source with more options, to a cubin, or to PTX for a virtual architecture such as compute_80; also
    /// what the compiler said.
    pub fn compile_with(
        &self,
        name: &str,
        source: &str,
        architecture: &str,
        more: &[&str],
    ) -> Result<(Vec<u8>, String)> {
        let text = |s: &str| CString::new(s).expect("sources have no zero byte");
        let (source, file) = (text(source), text(&format!("{name}.cu")));
        let architecture_option = format!("--gpu-architecture={architecture}");
        let options = [architecture_option.as_str()].into_iter().chain(Self::OPTIONS).chain(more.iter().copied());
        let options: Vec<CString> = options.map(text).collect();
        let options: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        type Create = unsafe extern "C" fn(
            *mut Program,
            *const c_char,
            *const c_char,
            c_int,
            *const *const c_char,
            *const *const c_char,
        ) -> c_int;
        type Compile = unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int;
        type Destroy = unsafe extern "C" fn(*mut Program) -> c_int;
        let mut program: Program = null_mut();
        // SAFETY: the strings live until the end of this function; no headers are given.
        let code = unsafe {
            let create = self.function::<Create>(c"nvrtcCreateProgram")?;
            create(&mut program, source.as_ptr(), file.as_ptr(), 0, null_mut(), null_mut())
        };
        self.check(code, "nvrtcCreateProgram")?;
        // SAFETY: the program was just made; the options live until the end of this function.
        let code = unsafe {
            self.function::<Compile>(c"nvrtcCompileProgram")?(program, options.len() as c_int, options.as_ptr())
        };
        let log = self.fetch(program, c"nvrtcGetProgramLogSize", c"nvrtcGetProgramLog")?;
        let log = String::from_utf8_lossy(&log).trim_end_matches('\0').to_string();
        let result = if code == 0 {
            let (size, get) = match architecture.starts_with("compute_") {
                true => (c"nvrtcGetPTXSize", c"nvrtcGetPTX"),
                false => (c"nvrtcGetCUBINSize", c"nvrtcGetCUBIN"),
            };
            self.fetch(program, size, get).map(|made| (made, log))
        } else {
            Err(Error::Compile { kernel: name.into(), architecture: architecture.into(), log })
        };
        // SAFETY: made above, destroyed once.
        unsafe { self.function::<Destroy>(c"nvrtcDestroyProgram")?(&mut program) };
        result
    }

    /// Bytes that NVRTC gives by a pair of functions: how many, then which.
    fn fetch(&self, program: Program, size: &CStr, get: &CStr) -> Result<Vec<u8>> {
        type Size = unsafe extern "C" fn(Program, *mut usize) -> c_int;
        type Get = unsafe extern "C" fn(Program, *mut u8) -> c_int;
        let mut bytes = 0;
        // SAFETY: writes one size.
        let code = unsafe { self.function::<Size>(size)?(program, &mut bytes) };
        self.check(code, "asking for a size")?;
        let mut data = vec![0; bytes];
        // SAFETY: writes exactly the number of bytes just asked for.
        let code = unsafe { self.function::<Get>(get)?(program, data.as_mut_ptr()) };
        self.check(code, "fetching a result")?;
        Ok(data)
    }

    fn function<F>(&self, name: &CStr) -> Result<Symbol<'_, F>> {
        // SAFETY: the callers give the type that NVRTC documents for the name.
        let found = unsafe { self.library.get(name.to_bytes_with_nul()) };
        found.map_err(|error| Error::BadNvrtc { path: self.path.clone(), reason: error.to_string() })
    }

    fn check(&self, code: c_int, call: &str) -> Result<()> {
        let reason = || format!("{call} returned {code}");
        if code == 0 { Ok(()) } else { Err(Error::BadNvrtc { path: self.path.clone(), reason: reason() }) }
    }
}
