//! Assembly alone, again and again in one launch, for measuring: what elements have, r and kappa, and the tangent from
//! it, `values = stiffness + S kappa` with its diagonal, as an iteration of the scheme computes them. Solves are left
//! out.

use super::{Equations, Settings, equations};
use crate::cardiac::cell::Cell;
use crate::cardiac::matrices::Matrices;
use crate::cardiac::scheme::{Machine, Vector};
use crate::cardiac::tissue::Tissue;
use crate::error::Result;
use galerkit_linalg::engine::{Engine, Number, Routine};
use galerkit_linalg::krylov::Stop;
use galerkit_linalg::map::matrix_map;
use galerkit_linalg::sparse::Matrix;

/// A part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// r, kappa and load of each element, from phi at its nodes.
    Elements,
    /// Sums of kappa into the slots of the tangent and into its diagonal.
    Sums,
    /// One after the other.
    Both,
}

/// The equations of a tissue in some state, and a program for each part.
pub struct Assembly<C> {
    equations: Equations<Machine, C>,
    routines: [Routine; 3],
    /// Which entry of the pattern each slot has, counted from 1; 0 for padding.
    entry_of: Vec<f64>,
    entries: usize,
    elements: usize,
    bytes: [usize; 2],
}

impl<C: Cell> Assembly<C> {
    /// At phi, one value a node, after a step from it.
    ///
    /// # Errors
    /// If a matrix does not fit its format.
    pub fn new(
        e: &mut Machine,
        tissue: &Tissue,
        matrices: &Matrices,
        cell: C,
        settings: &Settings,
        phi: &[f64],
    ) -> Result<Self> {
        let mut equations = equations(e, tissue, matrices, cell, settings)?;
        let phi = e.upload(phi);
        e.apply_map(&equations.to_elements, &phi, &mut equations.centre_before);
        let routines = [Part::Elements, Part::Sums, Part::Both]
            .map(|part| record(e, &mut equations, part, &phi, 1.0 / settings.dt));
        let K = &matrices.K;
        let numbers: Vec<f64> = (1..=K.nnz()).map(|k| k as f64).collect();
        let numbered = e.load(matrix_map(Matrix::from_csr(&K.with_values(&numbers), settings.format)?));
        let entry_of = e.download(&numbered.values); // a map of the same pattern has the same order of slots
        let (entries, elements, bytes) = (K.nnz(), tissue.elements(), least_bytes(tissue, entry_of.len()));
        Ok(Self { equations, routines, entry_of, entries, elements, bytes })
    }

    /// So often, in one launch.
    pub fn run(&mut self, e: &mut Machine, part: Part, times: usize) {
        let _ = e.run_until(&self.routines[part as usize], Some(&endless(times)));
    }

    /// The values of the tangent in the pattern of K.
    pub fn values(&self, e: &mut Machine) -> Vec<f64> {
        let mut values = vec![0.0; self.entries];
        let slots = e.download(&self.equations.tangent.values);
        let filled = self.entry_of.iter().zip(slots).filter(|(entry, _)| **entry > 0.0);
        filled.for_each(|(entry, value)| values[*entry as usize - 1] = value);
        values
    }

    /// Bytes that a part must move: its inputs, its maps and its results once. What elements hand to the sums counts
    /// for each alone and not for both.
    pub fn bytes(&self, part: Part) -> usize {
        let handed = 8 * self.elements;
        match part {
            Part::Elements => self.bytes[0] + handed,
            Part::Sums => self.bytes[1] + handed,
            Part::Both => self.bytes.iter().sum(),
        }
    }
}

#[rustfmt::skip]
fn record<C: Cell>(e: &mut Machine, equations: &mut Equations<Machine, C>, part: Part, phi: &Vector, per_step: f64) -> Routine {
    e.compile(|e| {
        let one = e.number(1.0);
        let _ = e.iterate(&endless(1), one, |e| {
            let (one, per_step) = (e.number(1.0), e.number(per_step));
            if part != Part::Sums { equations.react(e, phi, per_step); }         // r, kappa, load
            if part != Part::Elements { equations.assemble(e); }                 // K + S kappa
            one.abs()
        });
        Vec::new()
    })
}

/// So many times, whatever the norm.
fn endless(limit: usize) -> Stop {
    Stop { rtol: 0.0, atol: 0.0, limit, replacement: 0, patience: 0, ..Stop::default() }
}

/// What elements and what sums must move besides kappa, maps as they are stored: starts in 8 bytes, indices in 4.
fn least_bytes(tissue: &Tissue, slots: usize) -> [usize; 2] {
    let (n, elements, corners) = (tissue.points().len(), tissue.elements(), tissue.corners());
    let map = |groups: usize, indices: usize| 8 * (groups + 1) + 4 * indices;
    let state = 4 * elements; // phi before, r before, current, volume
    let results = 2 * elements; // r, load
    let nodes = map(elements, corners * elements) + 8 * (n + state + results);
    let slots = map(slots, corners * corners * elements) + 8 * (2 * slots); // stiffness read, values written
    [nodes, slots + map(n, corners * elements) + 8 * (2 * n)]
}
