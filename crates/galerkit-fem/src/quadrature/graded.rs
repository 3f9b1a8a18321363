//! Dyadic rules: the cell is cut in halves towards a corner again and again, with Gauss points on every piece. Where an
//! integrand behaves like a power of the distance to the corner, each cut divides the error by a fixed factor.

use super::gauss::gauss;
use super::line::Line;
use super::patch::Patch;

/// Cuts that are enough for integrable powers of the distance.
pub const GRADED_LEVELS: usize = 20;

/// Gauss points, n in each direction, on the pieces of `levels` cuts towards a corner; `high[a]` tells at which end of
/// axis a it is.
pub fn graded(dim: usize, n: usize, levels: usize, high: [bool; 3]) -> Vec<Patch> {
    let rule = gauss(n);
    let mut patches = Vec::new();
    let mut size = 2.0; // of the piece at the corner
    for _ in 0..levels {
        size *= 0.5;
        for piece in 1..1 << dim {
            patches.push(Patch { axes: (0..dim).map(|a| rule_on(&rule, high[a], size, piece >> a & 1)).collect() });
        }
    }
    patches.push(Patch { axes: (0..dim).map(|a| rule_on(&rule, high[a], size, 0)).collect() });
    patches
}

/// The rule on the interval of a length that is the first or second from the corner.
fn rule_on(rule: &Line, high: bool, length: f64, place: usize) -> Line {
    let from = place as f64 * length;
    if high { rule.on(1.0 - from - length, 1.0 - from) } else { rule.on(-1.0 + from, -1.0 + from + length) }
}
