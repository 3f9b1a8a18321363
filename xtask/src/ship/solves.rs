//! Which solves the pack of a release is for: every method of `solve --help` with the usual preconditioners, on matrices that `auto`
//! stores in different ways, in each form that a loop can have on a GPU.

use anyhow::{Result, bail};
use std::fmt;

/// How a loop runs, which the emulated GPU can be brought to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// One kernel whose blocks have few threads: small systems.
    Few,
    /// One kernel whose blocks have any number of threads: what fits the L2 cache.
    Any,
    /// Graphs: larger systems.
    Graphs,
}

/// A solve to ask for the sources of.
pub struct Solve {
    matrix: String,
    method: &'static str,
    precond: &'static str,
    format: &'static str,
    form: Form,
}

/// Methods whose iterations are all alike, or nearly so.
const STEADY: [&str; 6] = ["cg", "fcg", "pipecg", "minres", "bicgstab", "idr"];
/// Methods that keep directions: a source for each of them where they run as graphs.
const CYCLIC: [&str; 6] = ["gcr", "orthodir", "gmres", "cbgmres", "fgmres", "vpgcr"];
/// Preconditioners besides Jacobi's, which every method is packed with.
const PRECONDS: [&str; 6] = ["none", "block-jacobi:4", "ssor:1", "ilu0", "ic0", "chebyshev:3"];
/// Those of them that need a positive definite matrix, and the methods that do.
const DEFINITE: [&str; 4] = ["cg", "fcg", "pipecg", "minres"];

/// A matrix with as many points along each side as make a small and a larger system.
type Matrix = (&'static str, [usize; 2]);

/// Five diagonals.
const GRID: Matrix = ("gallery:poisson2d?n=N", [20, 52]);
/// Slices of uneven rows.
const SLICED: Matrix = ("gallery:tetra?n=N", [8, 14]);
/// Those, seven diagonals, and slices of long rows.
const MATRICES: [Matrix; 4] =
    [GRID, ("gallery:poisson3d?stencil=7&n=N", [8, 14]), ("gallery:poisson3d?stencil=27&n=N", [8, 14]), SLICED];
/// What `auto` stores small and larger systems in; of slices on few diagonals only those are stored.
const FORMATS: [&str; 2] = ["csr", "sell:32:1"];
/// A complex one, for the methods of Helmholtz problems.
const COMPLEX: Matrix = ("gallery:shifted_laplace2d?n=N", [20, 52]);
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
    for matrix in MATRICES {
        for method in STEADY.into_iter().chain(CYCLIC) {
            for format in FORMATS {
                all.extend(
                    forms(method, matrix).iter().map(|&form| Solve::new(matrix, [method, "auto", format], form)),
                );
            }
        }
    }
    // Other preconditioners with slices, which is what matrices that are no grid are stored in.
    for method in STEADY.into_iter().chain(CYCLIC) {
        let suits = |precond: &&str| *precond != "ic0" || DEFINITE.contains(&method);
        for precond in PRECONDS.into_iter().filter(suits) {
            all.extend(
                forms(method, GRID).iter().map(|&form| Solve::new(SLICED, [method, precond, "sell:32:1"], form)),
            );
        }
    }
    for method in OF_COMPLEX {
        for format in FORMATS {
            all.extend(forms(method, COMPLEX).iter().map(|&form| Solve::new(COMPLEX, [method, "auto", format], form)));
        }
    }
    all
}

/// Graphs of a cycle have as many sources as it has positions: those of grids are left to the compiler.
fn forms(method: &str, matrix: Matrix) -> &'static [Form] {
    let short = CYCLIC.contains(&method) && matrix != SLICED;
    if short { &[Form::Few, Form::Any] } else { &[Form::Few, Form::Any, Form::Graphs] }
}

impl Solve {
    fn new((matrix, sides): Matrix, [method, precond, format]: [&'static str; 3], form: Form) -> Self {
        let side = sides[usize::from(form == Form::Any)];
        Self { matrix: matrix.replace('N', &side.to_string()), method, precond, format, form }
    }

    /// The arguments of `galerkit`.
    pub fn arguments(&self) -> Vec<&str> {
        let Self { matrix, method, precond, format, .. } = self;
        let what = ["solve", matrix, "--method", method, "--precond", precond, "--format", format, "--device", "cuda"];
        // As many iterations as a cycle is long: with fewer it would be shorter.
        what.into_iter().chain(["--max-iterations", "30", "--no-bandwidth", "--quiet"]).collect()
    }

    /// What the emulated GPU is told.
    pub fn variables(&self) -> Vec<(&'static str, &'static str)> {
        if self.form == Form::Graphs { vec![("GALERKIT_EMULATOR_CACHE", "0")] } else { Vec::new() }
    }
}

impl fmt::Display for Solve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.arguments().join(" "), self.form)
    }
}
