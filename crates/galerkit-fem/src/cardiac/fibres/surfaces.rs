//! The surfaces of ventricles as nodes: by tags of the boundary, by their names in the file, or by shape: the largest
//! flat part of the boundary is the base; of what is left the piece that extends furthest is the epicardium, the cavity
//! that reaches deepest the left one.

use crate::error::{Error, Result};
use crate::mesh::Mesh;
use std::collections::BTreeMap;

/// Nodes of each surface; without a right ventricle its list is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surfaces {
    /// Outside.
    pub epi: Vec<u32>,
    /// The left cavity.
    pub lv: Vec<u32>,
    /// The right cavity.
    pub rv: Vec<u32>,
    /// Where the ventricles are cut.
    pub base: Vec<u32>,
}

/// Tags of epicardium, left and right cavity and base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceTags {
    /// Outside.
    pub epi: i32,
    /// The left cavity.
    pub lv: i32,
    /// The right cavity.
    pub rv: Option<i32>,
    /// Where the ventricles are cut.
    pub base: i32,
}

/// Flat: normals within this cosine, planes within this share of the extent.
const PARALLEL: f64 = 0.995;
const COPLANAR: f64 = 5e-3;
/// The least share of the boundary that a base has.
const LEAST_BASE: f64 = 0.01;

/// A facet of the boundary.
struct Side {
    nodes: Vec<u32>,
    tag: i32,
    centre: [f64; 3],
    /// Its length is the area.
    normal: [f64; 3],
}

impl Surfaces {
    /// By tags if they are given, else by names, else by shape.
    ///
    /// # Errors
    /// If a surface is empty, or cannot be told from the others.
    pub fn new(mesh: &Mesh, tags: Option<SurfaceTags>) -> Result<Self> {
        let sides = sides(mesh)?;
        let surfaces = match tags.or_else(|| named(mesh)) {
            Some(SurfaceTags { epi, lv, rv, base }) => {
                let of = |tag: i32| nodes(sides.iter().filter(|side| side.tag == tag));
                Self { epi: of(epi), lv: of(lv), rv: rv.map(of).unwrap_or_default(), base: of(base) }
            }
            None => by_shape(&sides)?,
        };
        let needed = [("epicardium", &surfaces.epi), ("left endocardium", &surfaces.lv), ("base", &surfaces.base)];
        match needed.iter().find(|(_, nodes)| nodes.is_empty()) {
            Some((name, _)) => Err(unknown(&format!("no facet belongs to the {name}"))),
            None => Ok(surfaces),
        }
    }
}

fn unknown(problem: &str) -> Error {
    let problem =
        format!("{problem}: name the tags of epicardium, cavities and base (--surfaces epi=1,lv=2,rv=3,base=4)");
    Error::InvalidMesh { place: "its boundary".into(), problem }
}

/// Names that programs give surfaces, in lower case.
fn named(mesh: &Mesh) -> Option<SurfaceTags> {
    let find = |names: &[&str]| {
        let is_one = |name: &str| names.contains(&name.to_ascii_lowercase().as_str());
        mesh.names.iter().find(|((dim, _), name)| *dim == 2 && is_one(name)).map(|((_, tag), _)| *tag)
    };
    Some(SurfaceTags {
        epi: find(&["epi", "epicardium", "lv_epi"])?,
        lv: find(&["lv", "endo", "lv_endo", "endo_lv", "endocardium", "lv_endocardium"])?,
        rv: find(&["rv", "rv_endo", "endo_rv", "rv_endocardium"]),
        base: find(&["base", "basal", "top"])?,
    })
}

fn sides(mesh: &Mesh) -> Result<Vec<Side>> {
    let side = |facet: crate::mesh::Facet| {
        let nodes = mesh.facet_nodes(facet);
        let [a, b, c] = [0, 1, 2].map(|k| nodes.get(k).map_or([0.0; 3], |&node| mesh.points[node as usize]));
        let (u, v) = ([0, 1, 2].map(|d| b[d] - a[d]), [0, 1, 2].map(|d| c[d] - a[d]));
        let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]].map(|x| 0.5 * x);
        Side { nodes, tag: facet.tag, centre: [0, 1, 2].map(|d| (a[d] + b[d] + c[d]) / 3.0), normal }
    };
    if mesh.dim() != 3 {
        return Err(unknown("fibres by rule are for solid ventricles, not for sheets"));
    }
    Ok(mesh.boundary()?.facets.into_iter().map(side).collect())
}

fn nodes<'a>(sides: impl Iterator<Item = &'a Side>) -> Vec<u32> {
    let mut nodes: Vec<u32> = sides.flat_map(|side| &side.nodes).copied().collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn area(side: &Side) -> f64 {
    dot(side.normal, side.normal).sqrt()
}

/// The normal without a sense: its largest component is positive.
fn line(side: &Side) -> [f64; 3] {
    let largest = side.normal.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(1.0);
    side.normal.map(|x| x / area(side) * largest.signum())
}

fn extent<'a>(sides: impl Iterator<Item = &'a Side> + Clone) -> f64 {
    let along = |d: usize| {
        let ends = |[low, high]: [f64; 2], side: &Side| [low.min(side.centre[d]), high.max(side.centre[d])];
        let [low, high] = sides.clone().fold([f64::INFINITY, f64::NEG_INFINITY], ends);
        high - low
    };
    (0..3).map(|d| along(d).powi(2)).sum::<f64>().sqrt()
}

fn by_shape(sides: &[Side]) -> Result<Surfaces> {
    let (base, rest) = flat_part(sides)?;
    let mut pieces = pieces(&rest);
    if !(2..=3).contains(&pieces.len()) {
        return Err(unknown(&format!("beside the base the boundary has {} pieces, not 2 or 3", pieces.len())));
    }
    // Cells may be inside out, so normals tell no side: outward is away from the middle of the boundary.
    let mean = |sides: &[&Side], d: usize| sides.iter().map(|side| side.centre[d]).sum::<f64>() / sides.len() as f64;
    let outward = [0, 1, 2].map(|d| mean(&base, d) - mean(&rest, d));
    let depth =
        |piece: &Vec<&Side>| piece.iter().map(|side| -dot(outward, side.centre)).fold(f64::NEG_INFINITY, f64::max);
    pieces.sort_by(|a, b| extent(b.iter().copied()).total_cmp(&extent(a.iter().copied())));
    pieces[1..].sort_by(|a, b| depth(b).total_cmp(&depth(a)));
    let of = |k: usize| pieces.get(k).map(|piece| nodes(piece.iter().copied())).unwrap_or_default();
    Ok(Surfaces { epi: of(0), lv: of(1), rv: of(2), base: nodes(base.into_iter()) })
}

/// The largest flat part, and what is left.
fn flat_part(sides: &[Side]) -> Result<(Vec<&Side>, Vec<&Side>)> {
    let size = extent(sides.iter());
    // Candidates by rounded planes; then all that lie in the plane of the best.
    let mut planes: BTreeMap<[i64; 4], (f64, usize)> = BTreeMap::new();
    for (k, side) in sides.iter().enumerate() {
        let normal = line(side);
        let rounded = |x: f64| (20.0 * x).round() as i64;
        let key = [
            rounded(normal[0]),
            rounded(normal[1]),
            rounded(normal[2]),
            rounded(10.0 * dot(normal, side.centre) / size),
        ];
        planes.entry(key).or_insert((0.0, k)).0 += area(side);
    }
    let best = planes.values().max_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, k)| *k);
    let normal = line(&sides[best]);
    let is_flat = |side: &&Side| {
        let is_parallel = dot(normal, side.normal).abs() > PARALLEL * area(side);
        is_parallel && (dot(normal, side.centre) - dot(normal, sides[best].centre)).abs() < COPLANAR * size
    };
    let (base, rest): (Vec<&Side>, Vec<&Side>) = sides.iter().partition(is_flat);
    let total = |sides: &[&Side]| sides.iter().map(|side| area(side)).sum::<f64>();
    if total(&base) < LEAST_BASE * (total(&base) + total(&rest)) {
        return Err(unknown("no part of the boundary is flat, so no base is seen"));
    }
    Ok((base, rest))
}

/// Sides that are joined by nodes.
fn pieces<'a>(sides: &[&'a Side]) -> Vec<Vec<&'a Side>> {
    let most = sides.iter().flat_map(|side| &side.nodes).copied().max().unwrap_or(0) as usize;
    let mut parent: Vec<u32> = (0..=most as u32).collect();
    fn root(parent: &mut [u32], mut node: u32) -> u32 {
        while parent[node as usize] != node {
            parent[node as usize] = parent[parent[node as usize] as usize];
            node = parent[node as usize];
        }
        node
    }
    for side in sides {
        for pair in side.nodes.windows(2) {
            let (a, b) = (root(&mut parent, pair[0]), root(&mut parent, pair[1]));
            parent[a as usize] = b;
        }
    }
    let mut pieces: BTreeMap<u32, Vec<&Side>> = BTreeMap::new();
    sides.iter().for_each(|side| pieces.entry(root(&mut parent, side.nodes[0])).or_default().push(side));
    pieces.into_values().collect()
}
