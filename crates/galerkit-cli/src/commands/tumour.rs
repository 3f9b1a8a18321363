//! `galerkit tumour`: steps in time, measured and shown on the way.
//!
//! | file | what |
//! |---|---|
//! | [`history`] | what was measured after each step |
//! | [`steps`] | the run itself: legs, steps of chosen length, Ctrl-C |
//! | [`shown`] | pictures and files at output times |
//! | [`checkpoint`] | the state on disk, and how a run goes on from it |
//! | [`report`] | what is said and written at the end |

mod checkpoint;
mod history;
mod report;
mod shown;
mod steps;

use super::Ending;
use super::solve::check_writable;
use crate::args::{Tumour, Typed};
use crate::interrupt;
use crate::output::phases::Phases;
use crate::output::{Output, spy};
use crate::plan::tumour::TumourPlan;
use anyhow::{Context, Result};
use galerkit::fem::collocation::{Collocation, Scheme};
use galerkit::tumour::evolution;
use history::History;
use shown::Shown;
use std::path::Path;
use std::time::Instant;

/// Computes.
pub fn run(arguments: &Typed<Tumour>, output: Output) -> Result<Ending> {
    let begun = Instant::now();
    let plan = TumourPlan::new(arguments)?;
    check_writable(plan.files.folder.as_deref(), plan.files.paths())?;
    if !plan.quiet && !plan.device_asked {
        output.note(&format!("device {}: {}", plan.device.0, plan.device.1));
    }
    if let Some(folder) = &plan.files.spy {
        draw_matrices(folder, &plan, output)?;
    }
    let phases = Phases::new(output.watched && !plan.quiet);
    let bar = phases.begin("preparing", "");
    let mut evolution = evolution(plan.device.0, &plan.space, plan.settings.clone(), &plan.coefficients)?;
    let mut history = History::new(&plan, evolution.measure());
    if let Some(path) = &plan.resume {
        history = checkpoint::read(path, &plan, &mut evolution)?;
    }
    let mut shown = Shown::new(&plan);
    shown.add(&plan, &history, &mut evolution)?;
    let ended = steps::run(&plan, &mut evolution, &mut history, &mut shown, &bar);
    interrupt::iteration_is_over();
    bar.finish_and_clear();
    if let Err(error) = ended {
        return Err(steps::failure(&evolution).unwrap_or(error));
    }
    if let Some(path) = &plan.files.checkpoint {
        checkpoint::write(path, &plan, &mut evolution, &history)?;
    }
    report::finish(&plan, &mut evolution, &history, shown, begun, output)?;
    Ok(if interrupt::was_asked() { Ending::Interrupted } else { Ending::Done })
}

/// Where the entries of A_b, A and A_0 are, as on the slides.
fn draw_matrices(folder: &Path, plan: &TumourPlan, output: Output) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let (A0, B) = (plan.space.A0()?, plan.space.B(plan.settings.rho)?);
    let less = |tau: f64| {
        let mut A = A0.clone();
        A.val_mut().iter_mut().zip(B.val()).for_each(|(a, b)| *a -= tau * b);
        A
    };
    let tau = |scheme: Scheme| scheme.weight() * plan.clock.dt;
    let matrices = [("A_b", less(tau(Scheme::BackwardEuler))), ("A", less(tau(Scheme::Dirk))), ("A_0", A0.clone())];
    for (name, A) in matrices {
        let title = format!("{name}: {} elements", elements(&plan.space));
        output.write(&folder.join(format!("{name}.svg")), &spy::draw(&A, &title))?;
    }
    Ok(())
}

/// How many elements there are, along each side.
fn elements(space: &Collocation) -> String {
    match space.y() {
        Some(y) => format!("{} x {}", space.x().elements(), y.elements()),
        None => space.x().elements().to_string(),
    }
}
