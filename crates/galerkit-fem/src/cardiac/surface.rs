//! What of a tissue can be seen: the boundary of tetrahedra, all of a sheet, a ribbon along a cable. Vertices show
//! nodes; those of a ribbon come in pairs.

use super::tissue::Tissue;
use crate::error::Result;

/// Half the width of a ribbon over the length of the cable.
const RIBBON: f32 = 0.02;

/// Triangles with the nodes that their vertices show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Of vertices, in mm.
    pub positions: Vec<[f32; 3]>,
    /// Vertices, three a triangle.
    pub triangles: Vec<[u32; 3]>,
    /// The node of each vertex.
    pub nodes: Vec<u32>,
}

impl Surface {
    /// Of a tissue.
    ///
    /// # Errors
    /// If three elements or more share a face.
    pub fn new(tissue: &Tissue) -> Result<Self> {
        let elements = 0..tissue.elements();
        match tissue.corners() {
            2 => Ok(Self::ribbon(tissue)),
            3 => Ok(Self::of(tissue, elements.map(|e| [0, 1, 2].map(|k| tissue.nodes(e)[k])))),
            _ => {
                let boundary = tissue.mesh().boundary()?;
                let corners = |facet| {
                    let nodes = tissue.mesh().facet_nodes(facet);
                    [nodes[0], nodes[1], nodes[2]]
                };
                Ok(Self::of(tissue, boundary.facets.into_iter().map(corners)))
            }
        }
    }

    /// Triangles of nodes; vertices are numbered as nodes are, without those that nobody sees.
    fn of(tissue: &Tissue, triangles: impl Iterator<Item = [u32; 3]>) -> Self {
        let mut triangles: Vec<[u32; 3]> = triangles.collect();
        let mut nodes: Vec<u32> = triangles.iter().flatten().copied().collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut vertex = vec![0; tissue.points().len()];
        nodes.iter().zip(0..).for_each(|(node, number)| vertex[*node as usize] = number);
        triangles.iter_mut().flatten().for_each(|corner| *corner = vertex[*corner as usize]);
        let positions = nodes.iter().map(|node| tissue.points()[*node as usize].map(|x| x as f32)).collect();
        Self { positions, triangles, nodes }
    }

    fn ribbon(tissue: &Tissue) -> Self {
        let half = RIBBON * tissue.extent() as f32;
        let beside = |x: &[f64; 3]| [-half, half].map(|aside| [x[0] as f32, x[1] as f32 + aside, x[2] as f32]);
        let pair = |e: usize| {
            let [a, b] = [tissue.nodes(e)[0], tissue.nodes(e)[1]];
            [[2 * a, 2 * b, 2 * b + 1], [2 * a, 2 * b + 1, 2 * a + 1]]
        };
        Self {
            positions: tissue.points().iter().flat_map(beside).collect(),
            triangles: (0..tissue.elements()).flat_map(pair).collect(),
            nodes: (0..tissue.points().len() as u32).flat_map(|node| [node, node]).collect(),
        }
    }
}
