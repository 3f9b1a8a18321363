//! The live view as meant.

use super::HeartPlan;
use crate::args::{HeartLive, HeartRun, NOT_LIVE, Typed};
use crate::plan::parameters;
use anyhow::{Context, Result, bail};
use galerkit_live::Settings;
use galerkit_live::command::STEPS;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

/// A live run, or a replay of one.
#[derive(Clone, Debug)]
pub struct LivePlan {
    /// How it is served; none for a replay that nobody watches.
    pub server: Option<Settings>,
    /// 1 is real time; none is as fast as can be.
    pub speed: Option<f64>,
    /// Whether somebody must press play.
    pub is_paused: bool,
    /// Where commands are written.
    pub journal: PathBuf,
    /// Commands to be done again.
    pub replay: Option<PathBuf>,
    /// Where states are kept.
    pub checkpoint: PathBuf,
    /// Whether one was asked for.
    pub keeps_last: bool,
    /// When it ends, in ms; none: when it is interrupted.
    pub end: Option<u64>,
}

impl LivePlan {
    /// Makes sense of the arguments; none if nothing is live.
    pub fn new(typed: &Typed<HeartRun>, live: &HeartLive, plan: &HeartPlan) -> Result<Option<Self>> {
        if !live.live && live.replay.is_none() {
            return Ok(None);
        }
        let run = parameters::resolved(typed, typed.parameters.as_deref())?;
        if let Some(word) = run.words().iter().find(|word| NOT_LIVE.contains(&word.name.as_str())) {
            bail!("--{} is not for a live run or its replay: leave it out of the parameter file", word.name);
        }
        let dt = plan.scheme.dt();
        if !STEPS.contains(&dt) {
            bail!("--dt {dt} does not divide a millisecond, at whose ends a live run listens: take one of {STEPS:?}");
        }
        let folder = plan.files.folder.clone().unwrap_or_else(|| "results/heart".into());
        let server = Settings {
            listen: address(&live.listen)?,
            allow_remote: live.allow_remote,
            names: live.host.clone(),
            ..Settings::default()
        };
        Ok(Some(Self {
            server: live.live.then_some(server),
            speed: speed(&live.speed)?,
            is_paused: live.paused,
            journal: live.journal.clone().unwrap_or_else(|| folder.join("journal.jsonl")),
            replay: live.replay.clone(),
            checkpoint: run.checkpoint.clone().unwrap_or_else(|| folder.join("state")),
            keeps_last: run.checkpoint.is_some(),
            end: run.end.map(|end| end.ceil() as u64),
        }))
    }
}

fn address(text: &str) -> Result<SocketAddr> {
    let found = text.to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
    found.with_context(|| format!("--listen {text}: an address and a port are needed, as in 127.0.0.1:8137"))
}

fn speed(text: &str) -> Result<Option<f64>> {
    if text == "max" {
        return Ok(None);
    }
    match text.parse::<f64>() {
        Ok(factor) if (1e-3..=100.0).contains(&factor) => Ok(Some(factor)),
        _ => bail!("--speed {text}: a factor from 0.001 to 100, or max"),
    }
}
