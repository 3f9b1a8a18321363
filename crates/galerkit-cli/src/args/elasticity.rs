//! `galerkit elasticity` as typed: what is common first, the rest by heading.

pub mod examples;

use super::{Machine, heading, methods};
use clap::Args;
use std::path::PathBuf;

const GEOMETRY: &str = "beam, a box of --size; girder, two chords joined by posts, with as many windows as fit into its length; rod, a cylinder \
along z with the diameter of its width.

Pieces of the boundary: left, right, front, back, bottom, top (beam and girder, along x, y and z), reentrant within the windows; side, \
bottom and top of the rod. Unless something is said, beam and girder are clamped on the left, the rod at its bottom, and the beam is loaded on \
the right, the girder on top, the rod by a torque on its top";

const MESH: &str = "A mesh file in place of a geometry: Gmsh, VTK, VTU or Medit, also packed by gzip. Hexahedra, tetrahedra, prisms and \
pyramids, straight or curved: displacements have the degree of the geometry, 1 to 4";

const PIECE: &str = "PIECE is the name or number of a piece of the boundary, or a condition on the middles of its facets, such as 'x < 0.1'; where \
two conditions overlap the first counts. EXPR are functions of x, y, z, as in 'galerkit poisson --help'";

const MODES: &str = "What multigrid is told of bodies: rigid (translations and rotations, from the coordinates of the nodes), translations (three unknowns a \
node) or none (nothing: rows as of any matrix). Iterations are fewest, and grow least with the mesh, with rigid";

const PRECOND: &str = "multigrid[,KEY=VALUE...] is amg,theta_f=0.1,lambda=lanczos:10 for nodes of three unknowns, with --modes; cells of degree 2 and \
more have those of degree 1 as their first coarse level. amg is what is asked for, on all nodes; amg:pairs and amg:classical know no \
nodes, and are not told --modes";

fn precond() -> String {
    format!("{PRECOND}. {}", methods::precond())
}

fn piece(words: &str) -> String {
    format!("{words}. {PIECE}")
}

/// `galerkit elasticity`.
#[derive(Debug, Args)]
pub struct Elasticity {
    /// beam, girder or rod [default: girder]
    #[arg(long, value_name = "NAME", long_help = GEOMETRY, conflicts_with = "mesh")]
    pub geometry: Option<String>,
    /// A mesh file in place of a geometry: Gmsh, VTK, VTU or Medit
    #[arg(long, value_name = "FILE", long_help = MESH)]
    pub mesh: Option<PathBuf>,
    /// Length, width and height [default: beam 1,0.1,0.1; girder 5.2,0.4,1; rod 1,0.2,0.2]
    #[arg(long, value_name = "L,W,H", allow_hyphen_values = true, conflicts_with = "mesh")]
    pub size: Option<String>,
    /// Cells across the thinnest part [default: beam 4, girder 3, rod 2]
    #[arg(long, value_name = "N", conflicts_with = "mesh", allow_negative_numbers = true)]
    pub cells: Option<usize>,
    /// Degree of a geometry's hexahedra, 1 to 4 [default: 1, rod 2]
    #[arg(long, value_name = "P", conflicts_with = "mesh", allow_negative_numbers = true)]
    pub degree: Option<usize>,
    /// Cut the hexahedra of beam and girder into tetrahedra
    #[arg(long, conflicts_with = "mesh")]
    pub simplices: bool,
    /// Young's modulus, a function of x, y, z
    #[arg(long, value_name = "E", default_value = "210e9", allow_hyphen_values = true)]
    pub young: String,
    /// Poisson's ratio, below 0.5
    #[arg(long, value_name = "NU", default_value = "0.3", allow_hyphen_values = true)]
    pub poisson: String,
    /// Hold a piece of the boundary; again for each
    #[arg(long, value_name = "PIECE", allow_hyphen_values = true, long_help = piece("Hold a piece of the boundary; again for each"))]
    pub clamp: Vec<String>,
    /// A force for each unit of area there
    #[arg(long, value_name = "PIECE=EXPR,EXPR,EXPR", allow_hyphen_values = true)]
    #[arg(long_help = piece("A force for each unit of area there; again for each"))]
    pub traction: Vec<String>,
    /// auto, cg, cholesky, ...; as in 'galerkit solve'
    #[arg(long, value_name = "NAME", default_value = "auto", long_help = methods::help())]
    pub method: String,
    /// multigrid, amg, jacobi, ...; as in 'galerkit solve', and more
    #[arg(long, value_name = "NAME", default_value = "multigrid", alias = "preconditioner", long_help = precond())]
    pub precond: String,
    /// Relative tolerance of the linear solve [default: 1e-8, in f32 1e-4]
    #[arg(long, allow_negative_numbers = true)]
    pub rtol: Option<f64>,

    /// A pressure there, against the outer normal
    #[arg(long, value_name = "PIECE=EXPR", allow_hyphen_values = true, help_heading = heading::DATA)]
    pub pressure: Vec<String>,
    /// A force for each unit of volume
    #[arg(long, value_name = "EXPR,EXPR,EXPR", allow_hyphen_values = true, help_heading = heading::DATA)]
    pub force: Option<String>,
    /// A displacement there
    #[arg(long, value_name = "PIECE=EXPR,EXPR,EXPR", allow_hyphen_values = true, help_heading = heading::DATA)]
    pub displace: Vec<String>,

    /// What multigrid is told: rigid, translations or none
    #[arg(long, value_name = "KIND", default_value = "rigid", long_help = MODES, help_heading = heading::METHOD)]
    pub modes: String,
    /// Most iterations
    #[arg(long, value_name = "N", help_heading = heading::METHOD)]
    pub max_iterations: Option<usize>,
    /// Where and how it is computed.
    #[command(flatten)]
    pub machine: Machine,

    /// Displacement and stress at the node nearest to a point; again for each
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true, help_heading = heading::OUTPUT)]
    pub probe: Vec<String>,
    /// Displacement and stresses for ParaView
    #[arg(long, value_name = "u.vtu", help_heading = heading::OUTPUT)]
    pub vtu: Option<PathBuf>,
    /// Draw the deformed body, coloured by --show
    #[arg(long, value_name = "u.png", help_heading = heading::OUTPUT)]
    pub png: Option<PathBuf>,
    /// stress (von Mises) or displacement
    #[arg(long, value_name = "WHAT", default_value = "stress", help_heading = heading::OUTPUT)]
    pub show: String,
    /// How many times the displacement is drawn [default: so that it is seen]
    #[arg(long, value_name = "S", allow_negative_numbers = true, help_heading = heading::OUTPUT)]
    pub scale: Option<f64>,
    /// Write the report as JSON; '-' for standard output
    #[arg(long, value_name = "r.json|-", help_heading = heading::OUTPUT)]
    pub json: Option<PathBuf>,
    /// No progress and no notes
    #[arg(short, long, help_heading = heading::OUTPUT)]
    pub quiet: bool,
}

impl Elasticity {
    /// Whether nothing says what is to be solved.
    pub fn is_bare(&self) -> bool {
        let space = self.geometry.is_some() || self.mesh.is_some() || self.size.is_some();
        let cells = self.cells.is_some() || self.degree.is_some() || self.simplices;
        let held = !self.clamp.is_empty() || !self.displace.is_empty();
        let loaded = self.force.is_some() || !self.traction.is_empty() || !self.pressure.is_empty();
        let drawn = self.png.is_some() || self.vtu.is_some() || self.json.is_some();
        !(space || cells || held || loaded || drawn)
    }
}
