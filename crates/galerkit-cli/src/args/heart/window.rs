//! `galerkit heart window` as typed.

use super::HeartRun;
use crate::args::Typed;
use clap::Args;

const S2: &str = "Where and how S2 excites, as in --stimulus, without a time: 'box=0,0,0,100,100,0', 'sphere=...;potential=0.8' [default: the \
quarter of a sheet at 0,0]. S1 is --stimulus; timings of S2 count from its last pulse";

const FROM: &str = "Timings of S2, in ms after the last S1 [default: from when the first cell of S2's region has been repolarised to 60 ms after \
the last one has, or later as long as it re-enters]";

/// `galerkit heart window`.
#[derive(Clone, Debug, Args)]
pub struct HeartWindow {
    /// Where S2 excites: 'box=0,0,0,100,100,0', ... [default: a quarter of a sheet]
    #[arg(long, value_name = "SPEC", long_help = S2, allow_hyphen_values = true)]
    pub s2: Option<String>,
    /// Earliest S2 in ms after the last S1 [default: found]
    #[arg(long, value_name = "MS", long_help = FROM, allow_negative_numbers = true)]
    pub from: Option<f64>,
    /// Latest S2 in ms after the last S1 [default: found]
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    pub to: Option<f64>,
    /// Timings that are tried between them, evenly spaced, before ends of the window are looked for
    #[arg(long, value_name = "N", default_value_t = 9)]
    pub tries: usize,
    /// How well ends of the window are found, in ms
    #[arg(long, value_name = "MS", default_value_t = 4.0, allow_negative_numbers = true)]
    pub resolution: f64,
    /// What is still excited so many ms after S2 re-enters
    #[arg(long, value_name = "MS", default_value_t = 900.0, allow_negative_numbers = true)]
    pub watch: f64,
    /// Tissue, cells, S1 and scheme.
    #[command(flatten)]
    pub run: Typed<HeartRun>,
}
