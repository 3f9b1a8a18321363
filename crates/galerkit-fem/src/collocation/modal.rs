//! A stage in modes: y = (C0 - tau (D C2 + mu D C0 + rho C0))^-1 C0 x for each mode, five diagonals each, factored
//! without fill.
//!
//! ```text
//! vectors    blocks of 32 modes | unknowns along x | modes of the block: threads and lanes go through modes side by side
//! values     the same, with four numbers for each unknown: columns 2e-1 to 2e+2 of L and U, the diagonal of U inverted
//! ```

use super::bands::Bands;
use super::modes::Modes;
use super::space::Collocation;
use galerkit_linalg::Result;
use galerkit_linalg::map::{DeviceSource, Grid, LinearMap, Protocol, Word};
use galerkit_linalg::parallel;
use rayon::prelude::*;

const SOURCE: &str = include_str!("../../kernels/modal_stage.cu");
const NODES: &str = include_str!("../../kernels/modal_nodes.cu");
/// Modes of a block: a warp.
const LANES: usize = 32;

/// Where modes are in a vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    rows: usize,
    modes: usize,
}

impl Layout {
    /// For so many unknowns along x and modes.
    pub fn new(rows: usize, modes: usize) -> Self {
        Self { rows, modes }
    }
    /// The place of a mode of an unknown along x.
    pub fn index(&self, row: usize, mode: usize) -> usize {
        let first = mode / LANES * LANES;
        first * self.rows + row * LANES.min(self.modes - first) + mode - first
    }
    /// From x slow to blocks of modes.
    pub fn blocked(&self, shares: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; shares.len()];
        shares.iter().enumerate().for_each(|(k, share)| x[self.index(k / self.modes, k % self.modes)] = *share);
        x
    }
    /// From blocks of modes to x slow.
    pub fn plain(&self, x: &[f64]) -> Vec<f64> {
        (0..x.len()).map(|k| x[self.index(k / self.modes, k % self.modes)]).collect()
    }
}

/// The map of a stage.
#[derive(Clone, Debug, PartialEq)]
pub struct ModalStage {
    layout: Layout,
    C0: Vec<[f64; 4]>,
    values: Vec<f64>,
}

impl ModalStage {
    /// The stage of a step with this tau.
    ///
    /// # Errors
    /// If a pivot is zero.
    pub fn new(space: &Collocation, modes: &Modes, rho: f64, tau: f64) -> Result<Self> {
        let layout = Layout::new(space.shape()[0], modes.count());
        let C0 = (0..layout.rows).map(|i| space.C0()[0].slots(i)).collect();
        Ok(Self { layout, C0, values: factors(space, modes, rho, tau)? })
    }

    /// One block of modes: both sweeps.
    fn solve_block(&self, values: &[f64], x: &[f64], y: &mut [f64]) {
        let (w, n) = (y.len() / self.layout.rows, self.layout.rows);
        let none = vec![0.0; w];
        let row = |i: usize| &x[i * w..][..w];
        let factor = |i: usize, k: usize| &values[(4 * i + k) * w..][..w];
        for i in (0..n).step_by(2) {
            let x = [
                if i > 0 { row(i - 1) } else { &none },
                row(i),
                row(i + 1),
                if i + 2 < n { row(i + 2) } else { &none },
            ];
            let (c, d) = (self.C0[i], self.C0[i + 1]);
            let (done, rest) = y.split_at_mut(i * w);
            let before = if i > 0 { &done[(i - 1) * w..][..w] } else { &none };
            let (even, odd) = rest[..2 * w].split_at_mut(w);
            let [l, m, o] = [factor(i, 0), factor(i + 1, 0), factor(i + 1, 1)];
            for k in 0..w {
                let b = c[0] * x[0][k] + c[1] * x[1][k] + c[2] * x[2][k] + c[3] * x[3][k];
                even[k] = b - l[k] * before[k];
                let b = d[0] * x[0][k] + d[1] * x[1][k] + d[2] * x[2][k] + d[3] * x[3][k];
                odd[k] = b - m[k] * before[k] - o[k] * even[k];
            }
        }
        for i in (0..n).step_by(2).rev() {
            let (own, done) = y[i * w..].split_at_mut(2 * w);
            let after = if i + 2 < n { &done[..w] } else { &none };
            let (even, odd) = own.split_at_mut(w);
            let [a, b, c] = [factor(i, 1), factor(i, 2), factor(i, 3)];
            let [d, u] = [factor(i + 1, 2), factor(i + 1, 3)];
            for k in 0..w {
                odd[k] = d[k] * (odd[k] - u[k] * after[k]);
                even[k] = a[k] * (even[k] - b[k] * odd[k] - c[k] * after[k]);
            }
        }
    }
}

/// Factors of all modes, in the order of values.
pub fn factors(space: &Collocation, modes: &Modes, rho: f64, tau: f64) -> Result<Vec<f64>> {
    let layout = Layout::new(space.shape()[0], modes.count());
    let ([DC2, DC0], C0) = (space.diffusive(), space.C0()[0]);
    let factored = |k: usize| {
        let mu = modes.mu()[k];
        let terms: [(&dyn Fn(usize) -> f64, &Bands); 3] =
            [(&|_| 1.0 - tau * rho, C0), (&|_| -tau, DC2), (&|_| -tau * mu, DC0)];
        Bands::combination(&terms).factor()
    };
    let bands: Vec<Bands> = parallel::try_values(modes.mu().len(), &factored)?;
    let mut values = Vec::with_capacity(4 * layout.rows * layout.modes);
    for block in bands.chunks(LANES) {
        for i in 0..layout.rows {
            (0..4).for_each(|k| values.extend(block.iter().map(|mode| mode.slots(i)[k])));
        }
    }
    Ok(values)
}

impl LinearMap<f64> for ModalStage {
    fn shape(&self) -> (usize, usize) {
        (self.layout.rows * self.layout.modes, self.layout.rows * self.layout.modes)
    }
    fn name(&self) -> &'static str {
        "a stage of a step, mode by mode"
    }
    fn bytes(&self) -> usize {
        32 * self.layout.rows * self.layout.modes
    }
    fn apply(&self, values: &[f64], x: &[f64], y: &mut [f64]) {
        let size = LANES * self.layout.rows;
        let blocks = y.chunks_mut(size).zip(x.chunks(size)).zip(values.chunks(4 * size));
        blocks.for_each(|((y, x), values)| self.solve_block(values, x, y));
    }
    fn apply_on_threads(&self, values: &[f64], x: &[f64], y: &mut [f64]) {
        let size = LANES * self.layout.rows;
        let blocks = y.par_chunks_mut(size).zip(x.par_chunks(size)).zip(values.par_chunks(4 * size));
        blocks.for_each(|((y, x), values)| self.solve_block(values, x, y));
    }
    fn take_values(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.values)
    }
    fn device_source(&self) -> Option<DeviceSource> {
        let words = vec![
            Word::Number(self.layout.rows as u64),
            Word::Number(self.layout.modes as u64),
            Word::Values,
            Word::array(&self.C0.concat()),
        ];
        let protocol = Protocol::Alone { passes: 1 };
        Some(DeviceSource { source: SOURCE.into(), protocol, words, lanes: 1, grid: Grid::Rows })
    }
}

/// Values at nodes from shares of modes, those along y fast.
#[derive(Clone, Debug, PartialEq)]
pub struct ModalNodes {
    layout: Layout,
    /// Unknowns along x that are values.
    along: Vec<u32>,
    /// Each mode at the nodes along y, one after the other.
    V: Vec<f64>,
    nodes: usize,
}

impl ModalNodes {
    /// For the modes of a space.
    pub fn new(space: &Collocation, modes: &Modes) -> Self {
        let [_, nodes] = space.nodes();
        let at = |m: usize| (0..nodes).map(move |j| modes.mode(m)[space.y().map_or(0, |y| y.value(j))]);
        Self {
            layout: Layout::new(space.shape()[0], modes.count()),
            along: (0..=space.x().elements()).map(|i| space.x().value(i) as u32).collect(),
            V: (0..modes.count()).flat_map(at).collect(),
            nodes,
        }
    }

    /// The nodes of one value along x.
    fn row(&self, i: usize, x: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        for (m, v) in self.V.chunks_exact(self.nodes).enumerate() {
            let share = x[self.layout.index(self.along[i] as usize, m)];
            y.iter_mut().zip(v).for_each(|(y, v)| *y += share * v);
        }
    }
}

impl LinearMap<f64> for ModalNodes {
    fn shape(&self) -> (usize, usize) {
        (self.along.len() * self.nodes, self.layout.rows * self.layout.modes)
    }
    fn name(&self) -> &'static str {
        "values at nodes from modes"
    }
    fn bytes(&self) -> usize {
        8 * self.V.len() + 4 * self.along.len()
    }
    fn apply(&self, _values: &[f64], x: &[f64], y: &mut [f64]) {
        y.chunks_exact_mut(self.nodes).enumerate().for_each(|(i, y)| self.row(i, x, y));
    }
    fn apply_on_threads(&self, _values: &[f64], x: &[f64], y: &mut [f64]) {
        y.par_chunks_exact_mut(self.nodes).enumerate().for_each(|(i, y)| self.row(i, x, y));
    }
    fn device_source(&self) -> Option<DeviceSource> {
        let words = vec![
            Word::Number(self.along.len() as u64),
            Word::Number(self.nodes as u64),
            Word::Number(self.layout.rows as u64),
            Word::Number(self.layout.modes as u64),
            Word::array(&self.along),
            Word::array(&self.V),
        ];
        Some(DeviceSource { source: NODES.into(), protocol: Protocol::Rows, words, lanes: 1, grid: Grid::Rows })
    }
}
