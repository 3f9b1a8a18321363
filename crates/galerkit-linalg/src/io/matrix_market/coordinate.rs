//! The body of a coordinate file: lines "row column value" become triples, a stored triangle becomes the full matrix.
//!
//! The format asks for the lower triangle. A file that keeps the upper one instead is just as clear and is accepted; so
//! is one with entries on both sides, unless the two of a pair differ: nobody can say then whether they are to be
//! summed.

use super::body::{self, Fault, Piece, Placed};
use super::complain::{complaint, is_empty_line, split_line};
use super::halves;
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

/// What was read.
pub(super) struct Read<S> {
    pub(super) A: Csr<S>,
    /// How many duplicates were summed.
    pub(super) duplicates: usize,
    /// Whether one triangle was promised and both were there.
    pub(super) has_both_triangles: bool,
}

/// Reads all entries.
pub(super) fn read<S: Scalar>(input: &mut Input, header: &Header, header_lines: usize) -> Result<Read<S>> {
    if input.text_bytes().is_some() {
        if let Some(entries) = ordered::read(input, header) {
            return Ok(Read { A: entries.into_csr(header), duplicates: 0, has_both_triangles: false });
        }
        *input = input.again()?;
        super::header::read(input)?;
    }
    read_any_order(input, header, header_lines)
}

fn read_any_order<S: Scalar>(input: &mut Input, header: &Header, header_lines: usize) -> Result<Read<S>> {
    let mirrored = if header.symmetry == Symmetry::General { 1 } else { 2 };
    let buckets = Buckets::new(header.rows, header.stored.saturating_mul(mirrored));
    let pieces = body::parse(input, header_lines, |text| triples::<S>(header, &buckets, text))?;
    body::check_count(input, header_lines, header.stored, &pieces)?;
    let both = both_triangles(&pieces);
    super::header::check_plausible(input, header_lines, header.rows)?;
    let sorted: Vec<Sorted<S>> = pieces.into_iter().map(|placed| placed.piece.sorted).collect();
    let (A, duplicates) = buckets.into_csr(header.rows, header.cols, &sorted);
    match both {
        // Some were summed that may be a pair.
        Some(places) if duplicates > 0 => join_halves(input, header, header_lines, places),
        both => Ok(Read { A, duplicates, has_both_triangles: both.is_some() }),
    }
}

/// The first entry below and the first above the diagonal, where there are both.
fn both_triangles<S>(pieces: &[Placed<Triples<S>>]) -> Option<[Place; 2]> {
    let first = |side: fn(&Triples<S>) -> Option<Place>| {
        pieces.iter().find_map(|p| side(&p.piece).map(|place| Place { line: p.above + place.line, ..place }))
    };
    Some([first(|piece| piece.lower)?, first(|piece| piece.upper)?])
}

/// Reads the file once more as it stands, and takes pairs for one entry; those that differ are an error, as is a file
/// that cannot be read again.
fn join_halves<S: Scalar>(
    input: &Input,
    header: &Header,
    header_lines: usize,
    [lower, upper]: [Place; 2],
) -> Result<Read<S>> {
    let (one, other) = if lower.line < upper.line { (lower, upper) } else { (upper, lower) };
    let side = if lower.line < upper.line { "below" } else { "above" };
    let refuse = |found: String| {
        let (first, name) = (one.line, header.symmetry.name());
        let expected = format!(
            "entries {side} the diagonal only, as on line {first}, or the same on both sides: the file is {name}"
        );
        Err(input.error(other.line, expected, found))
    };
    if input.text_bytes().is_none() {
        return refuse(format!("row {}, column {}", other.row + 1, other.col + 1));
    }
    let mut again = input.again()?;
    super::header::read(&mut again)?;
    let listed = Header { symmetry: Symmetry::General, ..header.clone() };
    let Read { A, duplicates, .. } = read_any_order::<S>(&mut again, &listed, header_lines)?;
    match halves::join(&A, header.symmetry) {
        Ok(A) => Ok(Read { A, duplicates, has_both_triangles: true }),
        Err((i, j)) => refuse(format!("different numbers at row {}, column {}, and at its image", i + 1, j + 1)),
    }
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
