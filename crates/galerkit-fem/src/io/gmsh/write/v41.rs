//! Entities, nodes and elements of version 4.1.

use super::group::Group;
use super::sink::Sink;
use crate::mesh::Mesh;
use std::io;

/// One entity for each dimension and tag, in the box of the whole mesh.
pub(super) fn entities(sink: &mut Sink, mesh: &Mesh, groups: &[Group]) -> io::Result<()> {
    let mut tags: [Vec<i32>; 4] = Default::default();
    groups.iter().for_each(|group| tags[group.dim].push(group.tag));
    tags.iter_mut().for_each(Vec::dedup);
    let extreme = |d: usize, pick: fn(f64, f64) -> f64| mesh.points.iter().map(|x| x[d]).reduce(pick).unwrap_or(0.0);
    let ends = [f64::min, f64::max].map(|pick: fn(f64, f64) -> f64| [0, 1, 2].map(|d| extreme(d, pick)));
    sink.text("$Entities\n")?;
    tags.iter().try_for_each(|tags| sink.size(tags.len()))?;
    sink.end()?;
    for (dim, tag) in tags.iter().enumerate().flat_map(|(dim, tags)| tags.iter().map(move |tag| (dim, *tag))) {
        sink.int(i64::from(tag))?;
        let corners = if dim == 0 { &ends[..1] } else { &ends[..] };
        corners.iter().flatten().try_for_each(|x| sink.real(*x))?;
        sink.size(usize::from(tag != 0))?; // 0 is no physical group
        if tag != 0 {
            sink.int(i64::from(tag))?;
        }
        if dim > 0 {
            sink.size(0)?; // what bounds it is not known
        }
        sink.end()?;
    }
    sink.close("Entities")
}

/// All nodes in one block, of the entity that comes last.
pub(super) fn nodes(sink: &mut Sink, mesh: &Mesh, groups: &[Group]) -> io::Result<()> {
    let count = mesh.points.len();
    sink.text("$Nodes\n")?;
    [1, count, 1, count].into_iter().try_for_each(|x| sink.size(x))?;
    sink.end()?;
    let (dim, tag) = groups.last().map_or((0, 0), |group| (group.dim as i64, i64::from(group.tag)));
    [dim, tag, 0].into_iter().try_for_each(|x| sink.int(x))?;
    sink.size(count)?;
    sink.end()?;
    for i in 1..=count {
        sink.size(i)?;
        sink.end()?;
    }
    for point in &mesh.points {
        point.iter().try_for_each(|x| sink.real(*x))?;
        sink.end()?;
    }
    sink.close("Nodes")
}

pub(super) fn elements(sink: &mut Sink, groups: &[Group]) -> io::Result<()> {
    let count: usize = groups.iter().map(|group| group.nodes.len() / group.stride).sum();
    sink.text("$Elements\n")?;
    [groups.len(), count, 1, count].into_iter().try_for_each(|x| sink.size(x))?;
    sink.end()?;
    let mut number = 0;
    for group in groups {
        [group.dim as i64, i64::from(group.tag), group.kind].into_iter().try_for_each(|x| sink.int(x))?;
        sink.size(group.nodes.len() / group.stride)?;
        sink.end()?;
        for cell in group.nodes.chunks_exact(group.stride) {
            number += 1;
            sink.size(number)?;
            cell.iter().try_for_each(|node| sink.size(*node as usize + 1))?;
            sink.end()?;
        }
    }
    sink.close("Elements")
}
