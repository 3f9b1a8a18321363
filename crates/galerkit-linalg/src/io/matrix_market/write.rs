//! Writing: entries row by row, numbers in the shortest decimal form that reads back to the same bits.
//! A name that ends in `.gz` is packed. Lines are formatted in parallel and written in order.

use super::header::{Field, Symmetry};
use crate::error::{Error, Result};
use crate::io::atomic_write;
use crate::parallel;
use crate::scalar::{Scalar, ScalarKind, per_scalar};
use crate::sparse::Csr;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

/// Writes a coordinate file with the given comment lines. Any symmetry but general stores the lower triangle only and
/// is an error when the matrix does not have it exactly; a skew-symmetric file leaves out the (zero) diagonal.
pub fn write_matrix<S: Scalar>(
    path: impl AsRef<Path>,
    A: &Csr<S>,
    symmetry: Symmetry,
    comments: &[&str],
) -> Result<()> {
    write_coordinates(path.as_ref(), A, symmetry, comments)
}

/// Writes a vector as an array file with one column.
pub fn write_vector<S: Scalar>(path: impl AsRef<Path>, x: &[S], comments: &[&str]) -> Result<()> {
    write_array(path.as_ref(), x, comments)
}

per_scalar! {
    fn write_coordinates<S>(path: &Path, A: &Csr<S>, symmetry: Symmetry, comments: &[&str]) -> Result<()> = coordinates;
    fn write_array<S>(path: &Path, x: &[S], comments: &[&str]) -> Result<()> = array;
}

fn coordinates<S: Scalar>(path: &Path, A: &Csr<S>, symmetry: Symmetry, comments: &[&str]) -> Result<()> {
    check_symmetry(A, symmetry)?;
    let in_row = |i: usize| A.row(i).filter(|e| kept(symmetry, i, e.0)).count();
    let stored: usize = parallel::collect(A.rows(), &in_row).iter().sum();
    let size = format!("{} {} {}", A.rows(), A.cols(), stored);
    let head = head(S::KIND, ["coordinate", symmetry.name()], comments, &size);
    write_file(path, &head, &|writer| {
        write_lines(writer, A.rows(), &|i, text| {
            for (j, v) in A.row(i).filter(|e| kept(symmetry, i, e.0)) {
                let _ = write!(text, "{} {} ", i + 1, j + 1); // a String takes everything
                push_scalar(text, v);
            }
        })
    })
}

fn array<S: Scalar>(path: &Path, x: &[S], comments: &[&str]) -> Result<()> {
    let size = format!("{} 1", x.len());
    let head = head(S::KIND, ["array", Symmetry::General.name()], comments, &size);
    write_file(path, &head, &|writer| write_lines(writer, x.len(), &|i, text| push_scalar(text, x[i])))
}

/// Whether a file of this symmetry stores (i, j).
fn kept(symmetry: Symmetry, i: usize, j: usize) -> bool {
    match symmetry {
        Symmetry::General => true,
        Symmetry::Symmetric | Symmetry::Hermitian => j <= i,
        Symmetry::SkewSymmetric => j < i,
    }
}

fn check_symmetry<S: Scalar>(A: &Csr<S>, symmetry: Symmetry) -> Result<()> {
    if symmetry == Symmetry::General {
        return Ok(());
    }
    A.require_square("writing one triangle")?;
    if symmetry == Symmetry::Hermitian && !S::KIND.is_complex() {
        let (value, expected) = (symmetry.name().into(), "a real matrix is written as symmetric");
        return Err(Error::InvalidParameter { name: "symmetry", value, expected });
    }
    for i in 0..A.rows() {
        for (j, v) in A.row(i) {
            if !A.get(j, i).is_some_and(|other| same(symmetry.image(other), v)) {
                let place = format!("row {}, column {}", i + 1, j + 1);
                let problem = format!("the matrix is not {}: write it as general", symmetry.name());
                return Err(Error::InvalidStructure { place, problem });
            }
        }
    }
    Ok(())
}

/// Equal, NaN being equal to NaN.
fn same<S: Scalar>(a: S, b: S) -> bool {
    let part = |a: f64, b: f64| a == b || a.is_nan() && b.is_nan();
    part(a.parts().0, b.parts().0) && part(a.parts().1, b.parts().1)
}

/// Everything above the entries.
fn head(kind: ScalarKind, [layout, symmetry]: [&str; 2], comments: &[&str], size: &str) -> String {
    let field = if kind.is_complex() { Field::Complex } else { Field::Real };
    let mut head = format!("%%MatrixMarket matrix {layout} {} {symmetry}\n", field.name());
    for line in comments.iter().flat_map(|comment| comment.lines()) {
        head.extend(["% ", line, "\n"]);
    }
    head.extend([size, "\n"]);
    head
}

fn write_file(path: &Path, head: &str, body: &dyn Fn(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    atomic_write(path, |writer| {
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
            let mut packed = GzEncoder::new(writer, Compression::default());
            packed.write_all(head.as_bytes())?;
            body(&mut packed)?;
            packed.finish()?;
            Ok(())
        } else {
            writer.write_all(head.as_bytes())?;
            body(writer)
        }
    })
}

/// Formats rows in parallel, a bounded number at a time, and writes them in order.
fn write_lines(writer: &mut dyn Write, rows: usize, format: &(dyn Fn(usize, &mut String) + Sync)) -> io::Result<()> {
    const BLOCK: usize = 1 << 12;
    let together = BLOCK * 4 * rayon::current_num_threads();
    for first in (0..rows).step_by(together) {
        let end = rows.min(first + together);
        let texts = parallel::values((end - first).div_ceil(BLOCK), &|block| {
            let (begin, mut text) = (first + block * BLOCK, String::new());
            (begin..end.min(begin + BLOCK)).for_each(|i| format(i, &mut text));
            text
        });
        texts.iter().try_for_each(|text| writer.write_all(text.as_bytes()))?;
    }
    Ok(())
}

/// The numbers of one scalar and the end of the line.
fn push_scalar<S: Scalar>(text: &mut String, value: S) {
    let (re, im) = value.parts();
    push_real(text, S::KIND, re);
    if S::KIND.is_complex() {
        text.push(' ');
        push_real(text, S::KIND, im);
    }
    text.push('\n');
}

fn push_real(text: &mut String, kind: ScalarKind, value: f64) {
    let begin = text.len();
    if matches!(kind, ScalarKind::F32 | ScalarKind::C32) {
        push_shortest(text, value as f32, value);
        // Read back as a double and then rounded to single, the short form may, very rarely, miss by one bit.
        if value.is_nan() || text[begin..].parse().is_ok_and(|back: f64| back as f32 == value as f32) {
            return;
        }
        text.truncate(begin);
    }
    push_shortest(text, value, value);
}

/// Rust prints the shortest digits that read back to the same number; exponents keep the text short as well.
fn push_shortest(text: &mut String, number: impl std::fmt::Display + std::fmt::LowerExp, value: f64) {
    let plain = value == 0.0 || !value.is_finite() || (1e-5..1e16).contains(&value.abs());
    let _ = if plain { write!(text, "{number}") } else { write!(text, "{number:e}") }; // a String takes everything
}
