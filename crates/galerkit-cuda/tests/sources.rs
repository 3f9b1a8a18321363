//! Every text of a map compiles for every scalar and for sm_80, sm_90 and sm_100, wrapped in the kernel that its protocol
//! asks for. Needs NVRTC (GALERKIT_NVRTC: the library or its folder) but no GPU.
#![allow(non_snake_case)] // matrices keep their capital letter

use galerkit_cuda::launch::Nvrtc;
use galerkit_cuda::map::{Layout, Protocol, Tuning};
use galerkit_linalg::sparse::{Coo, Csr, Format, Matrix};
use galerkit_linalg::{Scalar, ScalarKind, c32, c64};
use std::path::PathBuf;

/// The compiler; none, after saying so, if it is not named or not there.
fn nvrtc() -> Option<Nvrtc> {
    let found = std::env::var_os("GALERKIT_NVRTC").map(PathBuf::from).and_then(library);
    if found.is_none() {
        galerkit_testkit::skip("kernel texts are not compiled: set GALERKIT_NVRTC to libnvrtc or its folder");
    }
    found.map(|path| Nvrtc::load(&path).unwrap())
}

fn library(path: PathBuf) -> Option<PathBuf> {
    if path.is_file() {
        return Some(path);
    }
    let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let files = std::fs::read_dir(path).ok()?.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    files.filter(|file| name(file).starts_with("libnvrtc.so")).max()
}

/// What stands before the prelude.
fn scalar_lines(kind: ScalarKind) -> &'static str {
    match kind {
        ScalarKind::F32 => "typedef float Real; struct Complex; typedef Real Scalar;\n",
        ScalarKind::F64 => "typedef double Real; struct Complex; typedef Real Scalar;\n",
        ScalarKind::C32 => "typedef float Real; struct Complex; typedef Complex Scalar;\n",
        ScalarKind::C64 => "typedef double Real; struct Complex; typedef Complex Scalar;\n",
    }
}

/// y = A x by the functions of the protocol.
fn body(protocol: Protocol, map: &str) -> String {
    let write = "[&](Offset i, Scalar sum) { a.y[i] = sum; }";
    let add = "[&](Offset i, Scalar rest) { a.y[i] += rest; }";
    match protocol {
        Protocol::Rows => format!("{map}::each_row(a.A, a.x, {write});"),
        Protocol::Entry => format!("a.y[thread_index()] = {map}::entry(a.A, thread_index(), a.x[thread_index()]);"),
        Protocol::Split => format!("{map}::product(a.A, a.x, {write}, {add}); {map}::finish(a.A, {add});"),
        Protocol::Passes(_) => unreachable!("no format of a matrix takes passes"),
    }
}

/// The text of the k-th map in its namespace and a kernel that calls it.
fn wrapped(k: usize, layout: &Layout) -> String {
    let (map, body) = (format!("map{k}"), body(layout.protocol, &format!("map{k}")));
    format!(
        "namespace {map} {{\n{}\n}}\nstruct Args{k} {{ {map}::Map A; const Scalar *x; Scalar *y; }};\n\
         extern \"C\" __global__ void __launch_bounds__(256, 4) product{k}(const __grid_constant__ Args{k} a) {{ {body} }}\n",
        layout.source,
    )
}

/// Formats and choices that differ in their text.
fn cases() -> Vec<(&'static str, Tuning)> {
    let default = Tuning::default();
    let lanes = |lanes| Tuning { lanes: Some(lanes), ..default };
    let mut all: Vec<_> =
        ["csr", "bsr:3", "ell", "ell-r", "sell:32:1", "sell:3:5", "hyb", "coo"].map(|format| (format, default)).into();
    all.extend(["k1", "k1r", "k2", "k2rs:8:2"].map(|format| (format, default)));
    all.extend(["sell:32:64", "k2"].map(|format| (format, Tuning { narrow: Some(false), ..default })));
    all.extend([1, 32].map(|n| ("csr", lanes(n))));
    all.push(("csr", Tuning { balanced: Some(true), ..default }));
    all.push(("sell:32:1", Tuning { unroll: Some(16), ..default }));
    all
}

/// All texts in one source, as programs with several maps have them.
fn compiles<S: Scalar>(nvrtc: &Nvrtc, architecture: &str) {
    let triples = [(0, 0, S::one()), (0, 1, S::one()), (2, 1, S::one())];
    let A: Csr<S> = Coo::from_triples(3, 3, &triples).unwrap().to_csr().0;
    let mut source = scalar_lines(S::KIND).to_string() + include_str!("../kernels/prelude.cuh");
    source += &wrapped(0, &Layout::of_diagonal(&[S::one()]));
    for (k, (name, tuning)) in cases().into_iter().enumerate() {
        let stored = Matrix::from_csr(&A, name.parse::<Format>().unwrap()).unwrap();
        source += &wrapped(k + 1, &Layout::of_matrix(&stored, &tuning).unwrap());
    }
    let cubin = nvrtc.compile("every map", &source, architecture).unwrap_or_else(|error| panic!("{error}"));
    let last = format!("product{}", cases().len());
    assert!(cubin.windows(last.len()).any(|window| window == last.as_bytes()), "{last} is not in the cubin");
}

fn compiles_for(architecture: &str) {
    let Some(nvrtc) = nvrtc() else { return };
    compiles::<f32>(&nvrtc, architecture);
    compiles::<f64>(&nvrtc, architecture);
    compiles::<c32>(&nvrtc, architecture);
    compiles::<c64>(&nvrtc, architecture);
}

#[test]
fn for_ampere() {
    compiles_for("sm_80");
}

#[test]
fn for_hopper() {
    compiles_for("sm_90");
}

#[test]
fn for_blackwell() {
    compiles_for("sm_100");
}
