//! Mesh files. Which format a file has is seen from its content; gzip is undone by its first two bytes, whatever the
//! name says.
//!
//! | module | format | in | out |
//! |---|---|---|---|
//! | [`gmsh`] | Gmsh 2, 4.0, 4.1, ascii and binary | yes | 2.2 and 4.1 |
//! | [`vtk_legacy`] | `# vtk DataFile`, unstructured grids, ascii and binary | yes | |
//! | [`vtu`] | VTK's XML for unstructured grids: ascii, base64, appended, zlib | yes | appended, zlib |
//! | [`medit`] | Medit `.mesh`, ascii | yes | |
//! | [`carp`] | CARP's `.pts`, `.elem` and `.lon`, ascii | yes | |
//! | [`igb`] | numbers at nodes over time, as CARP's programs keep them | | yes |
//! | [`pvd`] | a series of VTU files in time | | yes |

pub mod carp;
mod contents;
pub mod gmsh;
pub mod igb;
pub mod medit;
pub mod pvd;
mod read;
mod scan;
mod solution;
mod vtk_cells;
pub mod vtk_legacy;
pub mod vtu;
mod write;

pub use contents::{Contents, Field};
pub use gmsh::write::{GmshFormat, write_gmsh};
pub use igb::IgbWriter;
pub use pvd::write_pvd;
pub use read::{Format, format_of, parse, read, read_contents};
pub use vtu::write::{CellFunction, write_subdivided, write_vtu};
pub use write::write;
