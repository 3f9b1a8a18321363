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
fn kernel(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Rows => "map0::each_row(a.A, a.x, [&](Offset i, Scalar sum) { a.y[i] = sum; });",
        Protocol::Entry => "a.y[thread_index()] = map0::entry(a.A, thread_index(), a.x[thread_index()]);",
        Protocol::Split => {
            "map0::product(a.A, a.x, [&](Offset i, Scalar sum) { a.y[i] = sum; }, [&](Offset i, Scalar rest) { a.y[i] += rest; });
             map0::finish(a.A, [&](Offset i, Scalar rest) { a.y[i] += rest; });"
        }
        Protocol::Passes(_) => unreachable!("no format of a matrix takes passes"),
    }
}

fn whole(layout: &Layout, kind: ScalarKind) -> String {
    let prelude = include_str!("../kernels/prelude.cuh");
    format!(
        "{}{prelude}\nnamespace map0 {{\n{}\n}}\nstruct Args {{ map0::Map A; const Scalar *x; Scalar *y; }};\n\
         extern \"C\" __global__ void __launch_bounds__(256, 4) product(const __grid_constant__ Args a) {{ {} }}\n",
        scalar_lines(kind),
        layout.source,
        kernel(layout.protocol)
    )
}

/// Formats and choices that differ in their text.
fn cases() -> Vec<(&'static str, Tuning)> {
    let default = Tuning::default();
    let lanes = |lanes| Tuning { lanes: Some(lanes), ..default };
    let mut all: Vec<_> = ["csr", "bsr:3", "bsr:1", "ell", "ell-r", "sell:32:1", "sell:3:5", "hyb", "coo"]
        .map(|format| (format, default))
        .into();
    all.extend(["k1", "k1r", "k1rs", "k2", "k2r", "k2rs:8:2"].map(|format| (format, default)));
    all.extend(["sell:32:64", "k2"].map(|format| (format, Tuning { narrow: Some(false), ..default })));
    all.extend([1, 32].map(|n| ("csr", lanes(n))));
    all.push(("csr", Tuning { balanced: Some(true), ..default }));
    all.push(("sell:32:1", Tuning { unroll: Some(16), ..default }));
    all
}

fn compiles<S: Scalar>(nvrtc: &Nvrtc, architecture: &str) {
    let triples = [(0, 0, S::one()), (0, 1, S::one()), (2, 1, S::one())];
    let A: Csr<S> = Coo::from_triples(3, 3, &triples).unwrap().to_csr().0;
    for (name, tuning) in cases() {
        let stored = Matrix::from_csr(&A, name.parse::<Format>().unwrap()).unwrap();
        let layout = Layout::of_matrix(&stored, &tuning).unwrap();
        let cubin = nvrtc.compile(name, &whole(&layout, S::KIND), architecture);
        assert!(cubin.unwrap_or_else(|error| panic!("{name}, {:?}: {error}", S::KIND)).len() > 100);
    }
    let cubin = nvrtc.compile("diagonal", &whole(&Layout::of_diagonal(&[S::one()]), S::KIND), architecture);
    assert!(cubin.unwrap_or_else(|error| panic!("{error}")).len() > 100);
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
