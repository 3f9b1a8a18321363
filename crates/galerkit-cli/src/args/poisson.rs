//! `galerkit poisson` as typed: what is common first, the rest by heading.

use super::{Machine, heading, methods};
use clap::Args;
use std::path::PathBuf;

const DOMAIN: &str = "square and cube (0,1)^d; lshape (-1,1)^2 without [0,1] x [-1,0]; vertex (0,1)^3 with a singular solution; \
fichera (-1,1)^3 without [0,1]^3; lprism, the L-shape times (0,1); ball of radius 1; shell between the radii 1/2 and 1; \
cylinder of radius 1 and height 2.

What they solve unless data are given: square and cube u = sin(pi x) sin(pi y) [sin(pi z)]; lshape u = r^(2/3) sin(2 theta/3) with \
its flux, u = 0 on the two re-entrant edges; vertex u = r^(-5/2) x y z with its flux, u = 0 on the coordinate planes; all others \
-Laplace u = 1, u = 0 on the boundary.

Pieces of the boundary: left, right, front, back, bottom, top (in the plane left, right, bottom, top), reentrant where there are \
re-entrant edges or faces; surface of the ball; inner and outer of the shell; side, bottom, top of the cylinder";

const MESH: &str = "A mesh file in place of a domain: Gmsh, VTK, VTU or Medit, also packed by gzip. Quadrilaterals and hexahedra \
are cut and have degrees 1 to 10, triangles and tetrahedra, straight or curved, are taken as they are and have one degree from 1 to 4";

const EXPRESSION: &str = "Expressions are functions of x, y, z with numbers, pi, e, + - * / ^, comparisons (1 or 0), sin cos tan asin \
acos atan sinh cosh tanh exp log (or ln) log10 sqrt cbrt abs sign, atan2(a, b) hypot(a, b) min(a, b) max(a, b) pow(a, b) \
if(condition, then, else)";

const OPERATOR: &str = "auto: matrix-free for more than 3000 unknowns of degree 3 and more on hexahedra, unless method, preconditioner, \
precision or --condense need a matrix. assembled: the matrix, for every method and preconditioner. matrix-free: A x is computed cell by cell by sum \
factorisation, on quadrilaterals and hexahedra, without a matrix: less memory, a shorter set-up, and faster iterations at high degrees. u_h is \
the same; methods are those that iterate, --precond is none, jacobi, chebyshev[:DEGREE], multigrid[:single] or block-jacobi:entities";

const KAPPA: &str = "kappa of -div(kappa grad u) = f: one positive expression, or a symmetric positive definite matrix \
by its entries, xx,xy,yy in the plane and xx,xy,xz,yy,yz,zz in space, for example --kappa '2,1/2,1+x^2' [default: 1]";

const BOUNDARY: &str = "[TAG=]EXPR, again for each piece; TAG is a name or number, without one it is the rest of the boundary. \
EXPR 'exact' takes the data from --exact. What is not named has u = exact, or u = 0";

fn exact() -> String {
    format!(
        "The solution, if it is known: f, boundary data and errors follow from it (its derivatives are computed exactly). \
         {EXPRESSION}"
    )
}

const PRECOND: &str = "On quadrilaterals and hexahedra also multigrid, which halves degrees down to 1 and then takes cuts back: \
some ten iterations at every degree (what auto takes on a CPU from degree 4 on where --operator auto makes no matrix), and multigrid:single, whose cycle is in single precision; and block-jacobi:entities, the \
blocks of vertices, edges, faces and interiors, inverted. Both do with --operator matrix-free";

fn precond() -> String {
    format!("{}.\n\n{PRECOND}", methods::precond())
}

/// A number of something.
fn count(text: &str) -> Result<usize, String> {
    text.trim().parse().map_err(|_| "a whole number is needed, 0 or more".into())
}

/// `galerkit poisson`.
#[derive(Debug, Args)]
pub struct Poisson {
    /// square, cube, lshape, vertex, fichera, lprism, ball, shell or cylinder
    #[arg(long, value_name = "NAME", long_help = DOMAIN, conflicts_with = "mesh")]
    pub domain: Option<String>,
    /// A mesh file in place of a domain: Gmsh, VTK, VTU or Medit
    #[arg(long, value_name = "FILE", long_help = MESH)]
    pub mesh: Option<PathBuf>,
    /// Cut unit squares or cubes N times along each edge [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "mesh", allow_negative_numbers = true, value_parser = count)]
    pub cells: Option<usize>,
    /// Degree, or a list repeated over the elements [default: 2, lshape: 1]
    #[arg(long, value_name = "P[,P...]", value_delimiter = ',', allow_hyphen_values = true, value_parser = count)]
    pub degree: Vec<usize>,
    /// Refine h and p until the estimated error is below TOL times the energy norm
    #[arg(long, value_name = "TOL", allow_hyphen_values = true)]
    pub adapt: Option<f64>,
    /// f [default: 1, or what --exact gives]
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub rhs: Option<String>,
    /// The solution, if it is known: f, boundary data and errors follow from it
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true, long_help = exact())]
    pub exact: Option<String>,
    /// auto, cg, cholesky, ...; as in 'galerkit solve'
    #[arg(long, value_name = "NAME", default_value = "auto", long_help = methods::help())]
    pub method: String,
    /// auto, none, jacobi, multigrid, ssor:OMEGA, ic0, ...; as in 'galerkit solve', and more
    #[arg(long, value_name = "NAME", default_value = "auto", alias = "preconditioner", long_help = precond())]
    pub precond: String,
    /// Relative tolerance of the linear solve [default: 1e-10, in single precision 1e-4]
    #[arg(long, allow_hyphen_values = true)]
    pub rtol: Option<f64>,

    /// kappa of -div(kappa grad u) = f, or a matrix xx,xy,.. [default: 1]
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true, long_help = KAPPA, help_heading = heading::DATA)]
    pub kappa: Option<String>,
    /// u = EXPR on a piece of the boundary
    #[arg(long, value_name = "[TAG=]EXPR", allow_hyphen_values = true, long_help = BOUNDARY, help_heading = heading::DATA)]
    pub dirichlet: Vec<String>,
    /// (kappa grad u).n = EXPR there
    #[arg(long, value_name = "[TAG=]EXPR", allow_hyphen_values = true, long_help = BOUNDARY, help_heading = heading::DATA)]
    pub neumann: Vec<String>,
    /// (kappa grad u).n + ALPHA u = G there; G is 0 unless given, or what --exact gives
    #[arg(long, value_name = "[TAG=]ALPHA[,G]", allow_hyphen_values = true, help_heading = heading::DATA)]
    pub robin: Vec<String>,

    /// Cut every element L times
    #[arg(long, value_name = "L", default_value_t = 0, help_heading = heading::REFINEMENT)]
    #[arg(allow_negative_numbers = true, value_parser = count)]
    pub refine: usize,
    /// Cut these elements once, by number from 0; children stand in their parent's place, x slow, z fast
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = heading::REFINEMENT)]
    #[arg(allow_hyphen_values = true, value_parser = count)]
    pub refine_cells: Vec<usize>,
    /// Cut L times towards the corner or edge of the domain: a geometric mesh
    #[arg(long, value_name = "L", help_heading = heading::REFINEMENT)]
    #[arg(allow_negative_numbers = true, value_parser = count)]
    pub layers: Option<usize>,
    /// Degree P + ceil(MU k) in layer k, which is 0 at the corner
    #[arg(long, value_name = "MU", requires = "layers", allow_hyphen_values = true)]
    #[arg(help_heading = heading::REFINEMENT)]
    pub slope: Option<f64>,
    /// Curves of cuts alone and degrees alone beside --layers or --adapt
    #[arg(long, help_heading = heading::REFINEMENT)]
    pub compare: bool,
    /// End --adapt beyond N unknowns
    #[arg(long, value_name = "N", default_value_t = 1_000_000, help_heading = heading::REFINEMENT)]
    #[arg(allow_negative_numbers = true, value_parser = count)]
    pub max_unknowns: usize,

    /// auto, assembled, or matrix-free: applied cell by cell, for methods and preconditioners that need no matrix
    #[arg(long, value_name = "HOW", default_value = "auto", long_help = OPERATOR, help_heading = heading::METHOD)]
    pub operator: String,
    /// Functions on triangles and tetrahedra: lagrange or hierarchical [default: lagrange]
    #[arg(long, value_name = "KIND", requires = "mesh", help_heading = heading::METHOD)]
    pub basis: Option<String>,
    /// Eliminate interior functions element by element before the solve
    #[arg(long, help_heading = heading::METHOD)]
    pub condense: bool,
    /// Most iterations
    #[arg(long, value_name = "N", help_heading = heading::METHOD, allow_negative_numbers = true, value_parser = count)]
    pub max_iterations: Option<usize>,
    /// Where and how it is computed.
    #[command(flatten)]
    pub machine: Machine,

    /// u_h at a point; again for each point
    #[arg(long, value_name = "x,y[,z]", allow_hyphen_values = true, help_heading = heading::OUTPUT)]
    pub probe: Vec<String>,
    /// Write u_h, degrees and levels for ParaView
    #[arg(long, value_name = "u.vtu", help_heading = heading::OUTPUT)]
    pub vtu: Option<PathBuf>,
    /// Draw u_h; in 3D cut open in its middle
    #[arg(long, value_name = "u.png", help_heading = heading::OUTPUT)]
    pub png: Option<PathBuf>,
    /// Draw errors over N^(1/3) (in 3D N^(1/4)): with --adapt or --layers
    #[arg(long, value_name = "c.svg", help_heading = heading::OUTPUT)]
    pub plot: Option<PathBuf>,
    /// Write the report as JSON; '-' for standard output
    #[arg(long, value_name = "r.json|-", help_heading = heading::OUTPUT)]
    pub json: Option<PathBuf>,
    /// No progress and no notes
    #[arg(short, long, help_heading = heading::OUTPUT)]
    pub quiet: bool,
}

impl Poisson {
    /// Whether nothing says what is to be solved.
    pub fn is_bare(&self) -> bool {
        let space = self.domain.is_some() || self.mesh.is_some() || self.cells.is_some() || !self.degree.is_empty();
        let boundary = [&self.dirichlet, &self.neumann, &self.robin].iter().any(|list| !list.is_empty());
        let data = self.rhs.is_some() || self.exact.is_some() || self.kappa.is_some() || boundary;
        let refined = self.refine > 0 || !self.refine_cells.is_empty() || self.layers.is_some() || self.adapt.is_some();
        !(space || data || refined)
    }
}
