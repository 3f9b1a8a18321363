//! Cell models by name, with their parameters.

use super::{Purpose, positive};
use crate::args::HeartRun;
use anyhow::{Result, bail};
use galerkit::fem::cardiac::Model;
use galerkit::fem::cardiac::cell::{AlievPanfilov, Kind, MitchellSchaeffer};

/// From what was typed.
pub fn model(arguments: &HeartRun, purpose: Purpose) -> Result<Model> {
    let of_panfilov = [arguments.alpha, arguments.b, arguments.c, arguments.gamma, arguments.mu1, arguments.mu2];
    let of_schaeffer = [arguments.tau_in, arguments.tau_out, arguments.tau_open, arguments.tau_close, arguments.gate];
    if let Some(value) = of_panfilov.iter().chain(&of_schaeffer).flatten().find(|value| !value.is_finite()) {
        bail!("{value} is no parameter of a cell: it must be finite");
    }
    let kind = match arguments.cell.as_str() {
        "aliev-panfilov" if of_schaeffer.iter().any(Option::is_some) => {
            bail!("tau-in, tau-out, tau-open, tau-close and gate are parameters of --cell mitchell-schaeffer")
        }
        "aliev-panfilov" => Kind::AlievPanfilov(aliev_panfilov(of_panfilov)?),
        "mitchell-schaeffer" if of_panfilov.iter().any(Option::is_some) => {
            bail!("alpha, b, c, gamma, mu1 and mu2 are parameters of --cell aliev-panfilov")
        }
        "mitchell-schaeffer" => Kind::MitchellSchaeffer(mitchell_schaeffer(of_schaeffer)?),
        other => bail!("there is no cell model '{other}': they are aliev-panfilov and mitchell-schaeffer"),
    };
    if purpose == Purpose::Speed && !matches!(kind, Kind::AlievPanfilov(_)) {
        bail!("'heart cv' compares with the exact front of --cell aliev-panfilov");
    }
    if purpose == Purpose::Speed && arguments.reaction != "on" {
        bail!("'heart cv' needs --reaction on: without a reaction nothing travels");
    }
    let recovery = arguments.recovery.as_deref().map_or(purpose != Purpose::Speed, |word| word == "on");
    Ok(Model { kind, reaction: arguments.reaction == "on", recovery })
}

fn aliev_panfilov([alpha, b, c, gamma, mu1, mu2]: [Option<f64>; 6]) -> Result<AlievPanfilov> {
    let usual = AlievPanfilov::default();
    if let Some(mu2) = mu2.filter(|mu2| *mu2 <= 0.0) {
        bail!("--mu2 {mu2} makes no sense: it must be positive, since mu1 r is divided by mu2 + phi");
    }
    Ok(AlievPanfilov {
        alpha: alpha.unwrap_or(usual.alpha),
        b: b.unwrap_or(usual.b),
        c: c.unwrap_or(usual.c),
        gamma: gamma.unwrap_or(usual.gamma),
        mu1: mu1.unwrap_or(usual.mu1),
        mu2: mu2.unwrap_or(usual.mu2),
    })
}

fn mitchell_schaeffer([tau_in, tau_out, tau_open, tau_close, gate]: [Option<f64>; 5]) -> Result<MitchellSchaeffer> {
    let usual = MitchellSchaeffer::default();
    let cell = MitchellSchaeffer {
        tau_in: positive("tau-in", tau_in.unwrap_or(usual.tau_in))?,
        tau_out: positive("tau-out", tau_out.unwrap_or(usual.tau_out))?,
        tau_open: positive("tau-open", tau_open.unwrap_or(usual.tau_open))?,
        tau_close: positive("tau-close", tau_close.unwrap_or(usual.tau_close))?,
        gate: gate.unwrap_or(usual.gate),
    };
    if !(0.0 < cell.gate && cell.gate < 1.0) {
        bail!("--gate {} makes no sense: phi goes from 0 to 1", cell.gate);
    }
    if cell.tau_out <= 4.0 * cell.tau_in {
        bail!(
            "--tau-in {} with --tau-out {} makes cells that nothing excites: the leak must take more than four times as long",
            cell.tau_in,
            cell.tau_out
        );
    }
    Ok(cell)
}
