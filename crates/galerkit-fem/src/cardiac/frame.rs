//! Frames: a number for each of some nodes, in one byte or two, made where the run is. A pointwise closure rounds to
//! whole numbers, and a product with powers of 2 packs six bytes, or three pairs, into each number that leaves: sums
//! below 2⁴⁸ are exact. A frame of 20,000 vertices is 27 kB on its way.

use super::scheme::{Machine, Scheme, Vector};
use crate::error::Result;
use galerkit_linalg::engine::{Engine, Entry, EntrySymbol, Routine};
use galerkit_linalg::map::matrix_map;
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{Csr, Format, Matrix};

/// What the least and the greatest byte of a potential stand for.
pub const POTENTIAL: [f64; 2] = [-0.1, 1.1];
/// What a unit of times stands for, in ms: 1 is 0, and so on; 0 is never.
pub const QUANTUM: f64 = 0.1;
/// Added and subtracted it leaves the nearest whole number.
const ROUNDING: f64 = 6_755_399_441_055_744.0; // 1.5 * 2^52
/// Bits of a number that are packed.
const BITS: usize = 48;

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// phi, a byte each.
    Potential,
    /// The time of activation after the origin, two bytes each.
    Activation,
    /// From activation to repolarisation, two bytes each.
    Duration,
}

impl Look {
    /// Bytes of a number.
    pub fn bytes(self) -> usize {
        if self == Look::Potential { 1 } else { 2 }
    }
}

/// Compiled looks at one scheme.
pub struct Frames {
    looks: [(Routine, Vector); 3],
    /// When times are counted from, as a vector of one entry that the host writes.
    origin: Vector,
    vertices: usize,
}

impl Frames {
    /// Of a scheme, at these nodes.
    ///
    /// # Errors
    /// If there are more nodes than columns can number.
    pub fn new(e: &mut Machine, scheme: &mut dyn Scheme, nodes: &[u32]) -> Result<Self> {
        let n = e.length(scheme.phi());
        let origin = e.zeros(1, Precision::Full);
        let unit = e.upload(&[1.0]);
        let mut look = |look: Look| -> Result<(Routine, Vector)> {
            let packing = packing(nodes, n, look.bytes())?;
            let map = e.load(matrix_map(Matrix::from_csr(&packing, Format::Csr)?));
            let mut packed = e.zeros(packing.rows(), Precision::Full);
            let routine = e.compile(|e| {
                let begun = e.dot(&origin, &unit);
                let mut rounded = e.zeros(n, Precision::Full);
                match look {
                    Look::Potential => e.pointwise([&mut rounded], [&*scheme.phi()], |_, [phi]| [potential(phi)]),
                    Look::Activation => e.pointwise([&mut rounded], [&scheme.crossings().up], |_, [up]| {
                        [time(up, up - EntrySymbol::scalar(begun))] //
                    }),
                    Look::Duration => {
                        let crossings = scheme.crossings();
                        e.pointwise([&mut rounded], [&crossings.up, &crossings.down], |_, [up, down]| {
                            [time(down, down - up)]
                        });
                    }
                }
                e.apply_map(&map, &rounded, &mut packed);
                Vec::new()
            });
            Ok((routine, packed))
        };
        let looks = [look(Look::Potential)?, look(Look::Activation)?, look(Look::Duration)?];
        Ok(Self { looks, origin, vertices: nodes.len() })
    }

    /// What is seen now, node after node, two bytes with the lesser first; times count from the origin, in ms.
    pub fn take(&mut self, e: &mut Machine, look: Look, origin: f64) -> Vec<u8> {
        e.write(&mut self.origin, &[origin]);
        let (routine, packed) = &self.looks[look as usize];
        let _ = e.run(routine);
        let numbers = e.download(packed);
        let mut bytes: Vec<u8> =
            numbers.iter().flat_map(|number| (*number as u64).to_le_bytes().into_iter().take(BITS / 8)).collect();
        bytes.truncate(self.vertices * look.bytes());
        bytes
    }
}

/// The nearest whole number of a range.
fn rounded<N: Entry>(x: N, low: f64, high: f64) -> N {
    let [low, high, rounding] = [low, high, ROUNDING].map(N::constant);
    (x.max(low).min(high) + rounding) - rounding
}

fn potential<N: Entry>(phi: N) -> N {
    let [low, scale] = [POTENTIAL[0], 255.0 / (POTENTIAL[1] - POTENTIAL[0])].map(N::constant);
    rounded((phi - low) * scale, 0.0, 255.0)
}

/// A time that is known if `known` is not negative.
fn time<N: Entry>(known: N, x: N) -> N {
    let [zero, one, scale] = [0.0, 1.0, 1.0 / QUANTUM].map(N::constant);
    N::select(known.less(zero), zero, rounded(x * scale + one, 1.0, 65535.0))
}

/// Row i sums the numbers of some vertices, each shifted to its own bits.
fn packing(nodes: &[u32], n: usize, bytes: usize) -> Result<Csr<f64>> {
    let together = BITS / (8 * bytes);
    let (mut start, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for group in nodes.chunks(together) {
        let mut shifted: Vec<(u32, f64)> =
            group.iter().zip(0..).map(|(node, k)| (*node, ((8 * bytes * k) as f64).exp2())).collect();
        shifted.sort_by_key(|(node, _)| *node);
        for same in shifted.chunk_by(|a, b| a.0 == b.0) {
            columns.push(same[0].0);
            values.push(same.iter().map(|(_, shift)| shift).sum());
        }
        start.push(columns.len() as u64);
    }
    Ok(Csr::new(start.len() - 1, n, start, columns, values)?)
}
