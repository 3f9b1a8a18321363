//! What kernels of the operator may do in several ways: by default what was fastest on an H200.

/// How cells by quadrature are multiplied on a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelVariant {
    /// Whether matrix instructions multiply cells that fit their tiles, and not lines of points.
    pub tiles: bool,
    /// The highest degree for which D is computed from eight vertices again and again, where a cell has no more.
    pub highest_by_vertices: usize,
    /// Whether D of the next plane is loaded while this one is computed with: by tiles.
    pub ahead: bool,
    /// Whether D is brought into the L2 cache before it is loaded: by tiles.
    pub prefetches: bool,
    /// Registers of a thread, if not as usual.
    pub registers: Option<usize>,
}

impl Default for KernelVariant {
    fn default() -> Self {
        Self { tiles: true, highest_by_vertices: 3, ahead: false, prefetches: false, registers: None }
    }
}
