//! What is known of a Gmsh file while it is read.

use super::order::to_ours;
use crate::error::Result;
use crate::io::scan::Scanner;
use crate::mesh::{Block, Mesh, Shape};
use std::collections::{BTreeMap, HashMap};

/// Versions of the format that differ in how they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    V2,
    V40,
    V41,
}

/// What is known of a file while it is read.
#[derive(Default)]
pub(super) struct GmshFile {
    pub(super) points: Vec<[f64; 3]>,
    numbers: NumbersByTag,
    /// The first physical group of an entity, by dimension and tag.
    pub(super) groups: HashMap<(usize, i64), i32>,
    pub(super) names: BTreeMap<(usize, i32), String>,
    pub(super) cells: BTreeMap<(Shape, usize), Cells>,
}

/// Numbers of points by their tags: a table as far as tags are about as many as points, the rest hashed.
#[derive(Default)]
struct NumbersByTag {
    table: Vec<u32>,
    rest: HashMap<u64, u32>,
}

const ABSENT: u32 = u32::MAX;

impl NumbersByTag {
    /// False if the tag has a number already.
    fn insert(&mut self, tag: u64, number: u32) -> bool {
        if self.get(tag).is_some() {
            return false;
        }
        if tag > 4 * u64::from(number) + 1024 {
            self.rest.insert(tag, number);
            return true;
        }
        let place = tag as usize;
        if place >= self.table.len() {
            self.table.resize(place + 1, ABSENT);
        }
        self.table[place] = number;
        true
    }

    fn get(&self, tag: u64) -> Option<u32> {
        let listed = usize::try_from(tag).ok().and_then(|place| self.table.get(place)).copied();
        listed.filter(|number| *number != ABSENT).or_else(|| self.rest.get(&tag).copied())
    }
}

/// Cells of a shape and order.
#[derive(Default)]
pub(super) struct Cells {
    pub(super) nodes: Vec<u32>,
    pub(super) physical: Vec<i32>,
    pub(super) elementary: Vec<i32>,
}

impl GmshFile {
    pub(super) fn add_point(&mut self, scanner: &Scanner, tag: u64, point: [f64; 3]) -> Result<()> {
        if self.points.len() >= u32::MAX as usize {
            return Err(scanner.error("more than 2^32 points are not supported"));
        }
        if !self.numbers.insert(tag, self.points.len() as u32) {
            return Err(scanner.error(format!("node {tag} is defined twice: give each node its own number")));
        }
        self.points.push(point);
        Ok(())
    }

    pub(super) fn node(&self, scanner: &Scanner, tag: u64) -> Result<u32> {
        let missing =
            || scanner.error(format!("node {tag} of this element is not among the {} nodes", self.points.len()));
        self.numbers.get(tag).ok_or_else(missing)
    }

    pub(super) fn finish(self) -> Mesh {
        let grouped: Vec<bool> = (0..4).map(|dim| self.has_groups(dim)).collect();
        let block = |((shape, order), cells): ((Shape, usize), Cells)| Block {
            shape,
            order,
            nodes: to_ours(shape, order, cells.nodes),
            tags: if grouped[shape.dim()] { cells.physical } else { cells.elementary },
        };
        Mesh { blocks: self.cells.into_iter().map(block).collect(), points: self.points, names: self.names }
    }

    fn has_groups(&self, dim: usize) -> bool {
        let of_dim = |(key, _): &(&(Shape, usize), &Cells)| key.0.dim() == dim;
        self.cells.iter().filter(of_dim).any(|(_, cells)| cells.physical.iter().any(|tag| *tag != 0))
    }
}
