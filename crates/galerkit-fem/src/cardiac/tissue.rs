//! Tissue: simplices of one dimension, straight, in millimetres, with a fibre and a conductivity each. Everything that
//! can be wrong with a mesh is found here, before a step is taken.

mod element;
mod spread;

pub use element::{Conductivity, Element};

use crate::error::{Error, Result};
use crate::mesh::{Block, Mesh, Shape};
use galerkit_linalg::parallel;
use spread::Spread;

/// Elements that a thread takes at a time.
const CHUNK: usize = 16384;

/// Simplices with what conducts in them.
#[derive(Clone, Debug)]
pub struct Tissue {
    mesh: Mesh,
    corners: usize,
    nodes: Vec<u32>,
    fibres: Spread<[f64; 3]>,
    conductivities: Spread<Conductivity>,
}

impl Tissue {
    /// The body of a mesh, with one conductivity and fibres along one axis.
    ///
    /// # Errors
    /// If the mesh has other cells than straight simplices, degenerate ones or points without a cell, or the
    /// conductivity is not positive.
    pub fn new(mesh: &Mesh, conductivity: Conductivity) -> Result<Self> {
        mesh.check_arrays()?;
        let dim = mesh.dim();
        let blocks: Vec<_> = mesh.blocks_of(dim).filter(|block| !block.is_empty()).cloned().collect();
        let is_simplex = |shape| matches!(shape, Shape::Line | Shape::Triangle | Shape::Tetrahedron);
        if let Some(block) = blocks.iter().find(|block| !is_simplex(block.shape) || block.order != 1) {
            let problem = "tissue is made of straight segments, triangles or tetrahedra: convert the mesh".into();
            return Err(Error::InvalidMesh { place: format!("its {} cells", block.shape.name()), problem });
        }
        let nodes: Vec<u32> = blocks.iter().flat_map(|block| &block.nodes).copied().collect();
        let body = Mesh { points: mesh.points.clone(), blocks, names: mesh.names.clone() };
        let (fibres, conductivities) = (Spread::Same([1.0, 0.0, 0.0]), Spread::Same(conductivity));
        let tissue = Self { mesh: body, corners: dim + 1, nodes, fibres, conductivities };
        tissue.check()?;
        tissue.check_conductivity(0, conductivity)?;
        Ok(tissue)
    }

    /// With another conductivity in each element.
    ///
    /// # Errors
    /// If they are not as many as elements, or one is not positive.
    pub fn with_conductivities(mut self, conductivities: Vec<Conductivity>) -> Result<Self> {
        self.require_length("conductivities", conductivities.len())?;
        conductivities
            .iter()
            .enumerate()
            .try_for_each(|(e, conductivity)| self.check_conductivity(e, *conductivity))?;
        self.conductivities = Spread::Each(conductivities);
        Ok(self)
    }

    fn check_conductivity(&self, e: usize, Conductivity { iso, ani }: Conductivity) -> Result<()> {
        let worst = [("D across the fibres", iso), ("D along the fibres", iso + ani)];
        match worst.into_iter().find(|(_, value)| !(*value > 0.0 && value.is_finite())) {
            Some((what, value)) => {
                Err(Error::InvalidCoefficient { what, value, point: self.centre(e), needed: "positive" })
            }
            None => Ok(()),
        }
    }

    /// With a fibre in each element, of any length but zero.
    ///
    /// # Errors
    /// If they are not as many as elements, or one has no length where the conductivity depends on it.
    pub fn with_fibres(mut self, mut fibres: Vec<[f64; 3]>) -> Result<Self> {
        self.require_length("fibres", fibres.len())?;
        fibres.iter_mut().enumerate().try_for_each(|(e, fibre)| {
            *fibre = self.unit_fibre(e, *fibre)?;
            Ok::<(), Error>(())
        })?;
        self.fibres = Spread::Each(fibres);
        Ok(self)
    }

    /// With the same fibre everywhere, before conductivities by element.
    ///
    /// # Errors
    /// If it has no length and the conductivity depends on it.
    pub fn with_fibre(mut self, fibre: [f64; 3]) -> Result<Self> {
        self.fibres = Spread::Same(self.unit_fibre(0, fibre)?);
        Ok(self)
    }

    fn unit_fibre(&self, e: usize, fibre: [f64; 3]) -> Result<[f64; 3]> {
        let length = fibre.iter().map(|x| x * x).sum::<f64>().sqrt();
        let is_usable = length > 1e-12 && length.is_finite();
        if !is_usable && self.conductivity(e).ani != 0.0 {
            let (what, needed) = ("the length of the fibre", "positive where the tissue is anisotropic");
            return Err(Error::InvalidCoefficient { what, value: length, point: self.centre(e), needed });
        }
        Ok(if is_usable { fibre.map(|x| x / length) } else { [1.0, 0.0, 0.0] })
    }

    /// What is left when elements are taken away, and the number there of each node that is left.
    ///
    /// # Errors
    /// If nothing is left.
    pub fn without(&self, is_gone: &dyn Fn(usize) -> bool) -> Result<(Self, Vec<Option<u32>>)> {
        let kept: Vec<usize> = (0..self.elements()).filter(|e| !is_gone(*e)).collect();
        let mut numbers = vec![None; self.points().len()];
        kept.iter().flat_map(|e| self.nodes(*e)).for_each(|&node| numbers[node as usize] = Some(0));
        numbers.iter_mut().flatten().zip(0..).for_each(|(number, new)| *number = new);
        let points =
            self.points().iter().zip(&numbers).filter(|(_, number)| number.is_some()).map(|(x, _)| *x).collect();
        let nodes: Vec<u32> =
            kept.iter().flat_map(|e| self.nodes(*e)).filter_map(|&node| numbers[node as usize]).collect();
        let tags: Vec<i32> = self.tags().collect();
        let block = Block {
            shape: self.mesh.blocks[0].shape,
            order: 1,
            nodes: nodes.clone(),
            tags: kept.iter().map(|e| tags[*e]).collect(),
        };
        let mesh = Mesh { points, blocks: vec![block], names: self.mesh.names.clone() };
        mesh.check_arrays()?;
        let (fibres, conductivities) = (self.fibres.only(&kept), self.conductivities.only(&kept));
        Ok((Self { mesh, corners: self.corners, nodes, fibres, conductivities }, numbers))
    }

    /// The mesh: the body alone.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }
    /// Positions of the nodes.
    pub fn points(&self) -> &[[f64; 3]] {
        &self.mesh.points
    }
    /// How many elements there are.
    pub fn elements(&self) -> usize {
        self.nodes.len() / self.corners
    }
    /// Corners of an element.
    pub fn corners(&self) -> usize {
        self.corners
    }
    /// The nodes of an element.
    pub fn nodes(&self, e: usize) -> &[u32] {
        &self.nodes[e * self.corners..][..self.corners]
    }
    /// The nodes of all elements, one after the other.
    pub fn all_nodes(&self) -> &[u32] {
        &self.nodes
    }
    /// The region of each element.
    pub fn tags(&self) -> impl Iterator<Item = i32> + '_ {
        self.mesh.blocks.iter().flat_map(|block| block.tags.iter().copied())
    }
    /// The unit vector along the fibre of an element.
    pub fn fibre(&self, e: usize) -> [f64; 3] {
        self.fibres.of(e)
    }
    /// What conducts in an element.
    pub fn conductivity(&self, e: usize) -> Conductivity {
        self.conductivities.of(e)
    }
    /// Volume and gradients of an element.
    pub fn element(&self, e: usize) -> Element {
        Element::new(self.nodes(e).iter().map(|&node| self.mesh.points[node as usize]))
    }
    /// The centroid of an element.
    pub fn centre(&self, e: usize) -> [f64; 3] {
        let corners = self.nodes(e).iter().map(|&node| self.mesh.points[node as usize]);
        let sum = corners.fold([0.0; 3], |sum, x| [sum[0] + x[0], sum[1] + x[1], sum[2] + x[2]]);
        sum.map(|x| x / self.corners as f64)
    }
    /// The largest extent along an axis.
    pub fn extent(&self) -> f64 {
        let along = |d: usize| {
            let ends = |[low, high]: [f64; 2], x: &[f64; 3]| [low.min(x[d]), high.max(x[d])];
            let [low, high] = self.points().iter().fold([f64::INFINITY, f64::NEG_INFINITY], ends);
            high - low
        };
        (0..3).map(along).fold(0.0, f64::max)
    }
    /// The mean length of edges.
    pub fn mean_edge(&self) -> f64 {
        let edges = |e: usize| {
            let nodes = self.nodes(e);
            let pairs = nodes.iter().enumerate().flat_map(|(k, a)| nodes[..k].iter().map(move |b| [*a, *b]));
            pairs.map(|pair| {
                let [a, b] = pair.map(|node| self.points()[node as usize]);
                (0..3).map(|d| (a[d] - b[d]).powi(2)).sum::<f64>().sqrt()
            })
        };
        let sums = parallel::values(self.elements().div_ceil(CHUNK), &|chunk| {
            self.chunk(chunk).flat_map(edges).sum::<f64>() //
        });
        let count = self.elements() * self.corners * (self.corners - 1) / 2;
        sums.iter().sum::<f64>() / count.max(1) as f64
    }

    /// Elements of a chunk.
    fn chunk(&self, chunk: usize) -> std::ops::Range<usize> {
        chunk * CHUNK..((chunk + 1) * CHUNK).min(self.elements())
    }

    /// Elements of which something holds, in ascending order.
    pub fn elements_where(&self, holds: &(dyn Fn(usize) -> bool + Sync)) -> Vec<usize> {
        let found = |chunk| self.chunk(chunk).filter(|e| holds(*e)).collect::<Vec<usize>>();
        parallel::values(self.elements().div_ceil(CHUNK), &found).concat()
    }

    fn require_length(&self, what: &'static str, found: usize) -> Result<()> {
        let cells = self.elements();
        if found == cells { Ok(()) } else { Err(Error::NotOnePerCell { what, found, cells }) }
    }

    /// No degenerate element, no point without one.
    fn check(&self) -> Result<()> {
        let invalid = |place, problem: &str| Err(Error::InvalidMesh { place, problem: problem.into() });
        if let Some(e) = self.elements_where(&|e| self.element(e).is_degenerate()).first() {
            return invalid(format!("element {e}"), "it is degenerate: its volume vanishes; move or remove it");
        }
        let mut used = vec![false; self.points().len()];
        self.nodes.iter().for_each(|&node| used[node as usize] = true);
        if let Some(node) = used.iter().position(|used| !used) {
            let others = used.iter().filter(|used| !**used).count() - 1;
            let place = if others == 0 { format!("point {node}") } else { format!("point {node} and {others} others") };
            return invalid(place, "no element has this point, so nothing determines its potential: remove it");
        }
        Ok(())
    }
}
