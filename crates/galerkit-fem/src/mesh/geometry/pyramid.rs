//! Lagrange functions of a pyramid. They are not polynomials: with w = 1 - z and m = max(i, j), the space is spanned by
//! x^i y^j z^l w^(m - i - j), m + l <= k (Bergot, Cohen, Duruflé, J. Sci. Comput. 42, 2010). Traces on the faces are
//! polynomials of degree k. At the apex values exist and gradients do not: w is kept away from zero.

/// The least w.
const APEX: f64 = 1e-12;

/// Column a holds N_a in the basis above.
#[derive(Clone, Debug)]
pub(super) struct Coefficients {
    powers: Vec<[i32; 3]>,
    inverse: Vec<Vec<f64>>,
}

/// The node at a lattice point, in the reference cell.
pub(super) fn node(k: usize, [i, j, l]: [usize; 3]) -> [f64; 3] {
    let (z, width) = (l as f64 / k as f64, (k - l) as f64 / k as f64);
    [2.0 * i as f64 / k as f64 - width, 2.0 * j as f64 / k as f64 - width, z]
}

impl Coefficients {
    pub(super) fn new(k: usize, lattice: &[[usize; 3]]) -> Self {
        let k_i32 = k as i32;
        let all = (0..=k_i32).flat_map(|i| (0..=k_i32).flat_map(move |j| (0..=k_i32).map(move |l| [i, j, l])));
        let powers: Vec<_> = all.filter(|&[i, j, l]| i.max(j) + l <= k_i32).collect();
        let rows = lattice.iter().map(|&position| {
            let x = node(k, position);
            powers.iter().map(|&power| basis(power, x).0).collect()
        });
        Self { inverse: invert(rows.collect()), powers }
    }

    pub(super) fn at(&self, xi: [f64; 3]) -> Vec<(f64, [f64; 3])> {
        let basis: Vec<_> = self.powers.iter().map(|&power| basis(power, xi)).collect();
        let function = |a: usize| {
            let weights = || self.inverse.iter().map(|row| row[a]);
            let value = basis.iter().zip(weights()).map(|(b, weight)| weight * b.0).sum();
            (value, [0, 1, 2].map(|d| basis.iter().zip(weights()).map(|(b, weight)| weight * b.1[d]).sum()))
        };
        (0..self.powers.len()).map(function).collect()
    }
}

/// x^i y^j z^l w^(m - i - j) and its gradient.
fn basis([i, j, l]: [i32; 3], [x, y, z]: [f64; 3]) -> (f64, [f64; 3]) {
    let (w, n) = ((1.0 - z).max(APEX), i.max(j) - i - j);
    let power = |t: f64, n: i32| if n == 0 { 1.0 } else { t.powi(n) };
    let slope = |t: f64, n: i32| if n == 0 { 0.0 } else { f64::from(n) * power(t, n - 1) };
    let [px, py, pz, pw] = [power(x, i), power(y, j), power(z, l), power(w, n)];
    let up = px * py * (slope(z, l) * pw - pz * slope(w, n));
    (px * py * pz * pw, [slope(x, i) * py * pz * pw, px * slope(y, j) * pz * pw, up])
}

/// Gauss-Jordan with row exchanges, for matrices of at most 14 rows.
fn invert(mut A: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = A.len();
    for (i, row) in A.iter_mut().enumerate() {
        row.extend((0..n).map(|j| if i == j { 1.0 } else { 0.0 }));
    }
    for k in 0..n {
        let pivot = (k..n).max_by(|&a, &b| A[a][k].abs().total_cmp(&A[b][k].abs())).expect("k < n");
        A.swap(k, pivot);
        let scale = 1.0 / A[k][k];
        A[k].iter_mut().for_each(|x| *x *= scale);
        let row = A[k].clone();
        for (_, other) in A.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = other[k];
            other.iter_mut().zip(&row).for_each(|(x, r)| *x -= factor * r);
        }
    }
    A.into_iter().map(|row| row[n..].to_vec()).collect()
}
