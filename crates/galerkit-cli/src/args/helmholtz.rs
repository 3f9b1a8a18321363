//! `galerkit helmholtz` as typed: what is common first, the rest by heading.

pub mod examples;

use super::{Machine, heading, methods};
use clap::Args;
use std::path::PathBuf;

const GEOMETRY: &str = "square and cube (0,1)^d; duct (0,2) x (0,1), of which left vibrates and right is open; strip, the same for (0,1), one \
cell high, a problem of one dimension; annulus and shell between the \
radius 1 and --outer; car, the compartment of a car with an open roof and the air above it, in m, in 2D or with --dimension 3.

Pieces of the boundary: left, right, bottom, top (in space left, right, front, back, bottom, top); inner and outer of annulus and shell; \
outer, panel (in front, vibrates), wall and seat of the car";

const EXACT: &str = "The solution, if it is known: boundary data and errors follow from it. plane:THETA is exp(ik(x cos THETA + y sin THETA)), \
plane:dx,dy,dz has the direction d, made a unit vector; point:x,y[,z] is a source there, outside of the domain; multipole:M is \
H_M(kr) cos(M theta) or h_M(kr) P_M(cos theta), 1 at r = 1; duct:M is the mode cos(M pi y) of --geometry duct with rigid walls, that \
u_x = cos(M pi y) drives at x = 0 and du/dn = iku lets out at x = 2";

const BOUNDARY: &str = "How the domain is cut off, on the outer boundary of annulus, shell and car, or on all that --wall does not name: impedance \
(du/dn = iku), bgt1, bgt2 (Bayliss, Gunzburger and Turkel; on circles and spheres), pml:L:SIGMA (a layer of thickness L around it, \
of strength SIGMA), infinite:M (conjugated infinite elements of order 1 to 8) [default: impedance; car: infinite:4]";

const WALL: &str = "TAG=CONDITION, again for each piece of the boundary: rigid, soft[:RE[,IM]] (u given), velocity:RE[,IM] (du/dn given), \
impedance[:BETA] (du/dn = ik BETA u, with k / c of the medium there), exact (u of --exact). du/dn is that of u itself, whatever \
--density: a wall that moves outward with v has du/dn = i omega rho v";

const CASE: &str = "Drives the same problem in another way, again for each; the cases of one k are solved together. walls: by what walls, --source and \
--scatter say; source:x,y[,z][:AMPLITUDE]: by this source alone; incident:THETA or incident:dx,dy,dz: the plane wave that --scatter meets. \
Reports have an entry for each case; pictures show the last";

const GLS: &str = "Stabilised bilinear elements (Galerkin least squares): waves in the direction ANGLE, pi/8 if none is given, have their length on \
the grid. With :walls impedance walls take the wavenumber of the grid as well, so that a strip with --gls 0:walls is exact at its nodes";

const PRECOND: &str = "Also shifted[:S[:NAME]], the shifted Laplacian: A with k^2 (1 + i S) in place of k^2, S = 0.5 unless it is given, inverted by ilu0 or \
by NAME: ilu:N, amg (complex algebraic multigrid), or multigrid[:P], a cycle that halves the degree down to P (1), on quadrilaterals and \
hexahedra. auto is elimination where that is affordable, else gmres with shifted";

fn precond() -> String {
    format!("{}.\n\n{PRECOND}", methods::precond())
}

/// `galerkit helmholtz`.
#[derive(Debug, Args)]
pub struct Helmholtz {
    /// square, cube, duct, strip, annulus, shell or car [default: car]
    #[arg(long, value_name = "NAME", long_help = GEOMETRY, conflicts_with = "mesh")]
    pub geometry: Option<String>,
    /// A mesh file in place of a geometry: Gmsh, VTK, VTU or Medit
    #[arg(long, value_name = "FILE")]
    pub mesh: Option<PathBuf>,
    /// Cells for each unit of length
    #[arg(long, value_name = "N", conflicts_with = "mesh", allow_negative_numbers = true)]
    pub cells: Option<usize>,
    /// Degree: 1 to 10, on triangles and tetrahedra to 4
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub degree: Option<usize>,
    /// k = omega / c, 1 / m; with losses RE+IMi. 0 is Laplace's equation
    #[arg(long, value_name = "K", allow_hyphen_values = true, conflicts_with = "frequency")]
    pub wavenumber: Option<String>,
    /// Frequency in Hz, with --sound-speed
    #[arg(long, value_name = "HZ", allow_hyphen_values = true)]
    pub frequency: Option<f64>,
    /// impedance, bgt1, bgt2, pml:L:SIGMA or infinite:M
    #[arg(long, value_name = "HOW", long_help = BOUNDARY)]
    pub boundary: Option<String>,
    /// Solution: plane:THETA, plane:dx,dy,dz, point:x,y[,z], multipole:M, duct:M
    #[arg(long, value_name = "WAVE", allow_hyphen_values = true, long_help = EXACT)]
    pub exact: Option<String>,
    /// From A to B Hz in steps: one system, new values for each frequency
    #[arg(long, value_name = "A:B:STEP", allow_hyphen_values = true)]
    pub sweep: Option<String>,
    /// auto, gmres, orthodir, bicgstab, idr, lu, ...; as in 'galerkit solve'
    #[arg(long, value_name = "NAME", default_value = "auto", long_help = methods::help())]
    pub method: String,
    /// auto, none, jacobi, ilu0, shifted[:S], ...
    #[arg(long, value_name = "NAME", default_value = "auto", alias = "preconditioner", long_help = precond())]
    pub precond: String,
    /// Relative tolerance of the linear solve [default: 1e-8, in f32 1e-4]
    #[arg(long, allow_hyphen_values = true)]
    pub rtol: Option<f64>,

    /// rigid, soft, velocity, impedance or exact there
    #[arg(long, value_name = "TAG=CONDITION", allow_hyphen_values = true, long_help = WALL, help_heading = heading::DATA)]
    pub wall: Vec<String>,
    /// A point source, f = AMPLITUDE delta; again for each
    #[arg(long, value_name = "x,y[,z][:AMPLITUDE]", allow_hyphen_values = true, help_heading = heading::DATA)]
    pub source: Vec<String>,
    /// f in the whole domain, a function of x, y, z
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true, help_heading = heading::DATA)]
    pub volume: Option<String>,
    /// Scatter exp(ikx), in 3D exp(ikz), inside: soft or hard
    #[arg(long, value_name = "KIND", help_heading = heading::DATA)]
    pub scatter: Option<String>,
    /// A right-hand side of its own; again for each
    #[arg(long, value_name = "walls|source:...|incident:...", allow_hyphen_values = true, long_help = CASE, help_heading = heading::DATA)]
    pub case: Vec<String>,
    /// Relative wave speed, a function of x, y, z
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true, help_heading = heading::DATA)]
    pub speed: Option<String>,
    /// Relative density
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true, help_heading = heading::DATA)]
    pub density: Option<String>,
    /// c in m/s, for frequencies
    #[arg(long, value_name = "C", default_value_t = 343.0, allow_hyphen_values = true, help_heading = heading::DATA)]
    pub sound_speed: f64,
    /// Outer radius, or half axes [default: 2, car 1.5]
    #[arg(long, value_name = "R|a,b[,c]", allow_hyphen_values = true, help_heading = heading::DATA)]
    pub outer: Option<String>,
    /// Its length,height,opening[,width] in m
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, help_heading = heading::DATA)]
    pub car: Option<String>,
    /// 2 or 3: of the car
    #[arg(long, value_name = "D", help_heading = heading::DATA)]
    pub dimension: Option<usize>,

    /// Stabilised bilinear elements; their direction is pi/8 if none is given
    #[arg(long, value_name = "ANGLE", num_args = 0..=1, default_missing_value = "", allow_negative_numbers = true,
          long_help = GLS, help_heading = heading::METHOD)]
    pub gls: Option<String>,
    /// Cut squares and cubes into triangles and tetrahedra
    #[arg(long, help_heading = heading::METHOD)]
    pub simplices: bool,
    /// assembled, or matrix-free on quadrilaterals and hexahedra
    #[arg(long, value_name = "HOW", default_value = "assembled", help_heading = heading::METHOD)]
    pub operator: String,
    /// Go on with less than two cells a wavelength
    #[arg(long, help_heading = heading::METHOD)]
    pub force: bool,
    /// Most iterations
    #[arg(long, value_name = "N", allow_negative_numbers = true, help_heading = heading::METHOD)]
    pub max_iterations: Option<usize>,
    /// Where and how it is computed.
    #[command(flatten)]
    pub machine: Machine,

    /// Listening point; again for each [default: two heads in the car]
    #[arg(long, value_name = "x,y[,z]", allow_hyphen_values = true, help_heading = heading::OUTPUT)]
    pub probe: Vec<String>,
    /// Real and imaginary part, level and phase for ParaView
    #[arg(long, value_name = "p.vtu", help_heading = heading::OUTPUT)]
    pub vtu: Option<PathBuf>,
    /// Draw --show; in 3D cut open in its middle
    #[arg(long, value_name = "p.png", help_heading = heading::OUTPUT)]
    pub png: Option<PathBuf>,
    /// level (dB), real or phase
    #[arg(long, value_name = "WHAT", default_value = "level", help_heading = heading::OUTPUT)]
    pub show: String,
    /// One period of the field as an animated GIF, or PNG by its name
    #[arg(long, value_name = "p.gif", help_heading = heading::OUTPUT)]
    pub gif: Option<PathBuf>,
    /// Levels at the probes over the frequency
    #[arg(long, value_name = "r.svg", requires = "sweep", help_heading = heading::OUTPUT)]
    pub plot: Option<PathBuf>,
    /// The same as a table
    #[arg(long, value_name = "r.csv", requires = "sweep", help_heading = heading::OUTPUT)]
    pub csv: Option<PathBuf>,
    /// Write the report as JSON; '-' for standard output
    #[arg(long, value_name = "r.json|-", help_heading = heading::OUTPUT)]
    pub json: Option<PathBuf>,
    /// No progress and no notes
    #[arg(short, long, help_heading = heading::OUTPUT)]
    pub quiet: bool,
}

impl Helmholtz {
    /// Whether nothing says what is to be solved.
    pub fn is_bare(&self) -> bool {
        let space = self.geometry.is_some() || self.mesh.is_some() || self.cells.is_some() || self.degree.is_some();
        let wave = self.wavenumber.is_some() || self.frequency.is_some() || self.sweep.is_some();
        let data = self.boundary.is_some() || self.exact.is_some() || !self.wall.is_empty() || self.scatter.is_some();
        let data = data || !self.case.is_empty();
        !(space || wave || data || self.car.is_some() || self.dimension.is_some() || !self.source.is_empty())
    }
}
