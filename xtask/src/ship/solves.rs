//! Which solves the pack of a release is for: every method of `solve --help` with the usual preconditioners, on matrices that `auto`
//! stores in different ways, in each form that a loop can have on a GPU.

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

/// Matrices with as many points along each side as make small and larger systems: five and seven diagonals, slices of short and of long
/// rows, slices of uneven rows.
const MATRICES: [(&str, [usize; 2]); 4] = [
    ("gallery:poisson2d?n=N", [20, 52]),
    ("gallery:poisson3d?stencil=7&n=N", [8, 14]),
    ("gallery:poisson3d?stencil=27&n=N", [8, 14]),
    ("gallery:tetra?n=N", [8, 14]),
];
/// A complex one, for the methods of Helmholtz problems.
const COMPLEX: (&str, [usize; 2]) = ("gallery:shifted_laplace2d?n=N", [20, 52]);
const OF_COMPLEX: [&str; 6] = ["bicgstab", "idr", "gmres", "fgmres", "orthodir", "gcr"];

/// All of them, or those of one matrix and few methods, to try things out.
pub fn all(few: bool) -> Vec<Solve> {
    if few {
        return [Form::Few, Form::Graphs].map(|form| Solve::new(MATRICES[0], "cg", "jacobi", form)).into();
    }
    let mut all = Vec::new();
    for matrix in MATRICES {
        for method in STEADY.into_iter().chain(CYCLIC) {
            for form in forms(method) {
                all.push(Solve::new(matrix, method, "auto", *form));
            }
        }
    }
    // Other preconditioners with slices, which is what matrices that are no grid are stored in.
    for method in STEADY.into_iter().chain(CYCLIC) {
        let suits = |precond: &&str| *precond != "ic0" || DEFINITE.contains(&method);
        for precond in PRECONDS.into_iter().filter(suits) {
            for form in forms(method) {
                all.push(Solve::new(MATRICES[3], method, precond, *form));
            }
        }
    }
    for method in OF_COMPLEX {
        for form in forms(method) {
            all.push(Solve::new(COMPLEX, method, "auto", *form));
        }
    }
    all
}

/// Graphs of a cycle have as many sources as it has positions: those are left to the compiler.
fn forms(method: &str) -> &'static [Form] {
    if CYCLIC.contains(&method) { &[Form::Few, Form::Any] } else { &[Form::Few, Form::Any, Form::Graphs] }
}

impl Solve {
    fn new((matrix, sides): (&str, [usize; 2]), method: &'static str, precond: &'static str, form: Form) -> Self {
        let side = sides[usize::from(form == Form::Any)];
        Self { matrix: matrix.replace('N', &side.to_string()), method, precond, form }
    }

    /// The arguments of `galerkit`.
    pub fn arguments(&self) -> Vec<&str> {
        let what = ["solve", &self.matrix, "--method", self.method, "--precond", self.precond, "--device", "cuda"];
        what.into_iter().chain(["--max-iterations", "3", "--no-bandwidth", "--quiet"]).collect()
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
