//! `galerkit heart restitution`: a cable is paced (S1), then one beat more comes after ever shorter rests (S2). Action
//! potentials get shorter and slower the less rest there was before them: duration and speed over the diastolic
//! interval.

use super::super::Ending;
use super::beat::Session;
use super::tissue::{Prepared, prepare};
use super::wall::Wall;
use crate::args::HeartRestitution;
use crate::interrupt;
use crate::output::curves::{Axis, Curves, Series, draw};
use crate::output::{Output, csv, json, table};
use crate::plan::heart::HeartPlan;
use anyhow::{Context, Result, bail};
use galerkit::fem::cardiac::functional::Located;
use galerkit::fem::cardiac::stimulus::{Action, Change, train};
use galerkit::fem::cardiac::{Region, Stimulus};
use serde::Serialize;

/// Where is looked, as shares of the cable: two for the speed, the first also for the duration.
const PROBES: [f64; 2] = [0.5, 0.75];

/// What follows one rest.
#[derive(Clone, Debug, Serialize)]
struct Beat {
    /// From the last S1 to S2, in ms.
    coupling: f64,
    /// From the end of one action potential to the next, in ms.
    diastolic_interval: Option<f64>,
    /// How long the action potential lasted, in ms; none where nothing came.
    duration: Option<f64>,
    /// In mm a millisecond.
    speed: Option<f64>,
}

/// What `--json` has.
#[derive(Serialize)]
struct Report<'a> {
    galerkit: &'static str,
    interval: f64,
    beats: usize,
    probes: [f64; 2],
    restitution: &'a [Beat],
}

/// Measures.
pub fn run(arguments: &HeartRestitution, plan: &HeartPlan, output: Output) -> Result<Ending> {
    let HeartRestitution { interval, beats, .. } = *arguments;
    if !(interval > 0.0 && interval.is_finite() && beats > 0) {
        bail!("--interval {interval} with --beats {beats} makes no sense: both must be positive");
    }
    let couplings = couplings(arguments)?;
    let say = |text: &str| {
        if !plan.quiet {
            output.note(text);
        }
    };
    let mut wall = Wall::default();
    let Prepared { tissue, .. } = wall.tissue(|| prepare(plan, &say))?;
    let region = Region::Box([0.0; 3], [6.0, 0.0, 0.0]);
    let paced = train(0.0, interval, beats, None);
    let at = |times: Vec<f64>| Stimulus { region: region.clone(), action: Action::Potential(1.0), times };
    let mut session = Session::of(plan, tissue, &[at(paced.clone()), at(Vec::new())], Vec::new(), wall, &say)?;
    let last = paced[paced.len() - 1];
    session.simulation.run_until(last)?;
    let saved = session.simulation.save();
    let places = PROBES.map(|share| share * session.tissue.extent());
    let probes = places.map(|x| Located::new(&session.tissue, [x, 0.0, 0.0]));
    let mut measured = Vec::new();
    for &coupling in &couplings {
        if !session.simulation.restore(&saved)? {
            bail!("the state of the paced cable cannot be restored");
        }
        let beat = one_beat(&mut session, last, coupling, interval, &probes, places)?;
        say(&format!("S2 after {coupling:.0} ms: {}", said(beat.duration, "ms")));
        measured.push(beat);
        if !interrupt::goes_on() {
            break;
        }
    }
    write(arguments, plan, &measured, places, output)?;
    Ok(if measured.len() < couplings.len() { Ending::Interrupted } else { Ending::Done })
}

fn couplings(arguments: &HeartRestitution) -> Result<Vec<f64>> {
    let given = &arguments.couplings;
    if let Some(bad) = given.iter().find(|coupling| !(**coupling > 0.0 && coupling.is_finite())) {
        bail!("--couplings {bad} makes no sense: intervals are positive");
    }
    let usual = || (0..).map(|k| arguments.interval - 20.0 * f64::from(k)).take_while(|coupling| *coupling >= 300.0);
    let found: Vec<f64> = if given.is_empty() { usual().collect() } else { given.clone() };
    if found.is_empty() {
        bail!("--interval {} is too short to begin with: name --couplings", arguments.interval)
    }
    Ok(found)
}

/// The last beat of S1, then S2, until it has come and gone.
fn one_beat(
    session: &mut Session,
    last: f64,
    coupling: f64,
    interval: f64,
    probes: &[Located; 2],
    places: [f64; 2],
) -> Result<Beat> {
    let at = |times: &[f64], probe: &Located| probe.value(times, |time| time >= 0.0);
    let simulation = &mut session.simulation;
    simulation.clear_times();
    simulation.run_until(last + coupling)?;
    let before = at(&simulation.times()[1], &probes[0]);
    simulation.clear_times();
    simulation.excite(1, Change::Set(1.0));
    simulation.run_until(last + coupling + interval)?;
    let [up, down] = simulation.times();
    let [first, second] = [at(&up, &probes[0]), at(&up, &probes[1])];
    let speed = first.zip(second).filter(|(a, b)| b > a).map(|(a, b)| (places[1] - places[0]) / (b - a));
    Ok(Beat {
        coupling,
        diastolic_interval: before.zip(first).map(|(down, up)| up - down),
        duration: at(&down, &probes[0]).zip(first).map(|(down, up)| down - up),
        speed,
    })
}

fn said(number: Option<f64>, unit: &str) -> String {
    number.map_or("nothing".into(), |number| format!("{number:.1} {unit}"))
}

fn write(
    arguments: &HeartRestitution,
    plan: &HeartPlan,
    beats: &[Beat],
    places: [f64; 2],
    output: Output,
) -> Result<()> {
    let cell = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
    let headings = ["coupling", "diastolic_interval", "duration", "speed"];
    if let Some(path) = &plan.files.csv {
        let row = |beat: &Beat| {
            vec![beat.coupling.to_string(), cell(beat.diastolic_interval), cell(beat.duration), cell(beat.speed)]
        };
        output.write(path, &csv::table(&headings, &beats.iter().map(row).collect::<Vec<_>>()))?;
    }
    if let Some(path) = &arguments.curves {
        output.write(path, &draw(&curves(beats)).context("curves of restitution")?)?;
    }
    let report = Report {
        galerkit: env!("CARGO_PKG_VERSION"),
        interval: arguments.interval,
        beats: arguments.beats,
        probes: places,
        restitution: beats,
    };
    for path in &plan.files.json {
        output.write(path, &json::text(&report)?)?;
    }
    if plan.files.owns_stdout() {
        return Ok(());
    }
    let mut lines = table::Table::new(&["S2 after ms", "rest ms", "duration ms", "speed mm/ms"]);
    for beat in beats {
        let short =
            |number: Option<f64>, digits: usize| number.map_or("-".into(), |number| format!("{number:.digits$}"));
        lines.row(vec![
            format!("{:.0}", beat.coupling),
            short(beat.diastolic_interval, 1),
            short(beat.duration, 1),
            short(beat.speed, 4),
        ]);
    }
    output.print(&lines.render(output.style))
}

fn curves(beats: &[Beat]) -> Curves {
    let points = beats.iter().filter_map(|beat| Some((beat.diastolic_interval?, beat.duration?))).collect();
    Curves {
        title: "Restitution".into(),
        subtitle: "duration of the action potential that follows a rest".into(),
        x: Axis::new("diastolic interval in ms", false),
        y: Axis::new("duration in ms", false),
        series: vec![Series { name: "S2".into(), points }],
    }
}
