//! Prepared systems: solved again and again with the same bits and nothing new, with other values, in place, from other
//! threads.

mod born;
mod computed;
mod in_place;
mod lasting;
mod many;
mod new_values;
mod refill;
mod repeats;
mod rounded;
mod set_up;
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
