//! `galerkit heart`: tissue, scheme, run, files.
//!
//! | file | what |
//! |---|---|
//! | [`tissue`] | from the plan to tissue, with what is to be said of it |
//! | [`beat`] | a run under observation |
//! | [`cv`] | the speed of a planar front |
//! | [`live`] | a run that is watched and touched in a browser |
//! | [`pictures`] | maps and films |
//! | [`report`] | what is said and written |

mod beat;
mod cv;
mod live;
mod pictures;
mod report;
mod tissue;

use super::Ending;
use super::solve::check_writable;
use crate::args::{Heart, HeartMeasure};
use crate::output::Output;
use crate::plan::heart::{HeartPlan, LivePlan, Purpose};
use anyhow::Result;

/// Runs or measures.
pub fn run(arguments: Heart, output: Output) -> Result<Ending> {
    match arguments.measure {
        None => {
            let plan = HeartPlan::new(&arguments.run, Purpose::Beat)?;
            if let Some(live) = LivePlan::new(&arguments.run, &arguments.live, &plan)? {
                return live::run(&plan, &live, output);
            }
            check_writable(plan.files.folder.as_deref(), plan.files.paths())?;
            beat::run(&plan, output)
        }
        Some(HeartMeasure::Cv(run)) => {
            let plan = HeartPlan::new(&run, Purpose::Speed)?;
            check_writable(plan.files.folder.as_deref(), plan.files.paths())?;
            cv::run(&plan, output)
        }
    }
}
