//! Forests: order of cells, 1-irregularity across rotated trees, geometry.

use crate::scenes::{random_forest, rotated, shuffle_points};
use galerkit_fem::forest::grading::{Target, grade, slope};
use galerkit_fem::forest::{Cell, Part};
use galerkit_fem::{Error, Forest, domain};
use galerkit_linalg::random::Random;

#[test]
fn children_stand_in_their_parents_place_x_slow() {
    let mut forest = Forest::new(&domain::cube(2)).unwrap();
    let low = |forest: &Forest, e: usize| forest.map(e).corner([false; 3]);
    assert_eq!(low(&forest, 1), [0.0, 0.0, 0.5]);
    assert_eq!(low(&forest, 4), [0.5, 0.0, 0.0]);
    let origin = forest.refine(&[1]).unwrap();
    assert_eq!(origin, [0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(low(&forest, 2), [0.0, 0.0, 0.75]);
    assert_eq!(low(&forest, 5), [0.25, 0.0, 0.5]);
    assert_eq!(forest.cells()[9], Cell::root(2));
    assert!(matches!(forest.refine(&[15]), Err(Error::NoSuchCell { cell: 15, cells: 15 })));
}

/// Levels of cells that share more than a vertex, found by geometry alone.
fn largest_jump(forest: &Forest) -> u8 {
    let dim = forest.dim();
    let cells = forest.cells();
    let mut jump = 0;
    for (e, small) in cells.iter().enumerate() {
        for part in Part::all(dim).filter(|part| (1..dim).contains(&part.dim())) {
            let middle = forest.map(e).at(&part.0.map(|side| [-1.0, 1.0, 0.0][side as usize])).0;
            for (f, big) in cells.iter().enumerate().filter(|(_, big)| big.level < small.level) {
                if forest.touches(f, &middle) {
                    jump = jump.max(small.level - big.level);
                }
            }
        }
    }
    jump
}

#[test]
fn refinement_keeps_the_forest_one_irregular() {
    for seed in 0..4 {
        let mut random = Random::new(seed);
        for (mesh, rounds) in [(domain::lshape(1), 5), (domain::fichera(1), 3)] {
            let mut forest = Forest::new(&rotated(&mesh, &mut random)).unwrap();
            for _ in 0..rounds {
                let last = forest.cells().len() - 1;
                forest.refine(&[random.below(last + 1), last]).unwrap();
                assert!(largest_jump(&forest) <= 1);
            }
        }
    }
    // Without closure the jump would be 4: the measure itself can fail.
    let mut forest = Forest::new(&domain::square(2)).unwrap();
    for _ in 0..4 {
        let at = (0..forest.cells().len()).find(|&e| forest.touches(e, &[0.5, 0.5, 0.0])).unwrap();
        forest.refine(&[at]).unwrap();
    }
    let deepest = forest.cells().iter().map(|cell| cell.level).max();
    assert_eq!((deepest, largest_jump(&forest)), (Some(4), 1));
}

#[test]
fn points_are_found_in_their_cells() {
    let mut random = Random::new(5);
    for dim in [2, 3] {
        let forest = random_forest(dim, 3, &mut random);
        for _ in 0..50 {
            let e = random.below(forest.cells().len());
            let t = [0, 1, 2].map(|a| if a < dim { 1.8 * random.unit() - 0.9 } else { 0.0 });
            let (found, at) = forest.locate(&forest.map(e).at(&t).0).unwrap();
            assert_eq!(found, e);
            assert!((0..dim).all(|a| (at[a] - t[a]).abs() < 1e-9));
        }
        assert!(forest.locate(&[7.0; 3]).is_none());
    }
}

#[test]
fn curved_cells_follow_their_points() {
    // A quarter of a ring, of order 2, of order 3: midpoints lie on the arcs.
    for k in [2, 3] {
        let mesh = crate::scenes::quarter_ring(k);
        let forest = Forest::new(&mesh).unwrap();
        assert!(!forest.map(0).is_affine());
        for i in 0..=k {
            let t = 2.0 * i as f64 / k as f64 - 1.0;
            let ([x, y, _], _) = forest.map(0).at(&[1.0, t, 0.0]);
            assert!((x.hypot(y) - 2.0).abs() < 1e-13);
        }
        let middle = forest.map(0).inverse(&forest.map(0).at(&[0.3, -0.2, 0.0]).0).unwrap();
        assert!((middle[0] - 0.3).abs() < 1e-12 && (middle[1] + 0.2).abs() < 1e-12);
    }
}

#[test]
fn bad_meshes_are_refused() {
    let refused = |mesh| matches!(Forest::new(&mesh), Err(Error::InvalidMesh { .. }));
    let mut inverted = domain::square(2);
    inverted.blocks[0].nodes.swap(1, 3);
    assert!(refused(inverted));
    let mut flat = domain::cube(1);
    flat.points.iter_mut().for_each(|point| point[2] = 0.0);
    assert!(refused(flat));
    let mut repeated = domain::square(1);
    repeated.blocks[0].nodes[1] = repeated.blocks[0].nodes[0];
    assert!(refused(repeated));
    let mut twice = domain::square(2);
    let again = twice.blocks[0].nodes.clone();
    twice.blocks[0].nodes.extend(&again);
    twice.blocks[0].nodes.extend(&again);
    twice.blocks[0].tags.resize(12, 0);
    assert!(refused(twice));
    assert!(refused(Default::default()));
    let mut lacking = domain::square(1);
    lacking.points.pop();
    assert!(refused(lacking));
    let mut untagged = domain::square(2);
    untagged.blocks[0].tags.pop();
    assert!(refused(untagged));
    let mut bent = domain::square(1);
    bent.points[3][2] = 0.1;
    assert!(refused(bent));
}

#[test]
fn tags_of_boundaries_do_not_depend_on_the_numbering_of_points() {
    let mut random = Random::new(11);
    let forest = Forest::new(&shuffle_points(&rotated(&domain::vertex(2), &mut random), &mut random)).unwrap();
    let mut seen = [0, 0];
    for e in 0..8 {
        for facet in Part::facets(3) {
            let center = forest.map(e).at(&facet.0.map(|side| [-1.0, 1.0, 0.0][side as usize])).0;
            let expected = if center.contains(&0.0) { Some(1) } else { center.contains(&1.0).then_some(2) };
            assert_eq!(forest.boundary_tag(e, facet), expected);
            expected.into_iter().for_each(|tag| seen[tag as usize - 1] += 1);
        }
    }
    assert_eq!(seen, [12, 12]);
}

#[test]
fn grading_halves_cells_towards_points_and_edges() {
    let mut forest = Forest::new(&domain::cube(1)).unwrap();
    let layers = grade(&mut forest, &[Target::Segment([0.0; 3], [0.0, 0.0, 1.0])], 3).unwrap();
    // 8 cells of the finest level stand at the edge, around each 3 more; then 3 for each of the 4 above, and 6.
    let count = |k: usize| layers.iter().filter(|&&layer| layer == k).count();
    assert_eq!([0, 1, 2, 3].map(count), [8, 24, 12, 6]);
    for (e, layer) in layers.iter().enumerate() {
        let ([x, y, _], _) = forest.map(e).at(&[0.0; 3]);
        assert_eq!(*layer == 0, x < 0.125 && y < 0.125);
    }
    // The same turned: nothing is exact any more.
    let mut mesh = domain::cube(1);
    mesh.points.iter_mut().for_each(|x| *x = [0.6 * x[0] - 0.8 * x[2], x[1] + 0.1, 0.8 * x[0] + 0.6 * x[2]]);
    let mut turned = Forest::new(&mesh).unwrap();
    let again = grade(&mut turned, &[Target::Segment([0.0, 0.1, 0.0], [-0.8, 0.1, 0.6])], 3).unwrap();
    assert_eq!(again, layers);
    assert_eq!(slope(1, 0.5, &[0, 1, 2, 3]), [1, 2, 2, 3]);
    let mut forest = Forest::new(&domain::lshape(1)).unwrap();
    let layers = grade(&mut forest, &[Target::Point([0.0; 3]), Target::Point([-1.0, 1.0, 0.0])], 2).unwrap();
    assert_eq!(layers.iter().filter(|&&layer| layer == 0).count(), 4);
}

#[test]
fn cells_that_share_corners_but_not_their_arcs_are_refused() {
    // A ring of n curved cells: with two of them the upper and the lower arc have the same ends.
    let ring = |n: usize| {
        let k = 4;
        let quarter = crate::scenes::quarter_ring(k);
        let mut mesh = quarter.clone();
        mesh.blocks.truncate(1);
        (mesh.points, mesh.blocks[0].nodes, mesh.blocks[0].tags) = (Vec::new(), Vec::new(), Vec::new());
        for cell in 0..n {
            for &[x, y, _] in &quarter.points {
                let (r, angle) = (x.hypot(y), (y.atan2(x) + cell as f64 * 0.5 * std::f64::consts::PI) * 4.0 / n as f64);
                let point = [r * angle.cos(), r * angle.sin(), 0.0];
                let near = |other: &[f64; 3]| (other[0] - point[0]).hypot(other[1] - point[1]) < 1e-9;
                let node = mesh.points.iter().position(near).unwrap_or_else(|| {
                    mesh.points.push(point);
                    mesh.points.len() - 1
                });
                mesh.blocks[0].nodes.push(node as u32);
            }
            mesh.blocks[0].tags.push(0);
        }
        Forest::new(&mesh)
    };
    assert!(ring(4).is_ok() && ring(3).is_ok());
    assert!(matches!(ring(2), Err(Error::InvalidMesh { .. })));
}

#[test]
fn cuts_beyond_memory_are_refused_before_they_are_made() {
    let mut forest = Forest::new(&domain::square(1)).unwrap();
    let refused = forest.refine_all(19).unwrap_err();
    assert!(matches!(refused, Error::TooLarge { cells, needed, available, .. }
        if cells == 2f64.powi(38) && needed > available));
    assert_eq!(forest.cells().len(), 1, "nothing was cut");
}
