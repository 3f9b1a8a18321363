//! Entities, nodes and elements of versions 4.0 and 4.1: nodes and elements come in blocks, each of one geometric
//! entity. 4.0 has the entity's tag before its dimension and node tags beside coordinates, and 4-byte tags in binary
//! files.

use super::elements::shape_of;
use super::file::{GmshFile, Version};
use crate::error::Result;
use crate::io::scan::{Encoding, Scanner};

fn tag(scanner: &mut Scanner, version: Version) -> Result<u64> {
    if version == Version::V41 { scanner.size() } else { Ok(scanner.int()? as u64) }
}

/// How many blocks and things there are; 4.1 adds the least and the largest tag.
fn counts(scanner: &mut Scanner, version: Version) -> Result<(u64, u64)> {
    let counts = (scanner.size()?, scanner.size()?);
    if version == Version::V41 {
        scanner.size()?;
        scanner.size()?;
    }
    Ok(counts)
}

/// Dimension and tag of a block's entity, then what kind it is of, then its length.
fn block(scanner: &mut Scanner, version: Version) -> Result<(usize, i64, i64, u64)> {
    let (first, second) = (scanner.int()?, scanner.int()?);
    let (dim, entity) = if version == Version::V41 { (first, second) } else { (second, first) };
    if !(0..=3).contains(&dim) {
        return Err(
            scanner.error(format!("an entity of dimension {dim}: 0 to 3 exist; the counts before it may be wrong"))
        );
    }
    Ok((dim as usize, entity, scanner.int()?, scanner.size()?))
}

pub(super) fn entities(scanner: &mut Scanner, file: &mut GmshFile, version: Version) -> Result<()> {
    let counts = [scanner.size()?, scanner.size()?, scanner.size()?, scanner.size()?];
    for (dim, count) in counts.into_iter().enumerate() {
        for _ in 0..count {
            let entity = scanner.int()?;
            let coordinates = if dim == 0 && version == Version::V41 { 3 } else { 6 };
            for _ in 0..coordinates {
                scanner.real()?;
            }
            for i in 0..scanner.size()? {
                let group = scanner.int()?;
                if i == 0 {
                    file.groups.insert((dim, entity), group.abs() as i32); // negative where it is turned round
                }
            }
            for _ in 0..if dim == 0 { 0 } else { scanner.size()? } {
                scanner.int()?; // what bounds it
            }
        }
    }
    Ok(())
}

pub(super) fn nodes(scanner: &mut Scanner, file: &mut GmshFile, version: Version) -> Result<()> {
    let (blocks, count) = counts(scanner, version)?;
    let each = if scanner.encoding == Encoding::Text { 8 } else { 28 };
    file.points.reserve(scanner.fitting(count, each, "nodes")?);
    for _ in 0..blocks {
        let (dim, _, parametric, length) = block(scanner, version)?;
        let length = scanner.fitting(length, each, "nodes of a block")?;
        let first = if version == Version::V41 { length } else { 0 }; // 4.1 has all tags before the coordinates
        let tags: Vec<u64> = (0..first).map(|_| scanner.size()).collect::<Result<_>>()?;
        for i in 0..length {
            let tag = tags.get(i).copied().map_or_else(|| tag(scanner, version), Ok)?;
            let point = [scanner.real()?, scanner.real()?, scanner.real()?];
            for _ in 0..if parametric == 0 { 0 } else { dim } {
                scanner.real()?;
            }
            file.add_point(scanner, tag, point)?;
        }
    }
    fits(scanner, file.points.len(), count, "nodes")
}

pub(super) fn elements(scanner: &mut Scanner, file: &mut GmshFile, version: Version) -> Result<()> {
    let (blocks, count) = counts(scanner, version)?;
    let mut found = 0;
    for _ in 0..blocks {
        let (dim, entity, kind, length) = block(scanner, version)?;
        let (shape, order) = shape_of(scanner, kind)?;
        let length = scanner.fitting(length, if scanner.encoding == Encoding::Text { 4 } else { 8 }, "elements")?;
        let mut cells = file.cells.remove(&(shape, order)).unwrap_or_default();
        for _ in 0..length {
            tag(scanner, version)?; // the element's own
            for _ in 0..shape.nodes(order) {
                let node = tag(scanner, version)?;
                cells.nodes.push(file.node(scanner, node)?);
            }
        }
        let group = file.groups.get(&(dim, entity)).copied().unwrap_or(0);
        cells.physical.resize(cells.physical.len() + length, group);
        cells.elementary.resize(cells.elementary.len() + length, entity as i32);
        file.cells.insert((shape, order), cells);
        found += length;
    }
    fits(scanner, found, count, "elements")
}

fn fits(scanner: &Scanner, found: usize, announced: u64, things: &str) -> Result<()> {
    if found as u64 == announced {
        return Ok(());
    }
    Err(scanner.error(format!("the blocks hold {found} {things}, {announced} are announced: correct the count")))
}
