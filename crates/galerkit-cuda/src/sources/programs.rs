//! The programs of CG, as they would run: one for each format, with a diagonal preconditioner, graph and resident form.

use super::Source;
use crate::generate::{Form, Generated, Place};
use crate::map::{Layout, Map, Protocol, Tuning};
use galerkit_linalg::backend::Reference;
use galerkit_linalg::engine::record::{MapId, Program, Slot, VectorId};
use galerkit_linalg::engine::{Engine, Recorded, Resident};
use galerkit_linalg::krylov::{Stop, cg};
use galerkit_linalg::sparse::{Coo, Csr, Format, Matrix};
use galerkit_linalg::{Linear, Scalar, ScalarKind, c32, c64};
use std::sync::Arc;

/// One for each text of a product; K1, K1r and K1rs are slices, and the r forms of K2 differ in a constant.
const FORMATS: [&str; 9] = ["coo", "csr", "bsr:3", "ell", "ell-r", "sell:32:1", "hyb", "k1:32", "k2:32:4"];

/// Every format for every scalar.
pub fn all() -> Vec<Source> {
    let mut all = Vec::new();
    of_scalar::<f32>(&mut all);
    of_scalar::<f64>(&mut all);
    of_scalar::<c32>(&mut all);
    of_scalar::<c64>(&mut all);
    all
}

fn of_scalar<S: Scalar>(all: &mut Vec<Source>) {
    let A = tridiagonal::<S>(40);
    let (program, watched) = recorded::<S>();
    for name in FORMATS {
        let format: Format = name.parse().expect("the names are legal");
        let mut tunings = vec![("", Tuning::default())];
        if format == Format::Csr {
            tunings.push((" balanced", Tuning { balanced: Some(true), ..Tuning::default() }));
        }
        if ["sell:32:1", "k2:32:4"].contains(&name) {
            tunings.push((" wide", Tuning { narrow: Some(false), ..Tuning::default() }));
        }
        for (name, tuning) in tunings {
            let place = Paper::new(&A, format, tuning);
            let made = Generated::new(&place, S::KIND, &program, Some(watched), place.form(S::KIND));
            let label = format!("cg {format}{name} {}", S::KIND.name());
            all.extend(made.sources.into_iter().map(|source| (label.clone(), source)));
        }
    }
}

fn tridiagonal<S: Scalar>(rows: usize) -> Csr<S> {
    let mut triples: Vec<(usize, usize, S)> = (0..rows).map(|i| (i, i, S::from_f64(2.0))).collect();
    (1..rows).for_each(|i| triples.extend([(i, i - 1, -S::one()), (i - 1, i, -S::one())]));
    Coo::from_triples(rows, rows, &triples).expect("indices below the shape").to_csr().0
}

/// One iteration of CG with a diagonal preconditioner, and the norm it watches.
fn recorded<S: Scalar>() -> (Program, Slot) {
    // The exact residual now and then doubles the kernels: for one scalar that is enough.
    let stop = Stop { exact: if S::KIND == ScalarKind::F64 { 50 } else { 0 }, ..Stop::default() };
    let mut e = Recorded::new(Reference);
    let A = Resident(e.load(Arc::new(Linear::Matrix(Matrix::Csr(tridiagonal::<S>(2))))));
    let M = Resident(e.load(Arc::new(Linear::Diagonal(vec![S::one(); 2]))));
    let (b, mut x) = (e.upload(&[S::one(); 2]), e.upload(&[S::zero(); 2]));
    let _ = cg(&mut e, &A, &M, &b, &mut x, &stop); // only what was recorded matters
    (e.program().clone(), e.watched().expect("a loop ran"))
}

/// Maps without a GPU.
struct Paper([Map; 2]);

impl Paper {
    fn new<S: Scalar>(A: &Csr<S>, format: Format, tuning: Tuning) -> Self {
        let matrix = Matrix::from_csr(A, format).expect("a small square matrix");
        let diagonal = vec![S::one(); A.rows()];
        let of = |layout: Layout<'_>| Map {
            protocol: layout.protocol,
            source: layout.source,
            words: Vec::new(),
            shape: layout.shape,
            bytes: layout.bytes,
            lanes: layout.lanes,
            buffers: Vec::new(),
        };
        Self([of(Layout::of_matrix(&matrix, &tuning).expect("a legal format")), of(Layout::of_diagonal(&diagonal))])
    }

    fn form(&self, kind: ScalarKind) -> Form {
        let by_rows = self.0[0].protocol == Protocol::Rows;
        let usual = Form::usual(kind, by_rows);
        if by_rows { usual.residing(kind, 1024) } else { usual }
    }
}

impl Place for Paper {
    fn loaded(&self, A: MapId) -> &Map {
        &self.0[A.0]
    }
    fn length(&self, _: VectorId) -> usize {
        self.0[0].shape.0
    }
}
