//! Timing inside a solve: before the first iteration, the product of the loop is run with the map that was loaded and with
//! each alternative that was offered, on the vector of the solve, into a vector that nobody reads. The fastest takes the
//! map's place. An alternative must win clearly, so that the decision does not depend on noise.

use crate::error::Result;
use crate::executor::Cuda;
use crate::generate::Place;
use crate::launch::{Buffer, Graph};
use crate::map::Map;
use crate::program::Compiled;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::record::{Executor, Line, MapId, Program, Slot, VectorId, inspect};

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

/// Maps that could take the place of loaded ones, and what became of them.
#[derive(Default)]
pub(crate) struct Offers {
    open: Vec<Offer>,
    measured: Vec<(String, f64)>,
    taken: Option<String>,
}

struct Offer {
    place: MapId,
    name: String,
    map: Map,
}

impl<S: Scalar> Cuda<S> {
    /// Offers another form of a loaded map: same shape, same numbering. The next loop that multiplies with the map times
    /// all of its forms and keeps the fastest. Nothing happens if the settings say not to tune.
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
    pub(crate) fn settle(&mut self, body: &Program, slots: usize) -> Result<()> {
        let has_offers = |A: MapId| self.offers.open.iter().any(|offer| offer.place == A);
        let lines = inspect::every_line(&body.lines);
        let product = lines.iter().find_map(|line| match **line {
            Line::Apply { A, x, y } if has_offers(A) => Some((A, x, y)),
            _ => None,
        });
        let Some((A, x, y)) = product else { return Ok(()) };
        let offers = std::mem::take(&mut self.offers.open);
        let (offers, others) = offers.into_iter().partition(|offer| offer.place == A);
        self.offers.open = others;
        // Without room for one more vector there is nothing to decide, and no reason to fail.
        let length = self.length(y);
        let Ok(room) = Buffer::zeroed(&self.gpu, "a product to be timed", length * size_of::<S>()) else {
            return Ok(());
        };
        let scratch = self.push_vector(Ok(room), length, false);
        let settled = self.compare(A, &step(body, A, [x, y], scratch, Slot(slots)), slots + 1, offers);
        self.vectors.pop(); // the scratch vector, the last that was pushed
        settled
    }

    /// Times the present map and all alternatives for it, and leaves the best in its place.
    fn compare(&mut self, A: MapId, step: &Program, slots: usize, offers: Vec<Offer>) -> Result<()> {
        let present = self.time_step(step, slots)?;
        self.offers.measured.push((String::new(), present));
        let mut best = present * (1.0 - CLEARLY);
        for Offer { name, map, .. } in offers {
            let before = self.maps[A.0].replace(map);
            // An alternative that cannot run is no loss; a GPU that has failed is noted there and ends the loop.
            let seconds = self.time_step(step, slots).unwrap_or(f64::INFINITY);
            if seconds < best {
                best = seconds;
                self.offers.taken = Some(name.clone());
            } else {
                self.maps[A.0] = before;
            }
            if seconds.is_finite() {
                self.offers.measured.push((name, seconds));
            }
        }
        self.gpu.synchronize()
    }

    /// Seconds of y = A x with a map and, where it is square, the (x, y) that reads it, as in conjugate gradients.
    pub fn time_product(&mut self, map: Map) -> Result<f64> {
        let (rows, cols) = map.shape;
        let (A, slot) = (MapId(self.maps.len()), Slot(0));
        self.maps.push(Some(map));
        let (x, y) = (self.upload(&vec![S::one(); cols]), self.upload(&vec![S::zero(); rows]));
        let mut lines = vec![Line::Apply { A, x, y }];
        lines.extend((rows == cols).then_some(Line::Dot { x, y, out: slot }));
        let timed = self.time_step(&Program { lines }, 1);
        self.vectors.truncate(x.0);
        self.maps.truncate(A.0);
        timed
    }

    /// Seconds of one run of a program.
    fn time_step(&mut self, step: &Program, slots: usize) -> Result<f64> {
        let compiled = self.prepare(step, slots, None)?;
        self.ring.begin(None, f64::INFINITY)?;
        for _ in 1..WARM_UPS {
            self.launch_all(&compiled);
        }
        let single = self.gpu.time(|| self.launch_all(&compiled))?.as_secs_f64();
        let together = ((SPAN / single.max(1e-9)).ceil() as usize).clamp(1, MOST_TOGETHER);
        let graph = Graph::record(&self.gpu, || (0..together).for_each(|_| self.launch_all(&compiled)))?;
        let mut seconds = Vec::with_capacity(TIMED);
        for _ in 0..TIMED {
            seconds.push(self.gpu.time(|| graph.launch())?.as_secs_f64() / together as f64);
        }
        seconds.sort_by(f64::total_cmp);
        Ok(seconds[TIMED / 2])
    }

    fn launch_all(&self, compiled: &Compiled) {
        compiled.launches[0].iter().for_each(|ready| self.launch(compiled, ready));
    }
}

/// The product and the dots right behind it that read it, which fuse with it or do not; into a vector and a slot of their own.
fn step(body: &Program, A: MapId, [x, y]: [VectorId; 2], scratch: VectorId, slot: Slot) -> Program {
    let product = Line::Apply { A, x, y };
    let lines = inspect::every_line(&body.lines);
    let behind = lines.iter().skip_while(|line| ***line != product).skip(1);
    let renamed = |v: VectorId| if v == y { scratch } else { v };
    let dots = behind.map_while(|line| match **line {
        Line::Dot { x, y: with, .. } if x == y || with == y => {
            Some(Line::Dot { x: renamed(x), y: renamed(with), out: slot })
        }
        _ => None,
    });
    // One dot is enough to tell, and all would share the slot.
    let lines = std::iter::once(Line::Apply { A, x, y: scratch }).chain(dots.take(1)).collect();
    Program { lines }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_timed_touches_nothing_of_the_solve() {
        let [p, q, r] = [0, 1, 2].map(VectorId);
        let A = MapId(0);
        let body = Program {
            lines: vec![
                Line::Copy { x: r, y: p },
                Line::Apply { A, x: p, y: q },
                Line::Dot { x: p, y: q, out: Slot(3) },
                Line::Dot { x: q, y: q, out: Slot(4) },
                Line::Axpy { a: Slot(3), x: q, y: r },
            ],
        };
        let scratch = VectorId(9);
        let timed = step(&body, A, [p, q], scratch, Slot(7));
        let expected = vec![Line::Apply { A, x: p, y: scratch }, Line::Dot { x: p, y: scratch, out: Slot(7) }];
        assert_eq!(timed.lines, expected);
        let alone = Program { lines: body.lines[1..2].to_vec() };
        assert_eq!(step(&alone, A, [p, q], scratch, Slot(7)).lines.len(), 1);
    }
}
