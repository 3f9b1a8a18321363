//! Systems of problems on simplices, their solutions and errors.

use super::element::{add_facet, cell_system};
use super::functions::Functions;
use super::lagrange::Barycentric;
use super::placed::Placed;
use super::rule::Sample;
use super::space::SimplexSpace;
use super::traces::coefficients;
use crate::assemble::pattern::{Contribution, Pattern};
use crate::assemble::scatter::Scatter;
use crate::error::{Error, Result};
use crate::problem::Problem;
use crate::problem::floating::{Floating, balanced, pin};
use galerkit_direct::sparse_cholesky;
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::Csr;
use std::sync::Arc;

/// A x = b for the unknowns of a problem on simplices.
#[derive(Clone, Debug)]
pub struct SimplexSystem {
    /// The matrix.
    pub A: Csr<f64>,
    /// The right-hand side.
    pub b: Vec<f64>,
    fixed: Vec<f64>,
    floating: Vec<Floating>,
}

/// A function of a space on simplices, by its coefficients; those of Lagrange functions are its values at the nodes.
#[derive(Clone, Debug)]
pub struct SimplexSolution {
    space: Arc<SimplexSpace>,
    values: Vec<f64>,
}

impl Problem<SimplexSpace> {
    /// Assembles the system.
    pub fn assemble(&self) -> Result<SimplexSystem> {
        let space = self.space();
        self.check_tags(space.boundary().iter().map(|facet| facet.tag).collect())?;
        let fixed = self.fixed()?;
        let rows = space.unknowns();
        let contribution = |e: usize| {
            let scatter = Scatter::direct(space.functions(e), rows);
            let entries = scatter.entries(None);
            Contribution { scatter, entries }
        };
        let cells = parallel::values(space.cells(), &contribution);
        let pattern = Pattern::new(rows, &cells)?;
        let (entries, loads) = pattern.contributions();
        let (mut k, mut f, points) = (vec![0.0; entries], vec![0.0; loads], space.tabulated(self.points()));
        let contribute = |e: usize, (block, segment): (&mut [f64], &mut [f64])| {
            let (K, mut load) = self.cell(e, &points)?;
            let given = |&i: &u32| (i as usize).checked_sub(rows).map_or(0.0, |i| fixed[i]);
            let known: Vec<f64> = space.functions(e).iter().map(given).collect();
            load.iter_mut().zip(K.times(&known)).for_each(|(load, Kg)| *load -= Kg);
            cells[e].scatter.matrix(&K, block);
            cells[e].scatter.vector(&load, segment);
            Ok::<_, Error>(())
        };
        parallel::try_each_piece(pattern.split(&mut k, &mut f), &contribute)?;
        let (mut A, mut b) = (pattern.matrix(&k), pattern.vector(&f));
        let floating = balanced(without_fixed_nodes(space), &A, &b)?;
        pin(&mut A, &mut b, &floating);
        Ok(SimplexSystem { A, b, fixed, floating })
    }

    /// Points in each direction: on straight cells exact for products of functions, more for curved ones and for data.
    pub(super) fn points(&self) -> usize {
        self.space().degree() + self.space().geometry_order() + self.rules.extra
    }

    fn fixed(&self) -> Result<Vec<f64>> {
        let value = |&(tag, point): &(i32, [f64; 3])| {
            let value = self.boundary_value(tag, &point);
            let (what, needed) = ("the Dirichlet data", "finite");
            if value.is_finite() { Ok(value) } else { Err(Error::InvalidCoefficient { what, value, point, needed }) }
        };
        let values = self.space().fixed().iter().map(value).collect::<Result<_>>()?;
        Ok(coefficients(self.space(), values))
    }

    fn cell(&self, e: usize, points: &[Sample]) -> Result<(crate::basis::dense::Dense, Vec<f64>)> {
        let (mut K, mut f) = cell_system(self, e, points)?;
        let (boundary, map) = (self.space().boundary(), self.space().map(e));
        let first = boundary.partition_point(|facet| facet.cell < e);
        for facet in boundary[first..].iter().take_while(|facet| facet.cell == e) {
            add_facet(self, &map, facet, &mut K, &mut f)?;
        }
        Ok((K, f))
    }

    /// u_h from the solution of a system.
    pub fn solution(&self, system: &SimplexSystem, x: &[f64]) -> Result<SimplexSolution> {
        let values = x.iter().chain(&system.fixed).copied().collect();
        let mut solution = SimplexSolution { space: self.space().clone(), values };
        for floating in &system.floating {
            let mut is_one = vec![false; solution.values.len()];
            floating.ones.iter().for_each(|&i| is_one[i as usize] = true);
            let mean = solution.mean(&|e| is_one[self.space().functions(e)[0] as usize])?;
            floating.ones.iter().for_each(|&i| solution.values[i as usize] -= mean);
        }
        Ok(solution)
    }

    /// Assembles, factorises and solves.
    pub fn solve(&self) -> Result<SimplexSolution> {
        let system = self.assemble()?;
        let x = sparse_cholesky(&system.A)?.solve(&system.b)?;
        self.solution(&system, &x)
    }

    /// a(u_h, u_h), boundary terms included.
    pub fn energy(&self, solution: &SimplexSolution) -> Result<f64> {
        let (space, points) = (self.space(), self.space().tabulated(self.points()));
        let of_cell = |e: usize| {
            let u: Vec<f64> = space.functions(e).iter().map(|&i| solution.values[i as usize]).collect();
            let (K, _) = self.cell(e, &points)?;
            Ok(K.times(&u).iter().zip(&u).map(|(Ku, u)| Ku * u).sum())
        };
        let energies: Vec<f64> = parallel::try_values::<_, Error>(space.cells(), &of_cell)?;
        Ok(energies.iter().sum())
    }
}

impl SimplexSystem {
    /// Whether constants had to be fixed: the solution is free of a mean then.
    pub fn is_mean_free(&self) -> bool {
        !self.floating.is_empty()
    }
}

impl SimplexSolution {
    /// The function with given coefficients: of the unknowns, then of the fixed functions.
    pub fn new(space: Arc<SimplexSpace>, values: Vec<f64>) -> Self {
        debug_assert_eq!(values.len(), space.dimension());
        Self { space, values }
    }
    /// Its coefficients: for Lagrange functions the values at the nodes.
    pub fn values(&self) -> &[f64] {
        &self.values
    }
    /// Its space.
    pub fn space(&self) -> &Arc<SimplexSpace> {
        &self.space
    }

    /// A point of cell e, given by its last barycentric coordinates, and u_h there.
    pub fn in_cell(&self, e: usize, t: &[f64; 3]) -> ([f64; 3], f64) {
        let mut lambda = [1.0 - t.iter().take(self.space.dim()).sum::<f64>(), 0.0, 0.0, 0.0];
        lambda[1..=self.space.dim()].copy_from_slice(&t[..self.space.dim()]);
        let placed = self.space.map(e).at(&lambda).expect("checked when the space was made");
        (placed.point, self.combine(e, &placed, &self.space.functions_at(e, &lambda)).0)
    }

    pub(super) fn combine(&self, e: usize, placed: &Placed, functions: &[(f64, Barycentric)]) -> (f64, [f64; 3]) {
        let (mut value, mut slopes) = (0.0, [0.0; 4]);
        for (&i, (function, by_lambda)) in self.space.functions(e).iter().zip(functions) {
            let c = self.values[i as usize];
            value += c * function;
            (0..4).for_each(|a| slopes[a] += c * by_lambda[a]);
        }
        (value, placed.gradient(&slopes))
    }

    /// u_h at a point; none outside of the domain.
    pub fn at(&self, point: &[f64; 3]) -> Option<f64> {
        let inside = |e: usize| {
            let lambda = self.space.map(e).inverse(point)?;
            lambda.iter().all(|l| *l > -1e-9).then_some((e, lambda))
        };
        let (e, lambda) = (0..self.space.cells()).find_map(inside)?;
        let placed = self.space.map(e).at(&lambda).ok()?;
        Some(self.combine(e, &placed, &self.space.functions_at(e, &lambda)).0)
    }

    fn mean(&self, is_in: &dyn Fn(usize) -> bool) -> Result<f64> {
        let samples = self.space.tabulated(self.space.degree() + self.space.geometry_order());
        let (mut sum, mut volume) = (0.0, 0.0);
        for e in (0..self.space.cells()).filter(|&e| is_in(e)) {
            for sample in &samples {
                let placed = self.space.map(e).at(&sample.lambda)?;
                let w = sample.weight * placed.volume;
                let value = self.combine(e, &placed, &sample.functions[self.space.order_of(e)]).0;
                (sum, volume) = (sum + w * value, volume + w);
            }
        }
        Ok(sum / volume)
    }
}

/// The functions of each connected part of the mesh in which none is fixed, whose sum is 1: all Lagrange functions,
/// those of vertices of hierarchical ones.
fn without_fixed_nodes(space: &SimplexSpace) -> Vec<Floating> {
    let mut label: Vec<u32> = (0..space.dimension() as u32).collect();
    fn root(label: &mut [u32], mut i: u32) -> u32 {
        while label[i as usize] != i {
            label[i as usize] = label[label[i as usize] as usize];
            i = label[i as usize];
        }
        i
    }
    for e in 0..space.cells() {
        for &node in space.functions(e) {
            let (a, b) = (root(&mut label, space.functions(e)[0]), root(&mut label, node));
            label[a.min(b) as usize] = a.max(b); // fixed nodes have the highest numbers
        }
    }
    let is_one = ones(space);
    let mut parts: std::collections::BTreeMap<u32, Vec<u32>> = Default::default();
    for node in (0..space.unknowns() as u32).filter(|&node| is_one[node as usize]) {
        let part = root(&mut label, node);
        if (part as usize) < space.unknowns() {
            parts.entry(part).or_default().push(node);
        }
    }
    parts.into_iter().map(|(part, ones)| Floating { component: part as usize, ones }).collect()
}

/// Whether the coefficient of each function is 1, or else 0, in the constant 1.
fn ones(space: &SimplexSpace) -> Vec<bool> {
    let mut is_one = vec![space.kind() == Functions::Lagrange; space.dimension()];
    for e in 0..space.cells() {
        for (&i, node) in space.functions(e).iter().zip(space.local_nodes()) {
            is_one[i as usize] |= node.iter().any(|&weight| weight as usize == space.degree());
        }
    }
    is_one
}
