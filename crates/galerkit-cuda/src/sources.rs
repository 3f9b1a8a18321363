//! Every CUDA text of galerkit, complete, for whoever compiles them all: CI, for several architectures, without a GPU.
//!
//! A part of the crate registers what it has with one line in `PARTS`: a function that returns names and complete
//! sources. Texts of maps, which offer functions and no kernel, become complete by [`of_map`].

mod complete;
mod programs;

pub use complete::{SCALARS, Source, of_map};

use crate::map::Interface;
use galerkit_linalg::map::{DeviceSource, Gather, GatherSums, LinearMap};
use galerkit_linalg::precond::{BlockInverses, L1Weights};
use galerkit_linalg::sparse::Csr;

/// Who has sources.
const PARTS: &[fn() -> Vec<Source>] =
    &[bandwidth, conversion, products, multigrid, ordering, preconditioners, factorisations, gathers, programs::all];

/// Every source there is.
pub fn all() -> Vec<Source> {
    PARTS.iter().flat_map(|part| part()).collect()
}

fn bandwidth() -> Vec<Source> {
    vec![("bandwidth".into(), crate::bandwidth::source())]
}

/// What set-up on a GPU runs, in every scalar.
pub fn set_up() -> Vec<Source> {
    conversion().into_iter().chain(ordering()).filter(|(name, _)| !name.starts_with("convert ")).collect()
}

fn conversion() -> Vec<Source> {
    let of = |(scalar, kind)| {
        crate::convert::sources(kind).into_iter().map(move |(name, text)| (format!("{name} {scalar}"), text))
    };
    SCALARS.into_iter().flat_map(of).collect()
}

fn products() -> Vec<Source> {
    let of = |(scalar, kind)| {
        crate::product::sources(kind).into_iter().map(move |(name, text)| (format!("{name} {scalar}"), text))
    };
    SCALARS.into_iter().flat_map(of).collect()
}

fn multigrid() -> Vec<Source> {
    let of = |(scalar, kind)| {
        crate::amg::sources(kind).into_iter().map(move |(name, text)| (format!("{name} {scalar}"), text))
    };
    SCALARS.into_iter().filter(|(_, kind)| !kind.is_complex()).flat_map(of).collect()
}

fn ordering() -> Vec<Source> {
    vec![("ordering".into(), crate::ordering::source())]
}

fn preconditioners() -> Vec<Source> {
    use crate::map::{block_diagonal, triangular};
    let blocks = [1, 8, 32].map(|n| (format!("block_diagonal:{n}"), Interface::Rows, block_diagonal::source(n)));
    let inverses = LinearMap::<f64>::device_source(&BlockInverses::new(2, 2)).map(|made| made.source);
    let inverses = [("block_inverses".to_string(), Interface::Rows, inverses.unwrap_or_default())];
    let weights = L1Weights::new(&Csr::<f64>::identity(1), vec![0]);
    let weights = weights.ok().and_then(|map| LinearMap::<f64>::device_source(&map)).map(|made| made.source);
    let weights = [("l1_weights".to_string(), Interface::Rows, weights.unwrap_or_default())];
    let sweep = |(name, rule), n| (format!("{name}:{n}"), Interface::Passes(2), triangular::source(rule, n));
    let sweeps = triangular::Rule::ALL.map(|rule| [4, 8, 16].map(|n| sweep(rule, n))).concat();
    blocks
        .iter()
        .chain(&inverses)
        .chain(&weights)
        .chain(&sweeps)
        .flat_map(|(name, interface, text)| of_map(name, *interface, text))
        .collect()
}

fn factorisations() -> Vec<Source> {
    let of_lanes = |n| SCALARS.map(|(scalar, kind)| (format!("factor:{n} {scalar}"), crate::factor::source(kind, n)));
    [8, 16, 32].into_iter().flat_map(of_lanes).collect()
}

/// Indexed gathers, in tiles and not, and sums over groups.
fn gathers() -> Vec<Source> {
    let gather = |index: Vec<u32>| Gather::new(64, index).map(|map| LinearMap::<f64>::device_source(&map));
    let sums = GatherSums::into_slots(2, &[0, 1, 1]).map(|map| LinearMap::<f64>::device_source(&map));
    let named = [
        ("gather:tiles", gather((0..64).collect())),
        ("gather", gather((0..64).map(|k| k * 5 % 64).collect())),
        ("gather:sums", sums),
    ];
    let text = |(name, made): (&str, galerkit_linalg::Result<Option<DeviceSource>>)| {
        let source = made.ok().flatten().map(|made| made.source);
        of_map(name, Interface::Rows, &source.unwrap_or_default())
    };
    named.into_iter().flat_map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_different_and_texts_complete() {
        let all = all();
        assert_eq!(all.iter().map(|(name, _)| name).collect::<HashSet<_>>().len(), all.len());
        for (name, source) in all {
            assert!(source.contains("__global__") && source.contains("Scalar"), "{name}");
        }
    }

    /// A gather in tiles that stood in four passes of a persistent kernel asked for four times its tile: too much to
    /// compile.
    #[test]
    fn passes_over_a_map_share_its_shared_memory() {
        for (name, source) in all() {
            for product in source.split("void each_row(const Map").skip(1) {
                let body = product.split("\n}\n").next().unwrap_or_default();
                assert!(!body.contains("__shared__"), "{name}: each pass has its own instance of each_row");
            }
        }
    }
    /// Gathers and triangular solves of one kernel use one room after the other's barrier, whatever their sources.
    #[test]
    fn gathers_have_no_room_of_their_own() {
        for (name, source) in gathers() {
            let [all, shared] = ["__shared__", "__shared__ double2 room["].map(|text| source.matches(text).count());
            let of_solver = include_str!("../kernels/solver.cuh").matches("__shared__").count();
            assert!(shared == 1 && all <= 1 + of_solver, "{name}: {all} rooms, {shared} of them for all maps");
        }
    }
}
