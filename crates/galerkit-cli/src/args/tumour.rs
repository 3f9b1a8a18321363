//! `galerkit tumour` as typed: what is common first, the rest by heading. Every option can be in a parameter file, so
//! none has its default here.

pub mod examples;

use super::{heading, machine};
use clap::Args;
use std::path::PathBuf;

const LAYERS: &str = "D of layers from left to right, separated by colons, as multiples of --diffusion: 1:0.2 is white matter beside grey. \
D@x reaches up to x, as in 1@2.5:0.2@6:1; without @ all are equally wide, give or take a hundredth. Layers must meet at nodes \
[default: 1:0.2]";

const MAP: &str = "D of each pixel of a map instead of --layers, as multiples of --diffusion: rows of numbers from the top, separated by \
blanks or commas; # begins a remark. Each pixel covers as many elements as any other, so --elements is a multiple of the pixels of a \
side. Fourth order where D is a function of x times one of y; at other corners of the map about first order, second in the mean; mass is \
kept to rounding everywhere";

const GRADE: &str = "Elements in the middle of each layer are R times as long as at its ends: above 1 the mesh is finer where layers meet, \
below 1 in their middle. The second number is for y (finer in the middle: 0.25), which the solver modal does not allow [default: 1,1]";

const START: &str = "interpolated (values and slopes at nodes), collocated (values at Gauss points) or eigenfunction: no source but a \
solution that is known in two layers of equal width, whose error at nodes is then reported [default: interpolated]";

const SOLVER: &str = "auto, modal (in eigenfunctions across the layers: no matrix, no iteration), ilu (BiCGSTAB with ILU(0), as in the \
source), host-ilu (the same with triangular solves on the host) or direct (elimination on the host). 'auto' is ilu if --rtol is given, \
else modal";

const SCHEME: &str = "dirk (two stages, third order), dirk-source (the same as the source arranges it, with a solve with A0), euler \
(first order) or crank-nicolson (second order) [default: dirk]";

const EULER: &str = "Steps of backward Euler to begin with, which damp what a point source is rough of; each as long as --dt, unless \
--euler-length short is given [default: 2]";

const EULER_LENGTH: &str = "full: steps of backward Euler are as long as the others, and the run is of second order in dt. short: \
dt (dt/T)^(1/2), so that third order stays [default: full]";

const PARAMETERS: &str = "Read options from a file, one a line: layers = \"1:0.2\", days = 180, source = [\"2,4\", \"5,4\"], \
dimensionless = true (TOML). What is typed comes before what is read";

/// `galerkit tumour`.
#[derive(Clone, Debug, Args)]
pub struct Tumour {
    /// Elements along each side [default: 80]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub elements: Option<usize>,
    /// D of layers from left to right, as multiples of --diffusion: 1:0.2, or 1@2.5:0.2@6:1 [default: 1:0.2]
    #[arg(long, value_name = "D[@x]:...", allow_hyphen_values = true, long_help = LAYERS)]
    pub layers: Option<String>,
    /// Rate of growth, 1/day [default: 0.012, dimensionless 1]
    #[arg(long, allow_negative_numbers = true)]
    pub rho: Option<f64>,
    /// When it ends, days [default: 180, dimensionless 2.16]
    #[arg(long, value_name = "T", alias = "days", allow_negative_numbers = true)]
    pub end: Option<f64>,
    /// Length of a step, days [default: 0.5, dimensionless 0.006]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub dt: Option<f64>,
    /// Where a source is, cm; again for each [default: in the first layer, near the second]
    #[arg(long, value_name = "x[,y]", allow_hyphen_values = true)]
    pub source: Vec<String>,
    /// auto, cpu, cuda[:N] or reference
    #[arg(long, long_help = machine::DEVICE)]
    pub device: Option<String>,
    /// Read options from a file in TOML
    #[arg(long, value_name = "p.toml", long_help = PARAMETERS)]
    pub parameters: Option<PathBuf>,

    /// 1 or 2 [default: 2]
    #[arg(long, value_name = "1|2", help_heading = heading::DATA)]
    pub dimension: Option<usize>,
    /// Lengths times sqrt(rho/D), times rho: D = 1 in the white matter, rho = 1
    #[arg(long, help_heading = heading::DATA)]
    pub dimensionless: bool,
    /// From where to where, cm: x, then y [default: 0,8,0,8]
    #[arg(long = "box", value_name = "a,b[,c,d]", allow_hyphen_values = true, help_heading = heading::DATA)]
    pub ends: Option<String>,
    /// What 1 in --layers is, cm^2/day [default: 0.0065, dimensionless 1]
    #[arg(long, value_name = "D", allow_negative_numbers = true, help_heading = heading::DATA)]
    pub diffusion: Option<f64>,
    /// Width of sources, cm: exp(-r^2/eta^2), of mass 1 each [default: 0.2]
    #[arg(long, allow_negative_numbers = true, help_heading = heading::DATA)]
    pub eta: Option<f64>,
    /// interpolated, collocated or eigenfunction: how it begins [default: interpolated]
    #[arg(long, value_name = "HOW", long_help = START, help_heading = heading::DATA)]
    pub start: Option<String>,
    /// D of each pixel of a map of white and grey matter, instead of --layers: rows of numbers from the top
    #[arg(long, value_name = "m.txt", long_help = MAP, help_heading = heading::DATA)]
    pub map: Option<PathBuf>,
    /// Elements in the middle of a layer are R times as long as at its ends, along x and along y [default: 1,1]
    #[arg(long, value_name = "R[,R]", allow_hyphen_values = true, long_help = GRADE, help_heading = heading::DATA)]
    pub grade: Option<String>,
    /// Concentration from which on imaging shows it, mass/cm^d: radius and contour [default: 0.08]
    #[arg(long, value_name = "C", allow_negative_numbers = true, help_heading = heading::DATA)]
    pub threshold: Option<f64>,

    /// dirk, dirk-source, euler or crank-nicolson [default: dirk]
    #[arg(long, value_name = "NAME", long_help = SCHEME, help_heading = heading::METHOD)]
    pub scheme: Option<String>,
    /// Steps of backward Euler to begin with [default: 2]
    #[arg(long, value_name = "N", long_help = EULER, help_heading = heading::METHOD)]
    pub euler_steps: Option<usize>,
    /// full or short: how long these are [default: full]
    #[arg(long, value_name = "HOW", long_help = EULER_LENGTH, help_heading = heading::METHOD)]
    pub euler_length: Option<String>,
    /// Halve and double steps so that the estimated error of each is below TOL, relative to c
    #[arg(long, value_name = "TOL", allow_negative_numbers = true, help_heading = heading::METHOD)]
    pub adapt: Option<f64>,
    /// auto, modal, ilu, host-ilu or direct [default: auto]
    #[arg(long, value_name = "NAME", long_help = SOLVER, help_heading = heading::METHOD)]
    pub solver: Option<String>,
    /// Tolerance of iterations, relative to right-hand sides [default: 1e-10]
    #[arg(long, allow_negative_numbers = true, help_heading = heading::METHOD)]
    pub rtol: Option<f64>,
    /// Threads of the CPU [default: every core]
    #[arg(long, value_name = "N", help_heading = heading::DEVICE)]
    pub threads: Option<usize>,

    /// c at a point at the end; again for each point
    #[arg(long, value_name = "x[,y]", allow_hyphen_values = true, help_heading = heading::OUTPUT)]
    pub probe: Vec<String>,
    /// Write the report as JSON; '-' for standard output
    #[arg(long, value_name = "r.json|-", help_heading = heading::OUTPUT)]
    pub json: Option<PathBuf>,
    /// Write time, mass, radius and iterations of each step
    #[arg(long, value_name = "m.csv", help_heading = heading::OUTPUT)]
    pub csv: Option<PathBuf>,
    /// Draw mass and radius over time
    #[arg(long, value_name = "m.svg", help_heading = heading::OUTPUT)]
    pub plot: Option<PathBuf>,
    /// Draw c at the end, with the contour that imaging shows
    #[arg(long, value_name = "c.png", help_heading = heading::OUTPUT)]
    pub png: Option<PathBuf>,
    /// Animate c: a GIF, or an animated PNG if the name ends in .png
    #[arg(long, value_name = "c.gif", help_heading = heading::OUTPUT)]
    pub gif: Option<PathBuf>,
    /// Write c over time for ParaView
    #[arg(long, value_name = "c.pvd", help_heading = heading::OUTPUT)]
    pub vtu: Option<PathBuf>,
    /// Pictures in an animation, files in a .pvd [default: 45]
    #[arg(long, value_name = "N", help_heading = heading::OUTPUT)]
    pub frames: Option<usize>,
    /// Times of pictures and files instead, met exactly: 30,90.25,180
    #[arg(long, value_name = "T,...", allow_hyphen_values = true, help_heading = heading::OUTPUT)]
    pub at: Option<String>,
    /// Draw where the entries of A_b, A and A_0 are, into this folder
    #[arg(long, value_name = "FOLDER", help_heading = heading::OUTPUT)]
    pub spy: Option<PathBuf>,
    /// Keep the state in a file, at each picture and at the end or Ctrl-C
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub checkpoint: Option<PathBuf>,
    /// Go on from such a file, with the same options
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub resume: Option<PathBuf>,
    /// No progress and no notes
    #[arg(short, long, help_heading = heading::OUTPUT)]
    pub quiet: bool,
}
