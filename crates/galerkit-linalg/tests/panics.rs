//! Maps that users bring and whose product panics: an error that names the map, loops that end, an engine that goes on.

use galerkit_linalg::Error;
use galerkit_linalg::backend::{Backend, Cpu, Reference};
use galerkit_linalg::engine::{Engine, Interpreter, Recorded};
use galerkit_linalg::krylov::{Stop, cg};
use galerkit_linalg::map::LinearMap;
use galerkit_linalg::program::Outcome;
use galerkit_testkit::bits;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The chain tridiag(-1, 3, -1), which panics in its n-th product.
#[derive(Clone, Debug)]
struct Chain {
    rows: usize,
    products: Arc<AtomicUsize>,
    failing: usize,
}

impl LinearMap<f64> for Chain {
    fn shape(&self) -> (usize, usize) {
        (self.rows, self.rows)
    }
    fn bytes(&self) -> usize {
        0
    }
    fn apply(&self, _: &[f64], x: &[f64], y: &mut [f64]) {
        let count = self.products.fetch_add(1, Ordering::Relaxed) + 1;
        for i in 0..y.len() {
            assert!(count != self.failing || i < 5, "product {count} failed in row {i}");
            let [before, after] = [i.checked_sub(1), Some(i + 1)].map(|j| j.and_then(|j| x.get(j)).unwrap_or(&0.0));
            y[i] = 3.0 * x[i] - before - after;
        }
    }
}

/// CG with a chain that fails in some product; x, how it ended, and the failure.
fn solve<B: Backend<f64>>(e: &mut Recorded<f64, Interpreter<f64, B>>, failing: usize) -> (Vec<f64>, Outcome) {
    let A = e.load(Box::new(Chain { rows: 40, products: Arc::default(), failing }));
    let b = e.upload(&[1.0; 40]);
    let mut x = e.zeros_like(&b);
    let run = cg(e, &A, &galerkit_linalg::engine::Identity, &b, &mut x, &Stop { rtol: 1e-10, ..Stop::default() });
    (e.download(&x), run.outcome)
}

fn goes_on<B: Backend<f64> + Copy>(backend: B) {
    let mut e = Recorded::over(Interpreter::new(backend));
    let (expected, outcome) = solve(&mut e, usize::MAX);
    assert!(outcome == Outcome::Converged && e.executor_mut().take_failure().is_none());
    for failing in [1, 2, 7] {
        let (_, outcome) = solve(&mut e, failing);
        assert_ne!(outcome, Outcome::Converged, "product {failing}");
        let error = e.executor_mut().take_failure().expect("it was noted");
        assert!(matches!(error, Error::Product { .. }));
        let said = error.to_string();
        let expected_words = format!("panics::Chain has panicked: product {failing} failed in row 5");
        assert!(said.contains(&expected_words) && said.contains("mend the map"), "{said}");
        let (again, outcome) = solve(&mut e, usize::MAX);
        assert_eq!((bits(&again), outcome), (bits(&expected), Outcome::Converged), "the same engine, well again");
        assert!(e.executor_mut().take_failure().is_none());
    }
}

#[test]
fn an_engine_survives_a_product_that_panics() {
    goes_on(Cpu);
    goes_on(Reference);
}
