//! Lagrange functions on a simplex. A node of degree k has barycentric coordinates i/k, with i_0 + ... + i_d = k; its
//! function is the product over the corners of L_i(k lambda), where L_i(s) = s (s - 1) ... (s - i + 1) / i!.

/// The highest degree.
pub const MAX_DEGREE: usize = 4;

/// Barycentric coordinates; the last is unused on triangles.
pub type Barycentric = [f64; 4];

/// The nodes of degree k: k times their barycentric coordinates.
pub fn nodes(dim: usize, k: usize) -> Vec<[u8; 4]> {
    let mut nodes = Vec::new();
    for a in (0..=k).rev() {
        for b in (0..=k - a).rev() {
            let rest = k - a - b;
            match dim {
                1 if rest == 0 => nodes.push([a as u8, b as u8, 0, 0]),
                1 => {}
                2 => nodes.push([a as u8, b as u8, rest as u8, 0]),
                _ => nodes.extend((0..=rest).rev().map(|c| [a as u8, b as u8, c as u8, (rest - c) as u8])),
            }
        }
    }
    nodes
}

/// L_i(k lambda) and its derivative by lambda.
fn factor(i: u8, k: usize, lambda: f64) -> (f64, f64) {
    let s = k as f64 * lambda;
    (0..i).fold((1.0, 0.0), |(value, slope), m| {
        let scale = 1.0 / (f64::from(m) + 1.0);
        let term = (s - f64::from(m)) * scale;
        (value * term, slope * term + value * k as f64 * scale)
    })
}

/// All functions at a point, and their derivatives by the barycentric coordinates.
pub fn functions(nodes: &[[u8; 4]], k: usize, lambda: &Barycentric) -> Vec<(f64, Barycentric)> {
    let at_node = |node: &[u8; 4]| {
        let factors: [(f64, f64); 4] = std::array::from_fn(|a| factor(node[a], k, lambda[a]));
        let product = |derived: usize| -> f64 {
            (0..4).map(|a| if a == derived { factors[a].1 } else { factors[a].0 }).product()
        };
        (product(4), std::array::from_fn(product))
    };
    nodes.iter().map(at_node).collect()
}
