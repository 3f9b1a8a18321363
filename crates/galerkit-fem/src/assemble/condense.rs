//! Static condensation: interior functions of a cell couple to nothing outside, so they are eliminated cell by cell.
//! With b for functions of the boundary and i for interior ones: S = K_bb - K_bi K_ii^-1 K_ib, g = f_b - K_bi K_ii^-1
//! f_i, and afterwards u_i = K_ii^-1 (f_i - K_ib u_b).

use crate::basis::dense::Dense;

/// The local functions of degree p in the interior, in tensor order.
pub fn interior(dim: usize, p: usize) -> Vec<usize> {
    let is_bubble = |local: usize| (0..dim as u32).all(|a| local / (p + 1).pow(a) % (p + 1) >= 2);
    (0..(p + 1).pow(dim as u32)).filter(|&local| is_bubble(local)).collect()
}

/// Eliminates the interior: rows and columns of K and entries of f change, those of the interior become 0.
pub fn condense(dim: usize, p: usize, K: &mut Dense, f: &mut [f64]) -> Option<()> {
    let inside = interior(dim, p);
    if inside.is_empty() {
        return Some(());
    }
    let L = block(K, &inside).cholesky()?;
    let n = K.rows;
    let mut is_inside = vec![false; n];
    inside.iter().for_each(|&i| is_inside[i] = true);
    let outside: Vec<usize> = (0..n).filter(|&i| !is_inside[i]).collect();
    let solved_load = L.cholesky_solve(&inside.iter().map(|&i| f[i]).collect::<Vec<_>>());
    for &b in &outside {
        let coupling: Vec<f64> = inside.iter().map(|&i| K[(i, b)]).collect();
        if coupling.iter().all(|k| *k == 0.0) {
            continue;
        }
        f[b] -= coupling.iter().zip(&solved_load).map(|(k, x)| k * x).sum::<f64>();
        let x = L.cholesky_solve(&coupling); // K_ii^-1 K_ib
        for &a in &outside {
            let change: f64 = inside.iter().zip(&x).map(|(&i, x)| K[(a, i)] * x).sum();
            K[(a, b)] -= change;
        }
    }
    for &i in &inside {
        f[i] = 0.0;
        (0..n).for_each(|j| (K[(i, j)], K[(j, i)]) = (0.0, 0.0));
    }
    Some(())
}

/// The interior coefficients from the others: u has zeros there and receives them; K and f are those before
/// elimination.
pub fn recover(dim: usize, p: usize, K: &Dense, f: &[f64], u: &mut [f64]) -> Option<()> {
    let inside = interior(dim, p);
    let Ku = K.times(u);
    let rest: Vec<f64> = inside.iter().map(|&i| f[i] - Ku[i]).collect();
    let solved = block(K, &inside).cholesky()?.cholesky_solve(&rest);
    inside.iter().zip(solved).for_each(|(&i, value)| u[i] = value);
    Some(())
}

fn block(K: &Dense, indices: &[usize]) -> Dense {
    Dense::new(indices.len(), indices.len(), |i, j| K[(indices[i], indices[j])])
}
