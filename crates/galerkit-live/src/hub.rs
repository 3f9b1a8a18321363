//! What simulation and viewers share. The simulation publishes the newest frame of each kind and takes orders from a
//! bounded channel; viewers take what is newest when they are ready, never a queue of what was. Nothing waits under the
//! lock.

use crate::command::Command;
use crate::frame::Kind;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Orders that may wait for the simulation.
const WAITING: usize = 64;
/// Messages that may wait for a viewer.
const UNREAD: usize = 32;

/// A command, and who has given it.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// The viewer.
    pub viewer: u64,
    /// What is to be done.
    pub command: Command,
}

/// What is said to one viewer.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// As JSON.
    Text(String),
    /// A state of the run, to be kept.
    State(Arc<Vec<u8>>),
}

/// A frame as it is sent.
#[derive(Clone, Debug)]
pub struct Published {
    /// Which state of the run it shows.
    pub sequence: u32,
    /// As viewers get it.
    pub bytes: Arc<Vec<u8>>,
}

#[derive(Default)]
struct Viewer {
    /// What it is ready for, and the last that it got of it.
    wants: Option<Kind>,
    told: VecDeque<Told>,
}

#[derive(Default)]
struct State {
    frames: [Option<Published>; Kind::ALL.len()],
    viewers: BTreeMap<u64, Viewer>,
    arrived: u64,
    controller: Option<u64>,
    asking: VecDeque<u64>,
    status: Value,
    /// What hardly conducts any more, a byte a vertex; and how often that has changed.
    scars: (u64, Arc<Vec<u8>>),
    /// Counts changes of what viewers are told of the run.
    changes: u64,
    is_over: bool,
}

/// Shared by all.
pub struct Hub {
    state: Mutex<State>,
    orders: SyncSender<Order>,
    most: usize,
}

impl Hub {
    /// For so many viewers; and where their orders arrive.
    pub fn new(most: usize) -> (Self, Receiver<Order>) {
        let (orders, arriving) = sync_channel(WAITING);
        (Self { state: Mutex::default(), orders, most }, arriving)
    }

    /// A viewer that panicked has left nothing half done: every change is one statement.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // For the simulation.

    /// Kinds of frames that somebody is ready for.
    pub fn wanted(&self) -> Vec<Kind> {
        let state = self.state();
        Kind::ALL.into_iter().filter(|kind| state.viewers.values().any(|viewer| viewer.wants == Some(*kind))).collect()
    }
    /// Makes a frame the newest of its kind.
    pub fn publish(&self, kind: Kind, sequence: u32, bytes: Vec<u8>) {
        self.state().frames[kind as usize] = Some(Published { sequence, bytes: Arc::new(bytes) });
    }
    /// Says how the run stands.
    pub fn set_status(&self, status: Value) {
        let mut state = self.state();
        if state.status != status {
            state.status = status;
            state.changes += 1;
        }
    }
    /// Says which vertices hardly conduct any more, a byte each: 255 is as it was.
    pub fn set_scars(&self, scars: Vec<u8>) {
        let mut state = self.state();
        state.scars = (state.scars.0 + 1, Arc::new(scars));
    }
    /// Says something to one viewer.
    pub fn tell(&self, viewer: u64, told: Told) {
        if let Some(viewer) = self.state().viewers.get_mut(&viewer) {
            viewer.told.push_back(told);
            if viewer.told.len() > UNREAD {
                viewer.told.pop_front();
            }
        }
    }
    /// How many watch.
    pub fn viewers(&self) -> usize {
        self.state().viewers.len()
    }
    /// Sends everybody home.
    pub fn close(&self) {
        self.state().is_over = true;
    }

    // For viewers.

    /// Lets a viewer in, who controls if nobody does; none if there are too many.
    pub fn enter(&self) -> Option<u64> {
        let mut state = self.state();
        if state.viewers.len() >= self.most {
            return None;
        }
        state.arrived += 1;
        let number = state.arrived;
        state.viewers.insert(number, Viewer::default());
        state.controller.get_or_insert(number);
        state.changes += 1;
        Some(number)
    }

    /// A viewer has gone. If it was in control, the first who has asked is now, or the first who asks; who is alone
    /// need not ask: a page that is loaded again may come before it has left.
    pub fn leave(&self, viewer: u64) {
        let mut state = self.state();
        state.viewers.remove(&viewer);
        state.asking.retain(|asking| *asking != viewer);
        if state.controller == Some(viewer) {
            state.controller = state.asking.pop_front();
        }
        if state.viewers.len() == 1 {
            state.controller = state.viewers.keys().next().copied();
        }
        state.changes += 1;
    }

    /// Control for who asks, if nobody has it; else who has it sees the wish.
    pub fn ask(&self, viewer: u64) {
        let mut state = self.state();
        match state.controller {
            None => state.controller = Some(viewer),
            Some(controller) if controller != viewer && !state.asking.contains(&viewer) => {
                state.asking.push_back(viewer);
            }
            Some(_) => return,
        }
        state.changes += 1;
    }

    /// Control goes from this viewer to the first who has asked.
    pub fn hand_over(&self, viewer: u64) {
        let mut state = self.state();
        if state.controller == Some(viewer)
            && let Some(next) = state.asking.pop_front()
        {
            state.controller = Some(next);
            state.changes += 1;
        }
    }

    /// Passes an order on.
    ///
    /// # Errors
    /// A sentence for the viewer.
    pub fn order(&self, viewer: u64, command: Command) -> Result<(), &'static str> {
        if self.state().controller != Some(viewer) {
            return Err("you are watching: ask for control first");
        }
        self.orders.try_send(Order { viewer, command }).map_err(|error| match error {
            TrySendError::Full(_) => "the simulation is busy: ask again in a moment",
            TrySendError::Disconnected(_) => "the simulation has ended",
        })
    }

    /// The viewer is ready for a frame of a kind; or not any more.
    pub fn want(&self, viewer: u64, kind: Option<Kind>) {
        if let Some(viewer) = self.state().viewers.get_mut(&viewer) {
            viewer.wants = kind;
        }
    }
    /// The newest frame of a kind.
    pub fn newest(&self, kind: Kind) -> Option<Published> {
        self.state().frames[kind as usize].clone()
    }
    /// The scars, if they have changed since a viewer saw so many changes.
    pub fn scars(&self, seen: &mut u64) -> Option<Arc<Vec<u8>>> {
        let state = self.state();
        let is_new = state.scars.0 != std::mem::replace(seen, state.scars.0);
        is_new.then(|| state.scars.1.clone())
    }
    /// What was said to a viewer since it was last asked.
    pub fn told(&self, viewer: u64) -> Vec<Told> {
        self.state().viewers.get_mut(&viewer).map(|viewer| viewer.told.drain(..).collect()).unwrap_or_default()
    }
    /// How things stand, as seen by a viewer, if that has changed since it saw so many changes.
    pub fn news(&self, viewer: u64, seen: &mut u64) -> Option<Value> {
        let state = self.state();
        let is_new = state.changes != std::mem::replace(seen, state.changes);
        is_new.then(|| {
            json!({ "status": {
                "run": state.status,
                "viewer": viewer,
                "viewers": state.viewers.len(),
                "controls": state.controller == Some(viewer),
                "controlled": state.controller.is_some(),
                "asking": state.asking.len(),
                "asked": state.asking.contains(&viewer),
            } })
        })
    }
    /// Whether everybody is sent home.
    pub fn is_over(&self) -> bool {
        self.state().is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_goes_to_who_asks() {
        let (hub, orders) = Hub::new(4);
        let [first, second, third, fourth] = [(); 4].map(|()| hub.enter().unwrap());
        assert!(hub.enter().is_none(), "there is room for four");
        hub.order(first, Command::Play {}).unwrap();
        assert!(hub.order(second, Command::Play {}).unwrap_err().contains("ask for control"));
        assert_eq!(orders.try_recv().unwrap(), Order { viewer: first, command: Command::Play {} });
        hub.ask(third);
        hub.ask(second);
        hub.hand_over(second);
        assert!(hub.order(third, Command::Pause {}).is_err(), "only who controls can hand over");
        hub.hand_over(first);
        hub.order(third, Command::Pause {}).unwrap();
        hub.leave(third);
        hub.order(second, Command::Pause {}).unwrap();
        hub.leave(second);
        assert!(hub.order(first, Command::Pause {}).is_err(), "nobody has asked");
        hub.ask(first);
        hub.order(first, Command::Pause {}).unwrap();
        hub.leave(first);
        hub.order(fourth, Command::Pause {}).unwrap(); // who is alone need not ask
        assert_eq!(hub.viewers(), 1);
    }

    #[test]
    fn orders_do_not_pile_up() {
        let (hub, orders) = Hub::new(1);
        let viewer = hub.enter().unwrap();
        (0..WAITING).for_each(|_| hub.order(viewer, Command::Undo {}).unwrap());
        assert!(hub.order(viewer, Command::Undo {}).unwrap_err().contains("busy"));
        drop(orders);
        assert!(hub.order(viewer, Command::Undo {}).unwrap_err().contains("ended"));
    }

    #[test]
    fn only_the_newest_frame_is_kept_and_only_what_is_wanted_asked_for() {
        let (hub, _orders) = Hub::new(2);
        let viewer = hub.enter().unwrap();
        assert!(hub.wanted().is_empty());
        hub.want(viewer, Some(Kind::Potential));
        assert_eq!(hub.wanted(), [Kind::Potential]);
        (0..5).for_each(|k| hub.publish(Kind::Potential, k, vec![k as u8]));
        assert_eq!(*hub.newest(Kind::Potential).unwrap().bytes, [4]);
        assert!(hub.newest(Kind::Duration).is_none());
    }
}
