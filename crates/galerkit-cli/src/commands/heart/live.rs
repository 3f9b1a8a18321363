//! `galerkit heart --live` and `--replay`: one thread, this one, owns the run and is the only one that changes it;
//! commands are applied between launches, at whole milliseconds, so that doing them again gives equal bits.
//!
//! | file | what |
//! |---|---|
//! | [`memory`] | what has been changed, as data |
//! | [`living`] | a run that can be changed |
//! | [`state`] | such a run as a file |
//! | [`tempo`] | when to go on, and how far |
//! | [`stage`] | the run before its viewers |
//! | [`rehearsal`] | the same before a scripted viewer, for measurements |

mod living;
mod memory;
mod rehearsal;
mod stage;
mod state;
mod tempo;

pub use rehearsal::Rehearsal;

use super::super::Ending;
use crate::interrupt;
use crate::output::Output;
use crate::plan::heart::{HeartPlan, LivePlan};
use anyhow::{Context, Result, bail};
use galerkit_live::Server;
use galerkit_live::journal::{Entry, Journal, Opening, read};
use living::Living;
use stage::Stage;
use std::path::Path;
use std::time::Instant;

/// Runs until it is interrupted, or to its end.
pub fn run(plan: &HeartPlan, live: &LivePlan, output: Output) -> Result<Ending> {
    let mut living = Living::new(plan, output)?;
    if let Some(path) = &plan.files.resume {
        state::read(&mut living, path)?;
    }
    let mut script = live.replay.as_deref().map(|path| script(&living, path)).transpose()?;
    if let (Some(entries), Some(_)) = (&mut script, &plan.files.resume) {
        entries.retain(|entry| entry.time > living.time()); // what a state goes on from has been done
    }
    let (begun, first) = (Instant::now(), living.time());
    let ending = match &live.server {
        None => replay(&mut living, script.unwrap_or_default(), live)?,
        Some(settings) => {
            for path in [&live.journal, &live.checkpoint] {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
            }
            let server = Server::start(settings, living.shown(&live.journal)?)?;
            let journal = Journal::begin(&live.journal, &living.opening())?;
            let mut stage = Stage::new(living, server, journal, script, live);
            announce(&stage, live, output)?;
            let ending = stage.run()?;
            living = stage.close()?;
            ending
        }
    };
    if live.keeps_last {
        state::write(&mut living, &live.checkpoint)?;
    }
    if !plan.quiet {
        let (wall, simulated) = (begun.elapsed().as_secs_f64(), (living.time() - first) as f64 / 1000.0);
        let ratio = if simulated > 0.0 { wall / simulated } else { 0.0 };
        let (time, steps) = (living.time(), living.steps());
        output.print(&format!("{time} ms, {steps} steps, {ratio:.3} wall seconds a simulated second"))?;
    }
    Ok(ending)
}

fn announce(stage: &Stage, live: &LivePlan, output: Output) -> Result<()> {
    output.print(&format!("open {}", stage.url()))?;
    output.note(&format!("commands are written to {}; Ctrl-C ends it", live.journal.display()));
    if live.server.as_ref().is_some_and(|settings| !settings.listen.ip().is_loopback()) {
        output.note(&format!(
            "warning: {} can be reached by other machines, without encryption: whoever sees the address above can steer this run",
            stage.address()
        ));
    }
    Ok(())
}

/// The commands of a journal, if it is of this run.
fn script(living: &Living, path: &Path) -> Result<Vec<Entry>> {
    let (opening, entries) = read(path)?;
    let own = living.opening();
    if (Opening { galerkit: own.galerkit.clone(), ..opening.clone() }) != own {
        let of =
            |it: &Opening| format!("{}, {} nodes, {}, {}, dt {}", it.geometry, it.nodes, it.cell, it.scheme, it.dt);
        bail!(
            "{} is of another run ({}) than this one ({}): replay it with the options of the run that wrote it",
            path.display(),
            of(&opening),
            of(&own)
        );
    }
    Ok(entries)
}

/// All of it at once, without anybody who looks.
fn replay(living: &mut Living, script: Vec<Entry>, live: &LivePlan) -> Result<Ending> {
    let last = script.last().map_or(0, |entry| entry.time);
    let end = live.end.unwrap_or(last);
    for entry in script.into_iter().filter(|entry| entry.time <= end) {
        living.advance(entry.time, interrupt::goes_on)?;
        if let Some(command) = &entry.command {
            living.apply(command)?;
        }
    }
    living.advance(end, interrupt::goes_on)?;
    interrupt::iteration_is_over();
    Ok(if interrupt::was_asked() { Ending::Interrupted } else { Ending::Done })
}
