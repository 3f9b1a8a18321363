//! A linear map as an executor holds it: text, words and arrays.

use super::Interface;
use crate::launch::Buffer;
use galerkit_linalg::map::Grid;
use galerkit_linalg::program::{Instruction, Role};

/// A linear map in device memory.
pub struct Map {
    /// How products with it are called.
    pub interface: Interface,
    /// CUDA text that defines `struct Map` and the functions of the interface; it is put into a namespace of its own.
    /// It must not depend on the size of the matrix, or every matrix would be compiled for.
    pub source: String,
    /// The members of `struct Map`.
    pub words: Vec<u64>,
    /// Rows and columns.
    pub shape: (usize, usize),
    /// Bytes that one product must read of the map itself.
    pub bytes: usize,
    /// Threads a row, for launch shapes: 1 unless several lanes share a row.
    pub lanes: usize,
    /// Whether the source defines `held`, by which the blocks of a persistent kernel keep their part of it in shared
    /// memory.
    pub holds: bool,
    /// How many blocks its kernels are launched with.
    pub grid: Grid,
    /// The arrays that the words point to.
    pub buffers: Vec<Buffer>,
    /// The values, which words point to as well, until an executor makes a vector of them.
    pub values: Option<Buffer>,
}

impl Map {
    /// How an instruction with this map fuses.
    pub fn role(&self, instruction: &Instruction) -> Role {
        match self.interface.of(instruction) {
            Interface::Rows => Role::Head,
            Interface::Entry => Role::Elementwise,
            Interface::Split | Interface::Passes(_) | Interface::Elements { .. } | Interface::Host => Role::Alone,
        }
    }
}
