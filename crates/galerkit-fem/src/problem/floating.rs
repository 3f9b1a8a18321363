//! Pure Neumann problems. On a component of the domain without Dirichlet boundary, reaction and Robin terms the matrix
//! is singular: constants cost nothing. If the data balance, int f + int g = 0, one vertex is pinned to 0 and the mean
//! is taken off afterwards; if not, there is no solution.

use crate::error::{Error, Result};
use crate::forest::Part;
use crate::space::Space;
use galerkit_linalg::sparse::Csr;

/// What counts as balanced, relative to the data, and as a row sum of 0, relative to the matrix.
pub(crate) const BALANCED: f64 = 1e-10;

/// A component of the domain on which u is determined up to a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Floating {
    /// Number of the component.
    pub component: usize,
    /// The unknowns that are 1, while the others are 0, for the function 1; those at vertices where functions are
    /// hierarchical.
    pub ones: Vec<u32>,
}

/// The component of each tree: trees that share a vertex are connected.
pub fn components(space: &Space) -> Vec<usize> {
    let (coarse, dim) = (space.forest().coarse(), space.dim());
    let mut label: Vec<usize> = (0..coarse.entities()).collect();
    fn root(label: &mut [usize], mut i: usize) -> usize {
        while label[i] != i {
            label[i] = label[label[i]];
            i = label[i];
        }
        i
    }
    let interior = |tree: u32| coarse.part(tree, Part::interior(dim)).0 as usize;
    for tree in 0..coarse.trees() as u32 {
        for part in Part::all(dim) {
            let (a, b) = (root(&mut label, interior(tree)), root(&mut label, coarse.part(tree, part).0 as usize));
            label[a.max(b)] = a.min(b);
        }
    }
    (0..coarse.trees() as u32).map(|tree| root(&mut label, interior(tree))).collect()
}

/// The floating components of a system; an error if the data of one do not balance.
pub fn find_floating(space: &Space, A: &Csr<f64>, b: &[f64]) -> Result<Vec<Floating>> {
    balanced(candidates(space), A, b)
}

/// The components without Dirichlet boundary.
pub fn candidates(space: &Space) -> Vec<Floating> {
    let component = components(space);
    let is_held = held(space, &component);
    let mut floating: Vec<Floating> = Vec::new();
    for entity in 0..space.entities().len() {
        let of = component[space.forest().cells()[space.entities().owner[entity].0 as usize].tree as usize];
        if space.entities().keys[entity].dim() > 0 || space.entities().hangs(entity) || is_held[of] {
            continue;
        }
        let at = floating.iter().position(|known| known.component == of).unwrap_or_else(|| {
            floating.push(Floating { component: of, ones: Vec::new() });
            floating.len() - 1
        });
        floating[at].ones.push(space.numbering().of_entity[entity]);
    }
    floating
}

/// Those candidates on which constants cost nothing; an error if the data of one do not balance.
pub fn balanced(floating: Vec<Floating>, A: &Csr<f64>, b: &[f64]) -> Result<Vec<Floating>> {
    balanced_for(floating, &|ones| costs_nothing(A, ones), b)
}

/// The same, where somebody else knows on which constants cost nothing.
pub fn balanced_for(
    mut floating: Vec<Floating>,
    costs_nothing: &dyn Fn(&[u32]) -> bool,
    b: &[f64],
) -> Result<Vec<Floating>> {
    floating.retain(|floating| costs_nothing(&floating.ones));
    for floating in &floating {
        let data = || floating.ones.iter().map(|&i| b[i as usize]);
        let (imbalance, size): (f64, f64) = (data().sum(), data().map(f64::abs).sum());
        if imbalance.abs() > BALANCED * f64::max(1.0, size) {
            return Err(Error::Imbalance { imbalance });
        }
    }
    Ok(floating)
}

/// The components that have Dirichlet boundary.
fn held(space: &Space, component: &[usize]) -> Vec<bool> {
    let coarse = space.forest().coarse();
    let mut is_held = vec![false; coarse.entities()];
    for tree in 0..coarse.trees() as u32 {
        if Part::all(space.dim()).any(|part| space.coarse_fixed_by(coarse.part(tree, part).0).is_some()) {
            is_held[component[tree as usize]] = true;
        }
    }
    is_held
}

/// Whether A times the constant function vanishes.
fn costs_nothing(A: &Csr<f64>, ones: &[u32]) -> bool {
    let mut one = vec![0.0; A.cols()];
    ones.iter().for_each(|&i| one[i as usize] = 1.0);
    ones.iter().all(|&i| {
        let (sum, size) = A.row(i as usize).fold((0.0, 0.0), |(sum, size), (j, a)| (sum + a * one[j], size + a.abs()));
        sum.abs() <= BALANCED * size
    })
}

/// Takes the part of b along the constants of each floating component off, which is rounding where data balance.
pub fn orthogonalise(b: &mut [f64], floating: &[Floating]) {
    for ones in floating.iter().map(|floating| &floating.ones) {
        let mean = ones.iter().map(|&i| b[i as usize]).sum::<f64>() / ones.len() as f64;
        ones.iter().for_each(|&i| b[i as usize] -= mean);
    }
}

/// Pins the first vertex of each floating component to 0: its row and column become those of the identity.
pub fn pin(A: &mut Csr<f64>, b: &mut [f64], floating: &[Floating]) {
    let pinned: Vec<usize> = floating.iter().map(|floating| floating.ones[0] as usize).collect();
    let columns = A.col().to_vec();
    for i in 0..if pinned.is_empty() { 0 } else { A.rows() } {
        for k in A.range(i) {
            let j = columns[k] as usize;
            if pinned.contains(&i) || pinned.contains(&j) {
                A.val_mut()[k] = f64::from(i == j);
            }
        }
    }
    pinned.iter().for_each(|&i| b[i] = 0.0);
}
