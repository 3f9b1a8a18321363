//! Cells as a Gmsh file holds them.

/// Cells that one block of a file holds: Gmsh's type, nodes of a cell, all nodes in Gmsh's order.
pub(super) struct Group {
    pub(super) dim: usize,
    pub(super) tag: i32,
    pub(super) kind: i64,
    pub(super) stride: usize,
    pub(super) nodes: Vec<u32>,
}
