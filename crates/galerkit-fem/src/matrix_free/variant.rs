//! What kernels of the operator may do in several ways: by default what was fastest on an H200.

/// How cells by quadrature are multiplied on a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelVariant {
    /// The fewest points in each direction for which matrix instructions multiply cells, and not lines of points.
    pub least_by_tiles: usize,
    /// The highest degree for which lines of points compute D from eight vertices again and again, where a cell has no
    /// more. Tiles always do.
    pub highest_by_vertices: usize,
    /// Registers of a thread, if not as usual.
    pub registers: Option<usize>,
}

impl Default for KernelVariant {
    fn default() -> Self {
        Self { least_by_tiles: 8, highest_by_vertices: 3, registers: None }
    }
}
