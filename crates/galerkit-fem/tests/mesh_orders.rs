//! The order of nodes in Gmsh's cells, against the local coordinates that Gmsh 4.15 gives for them
//! (getElementProperties), in lattice steps.

use galerkit_fem::io::parse;
use galerkit_fem::mesh::lattice::lattice;
use std::path::Path;

const CELLS: [(usize, &str); 7] = [
    (10, "000 200 220 020 100 210 120 010 110"),
    (37, "000 400 440 040 100 200 300 410 420 430 340 240 140 030 020 010 110 310 330 130 210 320 230 120 220"),
    (
        30,
        "000 400 040 004 100 200 300 310 220 130 030 020 010 003 002 001 013 022 031 103 202 301 \
         110 120 210 101 201 102 011 012 021 112 211 121 111",
    ),
    (29, "000 300 030 003 100 200 210 120 020 010 002 001 012 021 102 201 110 101 011 111"),
    (12, "000 200 220 020 002 202 222 022 100 010 001 210 201 120 221 021 102 012 212 122 110 101 011 211 121 112 111"),
    (13, "000 200 020 002 202 022 100 010 001 110 201 021 102 012 112 101 011 111"),
    (14, "000 200 220 020 002 100 010 001 210 101 120 111 011 110"), // the lattice of a layer begins at its corner
];

/// A file with one cell whose nodes have their lattice positions as coordinates.
fn file(kind: usize, nodes: &[[f64; 3]]) -> String {
    let lines: String =
        (1..).zip(nodes).map(|(i, x): (usize, _)| format!("{i} {} {} {}\n", x[0], x[1], x[2])).collect();
    let numbers: String = (1..=nodes.len()).map(|i| format!("{i} ")).collect();
    let count = nodes.len();
    format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{count}\n{lines}$EndNodes\n\
         $Elements\n1\n1 {kind} 2 1 1 {numbers}\n$EndElements\n"
    )
}

#[test]
fn nodes_of_gmsh_come_into_the_order_of_this_crate() {
    for (kind, digits) in CELLS {
        let digit = |c: char| f64::from(c.to_digit(10).expect("a digit"));
        let position = |word: &str| -> [f64; 3] { word.chars().map(digit).collect::<Vec<_>>().try_into().unwrap() };
        let nodes: Vec<_> = digits.split_whitespace().map(position).collect();
        let mesh = parse(file(kind, &nodes).into_bytes(), Path::new("a cell")).unwrap().mesh;
        let block = &mesh.blocks[0];
        let found: Vec<_> = block.nodes.iter().map(|node| mesh.points[*node as usize].map(|x| x as usize)).collect();
        assert_eq!(found, lattice(block.shape, block.order), "elements of type {kind}");
    }
}
