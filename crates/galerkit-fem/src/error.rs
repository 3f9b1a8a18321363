//! The one error type of this crate. Every variant carries its data and says what to change.

/// What can be wrong with the input of a public function.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A mesh that no space can stand on.
    #[error("invalid mesh at {place}: {problem}")]
    InvalidMesh {
        /// Cell, point or block where it was seen, by number.
        place: String,
        /// What is wrong there.
        problem: String,
    },
    /// A file that cannot be opened, read or unpacked.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: std::path::PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file that breaks the rules of its format, or uses a part of it that is not supported.
    #[error("{}, {place}: {problem}", path.display())]
    File {
        /// The file.
        path: std::path::PathBuf,
        /// The line of a text, the byte of a binary file.
        place: String,
        /// What is wrong there, and what to change.
        problem: String,
    },
    /// A cell number beyond the cells there are.
    #[error("there is no cell {cell}: {}", numbered(*cells))]
    NoSuchCell {
        /// The number that came.
        cell: usize,
        /// How many cells there are.
        cells: usize,
    },
    /// A cell was to be cut once more than coordinates have bits.
    #[error("cell {cell} was cut {levels} times already, which is the limit: refine less, or begin with a finer mesh")]
    TooFine {
        /// Number of the cell.
        cell: usize,
        /// The limit.
        levels: usize,
    },
    /// Cells and unknowns that memory would not hold.
    #[error(
        "{} need about {} GiB, {} GiB are free: take fewer cells, cuts or layers, or lower degrees",
        counted(*cells, *unknowns), gib(*needed), gib(*available)
    )]
    TooLarge {
        /// How many cells there would be.
        cells: f64,
        /// How many unknowns, where they were counted already.
        unknowns: f64,
        /// Bytes needed.
        needed: f64,
        /// Bytes there are.
        available: f64,
    },
    /// A degree that no cell can have, or not one for each cell.
    #[error("degree {degree} of cell {cell} is not allowed: degrees are from 1 to {limit}")]
    InvalidDegree {
        /// Number of the cell.
        cell: usize,
        /// The degree that came.
        degree: usize,
        /// The highest degree.
        limit: usize,
    },
    /// Data by cell that are more or fewer than the cells.
    #[error("{what}: {found} came for {cells} cells")]
    NotOnePerCell {
        /// What was given.
        what: &'static str,
        /// How many came.
        found: usize,
        /// How many cells there are.
        cells: usize,
    },
    /// A boundary condition on a tag that no piece of the boundary has.
    #[error("no piece of the boundary has the tag {tag}; the tags are {known:?}")]
    NoSuchTag {
        /// The tag that came.
        tag: i32,
        /// The tags there are.
        known: Vec<i32>,
    },
    /// A coefficient that makes the problem ill-posed.
    #[error("{what} is {} at ({}): it must be {needed}", shown(*value), point.map(shown).join(", "))]
    InvalidCoefficient {
        /// Which coefficient.
        what: &'static str,
        /// Its value there.
        value: f64,
        /// Where.
        point: [f64; 3],
        /// What is needed.
        needed: &'static str,
    },
    /// A cell whose interior functions cannot be eliminated.
    #[error("the matrix of cell {cell} is not positive definite on its interior functions: keep them as unknowns")]
    Indefinite {
        /// Number of the cell.
        cell: usize,
    },
    /// A problem whose forms couple functions that the pattern of its assembler does not.
    #[error(
        "the forms couple functions of cell {cell} that the assembler's do not: make an assembler from this problem"
    )]
    NotInPattern {
        /// Number of the cell.
        cell: usize,
    },
    /// A problem on another space than that of its assembler.
    #[error("the problem stands on another space than its assembler: make an assembler from this problem")]
    OtherSpace,
    /// Two spaces of which the first is not contained in the second.
    #[error("the first space is not contained in the second: {problem}")]
    NotNested {
        /// Where they differ.
        problem: &'static str,
    },
    /// A pure Neumann problem whose data do not balance.
    #[error(
        "pure Neumann data do not balance: int f + int g = {}, must be 0; correct them or fix u somewhere",
        shown(*imbalance)
    )]
    Imbalance {
        /// The integral of all data.
        imbalance: f64,
    },
    /// A body of which nothing, or only a part, is held: the rest can move without being deformed.
    #[error(
        "{cells} of {all} cells are held nowhere: they can move without being deformed; clamp a piece of the boundary that is theirs (tags {pieces:?})"
    )]
    NotHeld {
        /// Cells of parts that are not held.
        cells: usize,
        /// All cells.
        all: usize,
        /// The tags of the boundary.
        pieces: Vec<i32>,
    },
    /// A text that is no function of x, y, z.
    #[error("the expression cannot be read: {problem}\n  {text}\n  {}^", " ".repeat(*at))]
    Expression {
        /// The text.
        text: String,
        /// The character at which it was seen, counted from 0.
        at: usize,
        /// What is wrong there.
        problem: String,
    },
    /// A system that the method it was given to did not solve.
    #[error("the system was not solved: {problem}")]
    NotSolved {
        /// What the method said.
        problem: String,
    },
    /// Somebody has stopped it before there was anything to show.
    #[error("it was stopped before its first pass was done")]
    Stopped,
    /// Layers that meet inside of an element.
    #[error(
        "layers meet at {interface}, which is no inner node of the mesh (the nearest is {nearest}): move it, or change the elements"
    )]
    InterfaceNotOnNode {
        /// Where they meet.
        interface: f64,
        /// The nearest node.
        nearest: f64,
    },
    /// A source that is not in the domain.
    #[error("the source {centre:?} lies outside of the box {ends:?}")]
    SourceOutside {
        /// Its centre.
        centre: Vec<f64>,
        /// From where to where the domain goes, along each axis.
        ends: Vec<[f64; 2]>,
    },
    /// A step in which the implicit growth term changes its sign.
    #[error(
        "rho dt times {weight} is {product}, which must be below 1: the step {step} is too long for growth at the rate {rate}"
    )]
    StepTooLong {
        /// rho.
        rate: f64,
        /// dt.
        step: f64,
        /// What multiplies dt in the scheme.
        weight: f64,
        /// Their product.
        product: f64,
    },
    /// A step whose linear systems were not solved.
    #[error("step {step} at t = {time} was not solved: {problem}")]
    StepFailed {
        /// Its number, from 1.
        step: usize,
        /// The time it began at.
        time: f64,
        /// How its solve ended.
        problem: String,
    },
    /// Something that no picture can show.
    #[error("{what} cannot be drawn: {problem}")]
    NotDrawable {
        /// What was to be drawn.
        what: String,
        /// Why not, and what is needed.
        problem: String,
    },
    /// A run in time whose potential has grown beyond all bounds.
    #[error(
        "at {time} ms the potential has grown to {largest:e} or more: take a smaller step, or check conductivities and cell parameters"
    )]
    Unstable {
        /// When it was seen, in ms.
        time: f64,
        /// The largest potential.
        largest: f64,
    },
    /// An error of the algebra below.
    #[error(transparent)]
    Linalg(#[from] galerkit_linalg::Error),
}

/// Which numbers cells have.
fn numbered(cells: usize) -> String {
    if cells == 1 { "there is one, number 0".into() } else { format!("the {cells} cells are numbered from 0") }
}

/// Cells and unknowns in words.
fn counted(cells: f64, unknowns: f64) -> String {
    let count = |n: f64| if n < 1e9 { format!("{n:.0}") } else { format!("{n:.1e}") };
    let unknowns = if unknowns > 0.0 { format!(" with about {} unknowns", count(unknowns)) } else { String::new() };
    format!("{} cells{unknowns}", count(cells))
}

/// A number with the digits that people read: five, or what a short one has.
fn shown(x: f64) -> String {
    let rounded = format!("{x:.4}");
    match x.abs() {
        _ if x == x.round() && x.abs() < 1e6 => format!("{x}"),
        size if (1e-2..1e6).contains(&size) => rounded,
        size if size.is_finite() => format!("{x:.4e}"),
        _ => x.to_string(),
    }
}

/// Bytes in GiB.
fn gib(bytes: f64) -> String {
    let amount = bytes / f64::from(1 << 30);
    if amount < 1e6 { format!("{amount:.1}") } else { format!("{amount:.1e}") }
}

/// The result of everything here that can fail.
pub type Result<T> = std::result::Result<T, Error>;
