//! Prepared systems: solved again and again with the same bits and nothing new, with other values, in place, from other threads.
#![allow(non_snake_case)]

#[path = "system/born.rs"]
mod born;
#[path = "system/computed.rs"]
mod computed;
#[path = "system/in_place.rs"]
mod in_place;
#[path = "system/lasting.rs"]
mod lasting;
#[path = "systems/many.rs"]
mod many;
#[path = "system/new_values.rs"]
mod new_values;
#[path = "system/refill.rs"]
mod refill;
#[path = "system/repeats.rs"]
mod repeats;
#[path = "system/rounded.rs"]
mod rounded;
#[path = "system/set_up.rs"]
mod set_up;
mod systems;
#[path = "system/tumour.rs"]
mod tumour;

use galerkit::prelude::*;
use galerkit_testkit::bits;

const DEVICES: [Device; 2] = [Device::Cpu, Device::Reference];

/// The bits of x, the iterations, and the bits of the history: what must not depend on how often a system was solved.
type Told = (Vec<(u64, u64)>, usize, Vec<u64>);

fn told<S: Scalar>(solution: &Solution<S>) -> Told {
    let history = solution.report.history.iter().map(|norm| norm.to_bits()).collect();
    (bits(&solution.x), solution.report.iterations, history)
}

/// A solver from names as the command line has them; an empty one is left as it is.
fn solver([method, preconditioner, format, ordering]: [&str; 4]) -> Solver {
    let made = Solver::new().method(method.parse::<Choice<Method>>().unwrap()).rtol(1e-9);
    let made = made.preconditioner(preconditioner.parse::<Choice<Preconditioning>>().unwrap());
    let (format, ordering): (Choice<Format>, Choice<Ordering>) = (format.parse().unwrap(), ordering.parse().unwrap());
    made.format(format).ordering(ordering)
}
