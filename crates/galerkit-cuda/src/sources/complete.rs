//! The text of a map, which offers functions and no kernel, made complete by kernels that call all of them.

use crate::generate::prelude_of_maps;
use crate::map::Interface;
use galerkit_linalg::scalar::ScalarKind;

/// A name and a complete source.
pub type Source = (String, String);

/// The four scalars with their names.
pub const SCALARS: [(&str, ScalarKind); 4] =
    [("f32", ScalarKind::F32), ("f64", ScalarKind::F64), ("c32", ScalarKind::C32), ("c64", ScalarKind::C64)];

/// The text of a map with the smallest kernels that call it, for each scalar.
pub fn of_map(name: &str, interface: Interface, text: &str) -> Vec<Source> {
    let complete = |(scalar, kind)| {
        let source = format!("{}namespace map {{\n{text}\n}}\n{}", prelude_of_maps(kind), callers(interface));
        (format!("{name} {scalar}"), source)
    };
    SCALARS.map(complete).into()
}

/// Kernels that call every function of an interface.
fn callers(interface: Interface) -> String {
    let kernel = |name: &str, body: &str| {
        format!("extern \"C\" __global__ void {name}(const __grid_constant__ Args a) {{\n    {body}\n}}\n")
    };
    let write = "[&](Offset i, Scalar sum) { a.y[i] = sum; }";
    let add = "[&](Offset i, Scalar rest) { a.y[i] += rest; }";
    let kernels = match interface {
        Interface::Rows => callers_of_rows(&kernel),
        Interface::Entry => kernel(
            "entries",
            "for (Offset i = thread_index(); i < a.n; i += thread_count()) a.y[i] = map::entry(a.A, i) * a.x[i];",
        ),
        Interface::Split => {
            kernel("product", &format!("map::product(a.A, a.x, {write}, {add});"))
                + &kernel("finish", &format!("map::finish(a.A, {add});"))
        }
        Interface::Elements { passes, .. } => {
            let pass = |pass| {
                kernel(&format!("pass{pass}"), &format!("a.y[thread_index()] = map::elements<{pass}>(a.A, a.x);"))
            };
            (0..passes).map(pass).collect::<String>() + &callers_of_rows(&kernel)
        }
        Interface::Passes(count) => (0..count)
            .map(|pass| kernel(&format!("pass{pass}"), &format!("map::apply<{pass}>(a.A, a.x, a.y);")))
            .collect(),
        Interface::Host => String::new(),
    };
    format!("struct Args {{\n    map::Map A;\n    Offset n;\n    const Scalar *x;\n    Scalar *y;\n}};\n{kernels}")
}

fn callers_of_rows(kernel: &dyn Fn(&str, &str) -> String) -> String {
    kernel("rows", "map::each_row(a.A, a.x, [&](Offset i) { return [&, i](Scalar sum) { a.y[i] = sum; }; });")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_is_called_as_its_interface_says() {
        for (interface, calls) in [
            (Interface::Rows, vec!["map::each_row("]),
            (Interface::Entry, vec!["map::entry("]),
            (Interface::Split, vec!["map::product(", "map::finish("]),
            (
                Interface::Elements { passes: 2, energy: 0, threads: 256, registers: 64 },
                vec!["map::elements<1>(", "map::each_row("],
            ),
            (Interface::Passes(2), vec!["map::apply<0>(", "map::apply<1>("]),
        ] {
            let sources = of_map("m", interface, "struct Map {};");
            assert_eq!(sources.iter().map(|s| s.0.as_str()).collect::<Vec<_>>(), ["m f32", "m f64", "m c32", "m c64"]);
            assert!(sources.iter().all(|(_, text)| calls.iter().all(|call| text.contains(call))));
        }
    }
}
