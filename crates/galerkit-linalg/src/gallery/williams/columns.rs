//! The columns of one row of a stand-in: candidates by the kind of matrix, then trimmed or completed to the length that
//! the row must have. The diagonal is always among them.

use super::table::{Places, Profile};
use crate::random::Random;

/// Writes the ascending columns of row i; the length of `col` is the length of the row.
pub(super) fn choose(profile: &Profile, seed: u64, i: usize, col: &mut [u32], scratch: &mut Vec<usize>) {
    scratch.clear();
    let mut random = Random::for_index(seed, (i / profile.group) as u64); // one stream for all rows of a node
    let (length, rows) = (col.len(), profile.rows);
    match profile.places {
        Places::Clustered(reach) => clustered(profile, i, length, reach / profile.group, &mut random, scratch),
        Places::Banded(below, above) => {
            let (first, last) = (i.saturating_sub(below), (i + above).min(rows - 1));
            scratch.extend((1..length).map(|_| first + random.below(last - first + 1)));
        }
        Places::Scattered(exponent) => {
            scratch.extend((1..length).map(|_| scattered(rows, i, exponent, &mut random)));
        }
        Places::Offsets(offsets) => {
            let inside = |offset: &i64| i.checked_add_signed(*offset as isize).filter(|&j| j < rows);
            scratch.extend(offsets.iter().take(length - 1).filter_map(inside));
        }
        Places::Lattice => lattice(i, scratch),
    }
    scratch.push(i);
    settle(scratch, length, i, rows);
    for (slot, &j) in col.iter_mut().zip(scratch.iter()) {
        *slot = j as u32;
    }
}

/// Runs of nodes around the own one and at the distance `reach` on both sides, each expanded to its unknowns.
fn clustered(profile: &Profile, i: usize, length: usize, reach: usize, random: &mut Random, out: &mut Vec<usize>) {
    let (group, node) = (profile.group, i / profile.group);
    let nodes = profile.rows.div_ceil(group);
    let wanted = length.div_ceil(group);
    let far = wanted / 3;
    let near = wanted - 2 * far;
    let mut run = |centre: usize, count: usize| {
        let first = centre.saturating_sub(count / 2).min(nodes - count);
        out.extend(first..first + count);
    };
    run(node, near);
    let [before, behind] = [reach + random.below(8), reach + random.below(8)];
    // Where one side has no room, the run goes twice as far to the other: no column becomes longer than the rest.
    run(if node >= before + far { node - before } else { node + 2 * before }, far);
    run(if node + behind + far <= nodes { node + behind } else { node.saturating_sub(2 * behind) }, far);
    settle(out, wanted, node, nodes);
    for k in 0..out.len() {
        let first = out[k] * group;
        out[k] = first;
        out.extend((first + 1..first + group).filter(|&j| j < profile.rows));
    }
}

/// A column near the diagonal or, as often, anywhere.
fn scattered(rows: usize, i: usize, exponent: u32, random: &mut Random) -> usize {
    if random.bits() & 1 == 0 {
        let first = i.saturating_sub(32).min(rows - 65);
        return first + random.below(65);
    }
    let unit = random.unit();
    let popular = (0..exponent).fold(rows as f64, |bound, _| bound * unit) as usize; // rows unit^exponent
    (popular * 7_919) % rows // a prime that divides no order here spreads the popular columns
}

/// Own block, and of each neighbouring site two blocks ahead and one behind along each of the four directions.
fn lattice(i: usize, out: &mut Vec<usize>) {
    let (site, spin) = (i / 12, i / 3 % 4);
    let mut block = |site: usize, spin: usize| out.extend((0..3).map(|colour| 12 * site + 3 * spin + colour));
    block(site, spin);
    for direction in 0..4 {
        let step = 8usize.pow(direction);
        let along = site / step % 8;
        let moved = |to: usize| site - along * step + to % 8 * step;
        let partner = spin ^ (1 + direction as usize % 3);
        block(moved(along + 1), spin);
        block(moved(along + 1), partner);
        block(moved(along + 7), partner);
    }
}

/// Sorts, drops duplicates, and removes or adds until `length` are left: `keep` stays, additions lie nearest to it.
fn settle(places: &mut Vec<usize>, length: usize, keep: usize, bound: usize) {
    places.sort_unstable();
    places.dedup();
    while places.len() > length {
        if places[places.len() - 1] == keep {
            places.remove(0);
        } else {
            places.pop();
        }
    }
    let known = places.len();
    let mut distance = 1;
    while places.len() < length && distance < bound {
        for place in [keep.checked_sub(distance), keep.checked_add(distance).filter(|&p| p < bound)] {
            if let Some(place) = place
                && places.len() < length
                && places[..known].binary_search(&place).is_err()
            {
                places.push(place);
            }
        }
        distance += 1;
    }
    if places.len() > known {
        places.sort_unstable();
    }
}
