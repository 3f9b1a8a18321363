//! Schemes by name, with steps and tolerances.

use super::{Purpose, positive};
use crate::args::HeartRun;
use anyhow::{Result, bail};
use galerkit::fem::cardiac::crossings::Levels;
use galerkit::fem::cardiac::{newton, strang};
use galerkit::linalg::program::Precision;

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
    pub fn new(arguments: &HeartRun, purpose: Purpose, precision: Precision) -> Result<Self> {
        let activation = if purpose == Purpose::Speed { 0.5 } else { 0.8 };
        let levels = Levels {
            activation: arguments.activation_level.unwrap_or(activation),
            repolarisation: arguments.repolarisation_level,
        };
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

    /// The step, in ms.
    pub fn dt(&self) -> f64 {
        match self {
            Self::Strang(settings) => settings.dt,
            Self::Newton(settings) => settings.dt,
        }
    }
}
