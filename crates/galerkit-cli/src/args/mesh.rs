//! `galerkit mesh` as typed.

mod examples;

use super::heading;
use clap::{Args, Subcommand};
use std::path::PathBuf;

const MESH: &str = "A mesh file: Gmsh (.msh), VTK (.vtk, .vtu) or ascii Medit (.mesh), plain or gzip, told apart by what is in \
it. Or gallery:NAME?key=value&... with NAME one of rectangle, box, lshape, lprism, fichera, ball, cylinder or shell; n is the \
number of cells along an edge, order (1 to 4) the degree of curved cells, simplices=1 cuts the cells of straight ones into \
triangles or tetrahedra";

/// `galerkit mesh`.
#[derive(Debug, Subcommand)]
pub enum Mesh {
    /// Describe a mesh: cells, regions, boundary, size, quality; draw it
    #[command(after_help = examples::INFO)]
    Info(MeshInfo),
    /// Look for cells that no computation can use; exit code 1 if there are some
    #[command(after_help = examples::CHECK)]
    Check(MeshCheck),
    /// Rewrite a mesh as .vtu or .msh
    #[command(after_help = examples::CONVERT)]
    Convert(MeshConvert),
}

/// `galerkit mesh info`.
#[derive(Debug, Args)]
pub struct MeshInfo {
    /// The mesh
    #[arg(value_name = "MESH", long_help = MESH)]
    pub mesh: String,
    /// Draw it as PNG
    #[arg(long, value_name = "m.png")]
    pub png: Option<PathBuf>,
    /// Colour the picture by this field on points or cells, as the file names it
    #[arg(long, value_name = "NAME", requires = "png", help_heading = heading::OUTPUT)]
    pub field: Option<String>,
    /// Cut the picture open at x=C, y=C or z=C
    #[arg(long, value_name = "x=C", requires = "png", help_heading = heading::OUTPUT)]
    pub cut: Option<String>,
    /// Look at it from this direction; z points upwards
    #[arg(long, value_name = "X,Y,Z", requires = "png", help_heading = heading::OUTPUT)]
    #[arg(value_delimiter = ',', num_args = 1, allow_hyphen_values = true)]
    pub view: Vec<f64>,
    /// Size of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "1000x800", help_heading = heading::OUTPUT)]
    pub size: String,
    /// Write the description as JSON; '-' for standard output
    #[arg(long, value_name = "m.json|-", help_heading = heading::OUTPUT)]
    pub json: Option<PathBuf>,
}

/// `galerkit mesh check`.
#[derive(Debug, Args)]
pub struct MeshCheck {
    /// The mesh
    #[arg(value_name = "MESH", long_help = MESH)]
    pub mesh: String,
    /// Name every cell, not only the first ten of each finding
    #[arg(long)]
    pub all: bool,
    /// Write the findings as JSON, with every cell; '-' for standard output
    #[arg(long, value_name = "c.json|-", help_heading = heading::OUTPUT)]
    pub json: Option<PathBuf>,
}

/// `galerkit mesh convert`.
#[derive(Debug, Args)]
pub struct MeshConvert {
    /// The mesh
    #[arg(value_name = "IN", long_help = MESH)]
    pub mesh: String,
    /// Where to write it, as .vtu (with its fields) or .msh
    #[arg(value_name = "OUT.vtu|OUT.msh")]
    pub output: PathBuf,
    /// Turn inverted cells round; refuse degenerate ones
    #[arg(long)]
    pub repair: bool,
    /// Version of a .msh file: 4.1 or 2.2
    #[arg(long, value_name = "VERSION", default_value = "4.1", value_parser = ["4.1", "2.2"])]
    pub gmsh: String,
    /// Write a .msh file as text
    #[arg(long)]
    pub ascii: bool,
}
