//! Spaces: dimensions against brute force and section 6b of the specification, continuity, constraints.

use crate::scenes::{random_space, rotated};
use galerkit_fem::basis::hierarchical::values;
use galerkit_fem::space::embed::embedding;
use galerkit_fem::space::prolong::prolongation;
use galerkit_fem::{Error, Forest, Space, domain};
use galerkit_linalg::random::Random;

/// The local functions of cell e at reference coordinates.
fn local_functions(space: &Space, e: usize, t: &[f64; 3]) -> Vec<f64> {
    let p = space.degree(e);
    (0..space.dim()).fold(vec![1.0], |left, a| {
        let right = values(p, t[a]);
        left.iter().flat_map(|l| right.iter().map(move |r| l * r)).collect()
    })
}

/// The ends of [-1, 1] and points between them.
fn line(points: usize) -> Vec<f64> {
    let between = (1..points - 1).map(|k| (std::f64::consts::PI * k as f64 / (points - 1) as f64).cos());
    [-1.0, 1.0].into_iter().chain(between).collect()
}

/// The tensor grid of a line of points, the ends first, on each cell's boundary, with all cells that touch them: (e,
/// t_e, f, t_f).
fn contacts(space: &Space, line: &[f64]) -> Vec<(usize, [f64; 3], usize, [f64; 3])> {
    let (forest, dim, points) = (space.forest(), space.dim(), line.len());
    let mut contacts = Vec::new();
    for e in 0..space.cells() {
        for q in 0..points.pow(dim as u32) {
            let at = [q % points, q / points % points, q / points / points];
            if at[..dim].iter().all(|&k| k > 1) {
                continue;
            }
            let t = [0, 1, 2].map(|a| if a < dim { line[at[a]] } else { 0.0 });
            let x = forest.map(e).at(&t).0;
            for f in (0..space.cells()).filter(|&f| f != e) {
                let there = forest.map(f).inverse(&x).unwrap();
                if there.iter().all(|t| t.abs() < 1.0 + 1e-9) {
                    contacts.push((e, t, f, there));
                }
            }
        }
    }
    contacts
}

/// The dimension of all continuous functions that are polynomials of the cells' degrees: unknowns of all cells less
/// independent conditions.
fn dimension_by_brute_force(space: &Space) -> usize {
    let mut start = vec![0];
    (0..space.cells()).for_each(|e| start.push(start[e] + space.functions(e).len()));
    let columns = start[space.cells()];
    let most = space.degrees().into_iter().max().unwrap();
    let mut pivots: Vec<(usize, Vec<f64>)> = Vec::new(); // each row has zeros in the columns of those before it
    for (e, t, f, s) in contacts(space, &line(most + 1)) {
        let mut row = vec![0.0; columns];
        local_functions(space, e, &t).iter().enumerate().for_each(|(i, value)| row[start[e] + i] += value);
        local_functions(space, f, &s).iter().enumerate().for_each(|(i, value)| row[start[f] + i] -= value);
        for (j, pivot) in &pivots {
            let factor = row[*j];
            if factor != 0.0 {
                row.iter_mut().zip(pivot).for_each(|(a, b)| *a -= factor * b);
            }
        }
        let largest = (0..columns).max_by(|&i, &j| row[i].abs().total_cmp(&row[j].abs())).unwrap();
        if row[largest].abs() > 1e-7 {
            let scale = 1.0 / row[largest];
            row.iter_mut().for_each(|value| *value *= scale);
            pivots.push((largest, row));
        }
    }
    columns - pivots.len()
}

#[test]
fn dimensions_are_those_of_all_continuous_functions() {
    let mut random = Random::new(1);
    for (dim, rounds, most, cases) in [(2, 4, 5, 20), (3, 1, 4, 8), (3, 2, 3, 4)] {
        for case in 0..cases {
            let space = random_space(dim, rounds, most, &[], &mut random);
            let expected = dimension_by_brute_force(&space);
            assert_eq!(space.dimension(), expected, "case {case} in dimension {dim}, degrees {:?}", space.degrees());
        }
    }
}

#[test]
fn functions_are_continuous_across_everything() {
    let mut random = Random::new(2);
    for (dim, rounds, most, cases) in [(2, 5, 10, 6), (3, 3, 5, 4), (3, 2, 8, 1)] {
        for _ in 0..cases {
            let space = random_space(dim, rounds, most, &[], &mut random);
            let all = space.complete((0..space.dimension()).map(|_| 2.0 * random.unit() - 1.0).collect());
            let value = |e: usize, t: &[f64; 3]| -> f64 {
                local_functions(&space, e, t).iter().zip(space.local(e, &all)).map(|(f, c)| f * c).sum()
            };
            let points = [-1.0, 1.0, 2.0 * random.unit() - 1.0, 2.0 * random.unit() - 1.0];
            let contacts = contacts(&space, &points);
            assert!(contacts.len() > 100);
            for (e, t, f, s) in contacts {
                assert!((value(e, &t) - value(f, &s)).abs() < 1e-12, "cells {e} and {f} at {t:?}");
            }
        }
    }
}

#[test]
fn dimensions_are_the_table_of_the_specification() {
    for (p, refined, total, unknowns) in [(1, false, 27, 1), (2, false, 125, 27), (1, true, 34, 2), (2, true, 181, 53)]
    {
        for seed in 0..3 {
            let mesh = domain::cube(2);
            let mesh = if seed == 0 { mesh } else { rotated(&mesh, &mut Random::new(seed)) };
            let mut forest = Forest::new(&mesh).unwrap();
            if refined {
                forest.refine(&[0]).unwrap();
            }
            let space = Space::new(forest.clone(), &vec![p; forest.cells().len()], &[1]).unwrap();
            assert_eq!((space.dimension(), space.unknowns()), (total, unknowns), "p = {p}, refined {refined}");
        }
    }
}

#[test]
fn raising_one_degree_adds_the_interior_functions() {
    // Invariant 4: the dimension grows by p^3 - (p-1)^3.
    let forest = Forest::new(&domain::cube(3)).unwrap();
    for p in 1..=6 {
        let mut degrees = vec![p; 27];
        let before = Space::new(forest.clone(), &degrees, &[1]).unwrap().unknowns();
        degrees[13] += 1;
        let after = Space::new(forest.clone(), &degrees, &[1]).unwrap().unknowns();
        assert_eq!(after - before, p.pow(3) - (p - 1).pow(3));
    }
}

#[test]
fn a_hanging_vertex_is_the_middle_of_its_edge() {
    let mut forest = Forest::new(&domain::square(2)).unwrap();
    forest.refine(&[0]).unwrap();
    let space = Space::new(forest, &[4; 7], &[]).unwrap();
    // 2 hanging vertices, 4 hanging edges with 3 functions each.
    assert_eq!(space.constraints().len(), 14);
    let mut vertices = 0;
    for i in 0..space.constraints().len() {
        let mut factors: Vec<f64> = space.constraints().row(i).iter().map(|&(_, c)| c.abs()).collect();
        factors.sort_by(f64::total_cmp);
        let expected = [0.23385359, 0.5, 0.5, 0.61237244];
        vertices += usize::from(factors.len() == 4 && factors.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-8));
    }
    assert_eq!(vertices, 2);
}

#[test]
fn cells_that_touch_at_a_vertex_or_an_edge_are_joined_there() {
    // The L-shape's first and last square touch at the corner; without the middle one that is all.
    let mut mesh = domain::lshape(1);
    mesh.blocks[0].nodes.drain(4..8);
    mesh.blocks[0].tags.pop();
    mesh.blocks.pop();
    let space = Space::new(Forest::new(&mesh).unwrap(), &[3, 2], &[]).unwrap();
    assert_eq!(space.dimension(), 16 + 9 - 1);
    // Two cubes along an edge: degrees 3 and 2 share two vertices and one function.
    let mut mesh = domain::cube(2);
    let nodes = mesh.blocks[0].nodes.clone();
    mesh.blocks[0].nodes = [&nodes[..8], &nodes[6 * 8..7 * 8]].concat();
    mesh.blocks[0].tags.truncate(2);
    mesh.blocks.pop();
    let mut forest = Forest::new(&mesh).unwrap();
    let space = Space::new(forest.clone(), &[3, 2], &[]).unwrap();
    // The edge of the first has degree 2 then, so one of its functions is gone.
    assert_eq!(space.dimension(), 64 - 1 + 27 - 3);
    forest.refine(&[0]).unwrap();
    forest.refine(&[7]).unwrap();
    let space = Space::new(forest.clone(), &vec![2; forest.cells().len()], &[]).unwrap();
    assert_eq!(space.dimension(), dimension_by_brute_force(&space));
}

#[test]
fn degrees_are_checked() {
    let forest = Forest::new(&domain::square(2)).unwrap();
    let new = |degrees: &[usize], tags: &[i32]| Space::new(forest.clone(), degrees, tags).map(|_| ());
    assert!(matches!(new(&[1, 1, 0, 1], &[]), Err(Error::InvalidDegree { cell: 2, degree: 0, limit: 10 })));
    assert!(matches!(new(&[1, 11, 1, 1], &[]), Err(Error::InvalidDegree { cell: 1, degree: 11, .. })));
    assert!(matches!(new(&[1; 3], &[]), Err(Error::NotOnePerCell { found: 3, cells: 4, .. })));
    assert!(matches!(new(&[1; 4], &[9]), Err(Error::NoSuchTag { tag: 9, .. })));
    assert!(new(&[1, 10, 8, 1], &[1]).is_ok());
}

#[test]
fn spaces_of_lower_degree_are_embedded_by_renumbering() {
    let mut random = Random::new(4);
    for (dim, rounds, most) in [(2, 5, 6), (3, 3, 4)] {
        let higher = random_space(dim, rounds, most, &[1], &mut random);
        let halved: Vec<usize> = higher.degrees().iter().map(|p| p.div_ceil(2)).collect();
        let lower = Space::new(higher.forest().clone(), &halved, &[1]).unwrap();
        let numbers = embedding(&lower, &higher).unwrap();
        assert!(numbers[..lower.unknowns()].iter().all(|&i| (i as usize) < higher.unknowns()));
        let values: Vec<f64> = numbers.iter().map(|_| random.unit()).collect();
        let mut wide = vec![0.0; higher.dimension()];
        numbers.iter().zip(&values).for_each(|(&i, value)| wide[i as usize] += value);
        let (small, large) = (lower.complete(values), higher.complete(wide));
        for e in 0..lower.cells() {
            let t = [0, 1, 2].map(|a| if a < dim { 2.0 * random.unit() - 1.0 } else { 0.0 });
            let value = |space: &Space, all: &[f64]| -> f64 {
                local_functions(space, e, &t).iter().zip(space.local(e, all)).map(|(f, c)| f * c).sum()
            };
            assert!((value(&lower, &small) - value(&higher, &large)).abs() < 1e-12);
        }
        assert!(matches!(embedding(&higher, &lower), Err(Error::NotNested { .. })));
        let open = Space::new(higher.forest().clone(), &higher.degrees(), &[]).unwrap();
        assert!(matches!(embedding(&lower, &open), Err(Error::NotNested { .. })));
    }
}

#[test]
fn prolongation_keeps_the_function() {
    let mut random = Random::new(5);
    for (dim, rounds, most) in [(2, 4, 5), (2, 5, 3), (3, 2, 3), (3, 1, 4)] {
        let smaller = random_space(dim, rounds, most, &[1], &mut random);
        let (mut forest, mut degrees) = (smaller.forest().clone(), smaller.degrees());
        for _ in 0..rounds {
            let origin = forest.refine(&[random.below(degrees.len()), random.below(degrees.len())]).unwrap();
            degrees = origin.iter().map(|&e| degrees[e] + random.below(2)).collect();
        }
        let larger = Space::new(forest, &degrees, &[1]).unwrap();
        let P = prolongation(&smaller, &larger).unwrap();
        let values: Vec<f64> = (0..smaller.unknowns()).map(|_| random.unit()).collect();
        let mut prolonged: Vec<f64> = (0..P.rows()).map(|i| P.row(i).map(|(j, p)| p * values[j]).sum()).collect();
        prolonged.resize(larger.dimension(), 0.0);
        let mut values = values;
        values.resize(smaller.dimension(), 0.0);
        let (small, large) = (smaller.complete(values), larger.complete(prolonged));
        let value = |space: &Space, e: usize, t: &[f64; 3], all: &[f64]| -> f64 {
            local_functions(space, e, t).iter().zip(space.local(e, all)).map(|(f, c)| f * c).sum()
        };
        for e in 0..larger.cells() {
            let t = [0, 1, 2].map(|a| if a < dim { 1.9 * random.unit() - 0.95 } else { 0.0 });
            let (big, s) = smaller.forest().locate(&larger.forest().map(e).at(&t).0).unwrap();
            assert!((value(&larger, e, &t, &large) - value(&smaller, big, &s, &small)).abs() < 1e-11);
        }
        assert!(matches!(prolongation(&larger, &smaller), Err(Error::NotNested { .. })));
    }
}
