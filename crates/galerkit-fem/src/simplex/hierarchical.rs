//! Hierarchical functions on a simplex, numbered as the nodes of Lagrange functions are: a node in the middle of an
//! edge, a face or the interior stands for a function that belongs to it, by its weights w at the corners a < b < c <
//! d, which are sorted by their global numbers, so that all cells around mean the same function.
//!
//! ```text
//! vertex    lambda_a
//! edge      lambda_a lambda_b K_j(lambda_b - lambda_a)                              j = w_b + 1, the trace is phi_j
//! face      lambda_a lambda_b lambda_c P_i(lambda_b - lambda_a) P_j(2 lambda_c - 1)   i = w_b - 1, j = w_c - 1
//! interior  lambda_a lambda_b lambda_c lambda_d
//! ```
//!
//! K_j(t) = 4 phi_j(t) / (1 - t^2), with phi_j of the interval: Szabo, Babuska, Finite element analysis, 1991, section
//! 6.

use super::lagrange::Barycentric;

/// A function at a point, and its derivatives by the barycentric coordinates.
type Jet = (f64, Barycentric);

/// All functions at a point whose barycentric coordinates are sorted by corners.
pub fn functions(nodes: &[[u8; 4]], lambda: &Barycentric) -> Vec<Jet> {
    nodes.iter().map(|weights| function(weights, lambda)).collect()
}

fn function(weights: &[u8; 4], lambda: &Barycentric) -> Jet {
    let corners: Vec<usize> = (0..4).filter(|&a| weights[a] > 0).collect();
    let product = corners.iter().map(|&a| coordinate(a, lambda)).fold((1.0, [0.0; 4]), times);
    match corners[..] {
        [a, b] => times(product, of(kernel(weights[b] + 1), difference(a, b, lambda))),
        [a, b, c] => {
            let (value, slopes) = coordinate(c, lambda);
            let along = of(legendre(weights[b] - 1), difference(a, b, lambda));
            let across = of(legendre(weights[c] - 1), (2.0 * value - 1.0, slopes.map(|s| 2.0 * s)));
            times(times(product, along), across)
        }
        _ => product,
    }
}

fn coordinate(a: usize, lambda: &Barycentric) -> Jet {
    (lambda[a], std::array::from_fn(|b| f64::from(a == b)))
}

fn difference(a: usize, b: usize, lambda: &Barycentric) -> Jet {
    (lambda[b] - lambda[a], std::array::from_fn(|c| f64::from(c == b) - f64::from(c == a)))
}

fn times((u, du): Jet, (v, dv): Jet) -> Jet {
    (u * v, std::array::from_fn(|a| du[a] * v + u * dv[a]))
}

/// A function of one variable, and its derivative, at the value of another.
fn of(outer: impl Fn(f64) -> (f64, f64), (t, dt): Jet) -> Jet {
    let (value, slope) = outer(t);
    (value, dt.map(|d| slope * d))
}

/// P_j, to degree 1: faces have no more.
fn legendre(j: u8) -> impl Fn(f64) -> (f64, f64) {
    move |t| if j == 0 { (1.0, 0.0) } else { (t, 1.0) }
}

/// K_j = -4 sqrt((2j - 1)/2) P'_{j-1} / (j (j - 1)), for j = 2, 3, 4.
fn kernel(j: u8) -> impl Fn(f64) -> (f64, f64) {
    let n = f64::from(j);
    let scale = -4.0 * ((2.0 * n - 1.0) / 2.0).sqrt() / (n * (n - 1.0));
    move |t| {
        let (value, slope) = match j {
            2 => (1.0, 0.0),
            3 => (3.0 * t, 3.0),
            _ => ((15.0 * t * t - 3.0) / 2.0, 15.0 * t),
        };
        (scale * value, scale * slope)
    }
}
