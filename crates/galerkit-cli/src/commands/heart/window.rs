//! `galerkit heart window`: for which timings an S2 starts a re-entry. S1 is run once; its state is kept at every timing
//! that is tried, and S2 goes on from there until the tissue is at rest or has been watched for long enough. Between two
//! timings that end differently the end of the window is looked for by halving.

use super::super::Ending;
use super::beat::Session;
use super::tissue::{Prepared, prepare};
use super::wall::Wall;
use crate::args::HeartWindow;
use crate::interrupt;
use crate::output::{Output, csv, json, table};
use crate::plan::heart::{HeartPlan, StimulusPlan, WindowPlan};
use anyhow::{Result, bail};
use galerkit::fem::cardiac::crossings::NEVER;
use galerkit::fem::cardiac::stimulus::{Action, Change};
use serde::Serialize;

/// Between two looks, in ms.
const LOOK: f64 = 10.0;
/// Where no potential is higher the tissue is at rest.
const REST: f64 = 0.1;
/// S2 comes at most so much later than when its region has recovered, unless it is said, in ms.
const BEYOND: f64 = 60.0;

/// What became of one S2.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Try {
    /// After the last S1, in ms.
    timing: f64,
    /// Whether the tissue was still excited at the end.
    reenters: bool,
    /// How long after S2 it came to rest, in ms.
    rest_after: Option<f64>,
    /// The share of nodes that were excited at the end.
    fraction_excited: f64,
}

/// What `--json` has.
#[derive(Serialize)]
struct Report<'a> {
    galerkit: &'static str,
    geometry: String,
    nodes: usize,
    watch: f64,
    resolution: f64,
    /// First and last timing of each window that was found to re-enter.
    windows: Vec<[f64; 2]>,
    tries: &'a [Try],
}

/// A run of S1, and the S2 that is added to it.
struct Scan<'a> {
    session: Session,
    plan: &'a WindowPlan,
    /// When the last S1 comes.
    last: f64,
    /// S2's number among the stimuli, and what it does.
    s2: (usize, Change),
    /// States of S1 alone by timing, in order.
    states: Vec<(f64, Vec<u8>)>,
}

/// Measures.
pub fn run(arguments: &HeartWindow, plan: &HeartPlan, output: Output) -> Result<Ending> {
    let window = WindowPlan::new(arguments, plan)?;
    let say = |text: &str| {
        if !plan.quiet {
            output.note(text);
        }
    };
    let mut scan = Scan::new(plan, &window, &say)?;
    let [from, to] = scan.range()?;
    let step = (to - from) / (window.tries - 1).max(1) as f64;
    let mut tries: Vec<Try> = Vec::new();
    // Where nobody has said how late S2 may be, it goes on as long as it re-enters.
    let goes_on = |tries: &[Try]| window.to.is_none() && tries.last().is_some_and(|last| last.reenters);
    while tries.len() < window.tries || tries.len() < 2 * window.tries && goes_on(&tries) {
        let Some(tried) = scan.take(from + step * tries.len() as f64, &say)? else { break };
        tries.push(tried);
    }
    // From below: what is found is put between its neighbours.
    let mut place = 1;
    while place < tries.len() && !interrupt::was_asked() {
        let [before, after] = [tries[place - 1], tries[place]];
        if before.reenters == after.reenters || after.timing - before.timing <= window.resolution {
            place += 1;
            continue;
        }
        let Some(tried) = scan.take(0.5 * (before.timing + after.timing), &say)? else { break };
        tries.insert(place, tried);
    }
    write(plan, &window, scan.session.tissue.points().len(), &tries, output)?;
    interrupt::iteration_is_over();
    Ok(if interrupt::was_asked() { Ending::Interrupted } else { Ending::Done })
}

impl<'a> Scan<'a> {
    fn new(plan: &HeartPlan, window: &'a WindowPlan, say: &dyn Fn(&str)) -> Result<Self> {
        let mut wall = Wall::default();
        let StimulusPlan { action: Action::Potential(potential), .. } = window.s2 else {
            bail!("--s2 sets a potential: a current is not for it")
        };
        let mut both = plan.clone();
        both.stimuli.push(StimulusPlan { times: Vec::new(), ..window.s2.clone() });
        let Prepared { tissue, stimuli } = wall.tissue(|| prepare(&both, say))?;
        let pulses = plan.stimuli.iter().flat_map(|stimulus| &stimulus.times);
        let Some(last) = pulses.copied().reduce(f64::max) else {
            bail!("there is no S1: name it with --stimulus");
        };
        let mut session = Session::of(plan, tissue, &stimuli, Vec::new(), wall, say)?;
        session.simulation.run_until(last)?;
        session.simulation.clear_times();
        let states = vec![(0.0, session.simulation.save())];
        Ok(Self { session, plan: window, last, s2: (stimuli.len() - 1, Change::Set(potential)), states })
    }

    /// When S2 is tried: what was said, else from the times at which its region recovers from S1 alone.
    fn range(&mut self) -> Result<[f64; 2]> {
        if let (Some(from), Some(to)) = (self.plan.from, self.plan.to) {
            return Ok([from, to]);
        }
        let end = self.last + self.plan.watch;
        if self.watched(end)?.0.is_none() && !interrupt::was_asked() {
            bail!(
                "S1 alone keeps the tissue excited for {} ms: name --from and --to, or a longer --watch",
                self.plan.watch
            );
        }
        let [_, down] = self.session.simulation.times();
        let shares = self.session.simulation.shares(self.s2.0);
        let recovered = down.iter().zip(shares).filter(|(down, share)| **down != NEVER && **share > 0.5);
        let times: Vec<f64> = recovered.map(|(down, _)| down - self.last).collect();
        let [first, last] = times.iter().fold([f64::INFINITY, 0.0], |[a, b], time| [a.min(*time), time.max(b)]);
        if times.is_empty() {
            bail!("S1 never excites the region of S2: check both, or name --from and --to");
        }
        let [from, to] = [self.plan.from.unwrap_or(first), self.plan.to.unwrap_or(last + BEYOND)];
        if from > to {
            bail!("--from {from} is later than {to}: name --to as well");
        }
        Ok([from, to])
    }

    /// Goes on until the tissue is at rest, at most to a time: when that was, and the share of nodes excited at the end.
    fn watched(&mut self, end: f64) -> Result<(Option<f64>, f64)> {
        loop {
            let simulation = &mut self.session.simulation;
            let next = (simulation.time() + LOOK).min(end);
            simulation.run_until(next)?;
            let seen = simulation.observe()?;
            if seen.largest < REST {
                return Ok((Some(next), 0.0));
            }
            if next >= end || !interrupt::goes_on() {
                return Ok((None, seen.fraction_excited));
            }
        }
    }

    /// One S2; none if it was interrupted.
    fn take(&mut self, timing: f64, say: &dyn Fn(&str)) -> Result<Option<Try>> {
        let place = self.states.partition_point(|(known, _)| *known <= timing);
        let simulation = &mut self.session.simulation;
        if !simulation.restore(&self.states[place - 1].1)? {
            bail!("the state of the tissue after S1 cannot be restored");
        }
        simulation.run_until(self.last + timing)?;
        self.states.insert(place, (timing, simulation.save()));
        simulation.excite(self.s2.0, self.s2.1);
        let (rest, fraction_excited) = self.watched(self.last + timing + self.plan.watch)?;
        if interrupt::was_asked() {
            return Ok(None);
        }
        let rest_after = rest.map(|time| time - self.last - timing);
        let tried = Try { timing, reenters: fraction_excited > 0.0, rest_after, fraction_excited };
        say(&format!("S2 after {timing:.1} ms: {}", tried.said()));
        Ok(Some(tried))
    }
}

impl Try {
    fn said(&self) -> String {
        match self.rest_after {
            _ if self.reenters => format!("re-enters, {:.0} % excited at the end", 100.0 * self.fraction_excited),
            Some(rest) => format!("at rest after {rest:.0} ms"),
            None => "nothing is excited any more".into(),
        }
    }
}

/// First and last of neighbours that re-enter.
fn windows(tries: &[Try]) -> Vec<[f64; 2]> {
    let same = tries.chunk_by(|a, b| a.reenters == b.reenters);
    same.filter(|same| same[0].reenters).map(|same| [same[0].timing, same[same.len() - 1].timing]).collect()
}

fn write(plan: &HeartPlan, window: &WindowPlan, nodes: usize, tries: &[Try], output: Output) -> Result<()> {
    if let Some(path) = &plan.files.csv {
        let cell = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
        let row = |it: &Try| {
            vec![it.timing.to_string(), it.reenters.to_string(), cell(it.rest_after), it.fraction_excited.to_string()]
        };
        let headings = ["timing", "reenters", "rest_after", "fraction_excited"];
        output.write(path, &csv::table(&headings, &tries.iter().map(row).collect::<Vec<_>>()))?;
    }
    let found = windows(tries);
    let report = Report {
        galerkit: env!("CARGO_PKG_VERSION"),
        geometry: plan.geometry.name(),
        nodes,
        watch: window.watch,
        resolution: window.resolution,
        windows: found.clone(),
        tries,
    };
    for path in &plan.files.json {
        output.write(path, &json::text(&report)?)?;
    }
    if plan.files.owns_stdout() {
        return Ok(());
    }
    let mut lines = table::Table::new(&["S2 after ms", "what becomes of it"]);
    tries.iter().for_each(|it| lines.row(vec![format!("{:.1}", it.timing), it.said()]));
    output.print(&lines.render(output.style))?;
    output.print(&match &found[..] {
        [] => "no S2 that was tried starts a re-entry".to_string(),
        found => {
            let said: Vec<String> = found.iter().map(|[a, b]| format!("from {a:.1} to {b:.1} ms")).collect();
            format!("S2 starts a re-entry {} after the last S1", said.join(" and "))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_neighbours_that_re_enter() {
        let of = |reenters: &[bool]| -> Vec<Try> {
            let tried = |(k, reenters): (usize, &bool)| Try {
                timing: k as f64,
                reenters: *reenters,
                rest_after: None,
                fraction_excited: 0.0,
            };
            reenters.iter().enumerate().map(tried).collect()
        };
        assert_eq!(windows(&of(&[false, true, true, false, true])), [[1.0, 2.0], [4.0, 4.0]]);
        assert!(windows(&of(&[false])).is_empty() && windows(&[]).is_empty());
    }
}
