//! A live run without a browser, for measurements: the page's server, and a scripted viewer at its socket.

use super::living::Living;
use super::stage::Stage;
use crate::output::Output;
use crate::plan::heart::{HeartPlan, LivePlan};
use anyhow::Result;
use galerkit_live::journal::Journal;
use galerkit_live::{Kind, Server, Settings, Watched, Watcher};
use std::path::PathBuf;
use std::time::Instant;

/// What was measured.
pub struct Seconds {
    /// On the wall.
    pub wall: f64,
    /// What the viewer got.
    pub watched: Watched,
}

/// A live run whose journal nobody keeps.
pub struct Rehearsal {
    stage: Stage,
    journal: PathBuf,
}

impl Rehearsal {
    /// Compiles and serves; nobody has come yet.
    pub fn new(plan: &HeartPlan, output: Output) -> Result<Self> {
        let living = Living::new(plan, output)?;
        let journal = std::env::temp_dir().join(format!("galerkit-{}.jsonl", std::process::id()));
        let live = LivePlan {
            server: None,
            speed: None,
            is_paused: false,
            journal: journal.clone(),
            replay: None,
            checkpoint: PathBuf::new(),
            keeps_last: false,
            end: None,
        };
        let server = Server::start(&Settings::default(), living.shown(&journal)?)?;
        let written = Journal::begin(&journal, &living.opening())?;
        Ok(Self { stage: Stage::new(living, server, written, None, &live), journal })
    }

    /// Runs between two times as fast as can be, before a viewer who is ready so many times a second.
    pub fn timed(mut self, [begin, end]: [f64; 2], per_second: f64) -> Result<Seconds> {
        let watcher = Watcher::start(&self.stage.url(), Kind::Potential, per_second)?;
        self.stage.run_to(begin as u64)?;
        let (begun, before) = (Instant::now(), watcher.watched());
        self.stage.run_to(end as u64)?;
        let (wall, after) = (begun.elapsed().as_secs_f64(), watcher.watched());
        let watched = Watched { frames: after.frames - before.frames, bytes: after.bytes - before.bytes };
        watcher.finish();
        self.stage.close()?;
        std::fs::remove_file(&self.journal)?;
        Ok(Seconds { wall, watched })
    }
}
