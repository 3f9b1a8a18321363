//! The body of a coordinate file: lines "row column value" become triples, a stored triangle becomes the full matrix.
//!
//! The format asks for the lower triangle. A file that keeps the upper one instead is just as clear and is accepted;
//! one with entries on both sides is not, because nobody can say whether they are to be summed.

use super::body::{self, Fault, Piece, Placed};
use super::complain::{complaint, is_empty_line, split_line};
use super::header::{Header, Symmetry};
use super::input::Input;
use super::line::{Before, check_diagonal};
use super::ordered;
use super::sort::{Buckets, Entry, Sorted};
use crate::error::Result;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// Entries of one block.
struct Triples<S> {
    sorted: Sorted<S>,
    entries: usize,
    skipped: Vec<u32>,
    lower: Option<Place>,
    upper: Option<Place>,
}

/// An entry off the diagonal; the line is counted in its block.
#[derive(Clone, Copy)]
struct Place {
    line: usize,
    row: u32,
    col: u32,
}

impl<S: Scalar> Piece for Triples<S> {
    fn entries(&self) -> usize {
        self.entries
    }
    fn skipped(&self) -> &[u32] {
        &self.skipped
    }
}

/// Reads all entries; also says how many duplicates were summed.
pub(super) fn read<S: Scalar>(input: &mut Input, header: &Header, header_lines: usize) -> Result<(Csr<S>, usize)> {
    if input.text_bytes().is_some() {
        if let Some(entries) = ordered::read(input, header) {
            return Ok((entries.into_csr(header), 0));
        }
        *input = input.again()?;
        super::header::read(input)?;
    }
    read_any_order(input, header, header_lines)
}

fn read_any_order<S: Scalar>(input: &mut Input, header: &Header, header_lines: usize) -> Result<(Csr<S>, usize)> {
    let mirrored = if header.symmetry == Symmetry::General { 1 } else { 2 };
    let buckets = Buckets::new(header.rows, header.stored.saturating_mul(mirrored));
    let pieces = body::parse(input, header_lines, |text| triples::<S>(header, &buckets, text))?;
    body::check_count(input, header_lines, header.stored, &pieces)?;
    check_one_triangle(input, header, &pieces)?;
    super::header::check_plausible(input, header_lines, header.rows)?;
    let sorted: Vec<Sorted<S>> = pieces.into_iter().map(|placed| placed.piece.sorted).collect();
    Ok(buckets.into_csr(header.rows, header.cols, &sorted))
}

fn check_one_triangle<S>(input: &Input, header: &Header, pieces: &[Placed<Triples<S>>]) -> Result<()> {
    let first = |side: fn(&Triples<S>) -> Option<Place>| {
        pieces.iter().find_map(|p| side(&p.piece).map(|place| Place { line: p.above + place.line, ..place }))
    };
    let (Some(lower), Some(upper)) = (first(|piece| piece.lower), first(|piece| piece.upper)) else { return Ok(()) };
    let (one, other) = if lower.line < upper.line { (lower, upper) } else { (upper, lower) };
    let side = if lower.line < upper.line { "below" } else { "above" };
    let expected =
        format!("entries {side} the diagonal only, as on line {}: the file is {}", one.line, header.symmetry.name());
    Err(input.error(other.line, expected, format!("row {}, column {}", other.row + 1, other.col + 1)))
}

fn triples<S: Scalar>(header: &Header, buckets: &Buckets, mut text: &[u8]) -> std::result::Result<Triples<S>, Fault> {
    let mut collect = Collect::new(header, text.len());
    let (mut line, mut before) = (0, Before::NOTHING);
    while !text.is_empty() {
        line += 1;
        match before.entry(text, header.field) {
            Some((row, col, val, rest)) if collect.inside(row, col) => {
                collect.place(line, Entry { row: row - 1, col: col - 1, val })?;
                text = rest;
            }
            _ => {
                let (this, rest) = split_line(text);
                if !is_empty_line(this) {
                    return Err(complaint(header, line, this));
                }
                collect.skipped.push(line as u32);
                text = rest;
            }
        }
    }
    let entries = line - collect.skipped.len();
    let Collect { skipped, lower, upper, found, .. } = collect;
    Ok(Triples { sorted: buckets.sort(found), entries, skipped, lower, upper })
}

/// Collects the entries of a block, mirrored where the symmetry says so.
struct Collect<S> {
    rows: u32,
    cols: u32,
    symmetry: Symmetry,
    found: Vec<Entry<S>>,
    skipped: Vec<u32>,
    lower: Option<Place>,
    upper: Option<Place>,
}

impl<S: Scalar> Collect<S> {
    fn new(header: &Header, bytes: usize) -> Self {
        let found = Vec::with_capacity(bytes / if header.symmetry == Symmetry::General { 12 } else { 6 });
        let (rows, cols) = (header.rows as u32, header.cols as u32); // checked by the size line
        Self { rows, cols, symmetry: header.symmetry, found, skipped: Vec::new(), lower: None, upper: None }
    }

    #[inline(always)]
    fn inside(&self, row: u32, col: u32) -> bool {
        row.wrapping_sub(1) < self.rows && col.wrapping_sub(1) < self.cols
    }

    #[inline(always)]
    fn place(&mut self, line: usize, entry: Entry<S>) -> std::result::Result<(), Fault> {
        self.found.push(entry);
        if self.symmetry == Symmetry::General { Ok(()) } else { self.mirror(line, entry) }
    }

    fn mirror(&mut self, line: usize, entry: Entry<S>) -> std::result::Result<(), Fault> {
        let Entry { row, col, val } = entry;
        if row == col {
            return check_diagonal(self.symmetry, line, val);
        }
        let side = if row > col { &mut self.lower } else { &mut self.upper };
        side.get_or_insert(Place { line, row, col });
        self.found.push(Entry { row: col, col: row, val: self.symmetry.image(val) });
        Ok(())
    }
}
