//! Schemes by name, with steps and tolerances.

use super::{BeatChoice, Purpose, positive};
use crate::args::HeartRun;
use anyhow::{Result, bail};
use galerkit::fem::cardiac::crossings::Levels;
use galerkit::fem::cardiac::{newton, strang};
use galerkit::linalg::program::Precision;

/// phi goes from 0 to 1; a cell that repolarises falls through the lower level after it rose through the upper one.
fn check_levels(levels: Levels) -> Result<()> {
    let Levels { activation, repolarisation, .. } = levels;
    if !(0.0 < activation && activation < 1.0) {
        bail!("--activation-level {activation} is never passed: phi goes from 0 to 1");
    }
    if !(0.0 < repolarisation && repolarisation < activation) {
        bail!(
            "--repolarisation-level {repolarisation} makes no sense: it must be above 0 and below the activation level, \
             {activation}"
        );
    }
    Ok(())
}

/// A scheme with its settings.
#[derive(Clone, Debug)]
pub enum SchemeChoice {
    /// Reaction by nodes, Crank-Nicolson diffusion.
    Strang(strang::Settings),
    /// Backward Euler, r by element.
    Newton(newton::Settings),
}

impl SchemeChoice {
    /// From what was typed.
    pub fn new(arguments: &HeartRun, purpose: Purpose, precision: Precision, beat: BeatChoice) -> Result<Self> {
        let activation = if purpose == Purpose::Speed { 0.5 } else { 0.8 };
        let levels = Levels {
            activation: arguments.activation_level.unwrap_or(activation),
            repolarisation: arguments.repolarisation_level,
            beat: beat.kept(),
        };
        check_levels(levels)?;
        let dt = positive("dt", arguments.dt.unwrap_or(0.25))?;
        let rtol = arguments.rtol.map(|rtol| positive("rtol", rtol)).transpose()?;
        match arguments.scheme.as_str() {
            "strang" if arguments.adaptive.is_some() => bail!("--adaptive is for --scheme newton"),
            "strang" => {
                let usual = strang::Settings::default();
                Ok(Self::Strang(strang::Settings { dt, rtol: rtol.unwrap_or(usual.rtol), precision, levels, ..usual }))
            }
            "newton" if precision == Precision::Single => bail!("--precision hybrid is for --scheme strang"),
            "newton" => {
                let adaptive = arguments.adaptive.map(|longest| positive("adaptive", longest)).transpose()?;
                let usual = newton::Settings::default();
                Ok(Self::Newton(newton::Settings { dt, adaptive, rtol: rtol.unwrap_or(usual.rtol), levels, ..usual }))
            }
            other => bail!("there is no scheme '{other}': they are strang and newton"),
        }
    }

    /// Refuses a run that is over before its first step.
    pub fn check_end(&self, end: f64) -> Result<()> {
        let dt = self.dt();
        if self.nearest(end) == 0.0 {
            bail!(
                "the run ends after {end} ms, before its first step of {dt} ms: take a later --end or a smaller --dt"
            );
        }
        Ok(())
    }

    /// Where the scheme stops if it is asked for a time: at the step that is nearest, unless steps adapt to it.
    pub fn nearest(&self, time: f64) -> f64 {
        if self.is_adaptive() { time } else { self.dt() * (time / self.dt()).round() }
    }

    /// A time between looks as the scheme can keep it.
    pub fn in_steps(&self, time: f64) -> f64 {
        let whole = if self.is_adaptive() { time } else { self.nearest(time).max(self.dt()) };
        if (whole - time).abs() <= 1e-9 * time { time } else { whole }
    }

    fn is_adaptive(&self) -> bool {
        matches!(self, Self::Newton(settings) if settings.adaptive.is_some())
    }

    /// The step, in ms.
    pub fn dt(&self) -> f64 {
        match self {
            Self::Strang(settings) => settings.dt,
            Self::Newton(settings) => settings.dt,
        }
    }
}
