//! A matrix, or a diagonal, that is on a GPU, as a linear map: loaded there it goes from buffer to buffer. Whoever
//! else multiplies with it brings it to the host, once.

use super::DeviceCsr;
use super::slices::Slices;
use super::stored::stored;
use crate::error::Result;
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu};
use crate::map::{Layout, Map, Tuning, made};
use galerkit_linalg::Scalar;
use galerkit_linalg::map::{Diagonal, LinearMap};
use galerkit_linalg::sparse::{Csr, Format, Matrix};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Slots for each entry up to which slices are faster than rows.
const MOST_PADDING: f64 = 1.25;

/// A matrix on a GPU.
#[derive(Clone)]
pub struct OnDevice<S>(Arc<Shared<S>>);

struct Shared<S> {
    rows: DeviceCsr<S>,
    /// The same on the host, once somebody has asked.
    brought: OnceLock<Csr<S>>,
}

impl<S: Scalar> OnDevice<S> {
    /// Takes a matrix.
    pub fn new(rows: DeviceCsr<S>) -> Self {
        Self(Arc::new(Shared { rows, brought: OnceLock::new() }))
    }

    /// Its rows.
    pub fn rows(&self) -> &DeviceCsr<S> {
        &self.0.rows
    }

    /// The matrix on the host.
    pub fn bring(&self) -> Result<&Csr<S>> {
        match self.0.brought.get() {
            Some(rows) => Ok(rows),
            None => {
                let rows = self.0.rows.download()?;
                Ok(self.0.brought.get_or_init(|| rows))
            }
        }
    }

    /// Ready for products, in slices where these have little padding, else in rows.
    pub(crate) fn load(&self, gpu: &Arc<Gpu>, tuning: &Tuning) -> Result<Map> {
        let (jit, A) = (Jit::new(gpu), &self.0.rows);
        let slices = Slices::new(gpu, &jit, A, 1, tuning)?;
        if slices.slots() as f64 <= MOST_PADDING * A.nnz() as f64 {
            return slices.map(tuning);
        }
        match stored(gpu, &jit, A, Format::Csr, tuning)? {
            Some(map) => Ok(map),
            None => Layout::of_matrix(&Matrix::Csr(self.bring()?.clone()), tuning)?.upload(gpu), // very uneven rows
        }
    }

    /// The matrix on the host, or an empty one where the GPU has failed, which others will say.
    fn brought(&self) -> Csr<S> {
        let (rows, cols) = self.0.rows.shape();
        let nothing = || Csr::new(rows, cols, vec![0; rows + 1], Vec::new(), Vec::new());
        self.bring().cloned().or_else(|_| nothing()).expect("nothing is a matrix")
    }
}

impl<S: Scalar> fmt::Debug for OnDevice<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnDevice").field("shape", &self.0.rows.shape()).finish_non_exhaustive()
    }
}

impl<S: Scalar> LinearMap<S> for OnDevice<S> {
    fn shape(&self) -> (usize, usize) {
        self.0.rows.shape()
    }
    fn bytes(&self) -> usize {
        self.0.rows.bytes()
    }
    fn apply(&self, values: &[S], x: &[S], y: &mut [S]) {
        let A = self.brought();
        for (i, y) in y.iter_mut().enumerate() {
            *y = A.range(i).map(|k| values[k] * x[A.col()[k] as usize]).fold(S::zero(), |sum, term| sum + term);
        }
    }
    fn take_values(&mut self) -> Vec<S> {
        self.brought().val().to_vec()
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        let rounded = self.brought().map_values(|value| value.to_single());
        Some(Box::new(Matrix::Csr(rounded)))
    }
}

/// A diagonal on a GPU.
#[derive(Clone)]
pub struct DiagonalOnDevice<S: Scalar> {
    values: Arc<Buffer>,
    host: Arc<OnceLock<Diagonal<S>>>,
}

impl<S: Scalar> DiagonalOnDevice<S> {
    /// Takes the entries.
    pub fn new(values: impl Into<Arc<Buffer>>) -> Self {
        Self { values: values.into(), host: Arc::new(OnceLock::new()) }
    }

    /// Ready for products.
    pub(crate) fn load(&self, gpu: &Arc<Gpu>) -> Result<Map> {
        made::diagonal(gpu, self.length(), self.values.duplicate("a diagonal")?)
    }

    fn length(&self) -> usize {
        self.values.bytes() / size_of::<S>()
    }

    /// The entries on the host; zeros where the GPU has failed, which others will say.
    fn brought(&self) -> &Diagonal<S> {
        let download = || self.values.download::<S>(self.length()).unwrap_or_else(|_| vec![S::zero(); self.length()]);
        self.host.get_or_init(|| Diagonal::new(download()))
    }
}

impl<S: Scalar> fmt::Debug for DiagonalOnDevice<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DiagonalOnDevice").field("length", &self.length()).finish_non_exhaustive()
    }
}

impl<S: Scalar> LinearMap<S> for DiagonalOnDevice<S> {
    fn shape(&self) -> (usize, usize) {
        (self.length(), self.length())
    }
    fn bytes(&self) -> usize {
        self.values.bytes()
    }
    fn apply(&self, values: &[S], x: &[S], y: &mut [S]) {
        y.iter_mut().enumerate().for_each(|(i, y)| *y = values[i] * x[i]);
    }
    fn take_values(&mut self) -> Vec<S> {
        self.brought().values().to_vec()
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        self.brought().to_single()
    }
    fn is_elementwise(&self) -> bool {
        true
    }
}
