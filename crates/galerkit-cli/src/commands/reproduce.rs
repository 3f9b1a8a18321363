//! `galerkit reproduce`: published results, computed again beside what was printed.

pub mod alinea;
pub mod dhc;
mod figures;
pub mod heart;
pub mod hpfem;
mod tables;

use super::Ending;
use crate::args::ReproduceVpgcr;
use crate::output::{Output, json};
use anyhow::{Context, Result, bail};
use galerkit::cuda::launch::Gpu;
use galerkit::{Choice, Device};
use galerkit_bench::reproduce::vpgcr::{Case, Form, GAMMAS, N, Place, Row, Study, TOLERANCES, Verdict};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

/// Inner tolerances that figure 2 has beside those of the others.
const ENDS: [f64; 2] = [1e-4, 1.0];
/// At most this gamma for a second n: above it sweeps grow with n.
const MODERATE: f64 = 0.8;

/// More rows than this take half an hour on one core, and 20 GiB.
const MOST_ROWS: usize = 1 << 26;

/// What is measured, where.
struct Plan {
    /// One core of the CPU first.
    places: Vec<Place>,
    gammas: Vec<f64>,
    cases: Vec<Case>,
    /// Rows of the second system, if one was asked for.
    second: Option<usize>,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    galerkit: &'static str,
    source: &'static str,
    /// Every entry of the table is equal or within its bound, and all solves converged.
    reproduced: bool,
    equal: usize,
    within: usize,
    outside: usize,
    places: Vec<String>,
    rows: &'a [Row],
}

/// Source 001.
pub fn vpgcr(arguments: &ReproduceVpgcr, output: Output) -> Result<Ending> {
    let plan = Plan::new(arguments, output)?;
    make_folder(arguments.svg.as_deref())?;
    let _held = held(&plan.places);
    let study = measure(&plan, arguments, output)?;
    if let Some(folder) = &arguments.svg {
        for (name, svg) in figures::draw(&study, &plan)? {
            output.write(&folder.join(name), &svg)?;
        }
    }
    let reproduced = study.rows().iter().all(Row::good);
    if arguments.json {
        output.print(&json::text(&Report::new(&study, &plan, reproduced))?)?;
    } else {
        output.print(&tables::all(&study, &plan, output.style))?;
    }
    Ok(if reproduced { Ending::Done } else { Ending::NotConverged })
}

/// Makes the folder of the figures.
fn make_folder(folder: Option<&Path>) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))
}

/// Holds a GPU, so that it is not given up and taken again between solves.
fn held(places: &[Place]) -> Option<Arc<Gpu>> {
    places.iter().find_map(|place| match place.device {
        Device::Cuda(number) => Gpu::open(number).ok(),
        Device::Cpu | Device::Reference => None,
    })
}

impl Plan {
    fn new(arguments: &ReproduceVpgcr, output: Output) -> Result<Self> {
        let mut gammas = if arguments.gamma.is_empty() { GAMMAS.to_vec() } else { arguments.gamma.clone() };
        if let Some(gamma) = gammas.iter().find(|gamma| !(**gamma > 0.0 && **gamma <= 1.0)) {
            bail!("--gamma {gamma} is not allowed: above 0 and at most 1, beyond which the inner iteration diverges");
        }
        gammas.sort_by(f64::total_cmp);
        gammas.dedup();
        if !(1..=MOST_ROWS).contains(&arguments.n) {
            bail!("--n {} is not allowed: 1 to {MOST_ROWS} rows", arguments.n);
        }
        let second = (arguments.n != N).then_some(arguments.n);
        let cases = cases(&gammas, second);
        Ok(Self { places: places(&arguments.device, arguments.quiet, output)?, gammas, cases, second })
    }

    /// The gamma at which times are shown as functions of the tolerance.
    fn steepest(&self) -> f64 {
        self.gammas[self.gammas.len() - 1]
    }

    /// The place that is compared to one core: the GPU, or all cores.
    fn device(&self) -> Place {
        self.places[self.places.len() - 1]
    }
}

/// One core, all cores if there are several, and the GPU if there is one.
fn places(device: &str, quiet: bool, output: Output) -> Result<Vec<Place>> {
    let device = match device.parse()? {
        Choice::Given(device) => device,
        Choice::Auto => {
            let (device, reason) = Device::of_machine();
            if !quiet {
                output.note(&format!("device {device}: {reason}"));
            }
            device
        }
    };
    device.require()?;
    let mut places = vec![Place::ONE_CORE];
    places.extend((galerkit::current_threads() > 1).then(|| Place::whole(Device::Cpu)));
    places.extend((device != Device::Cpu).then(|| Place::whole(device)));
    Ok(places)
}

/// Standard before hybrid, so that the one can be held against the other.
fn cases(gammas: &[f64], second: Option<usize>) -> Vec<Case> {
    let both = |n, gamma, eps| Form::ALL.map(|form| Case { n, gamma, form, eps });
    let mut cases = Vec::new();
    for (at, &gamma) in gammas.iter().enumerate() {
        let ends = if at + 1 == gammas.len() { &ENDS[..] } else { &[] };
        cases.extend(TOLERANCES.iter().chain(ends).flat_map(|&eps| both(N, gamma, eps)));
    }
    if let Some(n) = second {
        cases.extend(TOLERANCES.iter().flat_map(|&eps| both(n, MODERATE, eps)));
    }
    cases
}

/// Solves every case in every place, and says how far it is.
fn measure(plan: &Plan, arguments: &ReproduceVpgcr, output: Output) -> Result<Study> {
    let mut study = Study::default();
    let total = plan.cases.len();
    for place in &plan.places {
        for (done, &case) in plan.cases.iter().enumerate() {
            let row = study.add(*place, case, arguments.repetitions)?;
            if !arguments.quiet {
                output.note(&format!(
                    "{}: {} of {total}, n {}, gamma {}, {} {:.0e}: {} sweeps, {:.3} ms",
                    row.place,
                    done + 1,
                    row.n,
                    row.gamma,
                    row.form.letter(),
                    row.eps,
                    row.inner,
                    row.seconds * 1e3
                ));
            }
        }
    }
    Ok(study)
}

/// How many entries stand so to the published ones.
fn count(study: &Study, verdict: Verdict) -> usize {
    study.rows().iter().filter(|row| row.verdict == Some(verdict)).count()
}

impl<'a> Report<'a> {
    fn new(study: &'a Study, plan: &Plan, reproduced: bool) -> Self {
        Self {
            galerkit: env!("CARGO_PKG_VERSION"),
            source: "Ikuno, Deki, Fujita 2010",
            reproduced,
            equal: count(study, Verdict::Equal),
            within: count(study, Verdict::Within),
            outside: count(study, Verdict::Outside),
            places: plan.places.iter().map(Place::to_string).collect(),
            rows: study.rows(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_once_and_standard_first() {
        let cases = cases(&[0.2, 1.0], Some(100));
        assert_eq!(cases.len(), 2 * (3 + 5 + 3));
        for pair in cases.chunks(2) {
            assert_eq!((pair[0].form, pair[1].form), (Form::Standard, Form::Hybrid));
            assert_eq!(Case { form: Form::Hybrid, ..pair[0] }, pair[1]);
        }
        assert!(cases.iter().filter(|case| case.eps == 1.0).all(|case| case.gamma == 1.0 && case.n == N));
        assert!(cases.iter().filter(|case| case.n == 100).all(|case| case.gamma == MODERATE));
        assert!(cases.iter().enumerate().all(|(i, case)| !cases[..i].contains(case)));
    }
}
