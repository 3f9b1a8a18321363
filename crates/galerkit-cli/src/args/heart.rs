//! `galerkit heart` as typed: tissue, cells, stimuli, scheme, outputs.

mod examples;
mod live;
mod window;

pub use examples::{CV, CV_SHORT, HEART, HEART_SHORT, REPRODUCE_HEART, RESTITUTION, WATCHED, WINDOW};
pub use live::{HeartLive, NOT_LIVE};
pub use window::HeartWindow;

use super::{Machine, Typed, heading};
use clap::{Args, Subcommand};
use std::path::PathBuf;

const GEOMETRY: &str = "biventricle and ventricle: truncated ellipsoids of human size, of tetrahedra, with fibres by rule, D 1 along and 0.4 \
across them, excited at the apex. cable: 80 mm of segments. sheet: 200 x 200 mm of triangles. slab: 20 x 7 x 3 mm of tetrahedra, fibres along x, D 1 \
along and 0.132 across them, activation at phi = 0.8: the Aliev-Panfilov form of the benchmark of Niederer and others 2011, a \
corner cube of 3 mm being set to 1. In 'heart cv' the slab is 40 x 2 x 2 mm and the sheet 80 x 8 mm, isotropic";

const STIMULUS: &str = "Where, how and when, as 'key=value;...'. Where: box=X0,Y0,Z0,X1,Y1,Z1, sphere=X,Y,Z,R, tag=N (elements, else the \
boundary, by number or name), nodes=FILE (a number a line, from 0; CARP's .vtx) or all. How: potential=V sets phi (default 1), current=C adds C/ms to phi for a time of for=MS; nodes count by the share of \
their volume that lies inside. When: at=MS[,MS...] (default 0), every=MS and count=N for a train, then=MS for an S2 that follows the \
last of them by this coupling interval, after=MS for one elsewhere that follows the last pulse of the stimulus before. Again for each stimulus; 'none' for no stimulus at all. What is named replaces the \
geometry's own stimulus";

const REGION: &str = "Other conductivities, as 'key=value;...': where as in --stimulus (tag=2, box=..., sphere=...), D=D along the fibres \
and anisotropy=RATIO across them. Again for each region; the last one counts";

const SCAR: &str = "Scars, as 'key=value;...': where as in --stimulus, scale=F leaves F of the conductivity. Without it, or with 0, the tissue \
is taken away there, and nothing flows through the rim";

const FIBRES: &str = "rule: by the rule of Bayer and others 2012 (four Laplace problems), for ventricles with a base; see --surfaces. file: the \
vectors 'fibre' of the mesh file, or the .lon beside it (the default where there are any). NAME: vectors of that name in the mesh file. FILE.lon: \
CARP's fibres, a line an element";

const BEAT: &str = "Whose times are reported, drawn and written, where tissue beats several times: the first beat of each node, its last, its N-th, \
or all (a row a beat in --csv, fields activation, activation-2, ... in --vtu, 'beats' at probes in --json; pictures show the first). A node beats \
again once phi has fallen below --repolarisation-level; one that a wave has missed has fewer beats than others";

const PARAMETERS: &str = "Read options from a file in TOML: geometry = \"slab\", dt = 0.1, probe = [[20, 7, 3], \"10,3,1\"]. A table with the \
name of no option only brings some together; [[stimulus]] with box = [0, 0, 0, 3, 3, 3] and at = 4 is a --stimulus, and so for each option of \
keys and values. What is typed comes before what is read; an unknown name is an error";

const PRECISION: &str = "f64, or hybrid: the state in f64, increments of diffusion solved for in f32 (--scheme strang)";

const D_ALONG: &str =
    "Along the fibres, in mm2/ms: D = D_across I + (D - D_across) n nT with D_across = anisotropy times D";

/// `galerkit heart`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Heart {
    /// A run.
    #[command(flatten)]
    pub run: Typed<HeartRun>,
    /// Whether it is watched while it goes on.
    #[command(flatten)]
    pub live: HeartLive,
    /// Something that is measured by runs.
    #[command(subcommand)]
    pub measure: Option<HeartMeasure>,
}

/// What is measured.
#[derive(Debug, Subcommand)]
pub enum HeartMeasure {
    /// Measure the speed of a planar front that starts as the exact one, without recovery
    #[command(after_help = CV_SHORT, after_long_help = CV)]
    Cv(Box<Typed<HeartRun>>),
    /// Measure what being watched costs, with a scripted viewer at 30 frames a second
    #[command(after_help = WATCHED)]
    Watched(Box<Typed<HeartRun>>),
    /// Measure durations and speeds of beats after ever shorter rests (S1-S2)
    #[command(after_help = RESTITUTION)]
    Restitution(Box<HeartRestitution>),
    /// Find the timings of S2 that start a re-entry
    #[command(after_help = WINDOW)]
    Window(Box<HeartWindow>),
}

/// `galerkit heart restitution`.
#[derive(Clone, Debug, Args)]
pub struct HeartRestitution {
    /// Between the beats of S1, in ms
    #[arg(long, value_name = "MS", default_value_t = 600.0, allow_negative_numbers = true)]
    pub interval: f64,
    /// Beats of S1
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub beats: usize,
    /// Coupling intervals of S2 in ms, the longest first [default: from --interval down by 20]
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_negative_numbers = true)]
    pub couplings: Vec<f64>,
    /// Draw the curves
    #[arg(long, value_name = "r.svg", help_heading = heading::OUTPUT)]
    pub curves: Option<PathBuf>,
    /// Tissue, cells and scheme.
    #[command(flatten)]
    pub run: Typed<HeartRun>,
}

/// A run, as typed.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("precision", |option| option.help(PRECISION).long_help(PRECISION)))]
pub struct HeartRun {
    /// biventricle (the default), ventricle, slab, cable or sheet
    #[arg(long, value_name = "NAME", long_help = GEOMETRY, conflicts_with = "mesh")]
    pub geometry: Option<String>,
    /// A mesh file in place of it, in mm: Gmsh, VTK, VTU, Medit or CARP (.elem, in um)
    #[arg(long, value_name = "FILE")]
    pub mesh: Option<PathBuf>,
    /// Step in ms
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    pub dt: Option<f64>,
    /// When it ends, in ms
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    pub end: Option<f64>,
    /// Edges of built-in geometry in mm
    #[arg(long, value_name = "MM", conflicts_with = "mesh", allow_negative_numbers = true)]
    pub dx: Option<f64>,
    /// Where, how and when cells are excited: 'box=0,0,0,3,3,3;at=0', 'sphere=...', 'tag=...', ...
    #[arg(long, value_name = "SPEC", long_help = STIMULUS, allow_hyphen_values = true)]
    pub stimulus: Vec<String>,
    /// Activation, repolarisation and phi over time at a point in mm; again for each point
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true)]
    pub probe: Vec<String>,

    /// Read options from a file in TOML
    #[arg(long, value_name = "p.toml", long_help = PARAMETERS)]
    pub parameters: Option<PathBuf>,
    /// Print the options with every default filled in, as such a file, and run nothing
    #[arg(long)]
    pub dry: bool,

    /// Extents of built-in geometry in mm
    #[arg(long, value_name = "X[,Y[,Z]]", value_delimiter = ',', num_args = 1, conflicts_with = "mesh")]
    #[arg(help_heading = TISSUE)]
    pub size: Vec<f64>,
    /// D along the fibres in mm2/ms [default: 1]
    #[arg(long = "D", value_name = "D", long_help = D_ALONG, allow_negative_numbers = true, help_heading = TISSUE)]
    pub D: Option<f64>,
    /// D across the fibres over D along them [default: 1; slab: 0.132; ventricles: 0.4]
    #[arg(long, value_name = "RATIO", allow_negative_numbers = true, help_heading = TISSUE)]
    pub anisotropy: Option<f64>,
    /// D in every direction, instead of --D and --anisotropy
    #[arg(long, value_name = "D", allow_negative_numbers = true, conflicts_with_all = ["D", "anisotropy"])]
    #[arg(hide_short_help = true, help_heading = TISSUE)]
    pub d_iso: Option<f64>,
    /// What is added along the fibres
    #[arg(long, value_name = "D", allow_negative_numbers = true, conflicts_with_all = ["D", "anisotropy"])]
    #[arg(hide_short_help = true, help_heading = TISSUE)]
    pub d_ani: Option<f64>,
    /// Direction of all fibres [default: 1,0,0]
    #[arg(long, value_name = "x,y,z", value_delimiter = ',', num_args = 1, allow_hyphen_values = true)]
    #[arg(hide_short_help = true, help_heading = TISSUE)]
    pub fibre: Vec<f64>,
    /// rule, file, the name of vectors in the mesh file, or FILE.lon
    #[arg(long, value_name = "FROM", long_help = FIBRES, conflicts_with = "fibre", help_heading = TISSUE)]
    pub fibres: Option<String>,
    /// Degrees between fibres by rule and the circumference, inside and outside [default: 60,-60]
    #[arg(hide_short_help = true, long, value_name = "endo,epi", value_delimiter = ',', num_args = 1, allow_hyphen_values = true, help_heading = TISSUE)]
    pub fibre_angles: Vec<f64>,
    /// Tags of the boundary for fibres by rule: epi=1,lv=2,rv=3,base=4 [default: by name, else by shape]
    #[arg(hide_short_help = true, long, value_name = "epi=..,lv=..", help_heading = TISSUE)]
    pub surfaces: Option<String>,
    /// Other conductivities in a part: 'tag=2;D=0.3;anisotropy=0.5'; again for each
    #[arg(long, value_name = "SPEC", long_help = REGION, allow_hyphen_values = true, help_heading = TISSUE)]
    pub region: Vec<String>,
    /// A scar: 'sphere=0,0,-20,8', or with ';scale=0.1' a part that conducts badly; again for each
    #[arg(long, value_name = "SPEC", long_help = SCAR, allow_hyphen_values = true, help_heading = TISSUE)]
    pub scar: Vec<String>,
    /// Unit of the mesh file: mm, cm, m or um [default: mm, CARP's um; hearts are from 5 to 300 mm large]
    #[arg(hide_short_help = true, long, value_name = "UNIT", requires = "mesh", help_heading = TISSUE)]
    pub unit: Option<String>,

    /// aliev-panfilov or mitchell-schaeffer
    #[arg(hide_short_help = true, long, value_name = "NAME", default_value = "aliev-panfilov", help_heading = CELLS)]
    pub cell: String,
    /// Threshold of excitation [default: 0.01]
    #[arg(hide_short_help = true, long, allow_negative_numbers = true, help_heading = CELLS)]
    pub alpha: Option<f64>,
    /// Aliev-Panfilov's b [default: 0.15]
    #[arg(hide_short_help = true, long, allow_negative_numbers = true, help_heading = CELLS)]
    pub b: Option<f64>,
    /// Aliev-Panfilov's c [default: 8]
    #[arg(hide_short_help = true, long, allow_negative_numbers = true, help_heading = CELLS)]
    pub c: Option<f64>,
    /// Aliev-Panfilov's gamma [default: 0.002]
    #[arg(hide_short_help = true, long, allow_negative_numbers = true, help_heading = CELLS)]
    pub gamma: Option<f64>,
    /// Aliev-Panfilov's mu1 [default: 0.2]
    #[arg(hide_short_help = true, long, allow_negative_numbers = true, help_heading = CELLS)]
    pub mu1: Option<f64>,
    /// Aliev-Panfilov's mu2 [default: 0.3]
    #[arg(hide_short_help = true, long, allow_negative_numbers = true, help_heading = CELLS)]
    pub mu2: Option<f64>,
    /// Mitchell-Schaeffer's time of the inward current in ms [default: 0.3]
    #[arg(hide_short_help = true, long, value_name = "MS", allow_negative_numbers = true, help_heading = CELLS)]
    pub tau_in: Option<f64>,
    /// Of its leak [default: 6]
    #[arg(hide_short_help = true, long, value_name = "MS", allow_negative_numbers = true, help_heading = CELLS)]
    pub tau_out: Option<f64>,
    /// Of its gate's opening [default: 120]
    #[arg(hide_short_help = true, long, value_name = "MS", allow_negative_numbers = true, help_heading = CELLS)]
    pub tau_open: Option<f64>,
    /// Of its gate's closing [default: 150]
    #[arg(hide_short_help = true, long, value_name = "MS", allow_negative_numbers = true, help_heading = CELLS)]
    pub tau_close: Option<f64>,
    /// phi at which its gate turns [default: 0.13]
    #[arg(hide_short_help = true, long, value_name = "PHI", allow_negative_numbers = true, help_heading = CELLS)]
    pub gate: Option<f64>,
    /// Whether cells recover: on or off [default: on; in 'heart cv' off]
    #[arg(hide_short_help = true, long, value_name = "on|off", value_parser = ["on", "off"], help_heading = CELLS)]
    pub recovery: Option<String>,
    /// Whether cells react at all: on or off, which leaves diffusion
    #[arg(hide_short_help = true, long, value_name = "on|off", value_parser = ["on", "off"], default_value = "on", help_heading = CELLS)]
    pub reaction: String,

    /// strang: reaction by nodes, Crank-Nicolson diffusion; newton: backward Euler, recovery by element
    #[arg(long, value_name = "NAME", default_value = "strang", help_heading = heading::METHOD)]
    pub scheme: String,
    /// Let the steps of newton grow and shrink with its iterations, up to this length; --dt is the first
    #[arg(hide_short_help = true, long, value_name = "MS", allow_negative_numbers = true, help_heading = heading::METHOD)]
    pub adaptive: Option<f64>,
    /// Relative tolerance of linear solves [default: 1e-5, newton: 1e-8]
    #[arg(hide_short_help = true, long, alias = "tolerance", allow_negative_numbers = true, help_heading = heading::METHOD)]
    pub rtol: Option<f64>,
    /// phi at which a node counts as activated [default: 0.8, which is 0 mV; in 'heart cv' 0.5]
    #[arg(hide_short_help = true, long, value_name = "PHI", allow_negative_numbers = true, help_heading = heading::METHOD)]
    pub activation_level: Option<f64>,
    /// phi below which it counts as repolarised
    #[arg(hide_short_help = true, long, value_name = "PHI", default_value_t = 0.1, allow_negative_numbers = true, help_heading = heading::METHOD)]
    pub repolarisation_level: f64,
    /// Whose times are reported: first, last, all, or a number
    #[arg(hide_short_help = true, long, value_name = "WHICH", long_help = BEAT, help_heading = heading::METHOD)]
    pub beat: Option<String>,
    /// Where and how it is computed.
    #[command(flatten)]
    pub machine: Machine,

    /// An electrode for electrograms, in mm; again for each
    #[arg(hide_short_help = true, long, value_name = "x,y,z", allow_hyphen_values = true, help_heading = heading::OUTPUT)]
    pub lead: Vec<String>,
    /// The twelve leads of an electrocardiogram, the heart being where it is in a chest, apex towards -z
    #[arg(hide_short_help = true, long, help_heading = heading::OUTPUT)]
    pub ecg: bool,
    /// Look at the state every so many ms [default: 5; ventricles: 10; with --ecg 2]
    #[arg(long, value_name = "MS", allow_negative_numbers = true, help_heading = heading::OUTPUT)]
    pub every: Option<f64>,
    /// An image of --film, a file of --pvd or a slice of --igb every so many ms [default: as --every; ventricles: 20]
    #[arg(hide_short_help = true, long, value_name = "MS", allow_negative_numbers = true, help_heading = heading::OUTPUT)]
    pub picture_every: Option<f64>,
    /// Write times of activation and repolarisation by node as CSV
    #[arg(hide_short_help = true, long, value_name = "t.csv", help_heading = heading::OUTPUT)]
    pub csv: Option<PathBuf>,
    /// Write phi at probes, electrograms and the share of excited nodes over time as CSV
    #[arg(hide_short_help = true, long, value_name = "s.csv", help_heading = heading::OUTPUT)]
    pub traces: Option<PathBuf>,
    /// Draw the same
    #[arg(hide_short_help = true, long, value_name = "s.svg", help_heading = heading::OUTPUT)]
    pub plot: Option<PathBuf>,
    /// Write the potential over time for ParaView, a .vtu a time beside this list of them
    #[arg(hide_short_help = true, long, value_name = "phi.pvd", help_heading = heading::OUTPUT)]
    pub pvd: Option<PathBuf>,
    /// Write the potential over time for CARP's programs
    #[arg(hide_short_help = true, long, value_name = "phi.igb", help_heading = heading::OUTPUT)]
    pub igb: Option<PathBuf>,
    /// Write the times and the last potential for ParaView
    #[arg(hide_short_help = true, long, value_name = "h.vtu", help_heading = heading::OUTPUT)]
    pub vtu: Option<PathBuf>,
    /// Draw the activation times
    #[arg(hide_short_help = true, long, value_name = "a.png", help_heading = heading::OUTPUT)]
    pub png: Option<PathBuf>,
    /// Draw the phase at the end: how far cells are round the loop of an action potential, an angle in degrees
    #[arg(hide_short_help = true, long, value_name = "phase.png", help_heading = heading::OUTPUT)]
    pub phase: Option<PathBuf>,
    /// Draw the potential as an animated PNG, an image every --picture-every ms
    #[arg(hide_short_help = true, long, value_name = "phi.png", help_heading = heading::OUTPUT)]
    pub film: Option<PathBuf>,
    /// Write the report as JSON; '-' for standard output
    #[arg(long, value_name = "r.json|-", help_heading = heading::OUTPUT)]
    pub json: Option<PathBuf>,
    /// Write activation.png, potential.png (a film) and report.json into this folder [default: results/heart where no
    /// geometry is named]
    #[arg(hide_short_help = true, long, value_name = "DIR", help_heading = heading::OUTPUT)]
    pub results: Option<PathBuf>,
    /// Keep the state in this file, whole at any moment, written whenever the state is looked at
    #[arg(hide_short_help = true, long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub checkpoint: Option<PathBuf>,
    /// Go on from such a file, with equal bits
    #[arg(hide_short_help = true, long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub resume: Option<PathBuf>,
    /// Neither progress nor notes
    #[arg(long, short, help_heading = heading::OUTPUT)]
    pub quiet: bool,
}

const TISSUE: &str = "Tissue";
const CELLS: &str = "Cells";
