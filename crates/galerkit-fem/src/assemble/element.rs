//! Matrices of cells. With J the derivative of the cell's map, D = |J| J^-1 K J^-T is the integrand in reference
//! coordinates. On parallelepipeds with constant coefficients D is constant and K_e a sum of Kronecker products of
//! matrices of the interval; on boxes K_e = D_xx K (x) M (x) M + D_yy M (x) K (x) M + D_zz M (x) M (x) K. Elsewhere D
//! is taken at quadrature points.

use super::moments::Tables;
use super::rules::Rules;
use crate::basis::dense::Dense;
use crate::basis::interval::Interval;
use crate::error::{Error, Result};
use crate::forest::geometry::{Jacobian, inverted};
use crate::form::{Form, Integrand, Site};
use crate::quadrature::Patch;
use crate::space::Space;
use std::sync::Arc;

/// Entries of D relative to the largest that count as rounding.
const ROUNDING: f64 = 1e-15;

/// An integrand in reference coordinates: D, and c |J|.
pub type Pulled = Integrand;

/// The matrix of cell e for the sum of forms, by local functions.
pub fn cell_matrix(space: &Space, e: usize, forms: &[Arc<dyn Form>], rules: &Rules) -> Result<Dense> {
    let p = space.degree(e);
    if let Some(pulled) = constant_integrand(space, e, forms)? {
        return Ok(kronecker(space.dim(), p, &pulled));
    }
    let patches = if forms.iter().all(|form| form.is_constant_in_cells()) {
        vec![Patch::gauss(space.dim(), rules.of_geometry(p))]
    } else {
        rules.cell(space.forest(), e, p)
    };
    by_quadrature(space, e, forms, &patches)
}

/// The integrand of cell e in reference coordinates where it is the same in all of the cell.
pub fn constant_integrand(space: &Space, e: usize, forms: &[Arc<dyn Form>]) -> Result<Option<Pulled>> {
    let is_constant = forms.iter().all(|form| form.is_constant_in_cells()) && space.forest().map(e).is_affine();
    is_constant.then(|| pulled_back(space, e, forms, &[0.0; 3])).transpose()
}

/// The integrand of cell e in reference coordinates.
pub fn pulled_back(space: &Space, e: usize, forms: &[Arc<dyn Form>], t: &[f64; 3]) -> Result<Pulled> {
    let (point, J) = space.forest().map(e).at(t);
    let site = Site { point, region: space.forest().region(e) };
    let sum = forms.iter().try_fold(Integrand::default(), |sum, form| Ok::<_, Error>(sum.plus(&form.at(&site)?)))?;
    let (volume, inverse) = checked_inverse(&J, e)?;
    let entry = |a: usize, b: usize| -> f64 {
        let row = |i: usize| (0..3).map(|j| sum.diffusion[i][j] * inverse[b][j]).sum::<f64>();
        volume * (0..3).map(|i| inverse[a][i] * row(i)).sum::<f64>()
    };
    let diffusion = [0, 1, 2].map(|a| [0, 1, 2].map(|b| entry(a, b)));
    Ok(Pulled { diffusion, reaction: volume * sum.reaction })
}

/// Determinant and inverse of derivatives; an error where a cell is inverted.
pub fn checked_inverse(J: &Jacobian, e: usize) -> Result<(f64, Jacobian)> {
    inverted(J).filter(|&(volume, _)| volume > 0.0).ok_or_else(|| inverted_cell(e))
}

/// What is said of a cell that is inverted somewhere.
pub fn inverted_cell(e: usize) -> Error {
    let problem = "its map is inverted at a quadrature point".into();
    Error::InvalidMesh { place: format!("cell {e}"), problem }
}

/// The matrix of a constant integrand.
fn kronecker(dim: usize, p: usize, pulled: &Pulled) -> Dense {
    let interval = Interval::of(p);
    let mut K = Dense::zeros((p + 1).pow(dim as u32), (p + 1).pow(dim as u32));
    for (scale, derived) in terms(dim, pulled) {
        add_kronecker(scale, &factors(dim, interval, derived), &mut K);
    }
    K
}

/// The entries of the matrix of cell e that the forms can make differ from 0, as ones; none if that may be all of them.
pub fn coupling(space: &Space, e: usize, forms: &[Arc<dyn Form>]) -> Result<Option<Dense>> {
    let Some(pulled) = constant_integrand(space, e, forms)? else { return Ok(None) };
    let ones = |A: &Dense| Dense { val: A.val.iter().map(|a| f64::from(*a != 0.0)).collect(), ..*A };
    let (dim, p) = (space.dim(), space.degree(e));
    let Interval { mass, stiffness, mixed } = Interval::of(p);
    let interval = Interval { mass: ones(mass), stiffness: ones(stiffness), mixed: ones(mixed) };
    let mut couples = Dense::zeros((p + 1).pow(dim as u32), (p + 1).pow(dim as u32));
    for (_, derived) in terms(dim, &pulled) {
        add_kronecker(1.0, &factors(dim, &interval, derived), &mut couples);
    }
    Ok(Some(couples))
}

/// The terms of a constant integrand that are not 0: its factor, and the axes along which v and u are derived.
fn terms(dim: usize, pulled: &Pulled) -> Vec<(f64, Option<[usize; 2]>)> {
    let most = pulled.diffusion.iter().flatten().fold(0.0f64, |most, d| most.max(d.abs()));
    let pairs = (0..dim).flat_map(|a| (0..dim).map(move |b| [a, b]));
    let second = pairs.map(|[a, b]| (pulled.diffusion[a][b], Some([a, b]))).filter(|(d, _)| d.abs() > ROUNDING * most);
    second.chain((pulled.reaction != 0.0).then_some((pulled.reaction, None))).collect()
}

/// The matrices of the interval whose Kronecker product is a term.
fn factors(dim: usize, interval: &Interval, derived: Option<[usize; 2]>) -> Vec<Dense> {
    let factor = |axis: usize| match derived.map(|[a, b]| (axis == a, axis == b)) {
        Some((true, true)) => interval.stiffness.clone(),
        Some((true, false)) => interval.mixed.clone(),
        Some((false, true)) => interval.mixed.transposed(),
        _ => interval.mass.clone(),
    };
    (0..dim).map(factor).collect()
}

/// K += scale A (x) B (x) ..., skipping zeros.
fn add_kronecker(scale: f64, factors: &[Dense], K: &mut Dense) {
    fn add(value: f64, i: usize, j: usize, factors: &[Dense], K: &mut Dense) {
        let [A, rest @ ..] = factors else {
            K[(i, j)] += value;
            return;
        };
        for k in 0..A.rows {
            for (l, &a) in A.row(k).iter().enumerate().filter(|(_, a)| **a != 0.0) {
                add(value * a, i * A.rows + k, j * A.cols + l, rest, K);
            }
        }
    }
    add(scale, 0, 0, factors, K);
}

fn by_quadrature(space: &Space, e: usize, forms: &[Arc<dyn Form>], patches: &[Patch]) -> Result<Dense> {
    let (dim, p) = (space.dim(), space.degree(e));
    let n = (p + 1).pow(dim as u32);
    let mut K = Dense::zeros(n, n);
    for patch in patches {
        let at = |(t, w): ([f64; 3], f64)| Ok((pulled_back(space, e, forms, &t)?, w));
        let pulled: Vec<(Pulled, f64)> = patch.points().map(at).collect::<Result<_>>()?;
        let tables = Tables::new(p, patch);
        for a in 0..dim {
            for b in 0..dim {
                let weights = pulled.iter().map(|(pulled, w)| w * pulled.diffusion[a][b]).collect();
                tables.products(weights, [Some(a), Some(b)], &mut K);
            }
        }
        if pulled.iter().any(|(pulled, _)| pulled.reaction != 0.0) {
            tables.products(pulled.iter().map(|(pulled, w)| w * pulled.reaction).collect(), [None, None], &mut K);
        }
    }
    Ok(K)
}
