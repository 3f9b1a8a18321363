//! The right-hand side: given, all ones, or random numbers that are the same on every machine.

use crate::error::{Error, Result};
use galerkit_linalg::io::matrix_market::AnyVector;
use galerkit_linalg::{Scalar, c64, error::check_length, per_scalar};

/// A right-hand side before its length and scalar are known.
///
/// ```
/// use galerkit::Rhs;
///
/// let ones: Vec<f64> = Rhs::Ones.entries(3)?;
/// assert_eq!(ones, [1.0, 1.0, 1.0]);
/// let random: Vec<f64> = Rhs::Random { seed: 1 }.entries(3)?;
/// assert!(random.iter().all(|value| value.abs() <= 1.0));
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub enum Rhs {
    /// Every entry 1.
    #[default]
    Ones,
    /// Uniform in [-1, 1), both parts for complex matrices, from a seed.
    Random {
        /// The seed.
        seed: u64,
    },
    /// These numbers.
    Given(AnyVector),
}

per_scalar! {
    fn entries<S>(b: &Rhs, rows: usize) -> Result<Vec<S>> = Rhs::make;
}

impl Rhs {
    /// The entries for a matrix with `rows` rows.
    pub fn entries<S: Scalar>(&self, rows: usize) -> Result<Vec<S>> {
        entries(self, rows)
    }

    fn make<S: Scalar>(&self, rows: usize) -> Result<Vec<S>> {
        match self {
            Rhs::Ones => Ok(vec![S::one(); rows]),
            Rhs::Random { seed } => {
                let mut state = *seed;
                Ok((0..rows).map(|_| S::from_parts(uniform(&mut state), uniform(&mut state))).collect())
            }
            Rhs::Given(AnyVector::Real(b)) => {
                check_length("the right-hand side", rows, b.len())?;
                Ok(b.iter().map(|&value| S::from_f64(value)).collect())
            }
            Rhs::Given(AnyVector::Complex(b)) => {
                check_length("the right-hand side", rows, b.len())?;
                complex_entries(b)
            }
        }
    }
}

/// Complex entries for a complex matrix; for a real one an error.
fn complex_entries<S: Scalar>(b: &[c64]) -> Result<Vec<S>> {
    if !S::KIND.is_complex() {
        return Err(Error::ComplexForReal {
            what: "the right-hand side",
            needed: "the matrix",
            advice: "solve for its real and imaginary parts one after the other, or store the matrix as complex",
        });
    }
    Ok(b.iter().map(|value| S::from_parts(value.re, value.im)).collect())
}

/// The next number in [-1, 1), by splitmix64 (Steele, Lea, Flood 2014).
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}
