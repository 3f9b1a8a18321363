//! `galerkit heart`: tissue, scheme, run, files.
//!
//! | file | what |
//! |---|---|
//! | [`tissue`] | from the plan to tissue, with what is to be said of it |
//! | [`beat`] | a run under observation |
//! | [`cv`] | the speed of a planar front |
//! | [`live`] | a run that is watched and touched in a browser |
//! | [`restitution`] | durations after ever shorter rests |
//! | [`window`] | timings of S2 that start a re-entry |
//! | [`checkpoint`] | the state on disk |
//! | [`series`] | films and files over time |
//! | [`pictures`] | one image |
//! | [`edges`], [`steps`] | warnings of edges and of steps that are too long |
//! | [`stimulated`] | warnings where nothing will be activated |
//! | [`unused`] | points that no element has |
//! | [`wall`] | where the time went |
//! | [`watched`] | what being watched costs |
//! | [`seen`], [`beats`] | what was seen of a run, beat by beat |
//! | [`report`] | what is said, and the report |
//! | [`written`] | files |

mod beat;
mod beats;
mod checkpoint;
mod cv;
mod edges;
mod live;
mod pictures;
mod report;
mod restitution;
mod seen;
mod series;
mod steps;
mod stimulated;
mod tissue;
mod unused;
mod wall;
mod watched;
mod window;
mod written;

use super::Ending;
use super::solve::check_writable;
use crate::args::{Heart, HeartMeasure, HeartRun, Typed};
use crate::output::Output;
use crate::plan::heart::{HeartPlan, LivePlan, Purpose};
use anyhow::Result;

/// Runs or measures.
pub fn run(arguments: Heart, output: Output) -> Result<Ending> {
    match &arguments.measure {
        None => with_plan(&arguments.run, Purpose::Beat, output, &|plan| match LivePlan::new(
            &arguments.run,
            &arguments.live,
            plan,
        )? {
            Some(live) => live::run(plan, &live, output),
            None => beat::run(plan, output),
        }),
        Some(HeartMeasure::Cv(run)) => with_plan(run, Purpose::Speed, output, &|plan| cv::run(plan, output)),
        Some(HeartMeasure::Watched(run)) => with_plan(run, Purpose::Beat, output, &|plan| watched::run(plan, output)),
        Some(HeartMeasure::Restitution(run)) => {
            with_plan(&run.run, Purpose::Restitution, output, &|plan| restitution::run(run, plan, output))
        }
        Some(HeartMeasure::Window(run)) => {
            with_plan(&run.run, Purpose::Window, output, &|plan| window::run(run, plan, output))
        }
    }
}

/// Does it, or says what it would do.
fn with_plan(
    typed: &Typed<HeartRun>,
    purpose: Purpose,
    output: Output,
    work: &dyn Fn(&HeartPlan) -> Result<Ending>,
) -> Result<Ending> {
    let plan = HeartPlan::new(typed, purpose)?;
    if typed.dry {
        output.print(plan.resolved.trim_end())?;
        return Ok(Ending::Done);
    }
    check_writable(plan.files.folder.as_deref(), plan.files.paths())?;
    work(&plan)
}
