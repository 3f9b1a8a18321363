//! What an observer is told of a solve that runs, and what it answers.

use galerkit_linalg::Scalar;
use std::any::Any;

/// How far an iterative solve has come, as [`Solver::observer`](crate::Solver::observer) is told after each iteration.
///
/// ```
/// use galerkit::prelude::*;
/// use std::sync::{Arc, Mutex};
///
/// let A = galerkit::load("gallery:poisson2d?n=30")?.into_real()?;
/// let seen = Arc::new(Mutex::new(Vec::new()));
/// let shown = seen.clone();
/// let solver = Solver::new().method(Krylov::Cg).observer(move |progress| match progress.x::<f64>() {
///     Some(x) => {
///         shown.lock().unwrap().push((progress.iteration, x[0]));
///         Go::On
///     }
///     None if progress.iteration % 10 == 0 => Go::Show,
///     None => Go::On,
/// });
/// let solution = solver.solve(&A, &vec![1.0; A.rows()])?;
/// let seen = seen.lock().unwrap();
/// assert_eq!(seen[0].0, 10);
/// assert!((seen[seen.len() - 1].1 - solution.x[0]).abs() < 0.1 * solution.x[0]);
/// # Ok::<(), galerkit::Error>(())
/// ```
pub struct Progress<'a> {
    /// Iterations done.
    pub iteration: usize,
    /// The norm of the residual that the method watches.
    pub residual_norm: f64,
    x: Option<&'a (dyn Any + Send + Sync)>,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(iteration: usize, residual_norm: f64) -> Self {
        Self { iteration, residual_norm, x: None }
    }

    /// The same with x, in the order of the input.
    pub(crate) fn with<S: Scalar>(self, x: Option<&'a Vec<S>>) -> Self {
        Self { x: x.map(|x| x as &(dyn Any + Send + Sync)), ..self }
    }

    /// The iterate after this iteration, in the order of the input, if the observer has asked for it with [`Go::Show`];
    /// none too if the matrix is not of this scalar. Methods that put x together at the end of a cycle only (the GMRES
    /// family) show it as it was at the end of the last one.
    pub fn x<S: Scalar>(&self) -> Option<&'a [S]> {
        self.x?.downcast_ref::<Vec<S>>().map(Vec::as_slice)
    }
}

/// What an observer wants.
///
/// ```
/// use galerkit::prelude::*;
///
/// let A = galerkit::load("gallery:poisson2d?n=30")?.into_real()?;
/// let impatient = |progress: &Progress<'_>| if progress.iteration < 5 { Go::On } else { Go::Stop };
/// let report = Solver::new().method(Krylov::Cg).observer(impatient).solve(&A, &vec![1.0; A.rows()])?.report;
/// assert_eq!((report.outcome.name(), report.iterations), ("interrupted", 5));
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Go {
    /// The next iteration.
    #[default]
    On,
    /// The next iteration, but before it x: the observer is called once more, with it. The method goes on as if it had
    /// not been asked. Where the solve runs ahead of its observer, on a GPU, x is shown when what is under way has come
    /// to its end: some tens of iterations later, for small systems up to 1536 (the call says which), and not at all if
    /// the solve ends before. After the last iteration nothing is shown: the solution is.
    Show,
    /// No more: the solve ends as interrupted.
    Stop,
}
