//! Random sparse symmetric positive definite matrices: about k entries a row at symmetric random places, a_ij uniform
//! in (-1, 0], a_ii = 1 + sum over j != i of |a_ij|, so that every eigenvalue is at least 1 (Gershgorin). Row i draws
//! (k - 1)/2 partners and is drawn as often on average; the few pairs drawn twice count once. The value of a pair is a
//! hash of the pair, so both halves of the matrix agree to the last bit without being compared.

use super::check::check_positive;
use crate::error::{Error, Result};
use crate::random::Random;
use crate::sparse::{Csr, build, index};

/// A random matrix of order n with k entries a row on average, fewer where k comes close to n.
pub fn random_spd(n: usize, k: usize, seed: u64) -> Result<Csr<f64>> {
    check_positive("n", n)?;
    if k == 0 || k > n {
        let expected = "an integer from 1 to n";
        return Err(Error::InvalidParameter { name: "k", value: k.to_string(), expected });
    }
    index::check_u32("the number of rows", n)?;
    build::check_memory::<f64>("this gallery matrix", n as u128, 2 * n as u128 * k as u128)?; // lists and matrix
    let lists = partner_lists(n, k, seed);
    let distinct = |list: &mut Vec<u32>, i: usize| {
        list.clear();
        list.extend_from_slice(&lists.partner[lists.start[i] as usize..lists.start[i + 1] as usize]);
        list.push(i as u32);
        list.sort_unstable();
        list.dedup();
    };
    let start = build::row_starts(n, Vec::new, |list, i| {
        distinct(list, i);
        list.len()
    });
    Ok(build::fill_rows(n, start, Vec::new, |list, i, col, val| {
        distinct(list, i);
        col.copy_from_slice(list);
        let (mut sum, mut diagonal) = (0.0, 0);
        for (slot, &j) in col.iter().enumerate() {
            if j as usize == i {
                diagonal = slot;
            } else {
                val[slot] = -Random::for_index(seed, pair(i as u64, j as u64)).unit();
                sum -= val[slot];
            }
        }
        val[diagonal] = 1.0 + sum;
    }))
}

/// The partners of each row, in compressed form, duplicates included.
struct Lists {
    start: Vec<u64>,
    partner: Vec<u32>,
}

fn partner_lists(n: usize, k: usize, seed: u64) -> Lists {
    let mut start = vec![0u64; n + 1];
    draw(n, k, seed, |i, j| {
        start[i + 1] += 1;
        start[j + 1] += 1;
    });
    for i in 0..n {
        start[i + 1] += start[i];
    }
    let mut next = start.clone();
    let mut partner = vec![0u32; start[n] as usize];
    draw(n, k, seed, |i, j| {
        for (a, b) in [(i, j), (j, i)] {
            partner[next[a] as usize] = b as u32;
            next[a] += 1;
        }
    });
    Lists { start, partner }
}

/// Calls `visit` for each drawn pair; the same pairs at every call.
fn draw(n: usize, k: usize, seed: u64, mut visit: impl FnMut(usize, usize)) {
    let mut random = Random::new(seed);
    for i in 0..n {
        let draws = (k - 1 + i % 2) / 2; // odd k - 1: every second row draws one more
        for _ in 0..draws {
            let j = random.below(n - 1);
            visit(i, if j < i { j } else { j + 1 }); // any but i itself
        }
    }
}

/// A number for the unordered pair.
fn pair(i: u64, j: u64) -> u64 {
    i.min(j) << 32 | i.max(j)
}
