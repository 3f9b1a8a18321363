//! The state on disk: JSON whose numbers read back to the same bits, so that a run goes on as if it had not ended.

use super::history::History;
use crate::plan::tumour::TumourPlan;
use anyhow::{Context, Result, bail};
use galerkit::fem::collocation::Evolution;
use galerkit::linalg::io::atomic_write;
use serde::{Deserialize, Serialize};
use std::path::Path;

#[derive(Serialize, Deserialize)]
struct Checkpoint {
    galerkit: String,
    /// The options of the run.
    run: String,
    history: History,
    state: Vec<f64>,
}

/// Writes it, whole or not at all.
pub fn write(path: &Path, plan: &TumourPlan, evolution: &mut Evolution, history: &History) -> Result<()> {
    let galerkit = env!("CARGO_PKG_VERSION").to_string();
    let (run, history, state) = (plan.identity.clone(), history.clone(), evolution.state());
    let text = serde_json::to_vec(&Checkpoint { galerkit, run, history, state })?;
    atomic_write(path, |out| out.write_all(&text)).with_context(|| format!("cannot write {}", path.display()))
}

/// Reads it into an evolution. What was measured until then.
pub fn read(path: &Path, plan: &TumourPlan, evolution: &mut Evolution) -> Result<History> {
    let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let kept: Checkpoint =
        serde_json::from_slice(&text).with_context(|| format!("{} is no checkpoint of galerkit", path.display()))?;
    if kept.run != plan.identity {
        bail!("{} is of a run with other options: resume with those it was begun with", path.display());
    }
    evolution.restore(&kept.state)?;
    Ok(kept.history.of_dimension(plan.space.dim()))
}
