//! The files of a run but those over time: times by node, traces, curves, fields, pictures, the report.

use super::beats::Beats;
use super::pictures::Camera;
use super::report::Document;
use crate::output::curves::{Axis, Curves, Series, draw};
use crate::output::{Output, csv, json};
use crate::plan::heart::{BeatChoice, HeartPlan};
use anyhow::Result;
use galerkit::fem::cardiac::crossings::NEVER;
use galerkit::fem::cardiac::{Tissue, leads};
use galerkit::fem::io::{Field, write_vtu};

/// What is known of each node at the end.
pub struct Nodal<'a> {
    /// Activation and repolarisation of the beat that was chosen.
    pub times: [&'a [f64]; 2],
    /// The potential.
    pub phi: &'a [f64],
    /// The phase, where it was looked at.
    pub phases: Option<&'a [f64]>,
    /// Every beat, where they were collected.
    pub beats: &'a Beats,
}

/// Writes every file that was asked for but those over time.
pub fn write(plan: &HeartPlan, tissue: &Tissue, document: &Document, nodal: &Nodal, output: Output) -> Result<()> {
    let files = &plan.files;
    if let Some(path) = &files.csv {
        let table =
            if plan.beat == BeatChoice::All { every_beat(tissue, nodal.beats) } else { times(tissue, nodal.times) };
        output.write(path, &table)?;
    }
    if let Some(path) = &files.traces {
        output.write(path, &traces(document))?;
    }
    if let Some(path) = &files.plot {
        output.write(path, &draw(&curves(document))?)?;
    }
    if let Some(path) = &files.vtu {
        let fibres = Field {
            name: "fibre".into(),
            components: 3,
            values: (0..tissue.elements()).flat_map(|e| tissue.fibre(e)).collect(),
        };
        write_vtu(path, tissue.mesh(), &fields(plan, nodal), &[fibres])?;
    }
    if let Some(path) = &files.png {
        Camera::new(tissue)?.activation(nodal.times[0], path)?;
    }
    if let (Some(path), Some(phases)) = (&files.phase, nodal.phases) {
        Camera::new(tissue)?.phase(phases, path)?;
    }
    for path in &files.json {
        output.write(path, &json::text(document)?)?;
    }
    Ok(())
}

/// A time, or nothing.
fn cell(time: f64) -> String {
    if time == NEVER { String::new() } else { time.to_string() }
}

/// Activation, repolarisation and how long it took.
fn cells(up: f64, down: f64) -> [String; 3] {
    [up, down, if down == NEVER { NEVER } else { down - up }].map(cell)
}

fn times(tissue: &Tissue, [up, down]: [&[f64]; 2]) -> String {
    let row =
        |(i, x): (usize, &[f64; 3])| x.iter().map(f64::to_string).chain(cells(up[i], down[i])).collect::<Vec<String>>();
    let rows: Vec<_> = tissue.points().iter().enumerate().map(row).collect();
    csv::table(&["x", "y", "z", "activation", "repolarisation", "apd"], &rows)
}

/// A row a beat of each node, those of a beat one after the other.
fn every_beat(tissue: &Tissue, beats: &Beats) -> String {
    let of_one = |number: usize| {
        let [up, down] = beats.times(number);
        let row = |(i, x): (usize, &[f64; 3])| {
            let cells = std::iter::once(number.to_string()).chain(cells(up[i], down[i]));
            (up[i] != NEVER).then(|| x.iter().map(f64::to_string).chain(cells).collect::<Vec<String>>())
        };
        tissue.points().iter().enumerate().filter_map(row).collect::<Vec<_>>()
    };
    let rows: Vec<_> = (1..=beats.most()).flat_map(of_one).collect();
    csv::table(&["x", "y", "z", "beat", "activation", "repolarisation", "apd"], &rows)
}

/// What ParaView is shown at nodes.
fn fields(plan: &HeartPlan, nodal: &Nodal) -> Vec<Field> {
    let field = |name: &str, values: &[f64]| Field { name: name.into(), components: 1, values: values.to_vec() };
    let [up, down] = nodal.times;
    let mut fields = vec![field("activation", up), field("repolarisation", down), field("potential", nodal.phi)];
    fields.extend(nodal.phases.map(|phases| field("phase", phases)));
    let most = if plan.beat == BeatChoice::All { nodal.beats.most() } else { 1 };
    for number in 2..=most {
        let [up, down] = nodal.beats.times(number);
        fields.push(field(&format!("activation-{number}"), &up));
        fields.push(field(&format!("repolarisation-{number}"), &down));
    }
    fields
}

fn traces(document: &Document) -> String {
    let numbered = |name: &str, count: usize| (1..=count).map(|k| format!("{name}{k}")).collect::<Vec<String>>();
    let mut headings = vec!["time".to_string(), "fraction_excited".into()];
    headings.extend(numbered("probe", document.probe_potential.len()));
    headings.extend(numbered("lead", document.electrograms.len()));
    headings
        .extend(leads::LEADS.iter().filter(|name| document.ecg.contains_key(*name)).map(|name| (*name).to_string()));
    let row = |k: usize| {
        let ecg = leads::LEADS.iter().filter_map(|name| document.ecg.get(name));
        let traces = document.probe_potential.iter().chain(&document.electrograms).chain(ecg).map(|trace| trace[k]);
        [document.time[k], document.fraction_excited[k]].into_iter().chain(traces).map(|x| x.to_string()).collect()
    };
    let rows: Vec<Vec<String>> = (0..document.time.len()).map(row).collect();
    csv::table(&headings.iter().map(String::as_str).collect::<Vec<_>>(), &rows)
}

/// Leads if there are any, else probes and electrograms, else the share of excited nodes.
fn curves(document: &Document) -> Curves {
    let series = |name: String, values: &[f64]| Series {
        name,
        points: document.time.iter().copied().zip(values.iter().copied()).collect(),
    };
    let leads = leads::LEADS.iter().filter_map(|name| Some(series((*name).to_string(), document.ecg.get(name)?)));
    let probes =
        document.probe_potential.iter().enumerate().map(|(k, values)| series(format!("probe {}", k + 1), values));
    let electrograms =
        document.electrograms.iter().enumerate().map(|(k, values)| series(format!("lead {}", k + 1), values));
    let mut all: Vec<Series> =
        if document.ecg.is_empty() { probes.chain(electrograms).collect() } else { leads.collect() };
    if all.is_empty() {
        all.push(series("fraction of nodes excited".into(), &document.fraction_excited));
    }
    Curves {
        title: if document.ecg.is_empty() { "Over time".into() } else { "Electrocardiogram".into() },
        subtitle: format!("{}, {} nodes, {}", document.geometry, document.nodes, document.cell),
        x: Axis::new("time in ms", false),
        y: Axis::new("potential", false),
        series: all,
    }
}
