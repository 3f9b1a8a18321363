//! Loops as one persistent kernel. It is launched for a bounded number of iterations at a time, so that Ctrl-C is heard
//! and no launch holds the card for long; numbers and the monitor survive in device memory from launch to launch.

use crate::error::Result;
use crate::executor::{Control, Cuda, Strategy, Unit};
use crate::program::Compiled;
use crate::ring::{Beginning, STATE};
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::Loop;
use galerkit_linalg::program::{Monitor, Outcome, Reference, Run, Stop};
use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Iterations of one launch: at 5 to 50 microseconds each, some milliseconds.
const TURNS: usize = 512;
/// Those of the first launch of one with nested loops, which may take long, and how long a launch of it may.
const NESTED_TURNS: usize = 4;
const LAUNCH_SECONDS: f64 = 2e-3;

impl<S: Scalar> Cuda<S> {
    /// The kernel of a loop that runs what stands around it, too; compiled if need be, so that the first run has the
    /// bits of all others.
    pub(crate) fn framed(&mut self, unit: &Unit, repeat: &Loop<'_>) -> Result<Option<Arc<Compiled>>> {
        if !unit.is_framed() || repeat.before.is_some() {
            return Ok(None);
        }
        if unit.compiled().is_none() || !self.offers.are_settled() {
            self.settle(&unit.program)?;
            if self.strategy(&unit.program) != Strategy::Persistent {
                return Ok(None);
            }
        }
        Ok(Some(self.compiled_unit(unit)?).filter(|compiled| compiled.generated.told.is_some()))
    }

    /// The kernel of a loop that has run before and can begin without the host.
    pub(crate) fn ready_persistent(&self, unit: &Unit, repeat: &Loop<'_>) -> Option<Arc<Compiled>> {
        let compiled = unit.compiled()?;
        let ready = compiled.persistent.is_some() && repeat.before.is_none() && self.offers.are_settled();
        ready.then_some(compiled)
    }

    /// Runs such a loop: it is launched, and what follows it too, before the host knows what it began with.
    pub(crate) fn iterate_persistent(&mut self, compiled: &Arc<Compiled>, repeat: &Loop<'_>) -> Result<Run> {
        self.make_room(compiled)?;
        let reference = match repeat.stop.reference {
            Reference::Scalar(slot) => Some(self.slot_address(slot)),
            Reference::Start | Reference::Given(_) => None,
        };
        let start = self.slot_address(repeat.start);
        let initial = self.ring.begin(repeat.stop, Beginning::OnDevice { start, reference });
        self.reset_barrier(compiled);
        let framed = compiled.generated.told.is_some();
        if framed {
            self.expect_scalars(compiled);
        }
        let turns = self.launch_first_turns(compiled, initial, framed && repeat.first.is_some());
        let after = repeat.after.map(|code| self.unit(code));
        let mut followed = framed || after.as_ref().is_some_and(|after| self.launch_ahead(after));
        let [start, reference] = self.wait_for_beginning()?;
        let stop = Stop { reference: Reference::Given(reference), ..repeat.stop.clone() };
        let mut monitor = Monitor::new(&stop, start);
        let verdict = match monitor.verdict() {
            Some(verdict) => verdict,
            None => {
                let (verdict, launched) = self.run_persistent(compiled, turns, &mut monitor)?;
                // A kernel that runs what stands behind does so where its loop ends, in whichever launch.
                followed &= if framed { verdict != Outcome::Interrupted } else { launched == turns };
                verdict
            }
        };
        self.ring.all_taken();
        if let (Some(after), false) = (after, followed) {
            self.try_run(&after)?; // what was told belongs to fewer iterations
        }
        self.last = Some(compiled.clone());
        Ok(monitor.finish(Some(verdict)))
    }

    /// Queues instructions outside of loops, if they are compiled; whether they are.
    fn launch_ahead(&mut self, unit: &Unit) -> bool {
        let Some(compiled) = unit.plain(|unit| unit.compiled()) else { return false };
        if self.make_room(&compiled).is_err() {
            return false;
        }
        self.ring.rest();
        self.launch_once(&compiled);
        self.tell_scalars(&compiled);
        true
    }

    /// Launches the kernel of a loop for the first time, with the state that it begins with; for so many iterations.
    pub(crate) fn launch_first_turns(&self, compiled: &Compiled, initial: [u64; STATE], first: bool) -> usize {
        let most = turns(compiled, 0, Duration::ZERO);
        self.launch_persistent(compiled, Control { initial: Some(initial), first, most, ..self.control(compiled) });
        most
    }

    /// What its launches are told.
    fn control(&self, compiled: &Compiled) -> Control {
        let told = if compiled.generated.told.is_some() { self.mailbox_address() } else { 0 };
        let room = compiled.persistent.as_ref().map_or(0, |ready| ready.shape.shared - compiled.generated.shared);
        Control { told, room, ..Control::of(self.ring.state()) }
    }

    fn launch_persistent(&self, compiled: &Compiled, control: Control) {
        let ready = compiled.persistent.as_ref().expect("the caller has looked");
        ready.kernel.launch(ready.shape, &self.words(compiled, control));
    }

    /// Launches until the monitor has a verdict; so many iterations were launched, and are in the end. The first launch
    /// may be all there is; from the second on another is queued before the norms of the last are read.
    pub(crate) fn run_persistent(
        &self,
        compiled: &Compiled,
        launched: usize,
        monitor: &mut Monitor<'_>,
    ) -> Result<(Outcome, usize)> {
        let (begun, limit) = (Instant::now(), monitor.limit());
        let (seen, end, next) = (Cell::new(0), Cell::new(launched), Cell::new(launched));
        let lead = |now: usize| {
            seen.set(now);
            if now >= next.get() { usize::MAX } else { 0 }
        };
        let outcome = self.follow(lead, [launched, limit], monitor, |first| {
            let most = turns(compiled, seen.get(), begun.elapsed());
            self.launch_persistent(compiled, Control { most, ..self.control(compiled) });
            next.set(first);
            end.set(first + most);
            Ok(most)
        })?;
        Ok((outcome, end.get()))
    }
}

/// Iterations of the next launch, after so many in that time: with nested loops they may take long, and are timed first,
/// unless they were in an earlier run.
fn turns(compiled: &Compiled, seen: usize, elapsed: Duration) -> usize {
    if !compiled.generated.nests {
        return TURNS;
    }
    compiled.pace.note(seen, elapsed);
    match compiled.pace.seconds() {
        0.0 => NESTED_TURNS,
        each => ((LAUNCH_SECONDS / each) as usize).clamp(NESTED_TURNS, TURNS),
    }
}
