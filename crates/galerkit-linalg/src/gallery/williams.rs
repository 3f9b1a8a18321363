//! Stand-ins for the 15 matrices of Wong, Kuhl and Darve (2015): twelve of the set of Williams et al. (2007) and three
//! heart meshes. They have the published number of rows, shortest and longest row and number of entries exactly,
//! quartiles and variance of the row lengths nearly; columns as such a matrix would have them; random values, every row
//! strictly diagonally dominant. What they do not share with the originals: values, spectrum, symmetry.

mod columns;
mod lengths;
mod table;

use super::recipe::join;
use crate::error::{Error, Result};
use crate::random::Random;
use crate::sparse::{Csr, build};
use table::{PROFILES, Profile};

/// The names that [`williams`] knows.
pub fn williams_names() -> impl Iterator<Item = &'static str> {
    PROFILES.iter().map(|profile| profile.name)
}

/// The stand-in of a name, such as `Circuit`.
pub fn williams(name: &str, seed: u64) -> Result<Csr<f64>> {
    let profile = PROFILES.iter().find(|profile| profile.name == name).ok_or_else(|| Error::UnknownName {
        what: "matrix of the Williams set",
        name: name.into(),
        known: join(williams_names()),
    })?;
    build::check_memory::<f64>("this gallery matrix", profile.rows as u128, profile.nz as u128)?;
    Ok(generate(profile, seed))
}

fn generate(profile: &Profile, seed: u64) -> Csr<f64> {
    let lengths = lengths::row_lengths(profile, seed);
    let start = build::row_starts(profile.rows, || (), |(), i| lengths[i] as usize);
    build::fill_rows(profile.rows, start, Vec::new, |scratch, i, col, val| {
        columns::choose(profile, seed, i, col, scratch);
        let mut random = Random::for_index(!seed, i as u64);
        let (mut sum, mut diagonal) = (0.0, 0);
        for (slot, &j) in col.iter().enumerate() {
            if j as usize == i {
                diagonal = slot;
            } else {
                val[slot] = 2.0 * random.unit() - 1.0;
                sum += val[slot].abs();
            }
        }
        val[diagonal] = 1.0 + sum;
    })
}
