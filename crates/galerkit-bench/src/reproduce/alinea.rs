//! Source 002 (Magoulès, Cheik Ahamed, Putanowicz 2014), figures 7 to 14: vector operations, SpMV, conjugate gradients
//! and ORTHODIR, real and complex, in single and double precision, in two and three dimensions, over the size; on a GPU
//! also the launch that a rule takes against a fixed one.
//!
//! | file | what |
//! |---|---|
//! | [`problem`] | Laplace and Helmholtz matrices of linear elements |
//! | [`operation`] | what is timed, and how |
//! | [`published`] | the ratios that the source states |

pub mod operation;
pub mod problem;
pub mod published;

use super::place::Place;
use crate::Result;
use galerkit::on_threads;
use operation::{Operation, measured};
use problem::{Kind, Problem};
use serde::Serialize;

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The figure of the source.
    pub figure: usize,
    /// axpy, dot, norm, SpMV, an iteration of CG or ORTHODIR.
    pub operation: String,
    /// f32, f64, c32 or c64.
    pub scalar: &'static str,
    /// 2 or 3.
    pub dimension: usize,
    /// Unknowns.
    pub unknowns: usize,
    /// Where.
    pub place: String,
    /// Seconds of one.
    pub seconds: f64,
    /// One core of the same run takes so many times as long.
    pub speedup: Option<f64>,
    /// The largest ratio that the source states for this curve.
    pub published: Option<f64>,
}

/// A size of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Scalars.
    pub kind: Kind,
    /// 2 or 3.
    pub dimension: usize,
    /// Cells along each side.
    pub side: usize,
}

/// Times every operation of a case, whose problem is given, in every place; one core comes first, the others are
/// related to it.
///
/// # Errors
/// If a matrix cannot be stored, or a device fails.
pub fn measure(case: Case, problem: &Problem, places: &[Place], repetitions: usize) -> Result<Vec<Row>> {
    let A = problem.matrix(case.kind);
    let mut rows: Vec<Row> = Vec::new();
    for &place in places {
        for operation in Operation::of(case, place) {
            let seconds = on_threads(place.threads, || Ok(measured(&A, operation, place.device, repetitions)))??;
            let name = operation.to_string();
            let base = rows.iter().find(|row| row.operation == operation.base_name()).map(|row| row.seconds);
            rows.push(Row {
                figure: operation.figure(case),
                operation: name,
                scalar: case.kind.name(),
                dimension: case.dimension,
                unknowns: A.rows(),
                place: place.to_string(),
                seconds,
                speedup: base.map(|base| base / seconds),
                published: published::ratio(operation, case),
            });
        }
    }
    Ok(rows)
}
