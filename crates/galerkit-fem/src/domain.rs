//! Model domains as coarse meshes of unit squares or cubes, cut `cuts` times along each edge; cells are ordered with x
//! slow, the last axis fast. The generators' meshes, with a boundary of one or two pieces.
//!
//! | domain | what | tags of its boundary |
//! |---|---|---|
//! | [`square`], [`cube`] | (0, 1)^d | 1 |
//! | [`lshape`] | (-1, 1)^2 without [0, 1] x [-1, 0] | 1 on the two re-entrant edges, 2 elsewhere |
//! | [`vertex`] | (0, 1)^3 | 1 on the coordinate planes, 2 elsewhere |
//! | [`fichera`] | (-1, 1)^3 without [0, 1]^3 | 1 |

use crate::error::Result;
use crate::mesh::{Mesh, UNTAGGED, generate};

/// (0, 1)^2.
pub fn square(cuts: usize) -> Mesh {
    tagged(generate::rectangle([0.0; 2], [1.0; 2], [cuts; 2]), &|_| 1)
}

/// (0, 1)^3.
pub fn cube(cuts: usize) -> Mesh {
    tagged(generate::brick([0.0; 3], [1.0; 3], [cuts; 3]), &|_| 1)
}

/// (-1, 1)^2 without [0, 1] x [-1, 0].
pub fn lshape(cuts: usize) -> Mesh {
    tagged(generate::l_shape(cuts), &|name| if name == "reentrant" { 1 } else { 2 })
}

/// (0, 1)^3 with a boundary of two pieces.
pub fn vertex(cuts: usize) -> Mesh {
    tagged(generate::brick([0.0; 3], [1.0; 3], [cuts; 3]), &|name| {
        if ["left", "front", "bottom"].contains(&name) { 1 } else { 2 }
    })
}

/// (-1, 1)^3 without [0, 1]^3.
pub fn fichera(cuts: usize) -> Mesh {
    tagged(generate::fichera(cuts), &|_| 1)
}

/// A mesh without regions whose pieces of the boundary have other tags, by their names, and no names any more.
fn tagged(mesh: Result<Mesh>, tag: &dyn Fn(&str) -> i32) -> Mesh {
    let mut mesh = mesh.expect("a domain is cut at least once");
    let below = mesh.dim() - 1;
    let names = std::mem::take(&mut mesh.names);
    let of = |old: &i32| tag(names.get(&(below, *old)).map_or("", String::as_str));
    for block in &mut mesh.blocks {
        let is_below = block.shape.dim() == below;
        block.tags.iter_mut().for_each(|old| *old = if is_below { of(old) } else { UNTAGGED });
    }
    mesh
}
