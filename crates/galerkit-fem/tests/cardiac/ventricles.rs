//! Built-in ventricles are smooth and sound, and fibres by rule are those of the ellipsoid.

use super::*;
use galerkit_fem::cardiac::fibres::{Angles, Surfaces, fibres};
use galerkit_fem::cardiac::geometry::{BASE, LEFT, SURFACES, biventricle, ventricle};
use galerkit_fem::mesh::Mesh;

fn inverted_or_flat(mesh: &Mesh) -> usize {
    let findings = mesh.check().unwrap();
    assert_eq!(findings.components.len(), 1, "{:?}", findings.components);
    findings.degenerate.len() + findings.inverted.len()
}

/// The volume below the base of a half of an ellipsoid: pi a b (2c/3 + z - z³/(3c²)).
fn below_base([a, b, c]: [f64; 3]) -> f64 {
    std::f64::consts::PI * a * b * (2.0 * c / 3.0 + BASE - BASE.powi(3) / (3.0 * c * c))
}

#[test]
fn ventricles_are_sound_and_smooth() {
    for (mesh, least) in [(ventricle(2.5).unwrap(), 2000), (biventricle(2.5).unwrap(), 3000)] {
        assert_eq!(inverted_or_flat(&mesh), 0);
        let tissue = Tissue::new(&mesh, isotropic(1.0)).unwrap();
        let volumes: Vec<f64> = (0..tissue.elements()).map(|e| tissue.element(e).volume).collect();
        let mean = volumes.iter().sum::<f64>() / volumes.len() as f64;
        let smallest = volumes.iter().copied().fold(f64::INFINITY, f64::min);
        println!("{} nodes, {} elements, {}", tissue.points().len(), tissue.elements(), smallest / mean);
        assert!(tissue.points().len() > least && (55.0..120.0).contains(&tissue.extent()));
        assert!(smallest > 0.01 * mean, "{smallest} of {mean}");
    }
    let mesh = ventricle(2.5).unwrap();
    let tissue = Tissue::new(&mesh, isotropic(1.0)).unwrap();
    let volume: f64 = (0..tissue.elements()).map(|e| tissue.element(e).volume).sum();
    let exact = below_base(LEFT[1]) - below_base(LEFT[0]);
    assert!((volume / exact - 1.0).abs() < 0.01, "{volume} {exact}");
}

/// Every node of the boundary lies on an ellipsoid or in the plane of the base: no steps.
#[test]
fn the_boundary_lies_on_its_surfaces() {
    let mesh = ventricle(3.0).unwrap();
    let off = |x: [f64; 3], axes: [f64; 3]| ((0..3).map(|d| (x[d] / axes[d]).powi(2)).sum::<f64>().sqrt() - 1.0).abs();
    let mut seen = [0; 4];
    for block in mesh.blocks_of(2) {
        for (nodes, tag) in block.cells().zip(&block.tags) {
            seen[*tag as usize - 1] += 1;
            for x in nodes.iter().map(|&node| mesh.points[node as usize]) {
                let distance = match SURFACES[*tag as usize - 1] {
                    "epi" => off(x, LEFT[1]),
                    "lv" => off(x, LEFT[0]),
                    "base" => (x[2] - BASE).abs(),
                    _ => 1.0,
                };
                assert!(distance < 1e-6, "{x:?} with tag {tag}: {distance}");
            }
        }
    }
    println!("{seen:?}");
    assert!(seen[0] > seen[1] && seen[1] > seen[3] && seen[3] > 0 && seen[2] == 0);
    let both = biventricle(3.0).unwrap().tags(2);
    assert!((1..=4).all(|tag| both[&tag] > 20), "{both:?}");
}

/// Where the rule is analytic: between ellipsoids fibres are horizontal at the middle of the wall and 60 degrees steep
/// at its sides, in the plane that touches the ellipsoid through the point.
#[test]
fn fibres_by_rule_are_those_of_the_ellipsoid() {
    let mesh = ventricle(2.0).unwrap();
    let tissue = Tissue::new(&mesh, isotropic(1.0)).unwrap();
    let surfaces = Surfaces::new(&mesh, None).unwrap();
    assert!(surfaces.rv.is_empty());
    let found = fibres(&tissue, &surfaces, Angles::default()).unwrap();
    let mut errors = Vec::new();
    for (e, fibre) in found.iter().enumerate() {
        let length = fibre.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!((length - 1.0).abs() < 1e-9, "{fibre:?}");
        let x = tissue.centre(e);
        if x[2] > -38.0 {
            let expected = analytic(x);
            let cosine = (0..3).map(|d| fibre[d] * expected[d]).sum::<f64>().abs().min(1.0);
            errors.push(cosine.acos().to_degrees());
        }
    }
    errors.sort_by(f64::total_cmp);
    let (mean, worst) = (errors.iter().sum::<f64>() / errors.len() as f64, errors[errors.len() - 1]);
    println!("{} elements, mean {mean:.2}, median {:.2}, worst {worst:.2}", errors.len(), errors[errors.len() / 2]);
    // The reference lets no flux turn aside, and a cell is a quarter of the wall, through which fibres turn by 120
    // degrees.
    assert!(mean < 2.0 && worst < 8.0, "{mean} {worst}");
}

/// On the ellipsoid through a point of a family between inside and outside: around, and up along the meridian.
fn analytic(x: [f64; 3]) -> [f64; 3] {
    let axes = |share: f64| [0, 1, 2].map(|d| LEFT[0][d] + share * (LEFT[1][d] - LEFT[0][d]));
    let level = |share: f64| (0..3).map(|d| (x[d] / axes(share)[d]).powi(2)).sum::<f64>();
    let (mut low, mut high) = (-0.1, 1.1);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if level(middle) > 1.0 { low = middle } else { high = middle }
    }
    let share = low.clamp(0.0, 1.0);
    let [a, _, c] = axes(share);
    let (radius, angle) = (x[0].hypot(x[1]), (60.0 - 120.0 * depth(share, x)).to_radians());
    let around = [-x[1] / radius, x[0] / radius, 0.0];
    // The meridian: (r/a)² + (z/c)² = 1, upwards.
    let (dr, dz) = (-x[2] / (c * c), radius / (a * a));
    let size = dr.hypot(dz);
    let up = [x[0] / radius * dr / size, x[1] / radius * dr / size, dz / size];
    // Around times up times out is right-handed in the rule: around = up x out.
    [0, 1, 2].map(|d| angle.cos() * around[d] + angle.sin() * up[d])
}

/// How deep a harmonic function says that a point of the family is: where flux does not turn aside, du/ds is one over
/// sqrt(g) g^ss, in the coordinates (a(s) sin t cos p, a(s) sin t sin p, c(s) cos t).
fn depth(share: f64, x: [f64; 3]) -> f64 {
    let along = |d: usize, s: f64| LEFT[0][d] + s * (LEFT[1][d] - LEFT[0][d]);
    let (sine, cosine) = (x[0].hypot(x[1]) / along(0, share), x[2] / along(2, share));
    let slope = |s: f64| {
        let (a, c, a_s, c_s) = (along(0, s), along(2, s), along(0, 1.0) - along(0, 0.0), along(2, 1.0) - along(2, 0.0));
        (c * a_s * sine * sine + a * c_s * cosine * cosine) / (a * ((a * cosine).powi(2) + (c * sine).powi(2)))
    };
    let until = |end: f64| (0..40).map(|k| slope(end * (f64::from(k) + 0.5) / 40.0) * end / 40.0).sum::<f64>();
    until(share) / until(1.0)
}

/// Both ventricles: the surfaces that names tell are those that the shape tells, and fibres lie in the wall everywhere.
#[test]
fn fibres_of_both_ventricles_lie_in_the_wall() {
    let mut mesh = biventricle(3.0).unwrap();
    let named = Surfaces::new(&mesh, None).unwrap();
    mesh.names.clear();
    for cell in mesh.blocks[0].nodes.chunks_exact_mut(4).step_by(3) {
        cell.swap(0, 1); // inside out, as some programs write them
    }
    let seen = Surfaces::new(&mesh, None).unwrap();
    for (one, other) in
        [(&named.epi, &seen.epi), (&named.lv, &seen.lv), (&named.rv, &seen.rv), (&named.base, &seen.base)]
    {
        let common = one.iter().filter(|node| other.contains(node)).count();
        assert!(common * 20 > one.len().max(other.len()) * 19, "{common} of {} and {}", one.len(), other.len());
    }
    let tissue = Tissue::new(&mesh, isotropic(1.0)).unwrap();
    let found = fibres(&tissue, &named, Angles::default()).unwrap();
    let epi: std::collections::HashSet<u32> = named.epi.iter().copied().collect();
    let mut steep: Vec<f64> = Vec::new();
    for (e, fibre) in found.iter().enumerate() {
        let on: Vec<[f64; 3]> = tissue
            .nodes(e)
            .iter()
            .filter(|node| epi.contains(node))
            .map(|&node| tissue.points()[node as usize])
            .collect();
        if let [a, b, c] = on[..] {
            let (u, v) = ([0, 1, 2].map(|d| b[d] - a[d]), [0, 1, 2].map(|d| c[d] - a[d]));
            let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            let size = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
            steep.push(((0..3).map(|d| fibre[d] * normal[d]).sum::<f64>() / size).abs().asin().to_degrees());
        }
    }
    steep.sort_by(f64::total_cmp);
    println!(
        "{} facets, out of the wall by {:.1} degrees on half of them, {:.1} on 95 %",
        steep.len(),
        steep[steep.len() / 2],
        steep[steep.len() * 95 / 100]
    );
    assert!(steep[steep.len() / 2] < 5.0 && steep[steep.len() * 95 / 100] < 25.0);
}
