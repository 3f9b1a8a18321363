//! Products with many maps, compiled together, because a compiler that is started for each takes most of the time.
//! Kernels count how often a row is written: it must be once, whatever comes to it later.

use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::{Buffer, Gpu, Module, Shape};
use galerkit_cuda::map::{Interface, Map};
use galerkit_linalg::Scalar;
use std::sync::Arc;

/// Sources of maps, each once, and the module of all.
pub struct Together {
    texts: Vec<String>,
    module: Arc<Module>,
}

/// The kernels of one source: the product, and what the last block does after it.
fn kernels(k: usize, interface: Interface, text: &str) -> String {
    let write = "{ a.y[i] = sum; a.written[i] += 1; }";
    let (product, finish) = match interface {
        Interface::Rows => {
            let row = format!("[&](Offset i) {{ return [&, i](Scalar sum) {write}; }}");
            (format!("m{k}::each_row(a.A, a.x, {row});"), String::new())
        }
        Interface::Split => {
            let add = "[&](Offset i, Scalar rest) { a.y[i] += rest; }";
            let product = format!("m{k}::product(a.A, a.x, [&](Offset i, Scalar sum) {write}, {add});");
            (product, format!("if (blockIdx.x == 0) m{k}::finish(a.A, {add});"))
        }
        other => unreachable!("no matrix has the interface {other:?}"),
    };
    let kernel = |name: &str, body: &str| {
        format!("extern \"C\" __global__ void {name}{k}(const __grid_constant__ Args{k} a) {{ {body} }}\n")
    };
    format!(
        "namespace m{k} {{\n{text}\n}}\nstruct Args{k} {{ m{k}::Map A; const Scalar *x; Scalar *y; Offset *written; }};\n{}{}",
        kernel("product", &product),
        kernel("finish", &finish)
    )
}

impl Together {
    pub fn new<S: Scalar>(jit: &Jit, mut sources: Vec<(Interface, String)>) -> Self {
        sources.sort_by(|a, b| a.1.cmp(&b.1));
        sources.dedup_by(|a, b| a.1 == b.1);
        let kernels = sources.iter().enumerate().map(|(k, (interface, text))| kernels(k, *interface, text));
        let source = galerkit_cuda::generate::prelude_of_maps(S::KIND) + &kernels.collect::<String>();
        let module = jit.module("tunings", &source).unwrap();
        Self { texts: sources.into_iter().map(|(_, text)| text).collect(), module }
    }

    /// y = A x in one launch of this shape; y holds NaN before.
    pub fn product<S: Scalar>(&self, gpu: &Arc<Gpu>, map: &Map, x: &[S], (blocks, threads): (usize, usize)) -> Vec<S> {
        let k = self.texts.binary_search(&map.source).expect("its source was compiled");
        let rows = map.shape.0;
        let x = Buffer::from_slice(gpu, "x", x).unwrap();
        let y = Buffer::from_slice(gpu, "y", &vec![S::from_parts(f64::NAN, f64::NAN); rows]).unwrap();
        let written = Buffer::from_slice(gpu, "written", &vec![0u64; rows]).unwrap();
        let arguments = [&map.words[..], &[x.address(), y.address(), written.address()]].concat();
        for name in ["product", "finish"] {
            self.module.kernel(&format!("{name}{k}")).unwrap().launch(Shape::new(blocks, threads), &arguments);
        }
        assert_eq!(written.download::<u64>(rows).unwrap(), vec![1; rows], "how often rows are written");
        y.download(rows).unwrap()
    }
}
