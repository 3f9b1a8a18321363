//! One line of a coordinate file, and what the symmetry of the file demands of it.

use super::body::Fault;
use super::header::{Field, Symmetry};
use super::numbers::{Repeated, gap, index, integer, line_end, real, skip_blanks};
use crate::scalar::Scalar;

/// Row and column of the line before.
pub(super) struct Before {
    row: Repeated,
    col: Repeated,
}

impl Before {
    pub(super) const NOTHING: Self = Self { row: Repeated::NOTHING, col: Repeated::NOTHING };

    /// One line: 1-based row and column, value, and the text after the line.
    #[inline(always)]
    pub(super) fn entry<'a, S: Scalar>(&mut self, text: &'a [u8], field: Field) -> Option<(u32, u32, S, &'a [u8])> {
        let (row, rest) = self.row.next(skip_blanks(text))?;
        if field == Field::Pattern {
            let (col, rest) = index(rest)?;
            return Some((row, col, S::one(), line_end(rest)?));
        }
        let (col, rest) = self.col.next(rest)?;
        let (re, im, rest) = match field {
            Field::Integer => integer(rest).map(|(re, rest)| (re, 0.0, rest))?,
            Field::Complex => {
                let (re, rest) = real(rest)?;
                let (im, rest) = real(gap(rest)?)?;
                (re, im, rest)
            }
            Field::Real | Field::Pattern => real(rest).map(|(re, rest)| (re, 0.0, rest))?,
        };
        Some((row, col, S::from_parts(re, im), line_end(rest)?))
    }
}

/// A diagonal entry equals its own mirror image: zero when skew-symmetric, real when Hermitian.
pub(super) fn check_diagonal<S: Scalar>(symmetry: Symmetry, line: usize, val: S) -> std::result::Result<(), Fault> {
    let expected = match symmetry {
        Symmetry::SkewSymmetric if val != S::zero() => "zero on the diagonal: the file is skew-symmetric",
        Symmetry::Hermitian if val.parts().1 != 0.0 => "a real number on the diagonal: the file is hermitian",
        _ => return Ok(()),
    };
    Err(Fault { line, expected: expected.into(), found: val.to_string() })
}
