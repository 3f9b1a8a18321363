//! Cell models by name, with their parameters.

use super::Purpose;
use crate::args::HeartRun;
use anyhow::{Result, bail};
use galerkit::fem::cardiac::Model;
use galerkit::fem::cardiac::cell::{AlievPanfilov, Kind, MitchellSchaeffer};

/// From what was typed.
pub fn model(arguments: &HeartRun, purpose: Purpose) -> Result<Model> {
    let given = [arguments.alpha, arguments.b, arguments.c, arguments.gamma, arguments.mu1, arguments.mu2];
    if let Some(value) = given.iter().flatten().find(|value| !value.is_finite()) {
        bail!("{value} is no parameter of a cell: it must be finite");
    }
    let kind = match arguments.cell.as_str() {
        "aliev-panfilov" => {
            let usual = AlievPanfilov::default();
            let [alpha, b, c, gamma, mu1, mu2] = given;
            if let Some(mu2) = mu2.filter(|mu2| *mu2 <= 0.0) {
                bail!("--mu2 {mu2} makes no sense: it must be positive, since mu1 r is divided by mu2 + phi");
            }
            Kind::AlievPanfilov(AlievPanfilov {
                alpha: alpha.unwrap_or(usual.alpha),
                b: b.unwrap_or(usual.b),
                c: c.unwrap_or(usual.c),
                gamma: gamma.unwrap_or(usual.gamma),
                mu1: mu1.unwrap_or(usual.mu1),
                mu2: mu2.unwrap_or(usual.mu2),
            })
        }
        "mitchell-schaeffer" if given.iter().any(Option::is_some) => {
            bail!("alpha, b, c, gamma, mu1 and mu2 are parameters of --cell aliev-panfilov")
        }
        "mitchell-schaeffer" => Kind::MitchellSchaeffer(MitchellSchaeffer::default()),
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
