//! Timing inside a solve: before the first iteration, the product of the loop is run with the map that was loaded and
//! with each alternative that was offered, on the vector of the solve, into a vector that nobody reads. The fastest
//! takes the map's place. An alternative must win clearly, so that the decision does not depend on noise.

use super::offers::Offer;
use crate::error::Result;
use crate::executor::Cuda;
use crate::launch::{Buffer, Graph};
use crate::map::Map;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::Executor;
use galerkit_linalg::program::{Instruction, MapId, Precision, Program, Scope, Slot, Vector, inspect};

/// What an alternative must gain over the present map to take its place.
const CLEARLY: f64 = 0.03;
/// Times that are taken; their median counts.
const TIMED: usize = 5;
/// Products before the times that count: the first loads the kernel, the others the cache.
const WARM_UPS: usize = 3;
/// Seconds that the products between two looks at the clock should take, so that its resolution does not matter.
const SPAN: f64 = 100e-6;
/// Most products between two looks at the clock.
const MOST_TOGETHER: usize = 20;

impl<S: Scalar> Cuda<S> {
    /// Offers another form of a loaded map: same shape, same numbering. The next loop that multiplies with the map
    /// times all of its forms and keeps the fastest. Nothing happens if the settings say not to tune.
    pub fn offer(&mut self, A: MapId, name: String, alternative: Map) {
        let fits = self.map(A).is_some_and(|map| map.shape == alternative.shape);
        if fits && self.settings.tune {
            self.offers.open.push(Offer { place: A, name, map: alternative });
        }
    }

    /// Seconds of a product with each form that was timed, the map that had been loaded first under an empty name.
    pub fn measured(&self) -> &[(String, f64)] {
        &self.offers.measured
    }

    /// The name of the alternative that took the place of a map, if one did.
    pub fn taken(&self) -> Option<&str> {
        self.offers.taken.as_deref()
    }

    /// Decides between the forms of the first map in a loop that has alternatives; those not taken are dropped.
    pub(crate) fn settle(&mut self, body: &Program) -> Result<()> {
        if self.offers.open.is_empty() {
            return Ok(());
        }
        let slots = inspect::slot_count(&body.instructions);
        let has_offers = |A: MapId| self.offers.open.iter().any(|offer| offer.place == A);
        let lines = inspect::every_instruction(&body.instructions);
        let product = lines.iter().find_map(|line| match **line {
            Instruction::Apply { A, x, y } if has_offers(A) => Some((A, x, y)),
            _ => None,
        });
        let Some((A, x, y)) = product else { return Ok(()) };
        let offers = std::mem::take(&mut self.offers.open);
        let (offers, others) = offers.into_iter().partition(|offer| offer.place == A);
        self.offers.open = others;
        // Without room for one more vector there is nothing to decide, and no reason to fail.
        let length = y.length;
        let Ok(room) = Buffer::zeroed(&self.gpu, "a product to be timed", length * size_of::<S>()) else {
            return Ok(());
        };
        let scratch = self.push_vector(Some(room), length, y.precision, Scope::Shared);
        let settled = self.compare(A, &step(body, A, [x, y], scratch, Slot(slots)), offers);
        self.drop_vector(scratch);
        settled
    }

    /// Times the present map and all alternatives for it, and leaves the best in its place.
    fn compare(&mut self, A: MapId, step: &Program, mut offers: Vec<Offer>) -> Result<()> {
        self.compile_with_each(step, A, offers.iter_mut().map(|offer| &mut offer.map));
        let present = self.time_step(step)?;
        self.offers.measured.push((String::new(), present));
        let mut best = present * (1.0 - CLEARLY);
        for Offer { name, map, .. } in offers {
            let before = self.exchange(A, Some(map));
            // An alternative that cannot run is no loss; a GPU that has failed is noted there and ends the loop.
            let seconds = self.time_step(step).unwrap_or(f64::INFINITY);
            if seconds < best {
                best = seconds;
                self.offers.taken = Some(name.clone());
            } else {
                self.exchange(A, before);
            }
            if seconds.is_finite() {
                self.offers.measured.push((name, seconds));
            }
        }
        self.gpu.synchronize()
    }

    /// Puts another form, with its values, in the place of a map; what was there, with its own.
    fn exchange(&mut self, A: MapId, map: Option<Map>) -> Option<Map> {
        let mut map = map;
        let values = map.as_mut().and_then(|map| map.values.take());
        let own = std::mem::replace(&mut self.vectors[A.values.id], values);
        let mut before = std::mem::replace(&mut self.maps[A.id], map);
        if let Some(before) = &mut before {
            before.values = own;
        }
        before
    }

    /// Seconds of y = A x with a map and, where it is square, the (x, y) that reads it, as in conjugate gradients.
    pub fn time_product(&mut self, map: Map) -> Result<f64> {
        let (rows, cols) = map.shape;
        let A = self.adopt(map);
        let (x, y) =
            (self.upload(&vec![S::one(); cols], Precision::Full), self.zeros(rows, Precision::Full, Scope::Shared));
        let mut instructions = vec![Instruction::Apply { A, x, y }];
        instructions.extend((rows == cols).then_some(Instruction::Dot { x, y, out: Slot(0) }));
        let timed = self.time_step(&Program { instructions });
        self.unload(A);
        [x, y, A.values].into_iter().for_each(|x| self.drop_vector(x));
        timed
    }

    /// Seconds of one run of a program.
    fn time_step(&mut self, step: &Program) -> Result<f64> {
        let compiled = self.prepare(step, None, None)?;
        self.ring.rest();
        for _ in 1..WARM_UPS {
            self.launch_once(&compiled);
        }
        let single = self.gpu.time(|| self.launch_once(&compiled))?.as_secs_f64();
        let together = ((SPAN / single.max(1e-9)).ceil() as usize).clamp(1, MOST_TOGETHER);
        let graph = Graph::record(&self.gpu, || (0..together).for_each(|_| self.launch_once(&compiled)))?;
        let mut seconds = Vec::with_capacity(TIMED);
        for _ in 0..TIMED {
            seconds.push(self.gpu.time(|| graph.launch())?.as_secs_f64() / together as f64);
        }
        seconds.sort_by(f64::total_cmp);
        Ok(seconds[TIMED / 2])
    }
}

/// The product and the dots right behind it that read it, which fuse with it or do not; into a vector and a slot of
/// their own.
fn step(body: &Program, A: MapId, [x, y]: [Vector; 2], scratch: Vector, slot: Slot) -> Program {
    let product = Instruction::Apply { A, x, y };
    let lines = inspect::every_instruction(&body.instructions);
    let behind = lines.iter().skip_while(|line| ***line != product).skip(1);
    let renamed = |v: Vector| if v == y { scratch } else { v };
    let dots = behind.map_while(|line| match **line {
        Instruction::Dot { x, y: with, .. } if x == y || with == y => {
            Some(Instruction::Dot { x: renamed(x), y: renamed(with), out: slot })
        }
        _ => None,
    });
    // One dot is enough to tell, and all would share the slot.
    let lines = std::iter::once(Instruction::Apply { A, x, y: scratch }).chain(dots.take(1)).collect();
    Program { instructions: lines }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_timed_touches_nothing_of_the_solve() {
        let vector = |id| Vector::new(id, 4, Precision::Full);
        let [p, q, r] = [0, 1, 2].map(vector);
        let A = MapId { id: 0, values: vector(8) };
        let body = Program {
            instructions: vec![
                Instruction::Copy { x: r, y: p },
                Instruction::Apply { A, x: p, y: q },
                Instruction::Dot { x: p, y: q, out: Slot(3) },
                Instruction::Dot { x: q, y: q, out: Slot(4) },
                Instruction::Axpy { a: Slot(3), x: q, y: r },
            ],
        };
        let scratch = vector(9);
        let timed = step(&body, A, [p, q], scratch, Slot(7));
        let expected =
            vec![Instruction::Apply { A, x: p, y: scratch }, Instruction::Dot { x: p, y: scratch, out: Slot(7) }];
        assert_eq!(timed.instructions, expected);
        let alone = Program { instructions: body.instructions[1..2].to_vec() };
        assert_eq!(step(&alone, A, [p, q], scratch, Slot(7)).instructions.len(), 1);
    }
}
