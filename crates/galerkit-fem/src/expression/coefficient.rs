//! kappa as text: one expression, or the entries of a symmetric matrix, `xx,xy,yy` in the plane and
//! `xx,xy,xz,yy,yz,zz` in space; with what follows from it and an exact solution.

use super::{Expression, Jet};
use crate::error::{Error, Result};
use crate::form::{Diffusion, Kappa};
use std::str::FromStr;
use std::sync::Arc;

/// Which of the entries stands where, in the plane and in space; one entry stands on the diagonal.
const PLANE: [[Option<usize>; 3]; 3] = [[Some(0), Some(1), None], [Some(1), Some(2), None], [None; 3]];
const SPACE: [[Option<usize>; 3]; 3] =
    [[Some(0), Some(1), Some(2)], [Some(1), Some(3), Some(4)], [Some(2), Some(4), Some(5)]];
const SCALAR: [[Option<usize>; 3]; 3] = [[Some(0), None, None], [None, Some(0), None], [None, None, Some(0)]];

/// The coefficient of diffusion.
#[derive(Clone, Debug)]
pub struct Coefficient {
    entries: Arc<[Expression]>,
}

impl Coefficient {
    /// The number c.
    pub fn number(c: f64) -> Self {
        Self { entries: [Expression::number(c)].into() }
    }
    /// Its entries: 1, 3 or 6.
    pub fn entries(&self) -> &[Expression] {
        &self.entries
    }
    /// The dimension that it is for; none if it is a scalar.
    pub fn dim(&self) -> Option<usize> {
        match self.entries.len() {
            1 => None,
            3 => Some(2),
            _ => Some(3),
        }
    }
    fn places(&self) -> &'static [[Option<usize>; 3]; 3] {
        match self.dim() {
            None => &SCALAR,
            Some(2) => &PLANE,
            Some(_) => &SPACE,
        }
    }
    /// The matrix at a point.
    pub fn at(&self, x: &[f64; 3]) -> [[f64; 3]; 3] {
        let values: Vec<f64> = self.entries.iter().map(|entry| entry.at(x)).collect();
        self.places().map(|row| row.map(|place| place.map_or(0.0, |k| values[k])))
    }
    /// int (kappa grad u) . grad v.
    pub fn diffusion(&self) -> Diffusion {
        if let [scalar] = &self.entries[..] {
            return Diffusion::new(scalar.clone());
        }
        let kappa = match self.entries.iter().all(|entry| entry.constant().is_some()) {
            true => Kappa::Tensor(self.at(&[0.0; 3])),
            false => {
                let own = self.clone();
                Kappa::TensorField(Arc::new(move |x| own.at(x)))
            }
        };
        Diffusion { kappa }
    }
    /// kappa grad u at a point.
    pub fn flux(&self, u: &Expression, x: &[f64; 3]) -> [f64; 3] {
        let (K, slopes) = (self.at(x), u.jet(x).gradient);
        K.map(|row| row.iter().zip(&slopes).map(|(k, slope)| k * slope).sum())
    }
    /// -div(kappa grad u) at a point, and the sum of its terms' sizes, which is what rounding compares with.
    pub fn minus_divergence(&self, u: &Expression, x: &[f64; 3]) -> (f64, f64) {
        let u = u.jet(x);
        let entries: Vec<Jet> = self.entries.iter().map(|entry| entry.jet(x)).collect();
        let (mut sum, mut size) = (0.0, 0.0);
        for (i, row) in self.places().iter().enumerate() {
            for (j, k) in row.iter().enumerate().filter_map(|(j, place)| Some((j, &entries[(*place)?]))) {
                for term in [k.value * u.hessian[i][j], k.gradient[i] * u.gradient[j]] {
                    (sum, size) = (sum - term, size + term.abs());
                }
            }
        }
        (sum, size)
    }
}

impl FromStr for Coefficient {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let (mut entries, mut begin) = (Vec::new(), 0);
        for piece in pieces(text) {
            // An error points into the whole text.
            let in_whole = |error| match error {
                Error::Expression { at, problem, .. } => {
                    Error::Expression { text: text.into(), at: begin + at, problem }
                }
                other => other,
            };
            entries.push(piece.parse::<Expression>().map_err(in_whole)?);
            begin += piece.chars().count() + 1;
        }
        if ![1, 3, 6].contains(&entries.len()) {
            let problem = format!(
                "{} entries came; it is one, in the plane also xx,xy,yy, in space xx,xy,xz,yy,yz,zz",
                entries.len()
            );
            return Err(Error::Expression { text: text.into(), at: text.chars().count(), problem });
        }
        Ok(Self { entries: entries.into() })
    }
}

/// What stands between commas that are in no parentheses.
fn pieces(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let is_between = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    };
    text.split(is_between).collect()
}
