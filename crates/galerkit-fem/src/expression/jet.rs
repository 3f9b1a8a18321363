//! A value with its derivatives by x, y, z up to the second: arithmetic by the rules of Leibniz and Faa di Bruno.

use super::names::Smooth;
use super::number::{Number, Partials, power};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// f, grad f and the matrix of second derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet {
    /// f.
    pub value: f64,
    /// grad f.
    pub gradient: [f64; 3],
    /// Second derivatives.
    pub hessian: [[f64; 3]; 3],
}

impl Jet {
    /// The variable of an axis.
    pub fn variable(axis: usize, value: f64) -> Self {
        let gradient = [0, 1, 2].map(|a| f64::from(a == axis));
        Self { value, gradient, hessian: [[0.0; 3]; 3] }
    }
    /// div grad f.
    pub fn laplacian(&self) -> f64 {
        (0..3).map(|a| self.hessian[a][a]).sum()
    }
    /// g(f), by g, g' and g'' there. What depends on nothing stays so, whatever the derivatives are.
    fn chain(self, [g, first, second]: [f64; 3]) -> Self {
        let times = |factor: f64, term: f64| if term == 0.0 { 0.0 } else { factor * term };
        let [u, v] = [self.gradient, self.gradient];
        let gradient = u.map(|slope| times(first, slope));
        let hessian = square(|i, j| times(first, self.hessian[i][j]) + times(second, u[i] * v[j]));
        Self { value: g, gradient, hessian }
    }
}

fn square(entry: impl Fn(usize, usize) -> f64) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)))
}

impl Number for Jet {
    fn constant(value: f64) -> Self {
        Self { value, gradient: [0.0; 3], hessian: [[0.0; 3]; 3] }
    }
    fn value(&self) -> f64 {
        self.value
    }
    fn through(self, f: Smooth) -> Self {
        self.chain(f(self.value))
    }
    fn power(self, c: f64) -> Self {
        let term = |factor: f64, lower: f64| if factor == 0.0 { 0.0 } else { factor * power(self.value, c - lower) };
        self.chain([power(self.value, c), term(c, 1.0), term(c * (c - 1.0), 2.0)])
    }
    fn with(self, other: Self, f: fn(f64, f64) -> Partials) -> Self {
        let [value, a, b, aa, ab, bb] = f(self.value, other.value);
        let (u, v) = (self.gradient, other.gradient);
        let gradient = [0, 1, 2].map(|i| a * u[i] + b * v[i]);
        let second = |i: usize, j: usize| aa * u[i] * u[j] + ab * (u[i] * v[j] + v[i] * u[j]) + bb * v[i] * v[j];
        let hessian = square(|i, j| a * self.hessian[i][j] + b * other.hessian[i][j] + second(i, j));
        Self { value, gradient, hessian }
    }
}

impl Add for Jet {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let gradient = [0, 1, 2].map(|i| self.gradient[i] + other.gradient[i]);
        let hessian = square(|i, j| self.hessian[i][j] + other.hessian[i][j]);
        Self { value: self.value + other.value, gradient, hessian }
    }
}

impl Neg for Jet {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            value: -self.value,
            gradient: self.gradient.map(|slope| -slope),
            hessian: self.hessian.map(|row| row.map(|d| -d)),
        }
    }
}

impl Sub for Jet {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Jet {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        self.with(other, |a, b| [a * b, b, a, 0.0, 1.0, 0.0])
    }
}

impl Div for Jet {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let t = other.value;
        let quotient = self * other.chain([1.0 / t, -1.0 / (t * t), 2.0 / (t * t * t)]);
        Self { value: self.value / t, ..quotient } // the same bits as without derivatives
    }
}
