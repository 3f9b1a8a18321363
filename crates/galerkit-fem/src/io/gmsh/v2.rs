//! Nodes and elements of version 2: a list of nodes, a list of elements with their tags. Binary files group elements of
//! one type.

use super::elements::shape_of;
use super::file::GmshFile;
use crate::error::Result;
use crate::io::scan::{Encoding, Scanner};

/// A count is text, on a line of its own, in binary files too.
fn count(scanner: &mut Scanner) -> Result<u64> {
    let encoding = std::mem::replace(&mut scanner.encoding, Encoding::Text);
    let count = scanner.size();
    scanner.line();
    scanner.encoding = encoding;
    count
}

pub(super) fn nodes(scanner: &mut Scanner, file: &mut GmshFile) -> Result<()> {
    let count = count(scanner)?;
    let count = scanner.fitting(count, if scanner.encoding == Encoding::Text { 8 } else { 28 }, "nodes")?;
    file.points.reserve(count);
    for _ in 0..count {
        let tag = scanner.int()? as u64;
        let point = [scanner.real()?, scanner.real()?, scanner.real()?];
        file.add_point(scanner, tag, point)?;
    }
    Ok(())
}

pub(super) fn elements(scanner: &mut Scanner, file: &mut GmshFile) -> Result<()> {
    let count = count(scanner)?;
    let count = scanner.fitting(count, if scanner.encoding == Encoding::Text { 6 } else { 8 }, "elements")?;
    let mut found = 0;
    while found < count {
        if scanner.encoding == Encoding::Text {
            scanner.int()?; // the element's own number
            let (kind, tags) = (scanner.int()?, scanner.int()?);
            element(scanner, file, kind, tags)?;
            found += 1;
        } else {
            let (kind, group, tags) = (scanner.int()?, scanner.int()?, scanner.int()?);
            for _ in 0..group {
                scanner.int()?;
                element(scanner, file, kind, tags)?;
            }
            if group < 1 || found + group as usize > count {
                return Err(
                    scanner.error(format!("a group of {group} elements does not fit the {count} of the section"))
                );
            }
            found += group as usize;
        }
    }
    Ok(())
}

/// Tags (physical, elementary, partitions) and nodes.
fn element(scanner: &mut Scanner, file: &mut GmshFile, kind: i64, tags: i64) -> Result<()> {
    let (shape, order) = shape_of(scanner, kind)?;
    let mut kept = [0; 2];
    for i in 0..tags {
        let tag = scanner.int()?;
        if let Some(place) = kept.get_mut(i as usize) {
            *place = tag as i32;
        }
    }
    for _ in 0..shape.nodes(order) {
        let tag = scanner.int()? as u64;
        let node = file.node(scanner, tag)?;
        file.cells.entry((shape, order)).or_default().nodes.push(node);
    }
    let cells = file.cells.entry((shape, order)).or_default();
    cells.physical.push(kept[0]);
    cells.elementary.push(kept[1]);
    Ok(())
}
