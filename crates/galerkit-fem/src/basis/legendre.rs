//! Legendre polynomials by their three-term recurrence: n P_n = (2n - 1) t P_{n-1} - (n - 1) P_{n-2}.

/// P_0(t), ..., P_n(t).
pub fn legendre(n: usize, t: f64) -> Vec<f64> {
    let mut P = Vec::with_capacity(n + 1);
    P.push(1.0);
    for k in 1..=n {
        let before = if k > 1 { P[k - 2] } else { 0.0 };
        let k = k as f64;
        P.push(((2.0 * k - 1.0) * t * P[P.len() - 1] - (k - 1.0) * before) / k);
    }
    P
}

/// P_n(t) and P_n'(t) within (-1, 1): (1 - t^2) P_n' = n (P_{n-1} - t P_n).
pub fn legendre_with_derivative(n: usize, t: f64) -> (f64, f64) {
    let P = legendre(n, t);
    let before = if n > 0 { P[n - 1] } else { 0.0 };
    (P[n], n as f64 * (before - t * P[n]) / (1.0 - t * t))
}
