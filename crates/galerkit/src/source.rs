//! A matrix by its name: a Matrix Market file, `-` for standard input, or `gallery:NAME?key=value&...`.

use crate::any::{AnyMatrix, AnyProblem};
use crate::error::Result;
use galerkit_linalg::gallery::{self, Built, OnGrid};
use galerkit_linalg::io::matrix_market::{self, File, Header};
use galerkit_linalg::sparse::AnyCsr;
use std::io::Read;
use std::path::Path;

/// A matrix, and what its source said about it.
///
/// ```
/// let loaded = galerkit::load("gallery:poisson1d?n=4")?;
/// assert_eq!((loaded.name.as_str(), loaded.duplicates), ("gallery:poisson1d?n=4", 0));
/// assert_eq!(loaded.into_real()?.rows(), 4);
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The matrix, in double precision.
    pub matrix: AnyMatrix,
    /// A short name for titles and folders.
    pub name: String,
    /// The header of the file; none for gallery problems.
    pub header: Option<Header>,
    /// Entries that were given more than once and have been summed.
    pub duplicates: usize,
    /// Whether a symmetric file lists entries on both sides of the diagonal; pairs were taken for one entry.
    pub has_both_triangles: bool,
}

impl Loaded {
    /// The real matrix in double precision; a complex one is refused.
    pub fn into_real(self) -> Result<galerkit_linalg::sparse::Csr<f64>> {
        self.matrix.into_real()
    }
}

/// Reads or builds a matrix.
///
/// ```
/// let A = galerkit::load("gallery:poisson2d?n=20")?.into_real()?;
/// assert_eq!(A.rows(), 400);
/// assert!(galerkit::load("no-such-file.mtx").is_err());
/// # Ok::<(), galerkit::Error>(())
/// ```
pub fn load(name: &str) -> Result<Loaded> {
    if name.starts_with("gallery:") {
        let matrix = match gallery::build(name)? {
            Built::Real(A) => AnyMatrix::F64(A),
            Built::Complex(A) => AnyMatrix::C64(A),
        };
        return Ok(Loaded { matrix, name: name.into(), header: None, duplicates: 0, has_both_triangles: false });
    }
    if name == "-" {
        let mut bytes = Vec::new();
        const NAME: &str = "standard input";
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.map_err(|source| galerkit_linalg::Error::Io { path: NAME.into(), source })?;
        return Ok(from_file(matrix_market::parse(&bytes, NAME)?, "stdin"));
    }
    let path = Path::new(name);
    let short = path.file_name().map_or(name.into(), |file| file.to_string_lossy());
    Ok(from_file(matrix_market::read_matrix(path)?, &short))
}

/// A problem of the gallery that is a stencil on a grid: its rows are not made, see
/// [`Solver::solve_problem`](crate::Solver::solve_problem). None for files and for problems that are more than a
/// stencil.
///
/// ```
/// use galerkit::AnyProblem;
///
/// let Some(AnyProblem::F64(A)) = galerkit::problem("gallery:poisson3d?n=400")? else { unreachable!() };
/// assert_eq!(A.size(), [400, 400, 400]);
/// assert!(galerkit::problem("gallery:tetra?n=4")?.is_none() && galerkit::problem("A.mtx")?.is_none());
/// # Ok::<(), galerkit::Error>(())
/// ```
pub fn problem(name: &str) -> Result<Option<AnyProblem>> {
    if !name.starts_with("gallery:") {
        return Ok(None);
    }
    Ok(gallery::parse(name)?.on_grid()?.map(|grid| match grid {
        OnGrid::Real(A) => AnyProblem::F64(A),
        OnGrid::Complex(A) => AnyProblem::C64(A),
    }))
}

fn from_file(file: File, name: &str) -> Loaded {
    let matrix = match file.matrix {
        AnyCsr::Real(A) => AnyMatrix::F64(A),
        AnyCsr::Complex(A) => AnyMatrix::C64(A),
    };
    let (header, duplicates, has_both_triangles) = (Some(file.header), file.duplicates, file.has_both_triangles);
    Loaded { matrix, name: name.into(), header, duplicates, has_both_triangles }
}
