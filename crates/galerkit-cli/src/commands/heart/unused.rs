//! Points of a mesh file that no element has: nothing would determine their potential, so they are left out, and that
//! is said.

use galerkit::fem::io::Contents;
use galerkit::fem::mesh::Mesh;

/// New numbers of nodes by their number in the file; none where a point is left out.
pub type Numbers = Vec<Option<u32>>;

/// What the body of a mesh uses, with everything that lies on it.
pub fn used(contents: Contents, say: &dyn Fn(&str)) -> (Contents, Numbers) {
    let Contents { mesh, mut point_data, mut cell_data } = contents;
    let mut numbers: Numbers = vec![None; mesh.points.len()];
    let body =
        mesh.blocks_of(mesh.dim()).flat_map(|block| &block.nodes).filter(|node| (**node as usize) < mesh.points.len());
    body.for_each(|&node| numbers[node as usize] = Some(0));
    numbers.iter_mut().flatten().zip(0..).for_each(|(number, new)| *number = new);
    let unused = numbers.iter().filter(|number| number.is_none()).count();
    if unused == 0 {
        return (Contents { mesh, point_data, cell_data }, numbers);
    }
    let words = if unused == 1 { "point belongs to no element and is" } else { "points belong to no element and are" };
    say(&format!("warning: {unused} {words} left out"));
    for field in &mut point_data {
        let rows = field.values.chunks_exact(field.components).zip(&numbers);
        field.values = rows.filter(|(_, number)| number.is_some()).flat_map(|(row, _)| row.to_vec()).collect();
    }
    let (mesh, kept) = renumbered(mesh, &numbers);
    for field in &mut cell_data {
        let rows = field.values.chunks_exact(field.components).zip(&kept);
        field.values = rows.filter(|(_, kept)| **kept).flat_map(|(row, _)| row.to_vec()).collect();
    }
    (Contents { mesh, point_data, cell_data }, numbers)
}

/// Without the points that have no number and the cells on them; which cells were kept.
fn renumbered(mut mesh: Mesh, numbers: &Numbers) -> (Mesh, Vec<bool>) {
    let mut all = Vec::new();
    for block in &mut mesh.blocks {
        let stride = block.shape.nodes(block.order);
        let is_kept = |cell: &[u32]| cell.iter().all(|node| numbers.get(*node as usize).is_some_and(Option::is_some));
        let kept: Vec<bool> = block.nodes.chunks_exact(stride).map(is_kept).collect();
        let cells = block.nodes.chunks_exact(stride).zip(&kept).filter(|(_, kept)| **kept);
        block.nodes = cells.flat_map(|(cell, _)| cell).filter_map(|node| numbers[*node as usize]).collect();
        block.tags = block.tags.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(tag, _)| *tag).collect();
        all.extend(kept);
    }
    let mut known = numbers.iter();
    mesh.points.retain(|_| known.next().is_some_and(Option::is_some));
    (mesh, all)
}
