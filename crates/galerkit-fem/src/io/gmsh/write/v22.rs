//! Nodes and elements of version 2.2.

use super::group::Group;
use super::sink::Sink;
use crate::mesh::Mesh;
use std::io;

pub(super) fn nodes(sink: &mut Sink, mesh: &Mesh) -> io::Result<()> {
    sink.text(&format!("$Nodes\n{}\n", mesh.points.len()))?;
    for (i, point) in mesh.points.iter().enumerate() {
        sink.int(i as i64 + 1)?;
        point.iter().try_for_each(|x| sink.real(*x))?;
        sink.end()?;
    }
    sink.close("Nodes")
}

pub(super) fn elements(sink: &mut Sink, groups: &[Group]) -> io::Result<()> {
    let count: usize = groups.iter().map(|group| group.nodes.len() / group.stride).sum();
    sink.text(&format!("$Elements\n{count}\n"))?;
    let mut number = 0;
    for group in groups {
        if sink.binary {
            [group.kind, (group.nodes.len() / group.stride) as i64, 2].into_iter().try_for_each(|x| sink.int(x))?;
        }
        for cell in group.nodes.chunks_exact(group.stride) {
            number += 1;
            sink.int(number)?;
            if !sink.binary {
                sink.int(group.kind)?;
                sink.int(2)?;
            }
            sink.int(i64::from(group.tag))?;
            sink.int(i64::from(group.tag))?;
            cell.iter().try_for_each(|node| sink.int(i64::from(*node) + 1))?;
            sink.end()?;
        }
    }
    sink.close("Elements")
}
