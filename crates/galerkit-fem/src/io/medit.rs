//! Medit's ascii `.mesh`: keywords, each followed by a count and as many lines; the last number of a line is its
//! reference, our tag. Keywords that hold no cells (corners, ridges, normals) are passed over.

use super::contents::Contents;
use super::scan::Scanner;
use crate::error::Result;
use crate::mesh::{Block, Mesh, Shape};

pub(super) fn parse(mut scanner: Scanner) -> Result<Contents> {
    let mut mesh = Mesh::default();
    let mut dim = 3;
    while let Some(word) = scanner.word() {
        match word {
            "MeshVersionFormatted" => drop(scanner.int()?),
            "Dimension" => dim = dimension(&mut scanner)?,
            "Vertices" => vertices(&mut scanner, dim, &mut mesh)?,
            "End" => break,
            comment if comment.starts_with('#') => drop(scanner.line()),
            keyword => match shape_of(keyword) {
                Some(shape) => cells(&mut scanner, shape, &mut mesh)?,
                None if keyword.starts_with(|c: char| c.is_ascii_alphabetic()) => pass_over(&mut scanner),
                None => {
                    return Err(scanner
                        .error(format!("expected a keyword, found \"{keyword}\": the count before it may be wrong")));
                }
            },
        }
    }
    mesh.blocks.retain(|block| !block.is_empty());
    Ok(Contents { mesh, ..Contents::default() })
}

fn shape_of(keyword: &str) -> Option<Shape> {
    Some(match keyword {
        "Edges" => Shape::Line,
        "Triangles" => Shape::Triangle,
        "Quadrilaterals" => Shape::Quadrilateral,
        "Tetrahedra" => Shape::Tetrahedron,
        "Hexahedra" | "Hexaedra" => Shape::Hexahedron,
        "Prisms" => Shape::Prism,
        "Pyramids" => Shape::Pyramid,
        _ => return None,
    })
}

fn dimension(scanner: &mut Scanner) -> Result<usize> {
    match scanner.int()? {
        2 => Ok(2),
        3 => Ok(3),
        other => Err(scanner.error(format!("the dimension is {other}: 2 and 3 are read"))),
    }
}

fn vertices(scanner: &mut Scanner, dim: usize, mesh: &mut Mesh) -> Result<()> {
    let count = scanner.size()?;
    let count = scanner.fitting(count, 2 * dim, "vertices")?;
    for _ in 0..count {
        let mut point = [0.0; 3];
        for x in &mut point[..dim] {
            *x = scanner.real()?;
        }
        scanner.real()?; // its reference
        mesh.points.push(point);
    }
    Ok(())
}

fn cells(scanner: &mut Scanner, shape: Shape, mesh: &mut Mesh) -> Result<()> {
    let count = scanner.size()?;
    let count = scanner.fitting(count, 2 * shape.corners(), "cells")?;
    let mut block = Block { shape, order: 1, nodes: Vec::new(), tags: Vec::new() };
    for _ in 0..count {
        for _ in 0..shape.corners() {
            let vertex = scanner.int()?;
            if vertex < 1 || vertex as u64 > mesh.points.len() as u64 {
                return Err(scanner.error(format!("vertex {vertex} is none of 1 to {}", mesh.points.len())));
            }
            block.nodes.push(vertex as u32 - 1);
        }
        block.tags.push(scanner.int()? as i32);
    }
    mesh.blocks.push(block);
    Ok(())
}

/// To the next word that begins with a letter.
fn pass_over(scanner: &mut Scanner) {
    while scanner.peek().is_some_and(|word| !word.starts_with(|c: char| c.is_ascii_alphabetic())) {
        scanner.word();
    }
}
