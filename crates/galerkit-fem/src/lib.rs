//! Meshes, finite element spaces, forms and assembly: from geometry to operators. Depends on `galerkit-linalg` alone.
//!
//! | module | what it holds |
//! |---|---|
//! | [`io`] | mesh files: Gmsh, VTK, VTU, Medit in; VTU, PVD, Gmsh out |
//! | [`mesh`] | points, cells and their tags; generators, checks |
#![forbid(unsafe_code)]
#![allow(non_snake_case)] // matrices and operators keep the paper's capital letter

pub mod error;
pub mod io;
pub mod mesh;

pub use error::{Error, Result};
pub use mesh::Mesh;
