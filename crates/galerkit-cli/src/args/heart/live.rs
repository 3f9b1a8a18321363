//! `galerkit heart --live` as typed.

use clap::Args;
use std::path::PathBuf;

const LIVE: &str = "Serve a page that shows the beating tissue and takes commands: turn, cut, click to stimulate, shift-drag to ablate, S1-S2, \
sliders, electrograms, activation map. The address, printed once it can be opened, ends with a secret: whoever has it may come in. The \
first to come controls, up to 15 others watch and may ask for control. Ends at Ctrl-C, or at --end where that is said";

const REPLAY: &str = "Do again what a journal says, with equal bits: with the options of the run that wrote it, to --end or to the journal's \
end, without a page unless --live says so";

/// Options of a run that nobody touches: a live one has a page in their place.
pub const NOT_LIVE: [&str; 12] =
    ["csv", "traces", "plot", "pvd", "igb", "vtu", "png", "phase", "film", "json", "ecg", "beat"];

/// The live view.
#[derive(Clone, Debug, Args)]
pub struct HeartLive {
    /// Watch and touch it in a browser, on a page that this program serves
    #[arg(long, long_help = LIVE, help_heading = HEADING)]
    #[arg(conflicts_with_all = NOT_LIVE)]
    pub live: bool,
    /// Where the page is served; port 0 is any that is free
    #[arg(hide_short_help = true, long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0", help_heading = HEADING)]
    pub listen: String,
    /// Let other machines connect to --listen; better keep 127.0.0.1 and use ssh -L PORT:127.0.0.1:PORT
    #[arg(hide_short_help = true, long, requires = "live", help_heading = HEADING)]
    pub allow_remote: bool,
    /// A name under which other machines know this one; again for each
    #[arg(hide_short_help = true, long, value_name = "NAME", requires = "allow_remote", help_heading = HEADING)]
    pub host: Vec<String>,
    /// How fast it goes: 1 is real time, max as fast as can be
    #[arg(hide_short_help = true, long, value_name = "FACTOR|max", default_value = "0.1", help_heading = HEADING)]
    pub speed: String,
    /// Wait for somebody to press play
    #[arg(hide_short_help = true, long, requires = "live", help_heading = HEADING)]
    pub paused: bool,
    /// Where commands are written as they are applied [default: journal.jsonl in --results, which is results/heart]
    #[arg(hide_short_help = true, long, value_name = "FILE", requires = "live", help_heading = HEADING)]
    pub journal: Option<PathBuf>,
    /// Do again what a journal says, with equal bits
    #[arg(hide_short_help = true, long, value_name = "FILE", long_help = REPLAY, help_heading = HEADING)]
    #[arg(conflicts_with_all = NOT_LIVE)]
    pub replay: Option<PathBuf>,
}

const HEADING: &str = "Live view";
