//! One-dimensional factors of Lagrange functions with equidistant nodes.

/// Values and derivatives of the k + 1 Lagrange polynomials with nodes -1 + 2 i / k, at t.
pub(super) fn lagrange_1d(k: usize, t: f64) -> (Vec<f64>, Vec<f64>) {
    let node = |i: usize| 2.0 * i as f64 / k as f64 - 1.0;
    let factor = |i: usize, m: usize| (t - node(m)) / (node(i) - node(m));
    let others = |i: usize| (0..=k).filter(move |&m| m != i);
    let value = |i: usize| others(i).map(|m| factor(i, m)).product::<f64>();
    let derivative = |i: usize| {
        let term =
            |n: usize| others(i).filter(|&m| m != n).map(|m| factor(i, m)).product::<f64>() / (node(i) - node(n));
        others(i).map(term).sum::<f64>()
    };
    ((0..=k).map(value).collect(), (0..=k).map(derivative).collect())
}

/// Values and derivatives of Silvester's polynomials P_a(lambda) = prod_{m < a} (k lambda - m) / (m + 1), a = 0..k: one
/// at lambda = a / k and zero at the nodes before it.
pub(super) fn silvester(k: usize, lambda: f64) -> (Vec<f64>, Vec<f64>) {
    let (mut values, mut derivatives) = (vec![1.0], vec![0.0]);
    for m in 0..k {
        let (factor, slope) = ((k as f64 * lambda - m as f64) / (m + 1) as f64, k as f64 / (m + 1) as f64);
        derivatives.push(derivatives[m] * factor + values[m] * slope);
        values.push(values[m] * factor);
    }
    (values, derivatives)
}
