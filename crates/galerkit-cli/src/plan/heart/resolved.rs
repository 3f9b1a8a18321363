//! A plan as a parameter file with every default filled in, which gives the same run again; and what two runs must
//! share so that one can go on from the other.

use super::tissue::Fibres;
use super::{Geometry, HeartPlan, SchemeChoice};
use crate::args::HeartRun;
use crate::plan::parameters::{Value, text};
use galerkit::fem::cardiac::cell::Kind;

type Options = Vec<(&'static str, Vec<Value>)>;

fn numbers(values: &[f64]) -> Vec<Value> {
    vec![Value::Text(values.iter().map(f64::to_string).collect::<Vec<_>>().join(","))]
}

fn texts(values: &[String]) -> Vec<Value> {
    values.iter().cloned().map(Value::Text).collect()
}

fn word(value: &str) -> Vec<Value> {
    vec![Value::Text(value.into())]
}

fn number(value: f64) -> Vec<Value> {
    vec![Value::Number(value)]
}

/// What `--dry` prints.
pub fn dry(plan: &HeartPlan, arguments: &HeartRun) -> String {
    let mut options = physics(plan, arguments);
    options.extend(plan.end.map(|end| ("end", number(end))));
    options.push(("every", number(plan.every)));
    options.push(("picture-every", number(plan.picture_every)));
    options.push(("device", word(&arguments.machine.device)));
    let points = |points: &[[f64; 3]]| points.iter().flat_map(|point| numbers(point)).collect::<Vec<_>>();
    options.push(("probe", points(&plan.probes)));
    options.push(("lead", points(&plan.leads)));
    options.retain(|(_, values)| !values.is_empty());
    text(&options)
}

/// What the state of a run depends on.
pub fn physics(plan: &HeartPlan, arguments: &HeartRun) -> Options {
    let mut options = geometry(plan);
    options.push(("d-iso", number(plan.conductivity.iso)));
    options.push(("d-ani", number(plan.conductivity.ani)));
    match &plan.fibres {
        Fibres::Constant(fibre) => options.push(("fibre", numbers(fibre))),
        Fibres::OfFile => options.push(("fibres", word("file"))),
        Fibres::Field(name) => options.push(("fibres", word(name))),
        Fibres::Lon(path) => options.push(("fibres", word(&path.display().to_string()))),
        Fibres::Rule(angles) => {
            options.push(("fibres", word("rule")));
            options.push(("fibre-angles", numbers(&[angles.endo, angles.epi])));
        }
    }
    options.extend(plan.surfaces.as_ref().map(|surfaces| ("surfaces", word(surfaces))));
    options.push(("region", texts(&arguments.region)));
    options.push(("scar", texts(&arguments.scar)));
    options.push(("cell", word(plan.model.name())));
    options.extend(parameters(&plan.model.kind).into_iter().map(|(name, value)| (name, number(value))));
    let switch = |on: bool| word(if on { "on" } else { "off" });
    options.push(("recovery", switch(plan.model.recovery)));
    options.push(("reaction", switch(plan.model.reaction)));
    options.push(("stimulus", if plan.stimuli.is_empty() { word("none") } else { texts(&plan.stimulus_texts) }));
    options.extend(scheme(&plan.scheme));
    options.push(("beat", word(&plan.beat.name())));
    options.push(("precision", word(&arguments.machine.precision)));
    options.retain(|(_, values)| !values.is_empty());
    options
}

fn parameters(kind: &Kind) -> Vec<(&'static str, f64)> {
    match kind {
        Kind::AlievPanfilov(cell) => vec![
            ("alpha", cell.alpha),
            ("b", cell.b),
            ("c", cell.c),
            ("gamma", cell.gamma),
            ("mu1", cell.mu1),
            ("mu2", cell.mu2),
        ],
        Kind::MitchellSchaeffer(cell) => vec![
            ("tau-in", cell.tau_in),
            ("tau-out", cell.tau_out),
            ("tau-open", cell.tau_open),
            ("tau-close", cell.tau_close),
            ("gate", cell.gate),
        ],
    }
}

fn geometry(plan: &HeartPlan) -> Options {
    match &plan.geometry {
        Geometry::BuiltIn { shape, size, dx } => {
            let mut options = vec![("geometry", word(shape.name())), ("dx", number(*dx))];
            options.extend(Some(shape.dim()).filter(|dim| *dim > 0).map(|dim| ("size", numbers(&size[..dim]))));
            options
        }
        Geometry::File { path, unit_name, is_given, .. } => {
            let mut options = vec![("mesh", word(&path.display().to_string()))];
            options.extend(is_given.then(|| ("unit", word(unit_name))));
            options
        }
    }
}

fn scheme(choice: &SchemeChoice) -> Options {
    let (name, dt, rtol, levels) = match choice {
        SchemeChoice::Strang(settings) => ("strang", settings.dt, settings.rtol, settings.levels),
        SchemeChoice::Newton(settings) => ("newton", settings.dt, settings.rtol, settings.levels),
    };
    let mut options = vec![("scheme", word(name)), ("dt", number(dt)), ("rtol", number(rtol))];
    if let SchemeChoice::Newton(settings) = choice {
        options.extend(settings.adaptive.map(|longest| ("adaptive", number(longest))));
    }
    options.push(("activation-level", number(levels.activation)));
    options.push(("repolarisation-level", number(levels.repolarisation)));
    options
}
