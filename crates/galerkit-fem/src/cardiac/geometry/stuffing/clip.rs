//! The part of a tetrahedron where a linear function is negative, as tetrahedra. Quadrilaterals are cut from their node
//! of least number, so that neighbours agree on faces they share.

/// Pieces of the part inside: `value` says where nodes are, `cut` which node lies on a crossed edge.
pub(super) fn clipped(cell: [u32; 4], value: &dyn Fn(u32) -> f64, cut: &dyn Fn(u32, u32) -> u32) -> Vec<[u32; 4]> {
    let of = |test: fn(f64) -> bool| cell.iter().copied().filter(|&node| test(value(node))).collect::<Vec<u32>>();
    let (inside, on, outside) = (of(|x| x < 0.0), of(|x| x == 0.0), of(|x| x > 0.0));
    match (&inside[..], &on[..], &outside[..]) {
        ([], ..) => Vec::new(),
        (_, _, []) => vec![cell],
        (&[a], &[], &[d, e, f]) => vec![[a, cut(a, d), cut(a, e), cut(a, f)]],
        (&[a], &[b], &[d, e]) => vec![[a, b, cut(a, d), cut(a, e)]],
        (&[a], &[b, c], &[d]) => vec![[a, b, c, cut(a, d)]],
        (&[a, b], &[], &[d, e]) => prism([a, cut(a, d), cut(a, e)], [b, cut(b, d), cut(b, e)]),
        (&[a, b], &[c], &[d]) => pyramid(c, [a, b, cut(b, d), cut(a, d)]),
        (&[a, b, c], &[], &[d]) => prism([a, b, c], [cut(a, d), cut(b, d), cut(c, d)]),
        _ => Vec::new(),
    }
}

/// An apex over a quadrilateral.
fn pyramid(apex: u32, quad: [u32; 4]) -> Vec<[u32; 4]> {
    let first = (0..4).min_by_key(|&k| quad[k]).unwrap_or(0);
    let [a, b, c, d] = [0, 1, 2, 3].map(|k| quad[(first + k) % 4]);
    vec![[apex, a, b, c], [apex, a, c, d]]
}

/// Between two triangles, the corners of which are joined in order.
fn prism(lower: [u32; 3], upper: [u32; 3]) -> Vec<[u32; 4]> {
    let least = |triangle: [u32; 3]| triangle.into_iter().min().unwrap_or(0);
    let (lower, upper) = if least(lower) < least(upper) { (lower, upper) } else { (upper, lower) };
    let first = (0..3).min_by_key(|&k| lower[k]).unwrap_or(0);
    let [[a, b, c], [d, e, f]] = [lower, upper].map(|triangle| [0, 1, 2].map(|k| triangle[(first + k) % 3]));
    let mut pieces = vec![[a, d, e, f]];
    pieces.extend(pyramid(a, [b, c, f, e]));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the signs and numbers, pieces fill what is inside.
    #[test]
    fn pieces_have_the_volume_of_the_part_inside() {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for signs in 0..81 {
            let values = [1, 3, 9, 27].map(|power| f64::from(signs / power % 3 - 1));
            let mut points = corners.to_vec();
            let mut cuts = std::collections::HashMap::new();
            for a in 0..4usize {
                for b in (0..a).filter(|&b| values[a] * values[b] < 0.0) {
                    cuts.insert((b as u32, a as u32), points.len() as u32);
                    points.push([0, 1, 2].map(|d| 0.5 * (corners[a][d] + corners[b][d])));
                }
            }
            let cut = |a: u32, b: u32| cuts[&(a.min(b), a.max(b))];
            let pieces = clipped([0, 1, 2, 3], &|node| values[node as usize], &cut);
            let volume: f64 = pieces.iter().map(|piece| volume(piece.map(|node| points[node as usize]))).sum();
            let outside = values.iter().filter(|value| **value > 0.0).count();
            let on = values.iter().filter(|value| **value == 0.0).count();
            // Planes through the middles of edges leave these shares.
            let expected = match (4 - outside - on, on, outside) {
                (0, ..) => 0.0,
                (_, _, 0) => 1.0,
                (1, 0, 3) => 0.125,
                (1, 1, 2) => 0.25,
                (1, 2, 1) | (2, 0, 2) => 0.5,
                (2, 1, 1) => 0.75,
                _ => 0.875,
            };
            assert!((6.0 * volume - expected).abs() < 1e-12, "{values:?}: {volume}");
        }
    }

    fn volume([a, b, c, d]: [[f64; 3]; 4]) -> f64 {
        let [u, v, w] = [b, c, d].map(|x| [0, 1, 2].map(|k| x[k] - a[k]));
        let cross = [v[1] * w[2] - v[2] * w[1], v[2] * w[0] - v[0] * w[2], v[0] * w[1] - v[1] * w[0]];
        (u[0] * cross[0] + u[1] * cross[1] + u[2] * cross[2]).abs() / 6.0
    }
}
