//! Every CUDA text of galerkit, complete, for whoever compiles them all: CI, for several architectures, without a GPU.
//!
//! A part of the crate registers what it has with one line in `PARTS`: a function that returns names and complete
//! sources. Texts of maps, which offer functions and no kernel, become complete by [`of_map`].

mod programs;

use crate::generate::prelude;
use crate::map::Protocol;
use galerkit_linalg::map::{DeviceSource, Gather, GatherSums, LinearMap};
use galerkit_linalg::precond::BlockInverses;
use galerkit_linalg::scalar::ScalarKind;

/// A name and a complete source.
pub type Source = (String, String);

/// Who has sources.
const PARTS: &[fn() -> Vec<Source>] = &[bandwidth, conversion, preconditioners, factorisations, gathers, programs::all];

/// The four scalars with their names.
pub const SCALARS: [(&str, ScalarKind); 4] =
    [("f32", ScalarKind::F32), ("f64", ScalarKind::F64), ("c32", ScalarKind::C32), ("c64", ScalarKind::C64)];

/// Every source there is.
pub fn all() -> Vec<Source> {
    PARTS.iter().flat_map(|part| part()).collect()
}

fn bandwidth() -> Vec<Source> {
    vec![("bandwidth".into(), crate::bandwidth::source())]
}

fn conversion() -> Vec<Source> {
    SCALARS.map(|(scalar, kind)| (format!("convert {scalar}"), crate::convert::source(kind))).into()
}

fn preconditioners() -> Vec<Source> {
    use crate::map::{block_diagonal, triangular};
    let blocks = [1, 8, 32].map(|n| (format!("block_diagonal:{n}"), Protocol::Rows, block_diagonal::source(n)));
    let inverses = LinearMap::<f64>::device_source(&BlockInverses::new(2, 2)).map(|made| made.source);
    let inverses = [("block_inverses".to_string(), Protocol::Rows, inverses.unwrap_or_default())];
    let sweep = |(name, rule), n| (format!("{name}:{n}"), Protocol::Passes(2), triangular::source(rule, n));
    let sweeps = triangular::Rule::ALL.map(|rule| [4, 8, 16].map(|n| sweep(rule, n))).concat();
    blocks
        .iter()
        .chain(&inverses)
        .chain(&sweeps)
        .flat_map(|(name, protocol, text)| of_map(name, *protocol, text))
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
        of_map(name, Protocol::Rows, &source.unwrap_or_default())
    };
    named.into_iter().flat_map(text).collect()
}

/// The text of a map with the smallest kernels that call it, for each scalar.
pub fn of_map(name: &str, protocol: Protocol, text: &str) -> Vec<Source> {
    let complete = |(scalar, kind)| {
        let source = format!("{}namespace map {{\n{text}\n}}\n{}", prelude(kind), callers(protocol));
        (format!("{name} {scalar}"), source)
    };
    SCALARS.map(complete).into()
}

/// Kernels that call every function of a protocol.
fn callers(protocol: Protocol) -> String {
    let kernel = |name: &str, body: &str| {
        format!("extern \"C\" __global__ void {name}(const __grid_constant__ Args a) {{\n    {body}\n}}\n")
    };
    let write = "[&](Offset i, Scalar sum) { a.y[i] = sum; }";
    let add = "[&](Offset i, Scalar rest) { a.y[i] += rest; }";
    let kernels = match protocol {
        Protocol::Rows => {
            kernel("rows", "map::each_row(a.A, a.x, [&](Offset i) { return [&, i](Scalar sum) { a.y[i] = sum; }; });")
        }
        Protocol::Entry => kernel(
            "entries",
            "for (Offset i = thread_index(); i < a.n; i += thread_count()) a.y[i] = map::entry(a.A, i) * a.x[i];",
        ),
        Protocol::Split => {
            kernel("product", &format!("map::product(a.A, a.x, {write}, {add});"))
                + &kernel("finish", &format!("map::finish(a.A, {add});"))
        }
        Protocol::Passes(count) => (0..count)
            .map(|pass| kernel(&format!("pass{pass}"), &format!("map::apply<{pass}>(a.A, a.x, a.y);")))
            .collect(),
        Protocol::Host => String::new(),
    };
    format!("struct Args {{\n    map::Map A;\n    Offset n;\n    const Scalar *x;\n    Scalar *y;\n}};\n{kernels}")
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

    #[test]
    fn a_map_is_called_as_its_protocol_says() {
        for (protocol, calls) in [
            (Protocol::Rows, vec!["map::each_row("]),
            (Protocol::Entry, vec!["map::entry("]),
            (Protocol::Split, vec!["map::product(", "map::finish("]),
            (Protocol::Passes(2), vec!["map::apply<0>(", "map::apply<1>("]),
        ] {
            let sources = of_map("m", protocol, "struct Map {};");
            assert_eq!(sources.iter().map(|s| s.0.as_str()).collect::<Vec<_>>(), ["m f32", "m f64", "m c32", "m c64"]);
            assert!(sources.iter().all(|(_, text)| calls.iter().all(|call| text.contains(call))));
        }
    }
}
