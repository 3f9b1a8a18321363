//! The observer of a solve, between the user and the engine: x in the order, the scale and the precision of the input.

use super::scaling::times_power;
use crate::progress::{Go, Progress};
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::Viewer;
use galerkit_linalg::krylov::Observer;
use galerkit_linalg::program::Vector;
use galerkit_linalg::sparse::Permutation;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the user gave.
#[derive(Clone)]
pub(crate) struct Watcher(pub(super) Arc<dyn Fn(&Progress<'_>) -> Go + Send + Sync>);

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
}

impl Watcher {
    /// For a system whose right-hand side was multiplied by a power of two.
    pub(super) fn scaled<S: Scalar>(self, power: i32) -> Self {
        let factor = 2f64.powi(power);
        Self(Arc::new(move |progress| {
            let x = progress.x::<S>().map(|x| times_power(x, -power));
            (self.0)(&Progress::new(progress.iteration, progress.residual_norm / factor).with(x.as_ref()))
        }))
    }

    /// For a system whose matrix was divided by that power of two, so that x was multiplied with it.
    pub(super) fn with_scaled_x<S: Scalar>(self, power: i32) -> Self {
        Self(Arc::new(move |progress| {
            let x = progress.x::<S>().map(|x| times_power(x, -power));
            (self.0)(&Progress::new(progress.iteration, progress.residual_norm).with(x.as_ref()))
        }))
    }

    /// For a system that was rounded to single precision.
    pub(super) fn widened<S: Scalar>(self) -> Self {
        Self(Arc::new(move |progress| {
            let x: Option<Vec<S>> = progress.x::<S::Single>().map(|x| x.iter().map(|&value| S::widen(value)).collect());
            (self.0)(&Progress::new(progress.iteration, progress.residual_norm).with(x.as_ref()))
        }))
    }

    /// For a solve that begins at x after so many iterations, with unknowns that are scaled by these factors.
    pub(super) fn after<S: Scalar>(self, x: Vec<S>, factors: Vec<f64>, iterations: usize) -> Self {
        Self(Arc::new(move |progress| {
            let shown: Option<Vec<S>> = progress.x::<S>().map(|y| {
                let steps = y.iter().zip(&factors).map(|(&y, &factor)| y * S::from_f64(factor));
                x.iter().zip(steps).map(|(&x, step)| x + step).collect()
            });
            (self.0)(&Progress::new(iterations + progress.iteration, progress.residual_norm).with(shown.as_ref()))
        }))
    }

    /// The two ends of a solve: who is told of norms, and who is shown x.
    pub(super) fn attach<S: Scalar>(&self, x: Vector, order: Option<&Permutation>) -> (Observer, Viewer<S>) {
        let asked = Arc::new(Mutex::new(None));
        let (watcher, asks) = (self.clone(), asked.clone());
        let observer = Observer(Arc::new(move |iteration, norm| {
            let go = (watcher.0)(&Progress::new(iteration, norm));
            let mut asked = lock(&asks);
            *asked = (go == Go::Show || asked.is_some()).then_some((iteration, norm));
            go != Go::Stop
        }));
        let (watcher, wanted, order) = (self.clone(), asked.clone(), order.cloned());
        let show = move |x: &[S]| {
            let Some((iteration, norm)) = lock(&asked).take() else { return true };
            let x = order.as_ref().and_then(|order| order.scatter(x).ok()).unwrap_or_else(|| x.to_vec());
            (watcher.0)(&Progress::new(iteration, norm).with(Some(&x))) != Go::Stop
        };
        let wants = move || lock(&wanted).is_some();
        (observer, Viewer { x, wants: Box::new(wants), show: Box::new(show) })
    }
}

/// The iteration that was observed last, if x is wanted.
type Asked = Mutex<Option<(usize, f64)>>;

fn lock(asked: &Asked) -> MutexGuard<'_, Option<(usize, f64)>> {
    asked.lock().unwrap_or_else(PoisonError::into_inner)
}
