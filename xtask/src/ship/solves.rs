//! Which solves the pack of a release is for: every method of `solve --help` with the usual preconditioners, on
//! matrices that `auto` stores in different ways, in each form that a loop can have on a GPU. A persistent kernel is
//! asked for in the largest class of block sizes that it has; the others are made of it
//! (`galerkit_cuda::generate::classes`).

use anyhow::{Result, bail};
use std::fmt;

/// How a loop runs, which the emulated GPU can be brought to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// One kernel, whose blocks have as many threads as they can: all that fits the L2 cache.
    Persistent,
    /// Graphs: the matrix fits the cache, and all vectors with it do not.
    Graphs,
    /// Graphs, where the matrix does not fit either.
    Large,
    /// As on an H200, where triangular solves are timed before one is picked.
    Timed,
}

/// How a matrix is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Storage {
    /// In rows: what `auto` takes for small systems.
    Rows,
    /// In slices with wide columns, by `auto`: what fits the cache and is not small.
    Wide,
    /// In slices with narrow columns, or none on few diagonals: what does not fit.
    Narrow,
}

/// A solve to ask for the sources of.
pub struct Solve {
    matrix: String,
    method: &'static str,
    precond: Precond,
    storage: Storage,
    form: Form,
}

/// A preconditioner, and how its triangles are solved with.
type Precond = [&'static str; 2];

/// Methods whose iterations are all alike, or nearly so.
const STEADY: [&str; 6] = ["cg", "fcg", "pipecg", "minres", "bicgstab", "idr"];
/// Methods that keep directions.
const CYCLIC: [&str; 6] = ["gcr", "orthodir", "gmres", "cbgmres", "fgmres", "vpgcr"];
/// What `auto` takes: Jacobi's.
const USUAL: Precond = ["auto", "auto"];
/// Preconditioners besides it. How triangles are solved with is decided by a look at the matrix: each way that it may
/// come to.
const OTHERS: [Precond; 12] = [
    ["none", "auto"],
    ["block-jacobi:4", "auto"],
    ["ssor:1", "auto"],
    ["chebyshev:3", "auto"],
    ["ilu0", "exact"],
    ["ilu0", "sweeps:2"],
    ["ilu0", "sweeps:3"],
    ["ilu0", "sweeps:5"],
    ["ic0", "exact"],
    ["ic0", "sweeps:2"],
    ["ic0", "sweeps:3"],
    ["ic0", "sweeps:5"],
];
/// The methods that go with a preconditioner which needs a positive definite matrix.
const DEFINITE: [&str; 4] = ["cg", "fcg", "pipecg", "minres"];

/// A matrix, with more than the 4096 rows that blocks of a cluster have and `auto` stores in rows.
type Matrix = &'static str;

/// Slices of uneven rows.
const SLICED: Matrix = "gallery:tetra?n=17";
/// The same with as many rows as `auto` stores in wide slices. Kernels for these do not depend on the matrix.
const LARGER: Matrix = "gallery:tetra?n=36";
/// Bytes of an L2 cache that this matrix fits, and the vectors of no method with it.
const BETWEEN: &str = "13000000";
/// So many rows that exact triangular solves take about as long as sweeps.
const LARGEST: Matrix = "gallery:tetra?n=47";
/// Five, seven and 27 diagonals; two, two and eight lanes a row.
const GRIDS: [Matrix; 3] =
    ["gallery:poisson2d?n=65", "gallery:poisson3d?stencil=7&n=17", "gallery:poisson3d?stencil=27&n=17"];
/// A complex one, for the methods of Helmholtz problems.
const COMPLEX: Matrix = "gallery:shifted_laplace2d?n=65";
const OF_COMPLEX: [&str; 6] = ["bicgstab", "idr", "gmres", "fgmres", "orthodir", "gcr"];

/// Those of some methods; of all if none is named.
pub fn of(methods: &[String]) -> Result<Vec<Solve>> {
    let known = |name: &&String| STEADY.iter().chain(&CYCLIC).any(|method| method == name);
    if let Some(unknown) = methods.iter().find(|name| !known(name)) {
        bail!("{unknown} is no method: take some of {} {}", STEADY.join(" "), CYCLIC.join(" "));
    }
    let is_wanted = |solve: &Solve| methods.is_empty() || methods.iter().any(|method| method == solve.method);
    Ok(all().into_iter().filter(is_wanted).collect())
}

fn all() -> Vec<Solve> {
    let mut all = Vec::new();
    for method in STEADY.into_iter().chain(CYCLIC) {
        let suits = |precond: &Precond| precond[0] != "ic0" || DEFINITE.contains(&method);
        for precond in [USUAL].into_iter().chain(OTHERS).filter(suits) {
            all.push(Solve::new(SLICED, method, precond, (Storage::Rows, Form::Persistent)));
            all.push(Solve::new(LARGER, method, precond, (Storage::Wide, Form::Persistent)));
            all.push(Solve::new(LARGER, method, precond, (Storage::Wide, Form::Graphs)));
            all.push(Solve::new(SLICED, method, precond, (Storage::Narrow, Form::Large)));
        }
        for grid in GRIDS {
            all.push(Solve::new(grid, method, USUAL, (Storage::Rows, Form::Persistent)));
            all.push(Solve::new(grid, method, USUAL, (Storage::Narrow, Form::Large)));
        }
    }
    for precond in ["ilu0", "ic0"] {
        all.push(Solve::new(LARGEST, "cg", [precond, "auto"], (Storage::Wide, Form::Timed)));
    }
    for method in OF_COMPLEX {
        all.push(Solve::new(COMPLEX, method, USUAL, (Storage::Rows, Form::Persistent)));
        all.push(Solve::new(COMPLEX, method, USUAL, (Storage::Narrow, Form::Large)));
    }
    all
}

impl Solve {
    fn new(matrix: Matrix, method: &'static str, precond: Precond, (storage, form): (Storage, Form)) -> Self {
        Self { matrix: matrix.into(), method, precond, storage, form }
    }

    /// The arguments of `galerkit`.
    pub fn arguments(&self) -> Vec<&str> {
        let Self { matrix, method, precond: [precond, triangular], .. } = self;
        let format = match self.storage {
            Storage::Rows => "csr",
            Storage::Wide => "auto",
            Storage::Narrow => "sell:32:1",
        };
        let what = ["solve", matrix, "--method", method, "--precond", precond, "--format", format, "--device", "cuda"];
        // As many iterations as a cycle is long: with fewer it would be shorter.
        let how = ["--triangular", triangular, "--max-iterations", "30", "--no-bandwidth", "--quiet"];
        what.into_iter().chain(how).collect()
    }

    /// What the emulated GPU is told. One multiprocessor gives blocks as much work as they can have.
    pub fn variables(&self) -> Vec<(&'static str, &'static str)> {
        let one = ("GALERKIT_EMULATOR_PROCESSORS", "1");
        match self.form {
            Form::Persistent => vec![one],
            Form::Graphs => vec![one, ("GALERKIT_EMULATOR_CACHE", BETWEEN)],
            Form::Large => vec![one, ("GALERKIT_EMULATOR_CACHE", "0")],
            Form::Timed => vec![("GALERKIT_EMULATOR_PROCESSORS", "8"), ("GALERKIT_EMULATOR_MEMORY", "151000000000")],
        }
    }
}

impl fmt::Display for Solve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.arguments().join(" "), self.form)
    }
}
