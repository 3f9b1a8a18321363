//! Domains by name: their meshes, the corner or edge that meshes are graded towards, and what they solve unless data
//! are given.

use anyhow::bail;
use galerkit::fem::forest::Size;
use galerkit::fem::forest::grading::Target;
use galerkit::fem::mesh::generate;
use galerkit::fem::{self, Mesh};
use std::fmt;
use std::str::FromStr;

/// A domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    Square,
    Cube,
    Lshape,
    Vertex,
    Fichera,
    Lprism,
    Ball,
    Shell,
    Cylinder,
}

/// Degree of curved geometry.
const CURVED: usize = 4;
const NAMES: [(&str, Domain); 9] = [
    ("square", Domain::Square),
    ("cube", Domain::Cube),
    ("lshape", Domain::Lshape),
    ("vertex", Domain::Vertex),
    ("fichera", Domain::Fichera),
    ("lprism", Domain::Lprism),
    ("ball", Domain::Ball),
    ("shell", Domain::Shell),
    ("cylinder", Domain::Cylinder),
];

/// A model problem, in the words of the command line.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// The solution.
    pub exact: &'static str,
    /// f, with kappa = 1.
    pub rhs: &'static str,
    /// Where u is given.
    pub dirichlet: &'static [&'static str],
    /// Where the flux is.
    pub neumann: &'static [&'static str],
}

impl Domain {
    /// Cells of length 1, cut a number of times along each edge; curved domains have so many along each coarse cell.
    pub fn mesh(self, cuts: usize) -> fem::Result<Mesh> {
        match self {
            Self::Square => generate::rectangle([0.0; 2], [1.0; 2], [cuts; 2]),
            Self::Cube | Self::Vertex => generate::brick([0.0; 3], [1.0; 3], [cuts; 3]),
            Self::Lshape => generate::l_shape(cuts),
            Self::Fichera => generate::fichera(cuts),
            Self::Lprism => generate::l_prism(cuts),
            Self::Ball => generate::ball(1.0, cuts, CURVED),
            Self::Shell => generate::thick_shell(0.5, 1.0, cuts, cuts, CURVED),
            Self::Cylinder => generate::cylinder(1.0, 2.0, cuts, cuts, CURVED),
        }
    }

    /// 2 or 3.
    fn dim(self) -> usize {
        if matches!(self, Self::Square | Self::Lshape) { 2 } else { 3 }
    }

    /// How many cells that mesh has: unknown to it until it is made, which takes memory.
    pub fn size(self, cuts: usize) -> Size {
        let pieces = match self {
            Self::Square | Self::Cube | Self::Vertex => 1.0,
            Self::Lshape | Self::Lprism => 3.0,
            Self::Cylinder => 5.0,
            Self::Shell => 6.0,
            Self::Fichera | Self::Ball => 7.0,
        };
        let coarse = pieces * (cuts as f64).powi(self.dim() as i32);
        Size { coarse, ..Size::of_cells(self.dim(), coarse) }
    }

    /// What meshes are graded towards.
    pub fn target(self) -> Option<Target> {
        match self {
            Self::Ball | Self::Shell | Self::Cylinder => None,
            Self::Lprism => Some(Target::Segment([0.0; 3], [0.0, 0.0, 1.0])),
            _ => Some(Target::Point([0.0; 3])),
        }
    }

    /// Whether solutions are singular at that point whatever the data.
    pub fn is_singular(self) -> bool {
        matches!(self, Self::Lshape | Self::Vertex | Self::Fichera)
    }

    /// What it solves unless data are given; none is -Laplace u = 1, u = 0.
    pub fn model(self) -> Option<Model> {
        let (exact, rhs, dirichlet, neumann): (_, _, &[_], &[_]) = match self {
            Self::Square => ("sin(pi*x)*sin(pi*y)", "2*pi^2*sin(pi*x)*sin(pi*y)", &["0"], &[]),
            Self::Cube => ("sin(pi*x)*sin(pi*y)*sin(pi*z)", "3*pi^2*sin(pi*x)*sin(pi*y)*sin(pi*z)", &["0"], &[]),
            // r^(2/3) sin(2 theta/3), the angle counted from the bisector of the corner, where no branch cuts the
            // domain
            Self::Lshape => ("(x^2+y^2)^(1/3)*cos(2/3*atan2(x+y,y-x))", "0", &["reentrant=0"], &["exact"]),
            Self::Vertex => (
                "x*y*z*(x^2+y^2+z^2)^(-5/4)",
                "11.25*x*y*z*(x^2+y^2+z^2)^(-9/4)",
                &["left=0", "front=0", "bottom=0"],
                &["exact"],
            ),
            _ => return None,
        };
        Some(Model { exact, rhs, dirichlet, neumann })
    }
}

impl FromStr for Domain {
    type Err = anyhow::Error;
    fn from_str(text: &str) -> anyhow::Result<Self> {
        match NAMES.iter().find(|(name, _)| *name == text) {
            Some((_, domain)) => Ok(*domain),
            None => {
                let known = NAMES.map(|(name, _)| name).join(", ");
                bail!("there is no domain '{text}': it is one of {known}, or a file with --mesh")
            }
        }
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES.iter().find(|(_, domain)| domain == self).map_or("", |(name, _)| name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_counted_as_they_are_made() {
        for (_, domain) in NAMES {
            let mesh = domain.mesh(2).unwrap();
            let cells: usize = mesh.blocks_of(mesh.dim()).map(|block| block.len()).sum();
            assert_eq!((domain.size(2).dim, domain.size(2).cells), (mesh.dim(), cells as f64), "{domain}");
        }
    }
}
