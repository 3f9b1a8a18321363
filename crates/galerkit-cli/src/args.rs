//! The command line as typed. What it means is decided in `plan`.

mod bench;
mod elasticity;
mod examples;
mod heading;
mod heart;
mod helmholtz;
mod machine;
mod matrix;
mod mesh;
mod methods;
mod poisson;
mod reproduce;
mod solve;
mod tumour;
mod typed;

pub use bench::{Bench, Measure, MeasureCg, MeasureKrylov, MeasureReorder, MeasureTriangular};
pub use elasticity::Elasticity;
pub use heart::{Heart, HeartLive, HeartMeasure, HeartRestitution, HeartRun, HeartWindow, NOT_LIVE};
pub use helmholtz::Helmholtz;
pub use machine::{Doctor, Machine};
pub use matrix::{Convert, Info};
pub use mesh::{Mesh, MeshCheck, MeshConvert, MeshInfo};
pub use poisson::Poisson;
pub use reproduce::{Reproduce, ReproduceAlinea, ReproduceDhc, ReproduceHeart, ReproduceHpfem, ReproduceVpgcr};
pub use solve::Solve;
pub use tumour::Tumour;
pub use typed::{Typed, Word};

use clap::{Parser, Subcommand, ValueEnum};

/// Solves the sparse systems that finite elements produce, at the speed of the memory they sit in.
#[derive(Debug, Parser)]
#[command(name = "galerkit", version, after_help = examples::TOP, arg_required_else_help = true)]
#[command(subcommand_required = true, max_term_width = 100)]
pub struct Arguments {
    /// Colours: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN", hide_possible_values = true)]
    #[arg(display_order = 100, help_heading = heading::OUTPUT)]
    pub color: Color,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Solve A x = b and report how far the answer can be trusted
    #[command(after_help = examples::SOLVE_SHORT, after_long_help = examples::SOLVE)]
    Solve(Solve),
    /// Solve -div(kappa grad u) = f by hp finite elements in 2D and 3D, with errors where the solution is known
    #[command(after_help = examples::POISSON_SHORT, after_long_help = examples::POISSON)]
    Poisson(Box<Poisson>),
    /// Follow a tumour that invades layers of white and grey matter, in one or two dimensions
    #[command(after_help = tumour::examples::TUMOUR_SHORT, after_long_help = tumour::examples::TUMOUR)]
    Tumour(Box<Typed<Tumour>>),
    /// Let tissue beat: the monodomain equation on cables, sheets, slabs and meshes; activation times, speeds, pictures
    #[command(after_help = heart::HEART_SHORT, after_long_help = heart::HEART)]
    Heart(Box<Heart>),
    /// Compute sound: the Helmholtz equation in rooms, ducts, cars and around obstacles, in 2D and 3D
    #[command(after_help = helmholtz::examples::HELMHOLTZ_SHORT, after_long_help = helmholtz::examples::HELMHOLTZ)]
    Helmholtz(Box<Helmholtz>),
    /// Deform solid bodies: linear elasticity on hexahedra and tetrahedra, with stresses and a picture
    #[command(after_help = elasticity::examples::ELASTICITY_SHORT, after_long_help = elasticity::examples::ELASTICITY)]
    Elasticity(Box<Elasticity>),
    /// Describe a matrix: shape, symmetry, definiteness hints, row lengths, padding in every format
    #[command(after_help = examples::INFO)]
    Info(Info),
    /// Rewrite a matrix: compress, transpose, reorder, or write a gallery problem to a file
    #[command(after_help = examples::CONVERT)]
    Convert(Convert),
    /// Describe, draw, check and rewrite meshes
    #[command(subcommand)]
    Mesh(Mesh),
    /// Time matrix products or solves in every format, against a STREAM triad of the same run
    #[command(subcommand)]
    Bench(Bench),
    /// Compute published results again and hold them against what was printed
    #[command(subcommand)]
    Reproduce(Reproduce),
    /// Say what this machine can compute on, how fast its memory is, and what to install where something is missing
    #[command(after_help = examples::DOCTOR)]
    Doctor(Doctor),
    /// List the built-in problems and their parameters
    #[command(after_help = examples::GALLERY)]
    Gallery,
    /// Print a completion script for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}
