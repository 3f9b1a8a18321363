//! y = A x with one map and the smallest kernels that its interface asks for.

use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::{Buffer, Gpu, Shape};
use galerkit_cuda::map::{Interface, Map};
use galerkit_linalg::{Scalar, ScalarKind};
use std::sync::Arc;

const THREADS: usize = 256;

fn source(map: &Map, kind: ScalarKind) -> String {
    let kernel = |pass: usize, body: &str| {
        format!(
            "extern \"C\" __global__ void __launch_bounds__({THREADS}) pass{pass}(const __grid_constant__ Args a) {{ {body} }}\n"
        )
    };
    let kernels: String = match map.interface {
        Interface::Rows => {
            kernel(0, "map::each_row(a.A, a.x, [&](Offset i) { return [&, i](Scalar sum) { a.y[i] = sum; }; });")
        }
        Interface::Passes(passes) => {
            (0..passes).map(|pass| kernel(pass, &format!("map::apply<{pass}>(a.A, a.x, a.y);"))).collect()
        }
        interface => unreachable!("no map here has the interface {interface:?}"),
    };
    format!(
        "{}namespace map {{\n{}\n}}\n\
         struct Args {{ map::Map A; const Scalar *x; Scalar *y; }};\n{kernels}",
        galerkit_cuda::generate::prelude_of_maps(kind),
        map.source
    )
}

/// The product with at most so many blocks; y holds NaN before.
pub fn product<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, map: &Map, x: &[S], most_blocks: usize) -> Vec<S> {
    let module = jit.module("product", &source(map, S::KIND)).unwrap();
    let passes = if let Interface::Passes(passes) = map.interface { passes } else { 1 };
    let x = Buffer::from_slice(gpu, "x", x).unwrap();
    let y = Buffer::from_slice(gpu, "y", &vec![S::from_parts(f64::NAN, f64::NAN); map.shape.0]).unwrap();
    let arguments = [&map.words[..], &[x.address(), y.address()]].concat();
    for pass in 0..passes {
        let kernel = module.kernel(&format!("pass{pass}")).unwrap();
        let fits = kernel.resident_blocks(THREADS, 0).unwrap();
        let blocks = (map.lanes * map.shape.0).div_ceil(THREADS).min(fits).min(most_blocks).max(1);
        kernel.launch(Shape::new(blocks, THREADS), &arguments);
    }
    y.download(map.shape.0).unwrap()
}
