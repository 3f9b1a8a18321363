//! The body of an array file: one value a line, column by column; of a symmetric matrix the lower triangle only.
//! The result is a CSR matrix that holds every entry, zeros included, because a dense file states each of them.
//!
//! ```text
//! [ 1 2 4 ]    symmetric   1 2 4 3 5 6      skew-symmetric (without the diagonal)   2 4 5
//! [ 2 3 5 ]
//! [ 4 5 6 ]
//! ```

use super::body::{self, Fault, Piece};
use super::complain::{complaint, is_empty_line, split_line};
use super::header::{Field, Header, Symmetry};
use super::input::Input;
use super::line::check_diagonal;
use super::numbers::{gap, integer, line_end, real, skip_blanks};
use crate::error::Result;
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// Values of one block.
struct Values<S> {
    values: Vec<S>,
    skipped: Vec<u32>,
}

impl<S: Scalar> Piece for Values<S> {
    fn entries(&self) -> usize {
        self.values.len()
    }
    fn skipped(&self) -> &[u32] {
        &self.skipped
    }
}

/// Reads all values into a matrix that stores every one of them.
pub(super) fn read<S: Scalar>(input: &mut Input, header: &Header, header_lines: usize) -> Result<Csr<S>> {
    let pieces = body::parse(input, header_lines, |text| values::<S>(header, text))?;
    body::check_count(input, header_lines, header.stored, &pieces)?;
    super::header::check_plausible(input, header_lines, header.rows)?;
    let values: Vec<S> = pieces.iter().flat_map(|placed| &placed.piece.values).copied().collect();
    if header.symmetry == Symmetry::Hermitian {
        for i in 0..header.rows {
            let k = position(header, i, i);
            let line = || body::line_of_entry(&pieces, k);
            check_diagonal(header.symmetry, 0, values[k]).map_err(|e| input.error(line(), e.expected, e.found))?;
        }
    }
    Ok(expand(header, values))
}

fn values<S: Scalar>(header: &Header, mut text: &[u8]) -> std::result::Result<Values<S>, Fault> {
    let mut found = Values { values: Vec::with_capacity(text.len() / 8), skipped: Vec::new() };
    let mut line = 0;
    while !text.is_empty() {
        line += 1;
        if let Some((value, rest)) = value(text, header.field) {
            found.values.push(value);
            text = rest;
            continue;
        }
        let (this, rest) = split_line(text);
        if !is_empty_line(this) {
            return Err(complaint(header, line, this));
        }
        found.skipped.push(line as u32);
        text = rest;
    }
    Ok(found)
}

#[inline(always)]
fn value<S: Scalar>(text: &[u8], field: Field) -> Option<(S, &[u8])> {
    let text = skip_blanks(text);
    let (re, im, rest) = match field {
        Field::Integer => integer(text).map(|(re, rest)| (re, 0.0, rest))?,
        Field::Complex => {
            let (re, rest) = real(text)?;
            let (im, rest) = real(gap(rest)?)?;
            (re, im, rest)
        }
        Field::Real | Field::Pattern => real(text).map(|(re, rest)| (re, 0.0, rest))?,
    };
    Some((S::from_parts(re, im), line_end(rest)?))
}

/// Where (i, j), on or below the diagonal, stands in the list; general matrices list both triangles.
fn position(header: &Header, i: usize, j: usize) -> usize {
    let full = j * header.rows + i;
    match header.symmetry {
        Symmetry::General => full,
        Symmetry::Symmetric | Symmetry::Hermitian => full - j * (j + 1) / 2,
        Symmetry::SkewSymmetric => full - j * (j + 1) / 2 - (j + 1),
    }
}

fn entry<S: Scalar>(header: &Header, values: &[S], i: usize, j: usize) -> S {
    let mirrored = || values[position(header, j, i)];
    match header.symmetry {
        Symmetry::SkewSymmetric if i == j => S::zero(),
        Symmetry::Symmetric if i < j => mirrored(),
        Symmetry::SkewSymmetric if i < j => -mirrored(),
        Symmetry::Hermitian if i < j => mirrored().conj(),
        _ => values[position(header, i, j)],
    }
}

fn expand<S: Scalar>(header: &Header, values: Vec<S>) -> Csr<S> {
    let (rows, cols) = (header.rows, header.cols);
    let start = (0..=rows as u64).map(|i| i * cols as u64).collect();
    let count = rows * cols; // a general file lists that many, and a triangle at least a third of them
    let col = (0..count).map(|k| (k % cols) as u32).collect();
    if cols == 1 && header.symmetry == Symmetry::General {
        return Csr::from_parts_trusted(cols, start, col, values);
    }
    let mut val = vec![S::zero(); count];
    let width = cols.max(1);
    parallel::each_chunk(&mut val, width * (4096 / width).max(1), &|first, part| {
        for (i, row) in (first / width..).zip(part.chunks_mut(width)) {
            row.iter_mut().enumerate().for_each(|(j, slot)| *slot = entry(header, &values, i, j));
        }
    });
    Csr::from_parts_trusted(cols, start, col, val)
}
