//! Would 16 bits do for the inner solve of hybrid precision? The values of its matrix and of its preconditioner are
//! rounded to f16 or bf16 and stored in f32 again, so that arithmetic and vectors are those of a kernel that stores 16
//! bits and computes with 32; iterations are counted, bytes are what such a kernel would move. docs/preconditioning.md
//! has the table: `cargo run --release -p galerkit-bench --example storage-of-16-bits -- ../shared/data` (without a
//! folder: two grids).
#![allow(non_snake_case)]

use galerkit::family::method_properties;
use galerkit::linalg::backend::Cpu;
use galerkit::linalg::engine::{Engine, Immediate, Operator};
use galerkit::linalg::krylov::{Inner, InnerMethod, Reference, Stop, inner_stop, verified, vpgcr};
use galerkit::linalg::map::{Diagonal, InSingle};
use galerkit::linalg::precond::Factors;
use galerkit::linalg::precond::{Class, Factorisation, Prepared};
use galerkit::linalg::program::Precision as Stored;
use galerkit::linalg::sparse::Matrix;
use galerkit::prelude::*;
use galerkit::{Result, Rhs};

/// How values are stored: bits of the significand, the least exponent, the largest number.
const STORAGES: [(&str, i32, i32, f64); 3] =
    [("f32", 24, -126, f32::MAX as f64), ("f16", 11, -14, 65504.0), ("bf16", 8, -126, 3.3895e38)];

/// Tolerances of inner solves: that of `--precision hybrid` for 1e-8, and looser ones, as rounding makes the matrix
/// another.
const TOLERANCES: [f64; 4] = [5e-5, 1e-3, 1e-2, 1e-1];

const GRIDS: [(&str, &str, &str); 2] =
    [("gallery:poisson2d?n=100", "cg", "jacobi"), ("gallery:tetra?n=16", "cg", "jacobi")];
const FILES: [(&str, &str, &str); 13] = [
    ("suitesparse/bcsstk16.mtx.gz", "cg", "jacobi"),
    ("suitesparse/bcsstk14.mtx.gz", "cg", "jacobi"),
    ("fem_systems/fasp_FE.mtx.gz", "cg", "jacobi"),
    ("fem_systems/ani4.mtx.gz", "cg", "jacobi"),
    ("suitesparse/nos5.mtx.gz", "cg", "jacobi"),
    ("suitesparse/662_bus.mtx.gz", "cg", "jacobi"),
    ("suitesparse/1138_bus.mtx.gz", "cg", "jacobi"),
    ("suitesparse/bcsstk16.mtx.gz", "cg", "ic0"),
    ("suitesparse/jpwh_991.mtx.gz", "bicgstab", "jacobi"),
    ("suitesparse/watt_1.mtx.gz", "bicgstab", "ilu0"),
    ("complex/helmholtz_2D_dg.mtx.gz", "bicgstab", "ilu0"),
    ("suitesparse/epb0.mtx.gz", "bicgstab", "ilu0"),
    ("suitesparse/sherman3.mtx.gz", "bicgstab", "jacobi"),
];

fn main() -> Result<()> {
    println!("| matrix | method | f64 | f32 | bytes | work | f16 | bytes | work | bf16 | bytes | work |");
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (name, method, precond) in GRIDS {
        study(name, method, precond)?;
    }
    if let Some(folder) = std::env::args().nth(1) {
        study("gallery:poisson3d?n=30&stencil=27", "cg", "jacobi")?;
        for (name, method, precond) in FILES {
            study(&format!("{folder}/{name}"), method, precond)?;
        }
    }
    Ok(())
}

fn study(name: &str, method: &str, precond: &str) -> Result<()> {
    let short = name.rsplit('/').next().unwrap_or(name).trim_end_matches(".mtx.gz");
    match galerkit::load(name)?.matrix {
        AnyMatrix::C64(A) => rows(short, &A, method.parse()?, precond.parse()?),
        other => rows(short, &other.into_real()?, method.parse()?, precond.parse()?),
    }
}

/// A tolerance; inner iterations, inner solves, and whether that was enough.
type Tried = (f64, (usize, usize, bool));

/// One row: for each storage the tolerance of inner solves with which it does the least work, of the same few for all;
/// in brackets the work with the first of them. Work is bytes moved, relative to the method in double precision; an
/// outer step counts as one iteration of that.
fn rows<S: Scalar>(name: &str, A: &Csr<S>, method: Krylov, precond: Preconditioner) -> Result<()> {
    let rhs = if method == Krylov::Bicgstab { Rhs::Ones } else { Rhs::Random { seed: 1 } };
    let b: Vec<S> = rhs.entries(A.rows())?;
    let solver = Solver::new().method(method).preconditioner(precond).ordering(Ordering::Natural);
    let solver = solver.format(Format::Csr);
    let double = solver.solve(A, &b)?.report.iterations;
    let Some(inner) = solver.precision(Precision::Hybrid).solve(A, &b)?.report.inner else {
        println!("| {name} | {method} + {precond} | {double} | single precision gave up |");
        return Ok(());
    };
    let M = precond.prepare(A, Class::of(method))?;
    let (single, full) = (inner.iteration_bytes.unwrap_or(0) as f64, inner.full_iteration_bytes.unwrap_or(1) as f64);
    let factors = match &M {
        Prepared::Map(map) if map.known::<Factors<S>>().is_some() => map.known::<Factors<S>>().map_or(0, Factors::nnz),
        _ => A.rows(), // a diagonal
    };
    let saved = (method_properties(method).products * (A.nnz() + factors) * size_of::<S::Single>() / 2) as f64;
    let cells = STORAGES.map(|storage| {
        let bytes = if storage.0 == "f32" { single / full } else { (single - saved) / full };
        let tried = TOLERANCES.map(|rtol| (rtol, hybrid(A, &M, &b, method, storage, rtol)));
        if storage.0 == "f32" {
            assert_eq!(tried[0].1.0, inner.iterations, "{name}: what is simulated here is what `Solver` does");
        }
        let work = |count: usize, solves: usize| (count as f64 * bytes + solves as f64) / double as f64;
        let of =
            |(_, (count, solves, converged)): &Tried| if *converged { work(*count, *solves) } else { f64::INFINITY };
        let own = if of(&tried[0]).is_finite() { format!("{:.2}", of(&tried[0])) } else { "-".into() };
        let best = tried.iter().filter(|tried| of(tried).is_finite()).min_by(|a, b| of(a).total_cmp(&of(b)));
        best.map_or("gave up | | ".into(), |tried @ (rtol, (count, solves, _))| {
            format!("{count} in {solves} to {rtol:.0e} | {bytes:.2} | {:.2} ({own})", of(tried))
        })
    });
    println!("| {name} | {method} + {precond} | {double} | {} |", cells.join(" | "));
    Ok(())
}

/// Inner iterations and solves of `--precision hybrid` to 1e-8, and whether that was reached.
fn hybrid<S: Scalar>(
    A: &Csr<S>,
    M: &Prepared<S>,
    b: &[S],
    method: Krylov,
    storage: (&str, i32, i32, f64),
    rtol: f64,
) -> (usize, usize, bool) {
    let scale: Vec<f64> = A.diagonal().iter().map(|d| power(d.parts().0.hypot(d.parts().1))).collect();
    let low = matrix(A, &scale, storage);
    let M = preconditioner(M, &scale, storage);
    let e = &mut Immediate::<S, _>::new(Cpu);
    let outer_A = e.load(Box::new(Matrix::Csr(A.clone())));
    let inner_A = e.load(Box::new(InSingle::<S>(Box::new(Matrix::Csr(low)))));
    let norm = b.iter().map(|value| value.modulus_squared().parts().0).sum::<f64>().sqrt();
    let (b, mut x) = (e.upload(b), e.upload(&vec![S::zero(); A.rows()]));
    let M = M.load(e, &inner_A, Stored::Single);
    // As `Solver` does for a tolerance of 1e-8: the last solve goes only as far as it must.
    let limit = (10 * A.rows() + 1000).min(1250);
    let unit = (1e-4 * norm).log2().round().exp2();
    let ends = Stop { atol: 0.7e-8 * norm / unit, ..inner_stop(rtol, limit) };
    let method = InnerMethod::krylov(method).expect("cg and bicgstab can be inside");
    type E<S> = Immediate<S, Cpu>;
    let solve = |e: &mut E<S>, r: &<E<S> as Engine>::Vector, z: &mut <E<S> as Engine>::Vector| {
        method.run(e, &inner_A, &*M, r, z, &ends)
    };
    let inner = Inner::new(e, &b, Stored::Single, Box::new(solve)).giving_up().within(5000).in_units_of(unit);
    let stop =
        Stop { rtol: 1e-8, limit: 10_000, replacement: 50, reference: Reference::Given(norm), ..Stop::default() };
    let outside = |e: &mut E<S>, A: &dyn Operator<E<S>>, M: &dyn Operator<E<S>>, b: &_, x: &mut _, stop: &Stop| {
        vpgcr(e, (8, inner.failures()), A, M, b, x, stop)
    };
    let found = verified(e, &outside, &outer_A, &inner, &b, &mut x, &stop);
    (inner.iterations(e), inner.solves(e), found.run.outcome.converged())
}

/// The power of two that brings a diagonal entry to about 1 from both sides, as a kernel would keep it with a row.
fn power(size: f64) -> f64 {
    if size > 0.0 { (-0.5 * size.log2()).round().exp2() } else { 1.0 }
}

/// Rounds to a storage.
fn stored(value: f64, (_, bits, least, most): (&str, i32, i32, f64)) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let exponent = (value.abs().log2().floor() as i32).max(least);
    let step = f64::from(exponent - bits + 1).exp2();
    let rounded = (value / step).round_ties_even() * step;
    if rounded.abs() > most { f64::INFINITY } else { rounded }
}

/// A number that is stored scaled; in single precision what a kernel makes of it.
fn number<S: Scalar>(value: S, scale: f64, storage: (&str, i32, i32, f64)) -> S::Single {
    let (re, im) = value.parts();
    S::Single::from_parts(stored(re * scale, storage) / scale, stored(im * scale, storage) / scale)
}

fn matrix<S: Scalar>(A: &Csr<S>, scale: &[f64], storage: (&str, i32, i32, f64)) -> Csr<S::Single> {
    let mut low = A.map_values(S::to_single);
    for i in 0..A.rows() {
        for k in A.range(i) {
            low.val_mut()[k] = number(A.val()[k], scale[i] * scale[A.col()[k] as usize], storage);
        }
    }
    low
}

/// The diagonal, or factors scaled as those of the scaled matrix are.
fn preconditioner<S: Scalar>(M: &Prepared<S>, scale: &[f64], storage: (&str, i32, i32, f64)) -> Prepared<S> {
    let Prepared::Map(map) = M else { panic!("the table has diagonals and factors") };
    if let Some(diagonal) = map.known::<Diagonal<S>>() {
        let entries = diagonal.values().iter().zip(scale).map(|(&d, s)| S::widen(number(d, 1.0 / (s * s), storage)));
        return Prepared::Map(Box::new(Diagonal::new(entries.collect())));
    }
    let factors = map.known::<Factors<S>>().expect("the table has diagonals and factors");
    let mut low = factors.clone();
    let is_ilu = factors.kind() == Factorisation::Ilu;
    let wide = |numbers: Vec<S::Single>| -> Vec<S> { numbers.into_iter().map(S::widen).collect() };
    let below = triangle(factors.lower(), storage, |i, j| if is_ilu { scale[i] / scale[j] } else { scale[i] });
    let above = triangle(factors.upper(), storage, |i, j| if is_ilu { scale[i] * scale[j] } else { scale[j] });
    let each = |(&d, s): (&S, &f64)| S::widen(number(d, if is_ilu { 1.0 / (s * s) } else { 1.0 / s }, storage));
    let inverse: Vec<S> = factors.inverse().iter().zip(scale).map(each).collect();
    low.set_numbers(&wide(below), &wide(above), &inverse).expect("patterns are the same");
    Prepared::Map(Box::new(low))
}

fn triangle<S: Scalar>(
    T: &Csr<S>,
    storage: (&str, i32, i32, f64),
    scale: impl Fn(usize, usize) -> f64,
) -> Vec<S::Single> {
    let row = |i: usize| T.row(i).map(move |(j, value)| (i, j, value));
    (0..T.rows()).flat_map(row).map(|(i, j, value)| number(value, scale(i, j), storage)).collect()
}
