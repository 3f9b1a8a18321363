//! The banner, the comments and the size line.
//!
//! ```text
//! %%MatrixMarket matrix coordinate real symmetric     layout, field, symmetry; in any case; one % is tolerated
//! % comments and blank lines
//! 5 5 8                                               rows, columns and, for coordinate, stored entries
//! ```

use super::input::Input;
use super::numbers;
use crate::error::Result;
use crate::scalar::Scalar;

/// How entries are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One line "row column value" for each stored entry.
    Coordinate,
    /// One line for each entry of a dense matrix, column by column.
    Array,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// A real number.
    Real,
    /// Real and imaginary part.
    Complex,
    /// An integer; read as a real number.
    Integer,
    /// Only the place; read as 1.
    Pattern,
}

/// Which entries are stored and what the others follow from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// All of them.
    General,
    /// One triangle; `A[j, i] = A[i, j]`.
    Symmetric,
    /// One triangle without the diagonal; `A[j, i] = -A[i, j]`.
    SkewSymmetric,
    /// One triangle; `A[j, i]` is the complex conjugate of `A[i, j]`.
    Hermitian,
}

/// A set of words of the banner.
type Words<T> = [(&'static str, T)];

const LAYOUTS: [(&str, Layout); 2] = [("coordinate", Layout::Coordinate), ("array", Layout::Array)];
const FIELDS: [(&str, Field); 4] =
    [("real", Field::Real), ("complex", Field::Complex), ("integer", Field::Integer), ("pattern", Field::Pattern)];
const SYMMETRIES: [(&str, Symmetry); 4] = [
    ("general", Symmetry::General),
    ("symmetric", Symmetry::Symmetric),
    ("skew-symmetric", Symmetry::SkewSymmetric),
    ("hermitian", Symmetry::Hermitian),
];

fn name<T: PartialEq>(words: &Words<T>, value: T) -> &'static str {
    words.iter().find(|word| word.1 == value).map_or("", |word| word.0)
}

impl Layout {
    /// The word of the banner.
    pub fn name(self) -> &'static str {
        name(&LAYOUTS, self)
    }
}

impl Field {
    /// The word of the banner.
    pub fn name(self) -> &'static str {
        name(&FIELDS, self)
    }
}

impl Symmetry {
    /// The word of the banner.
    pub fn name(self) -> &'static str {
        name(&SYMMETRIES, self)
    }
    /// What the entry at (i, j) makes the entry at (j, i).
    #[inline(always)]
    pub(super) fn image<S: Scalar>(self, value: S) -> S {
        match self {
            Symmetry::SkewSymmetric => -value,
            Symmetry::Hermitian => value.conj(),
            Symmetry::General | Symmetry::Symmetric => value,
        }
    }
}

/// Everything above the entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Coordinate or array.
    pub layout: Layout,
    /// Kind of the entries.
    pub field: Field,
    /// Which entries are stored.
    pub symmetry: Symmetry,
    /// Rows of the matrix.
    pub rows: usize,
    /// Columns of the matrix.
    pub cols: usize,
    /// Entries in the file, before a triangle is mirrored and duplicates are summed.
    pub stored: usize,
    /// The comment lines between banner and size line, without the leading `%`.
    pub comments: Vec<String>,
}

/// Reads up to the size line; also says how many lines that were.
pub(super) fn read(input: &mut Input) -> Result<(Header, usize)> {
    let mut line = Vec::new();
    input.line(&mut line)?;
    let (layout, field, symmetry) = banner(&line).map_err(|(expected, found)| input.error(1, expected, found))?;
    let mut header = Header { layout, field, symmetry, rows: 0, cols: 0, stored: 0, comments: Vec::new() };
    let mut lines = 1;
    loop {
        if !input.line(&mut line)? {
            return Err(input.error(lines + 1, size_line(layout), "the end of the file"));
        }
        lines += 1;
        let text = line.trim_ascii();
        if let [b'%', comment @ ..] = text {
            header.comments.push(String::from_utf8_lossy(comment).trim().to_string());
        } else if !text.is_empty() {
            size(&mut header, text).map_err(|(expected, found)| input.error(lines, expected, found))?;
            return Ok((header, lines));
        }
    }
}

/// What was expected and what was found.
type Complaint = (String, String);

fn banner(line: &[u8]) -> std::result::Result<(Layout, Field, Symmetry), Complaint> {
    let text = String::from_utf8_lossy(line);
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let full = "'%%MatrixMarket matrix LAYOUT FIELD SYMMETRY'";
    let first = words.first().copied().unwrap_or("");
    let tag = first.trim_start_matches('%');
    if !tag.eq_ignore_ascii_case("MatrixMarket") || !(1..=2).contains(&(first.len() - tag.len())) {
        return Err((format!("the banner {full}"), quote(line)));
    }
    if !words.get(1).is_some_and(|word| word.eq_ignore_ascii_case("matrix")) {
        return Err((format!("the word 'matrix' in the banner {full}"), said(words.get(1))));
    }
    let layout = choose("layout", &LAYOUTS, words.get(2))?;
    let field = choose("field", &FIELDS, words.get(3))?;
    let symmetry = choose("symmetry", &SYMMETRIES, words.get(4))?;
    if let Some(extra) = words.get(5) {
        return Err(("the end of the banner".into(), said(Some(extra))));
    }
    check_combination(layout, field, symmetry)?;
    Ok((layout, field, symmetry))
}

fn choose<T: Copy>(what: &str, words: &Words<T>, found: Option<&&str>) -> std::result::Result<T, Complaint> {
    let known = || words.iter().map(|word| word.0).collect::<Vec<_>>().join(", ");
    match found.and_then(|word| words.iter().find(|known| known.0.eq_ignore_ascii_case(word))) {
        Some(word) => Ok(word.1),
        None => Err((format!("a {what} in the banner, one of {}", known()), said(found))),
    }
}

fn check_combination(layout: Layout, field: Field, symmetry: Symmetry) -> std::result::Result<(), Complaint> {
    let found = || format!("'{} {} {}'", layout.name(), field.name(), symmetry.name());
    if field == Field::Pattern && layout == Layout::Array {
        return Err(("a field with values: array files have no pattern".into(), found()));
    }
    if field == Field::Pattern && symmetry == Symmetry::SkewSymmetric {
        return Err(("a pattern that is general or symmetric: without values there are no signs".into(), found()));
    }
    if field != Field::Complex && symmetry == Symmetry::Hermitian {
        return Err(("the field complex with hermitian (a real one is symmetric)".into(), found()));
    }
    Ok(())
}

fn size_line(layout: Layout) -> &'static str {
    match layout {
        Layout::Coordinate => "the size line 'ROWS COLUMNS ENTRIES'",
        Layout::Array => "the size line 'ROWS COLUMNS'",
    }
}

fn size(header: &mut Header, line: &[u8]) -> std::result::Result<(), Complaint> {
    let expected = size_line(header.layout);
    let text = String::from_utf8_lossy(line);
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    if words.len() != if header.layout == Layout::Coordinate { 3 } else { 2 } {
        return Err((expected.into(), quote(line)));
    }
    let dimension = |word: &str| match numbers::index(word.as_bytes()) {
        Some((count, [])) => Ok(count as usize),
        _ => Err((format!("{expected} with whole numbers up to {}", u32::MAX), quote(word.as_bytes()))),
    };
    (header.rows, header.cols) = (dimension(words[0])?, dimension(words[1])?);
    if header.symmetry != Symmetry::General && header.rows != header.cols {
        return Err((format!("a square matrix, because it is {}", header.symmetry.name()), quote(line)));
    }
    header.stored = match words.get(2) {
        Some(word) => whole(word).ok_or_else(|| {
            (format!("{expected} with a whole number of entries up to {}", usize::MAX), quote(word.as_bytes()))
        })?,
        None => array_entries(header.rows, header.cols, header.symmetry)
            .ok_or_else(|| (format!("a size line whose product is at most {}", usize::MAX), quote(line)))?,
    };
    Ok(())
}

fn whole(word: &str) -> Option<usize> {
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok())?
}

/// How many entries an array file of this shape lists.
fn array_entries(rows: usize, cols: usize, symmetry: Symmetry) -> Option<usize> {
    let (n, m) = (rows as u128, cols as u128);
    let count = match symmetry {
        Symmetry::General => n * m,
        Symmetry::Symmetric | Symmetry::Hermitian => n * (n + 1) / 2,
        Symmetry::SkewSymmetric => n * n.saturating_sub(1) / 2,
    };
    usize::try_from(count).ok()
}

fn said(word: Option<&&str>) -> String {
    word.map_or_else(|| "nothing".into(), |word| quote(word.as_bytes()))
}

/// The text in quotation marks, shortened, with strange bytes escaped.
pub(super) fn quote(text: &[u8]) -> String {
    let text = text.trim_ascii();
    if text.is_empty() {
        return "nothing".into();
    }
    let short = String::from_utf8_lossy(&text[..text.len().min(60)]).escape_debug().to_string();
    format!("'{short}{}'", if text.len() > 60 { "..." } else { "" })
}

/// Rejects a size line that the file cannot mean: a row costs 8 bytes of memory even when it is empty.
pub(super) fn check_plausible(input: &Input, lines: usize, dimension: usize) -> Result<()> {
    let limit = (1 << 24).max(input.bytes_read().saturating_mul(64));
    if dimension as u64 <= limit {
        return Ok(());
    }
    let expected = format!("a size below {limit}, which is plenty for {} bytes of text", input.bytes_read());
    Err(input.error(lines, expected, dimension.to_string()))
}
