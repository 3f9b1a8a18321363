//! `galerkit reproduce` as typed.

use super::{examples, heading};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `galerkit reproduce`.
#[derive(Debug, Subcommand)]
pub enum Reproduce {
    /// Source 001 (Ikuno, Deki, Fujita 2010): iterations and speed-ups of VPGCR, standard and hybrid
    #[command(after_help = examples::REPRODUCE_VPGCR)]
    Vpgcr(ReproduceVpgcr),
    /// Source 003 (Vilanakis, Mathioudakis): time a step of Hermite collocation for a tumour, CPU and GPU
    #[command(after_help = super::tumour::examples::REPRODUCE_DHC)]
    Dhc(ReproduceDhc),
    /// Source 004 (Wong, Kuhl, Darve 2015): formats on its matrices and on hearts, assembly against solve, fronts,
    /// spiral, slab
    #[command(after_help = super::heart::REPRODUCE_HEART)]
    Heart(ReproduceHeart),
    /// Source 000 (Osés Villanueva 2013): solvers of hp finite elements over the dimension, CPU and GPU
    #[command(after_help = examples::REPRODUCE_HPFEM)]
    Hpfem(ReproduceHpfem),
    /// Source 002 (Magoulès, Cheik Ahamed, Putanowicz 2014): BLAS-1, SpMV, CG and ORTHODIR over the size, CPU and GPU
    #[command(after_help = super::helmholtz::examples::REPRODUCE_ALINEA)]
    Alinea(ReproduceAlinea),
}

/// `galerkit reproduce alinea`.
#[derive(Debug, Args)]
pub struct ReproduceAlinea {
    /// Sizes up to so many unknowns
    #[arg(long, value_name = "N", default_value_t = 600_000)]
    pub max_unknowns: usize,
    /// Times each figure is taken; the median counts
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub repetitions: usize,
    /// auto, cpu or cuda[:N]: what is compared to one core of the CPU, beside all of its cores
    #[arg(long, default_value = "auto", long_help = super::machine::DEVICE)]
    pub device: String,
    /// Draw figures 7 to 14 into this folder
    #[arg(long, value_name = "FOLDER", help_heading = heading::OUTPUT)]
    pub svg: Option<PathBuf>,
    /// Print JSON instead of a table
    #[arg(long, help_heading = heading::OUTPUT)]
    pub json: bool,
    /// No progress and no notes
    #[arg(short, long, help_heading = heading::OUTPUT)]
    pub quiet: bool,
}

/// `galerkit reproduce dhc`.
#[derive(Debug, Args)]
pub struct ReproduceDhc {
    /// Elements a side, separated by commas [default: those of the source: 20,40,80,160]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub sides: Vec<usize>,
    /// Steps that are timed
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub steps: usize,
    /// Take fewer steps where they are expected to take longer, and leave out what would not end
    #[arg(long, value_name = "S", default_value_t = 60.0, allow_negative_numbers = true)]
    pub seconds: f64,
    /// auto, cpu or cuda[:N]: what is measured beside one core and all cores of the CPU
    #[arg(long, default_value = "auto", long_help = super::machine::DEVICE)]
    pub device: String,
    /// Measure the bandwidth of each place, too, and say what share of it steps reach
    #[arg(long)]
    pub bandwidth: bool,
    /// Draw the time of a step over the unknowns into this folder
    #[arg(long, value_name = "FOLDER", help_heading = heading::OUTPUT)]
    pub svg: Option<PathBuf>,
    /// Print JSON instead of a table
    #[arg(long, help_heading = heading::OUTPUT)]
    pub json: bool,
    /// No progress and no notes
    #[arg(short, long, help_heading = heading::OUTPUT)]
    pub quiet: bool,
}

/// `galerkit reproduce heart`.
#[derive(Debug, Args)]
pub struct ReproduceHeart {
    /// Only these matrices, separated by commas, or none [default: the source's 15 and a heart of 50,000 nodes]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub matrices: Vec<String>,
    /// Edges of the slab in mm
    #[arg(long, value_name = "MM", default_value_t = 0.5, allow_negative_numbers = true)]
    pub dx: f64,
    /// Milliseconds of heart that Newton's method is timed for
    #[arg(long, value_name = "MS", default_value_t = 10.0, allow_negative_numbers = true)]
    pub milliseconds: f64,
    /// Timed products of each format
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub repetitions: usize,
    /// auto, cpu or cuda[:N]: what is measured beside one core and all cores of the CPU
    #[arg(long, default_value = "auto", long_help = super::machine::DEVICE)]
    pub device: String,
    /// Draw one cell, fronts, spiral, formats and speed-ups into this folder
    #[arg(long, value_name = "FOLDER", help_heading = heading::OUTPUT)]
    pub svg: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long, help_heading = heading::OUTPUT)]
    pub json: bool,
    /// No progress and no notes
    #[arg(short, long, help_heading = heading::OUTPUT)]
    pub quiet: bool,
}

/// `galerkit reproduce hpfem`.
#[derive(Debug, Args)]
pub struct ReproduceHpfem {
    /// Dimensions from 1000 to about this
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub max_unknowns: usize,
    /// auto, cpu or cuda[:N]: what is compared to one core of the CPU, beside all of its cores
    #[arg(long, default_value = "auto", long_help = super::machine::DEVICE)]
    pub device: String,
    /// Leave out what is expected to take longer, and end iterations that do
    #[arg(long, value_name = "S", default_value_t = 60.0, allow_negative_numbers = true)]
    pub seconds: f64,
    /// Draw times and speed-ups over the dimension into this folder
    #[arg(long, value_name = "FOLDER", help_heading = heading::OUTPUT)]
    pub svg: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long, help_heading = heading::OUTPUT)]
    pub json: bool,
    /// No progress and no notes
    #[arg(short, long, help_heading = heading::OUTPUT)]
    pub quiet: bool,
}

/// `galerkit reproduce vpgcr`.
#[derive(Debug, Args)]
pub struct ReproduceVpgcr {
    /// auto, cpu or cuda[:N]: what is compared to one core of the CPU, beside all of its cores
    #[arg(long, default_value = "auto", long_help = super::machine::DEVICE)]
    pub device: String,
    /// Rows of a second system, for its speed-ups at gamma = 0.8
    #[arg(long, value_name = "ROWS", default_value_t = 2048)]
    pub n: usize,
    /// Only these gammas, separated by commas [default: those published: 0.2,0.4,0.6,0.8,1.0]
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_negative_numbers = true)]
    pub gamma: Vec<f64>,
    /// Times each solve is repeated; the least time counts
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub repetitions: usize,
    /// Draw figures 2 to 5 into this folder
    #[arg(long, value_name = "FOLDER", help_heading = heading::OUTPUT)]
    pub svg: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long, help_heading = heading::OUTPUT)]
    pub json: bool,
    /// No progress and no notes
    #[arg(short, long, help_heading = heading::OUTPUT)]
    pub quiet: bool,
}
