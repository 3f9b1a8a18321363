//! Row lengths with given sum, extremes, quartiles and (nearly) variance. The quantile function is linear between the
//! quartiles and falls off in the outer quarters like (1 + a s)^-p, s the distance from the end: p = 1/2 or 1 for web
//! graphs and circuits, 2 or 4 for meshes. The steepness a of both tails follows from the mean; the split between them
//! and p are those that come closest to the variance. Only + - * / and square roots: the same lengths on every machine.

use super::table::{Places, Profile};
use crate::random::Random;

/// The length of each row.
pub(super) fn row_lengths(profile: &Profile, seed: u64) -> Vec<u32> {
    let groups = profile.rows.div_ceil(profile.group);
    let place = places(profile, seed, groups);
    let mut of_rank = draft(profile, groups);
    let mut missing = correct(profile, &mut of_rank, &place);
    let mut lengths = vec![0; profile.rows];
    for (&length, &g) in of_rank.iter().zip(&place) {
        let first = g as usize * profile.group;
        lengths[first..(first + profile.group).min(profile.rows)].fill(length);
    }
    let [shortest, .., longest] = profile.quantiles;
    let step = missing.signum();
    for length in lengths.iter_mut().filter(|l| **l > shortest + 1 && **l + 1 < longest) {
        if missing == 0 {
            break;
        }
        *length = length.wrapping_add_signed(step as i32); // the last few, less than a group's worth
        missing -= step;
    }
    lengths
}

/// Lengths by rank, one for each group of rows. Fractions are rounded up or down in turn, so that sums are kept.
fn draft(profile: &Profile, groups: usize) -> Vec<u32> {
    let [shortest, .., longest] = profile.quantiles;
    let shape = Shape::fit(profile);
    let mut of_rank: Vec<u32> = (0..groups)
        .map(|rank| {
            let turn = (rank as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11; // multiples of the golden ratio
            let dither = turn as f64 / (1u64 << 53) as f64;
            ((shape.quantile((rank as f64 + 0.5) / groups as f64) + dither) as u32).clamp(shortest, longest)
        })
        .collect();
    of_rank[0] = shortest;
    of_rank[groups - 1] = longest;
    of_rank
}

/// Group at each rank: random, or for meshes in waves, as rows of similar nodes follow each other.
fn places(profile: &Profile, seed: u64, groups: usize) -> Vec<u32> {
    let mut random = Random::for_index(seed, u64::MAX);
    let mesh = matches!(profile.places, Places::Clustered(_));
    let mut keyed: Vec<u64> = (0..groups as u64)
        .map(|g| {
            let noise = random.bits() >> 32;
            let wave = (g % 128).min(127 - g % 128) << 26; // up and down within 2^32
            let key = if mesh { (3 * wave + noise) / 4 } else { noise };
            key << 32 | g
        })
        .collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|key| key as u32).collect()
}

/// Moves lengths by one until less than a group's worth of entries is missing from the published number; returns that.
/// Lengths equal to a quartile are left alone as long as there are others, for they carry the distribution.
fn correct(profile: &Profile, of_rank: &mut [u32], place: &[u32]) -> i64 {
    let group = profile.group as i64;
    let size = |g: u32| group.min(profile.rows as i64 - g as i64 * group);
    let stored: i64 = of_rank.iter().zip(place).map(|(&length, &g)| length as i64 * size(g)).sum();
    let mut missing = profile.nz as i64 - stored;
    let [shortest, .., longest] = profile.quantiles;
    while missing.abs() >= group {
        let step = missing.signum() as i32;
        let movable = |rank: &usize| {
            let next = of_rank[*rank].wrapping_add_signed(step);
            (shortest..=longest).contains(&next) && size(place[*rank]) == group
        };
        let inner = 1..of_rank.len() - 1;
        let mut ranks: Vec<usize> =
            inner.clone().filter(|r| !profile.quantiles.contains(&of_rank[*r])).filter(movable).collect();
        if ranks.is_empty() {
            ranks = inner.filter(movable).collect();
        }
        let count = ranks.len().min((missing.abs() / group) as usize);
        if count == 0 {
            break;
        }
        for k in 0..count {
            let rank = ranks[(k as u128 * ranks.len() as u128 / count as u128) as usize];
            of_rank[rank] = of_rank[rank].wrapping_add_signed(step);
        }
        missing -= step as i64 * count as i64 * group;
    }
    missing
}

/// The quantile function of the row lengths.
struct Shape {
    knots: [f64; 5],
    low: Tail,
    high: Tail,
}

impl Shape {
    fn quantile(&self, u: f64) -> f64 {
        let [shortest, q1, q2, q3, longest] = self.knots;
        let quarter = 4.0 * u;
        match quarter as u32 {
            0 => q1 - (q1 - shortest) * self.low.at(quarter),
            1 => q1 + (q2 - q1) * (quarter - 1.0),
            2 => q2 + (q3 - q2) * (quarter - 2.0),
            _ => q3 + (longest - q3) * self.high.at(4.0 - quarter),
        }
    }

    /// The tails that give the mean exactly and the variance as nearly as the family allows.
    fn fit(profile: &Profile) -> Self {
        let knots = profile.quantiles.map(f64::from);
        let [shortest, q1, q2, q3, longest] = knots;
        let (down, up) = (q1 - shortest, longest - q3);
        let mean = profile.nz as f64 / profile.rows as f64;
        let rest = 4.0 * mean - (q1 + q2) / 2.0 - (q2 + q3) / 2.0 - q1 - q3; // = up E[high] - down E[low]
        let square = |a: f64, b: f64| (a * a + a * b + b * b) / 3.0;
        let aim = 4.0 * (profile.variance + mean * mean) - square(q1, q2) - square(q2, q3);
        let mut best = (f64::INFINITY, Shape { knots, low: Tail::new(1, 1.0), high: Tail::new(1, 1.0) });
        for split in 1..=64 {
            let low_mean = if up > 0.0 || down == 0.0 { split as f64 / 128.0 } else { -rest / down };
            let high_mean = if up > 0.0 { (rest + down * low_mean) / up } else { 0.25 };
            if !(1e-5..=0.5).contains(&high_mean) {
                continue;
            }
            for power in 0..4 {
                let (low, high) = (Tail::with_mean(2.max(power), low_mean), Tail::with_mean(power, high_mean));
                let low_square = q1 * q1 - 2.0 * q1 * down * low_mean + down * down * low.moments().1;
                let high_square = q3 * q3 + 2.0 * q3 * up * high_mean + up * up * high.moments().1;
                let error = (low_square + high_square - aim).abs();
                if error < best.0 {
                    best = (error, Shape { knots, low, high });
                }
            }
        }
        best.1
    }
}

/// A fall from 1 at s = 0 to 0 at s = 1 like (1 + a s)^-p with p = 1/2, 1, 2, 4 for `power` 0, 1, 2, 3.
#[derive(Clone, Copy)]
struct Tail {
    power: u32,
    steepness: f64,
    floor: f64,
}

impl Tail {
    fn new(power: u32, steepness: f64) -> Self {
        Self { power, steepness, floor: decay(power, steepness) }
    }

    /// The steepness that gives the mean over s, by bisection; means fall with it from nearly 1/2.
    fn with_mean(power: u32, mean: f64) -> Self {
        let (mut flat, mut steep): (f64, f64) = (1e-3, 1e10);
        for _ in 0..60 {
            let middle = (flat * steep).sqrt();
            if Self::new(power, middle).moments().0 > mean {
                flat = middle;
            } else {
                steep = middle;
            }
        }
        Self::new(power, steep)
    }

    fn at(&self, s: f64) -> f64 {
        (decay(self.power, self.steepness * s) - self.floor) / (1.0 - self.floor)
    }

    /// Mean and mean square over s, by the trapezium rule on points that crowd at the end.
    fn moments(&self) -> (f64, f64) {
        let (mut mean, mut square) = (0.0, 0.0);
        let (mut s, mut value) = (0.0, 1.0);
        let mut next: f64 = 1e-10;
        while s < 1.0 {
            let t = next.min(1.0);
            let ahead = self.at(t);
            mean += (t - s) * (value + ahead) / 2.0;
            square += (t - s) * (value * value + ahead * ahead) / 2.0;
            (s, value, next) = (t, ahead, next * 1.1);
        }
        (mean, square)
    }
}

fn decay(power: u32, x: f64) -> f64 {
    let inverse = 1.0 / (1.0 + x);
    match power {
        0 => inverse.sqrt(),
        1 => inverse,
        2 => inverse * inverse,
        _ => (inverse * inverse) * (inverse * inverse),
    }
}
