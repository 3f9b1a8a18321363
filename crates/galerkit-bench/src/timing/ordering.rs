//! Reverse Cuthill-McKee on more and more threads and on a GPU: seconds, and whether all find the same order, without
//! which no time counts. On a GPU with and without the copies of pattern and order.

use super::median;
use crate::error::{Error, Result};
use galerkit::{Device, current_threads, on_threads};
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::ordering::{Order, order_of};
use galerkit_linalg::sparse::{Csr, Permutation, locality, locality_in, reverse_cuthill_mckee};
use galerkit_linalg::{Scalar, per_scalar};
use std::time::Instant;

/// Who ordered.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// So many threads of the host.
    Threads(usize),
    /// A GPU, by its own clock, with the pattern in its memory.
    Device,
    /// A GPU with copies of the pattern to it and of the order back, by the clock of the host.
    DeviceWithCopies,
    /// A GPU that left it to the host, and why.
    Left(String),
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Ordered {
    /// Who ordered.
    pub place: Place,
    /// Seconds of the order, the median.
    pub ordering: f64,
    /// Seconds of permuting the matrix by it, the median; on the host alone.
    pub permuting: Option<f64>,
}

/// How often a line of x is fetched before and after, by the model of [`locality`].
#[derive(Clone, Copy, Debug)]
pub struct Scatter {
    /// In the order of the matrix.
    pub before: f64,
    /// In the new one.
    pub after: f64,
}

per_scalar! {
    /// Orders on 1, 2, 4 ... threads up to those there are, then on a GPU if one is asked for. An error where orders
    /// differ.
    pub fn ordering<S>(A: &Csr<S>, device: Device, repetitions: usize) -> Result<(Scatter, Vec<Ordered>)> = ordering_of;
}

fn ordering_of<S: Scalar>(A: &Csr<S>, device: Device, repetitions: usize) -> Result<(Scatter, Vec<Ordered>)> {
    let expected = reverse_cuthill_mckee(A)?;
    let scatter = Scatter { before: locality(A).scatter(), after: locality_in(A, &expected).scatter() };
    let mut rows = Vec::new();
    for threads in thread_counts(current_threads()) {
        let job = || Ok(on_host(A, &expected, repetitions));
        let (ordering, permuting) = on_threads(Some(threads), job)??;
        rows.push(Ordered { place: Place::Threads(threads), ordering, permuting: Some(permuting) });
    }
    if let Device::Cuda(number) = device {
        rows.extend(on_gpu(A, number, &expected, repetitions)?);
    }
    Ok((scatter, rows))
}

/// Powers of two, and what there is.
fn thread_counts(most: usize) -> Vec<usize> {
    let powers = std::iter::successors(Some(1), |&count| Some(2 * count)).take_while(|&count| count < most);
    powers.chain([most]).collect()
}

/// Seconds of ordering and of permuting.
fn on_host<S: Scalar>(A: &Csr<S>, expected: &Permutation, repetitions: usize) -> Result<(f64, f64)> {
    let (mut ordering, mut permuting) = (Vec::new(), Vec::new());
    for _ in 0..repetitions.max(1) {
        let begun = Instant::now();
        let order = reverse_cuthill_mckee(A)?;
        ordering.push(begun.elapsed().as_secs_f64());
        check(&order, expected, &format!("{} threads", current_threads()))?;
        let begun = Instant::now();
        let permuted = A.permute_symmetric(&order)?;
        permuting.push(begun.elapsed().as_secs_f64());
        drop(permuted);
    }
    Ok((middle(ordering), middle(permuting)))
}

fn on_gpu<S: Scalar>(A: &Csr<S>, number: usize, expected: &Permutation, repetitions: usize) -> Result<Vec<Ordered>> {
    let gpu = Gpu::open(number)?;
    let jit = Jit::new(&gpu);
    let (mut clock, mut all) = (Vec::new(), Vec::new());
    for repetition in 0..=repetitions.max(1) {
        let begun = Instant::now();
        let found: std::result::Result<Order, _> = order_of(&gpu, &jit, A)?;
        let order = match found {
            Ok(order) => order,
            Err(left) => {
                let place = Place::Left(left.to_string());
                return Ok(vec![Ordered { place, ordering: begun.elapsed().as_secs_f64(), permuting: None }]);
            }
        };
        let here = order.download()?;
        let elapsed = begun.elapsed().as_secs_f64();
        check(&here, expected, "the GPU")?;
        // The first one compiles.
        if repetition > 0 {
            clock.push(order.time.as_secs_f64());
            all.push(elapsed);
        }
    }
    let row = |place, seconds| Ordered { place, ordering: middle(seconds), permuting: None };
    Ok(vec![row(Place::Device, clock), row(Place::DeviceWithCopies, all)])
}

fn middle(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    median(&seconds)
}

fn check(found: &Permutation, expected: &Permutation, who: &str) -> Result<()> {
    let differs = found.old().iter().zip(expected.old()).position(|(found, expected)| found != expected);
    match differs {
        None if found.len() == expected.len() => Ok(()),
        _ => Err(Error::OtherOrder { who: who.into(), position: differs.unwrap_or(0) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::gallery::{Order, tetra};

    #[test]
    fn threads_double_up_to_those_there_are() {
        assert_eq!(thread_counts(1), [1]);
        assert_eq!(thread_counts(2), [1, 2]);
        assert_eq!(thread_counts(6), [1, 2, 4, 6]);
        assert_eq!(thread_counts(16), [1, 2, 4, 8, 16]);
    }

    #[test]
    fn every_number_of_threads_is_timed() {
        let A = tetra(12, Order::Random, 1).unwrap();
        let (scatter, rows) = on_threads(Some(2), || Ok(ordering(&A, Device::Cpu, 1))).unwrap().unwrap();
        assert!(scatter.before >= scatter.after);
        let places: Vec<Place> = rows.iter().map(|row| row.place.clone()).collect();
        assert_eq!(places, [Place::Threads(1), Place::Threads(2)]);
        assert!(rows.iter().all(|row| row.ordering > 0.0 && row.permuting.is_some_and(|seconds| seconds > 0.0)));
    }

    #[test]
    fn another_order_is_an_error() {
        let (one, other) = (Permutation::identity(3), Permutation::from_old(vec![0, 2, 1]).unwrap());
        assert!(check(&one, &one, "somebody").is_ok());
        assert!(matches!(check(&other, &one, "somebody"), Err(Error::OtherOrder { position: 1, .. })));
        assert!(check(&Permutation::identity(2), &one, "somebody").is_err());
    }
}
