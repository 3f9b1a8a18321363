//! Functions of x, y, z written as text: `sin(pi*x)*exp(-y^2)`. Each is evaluated as a number, or with its first and
//! second derivatives by forward differentiation, so that an exact solution u alone gives f = -div(kappa grad u), its
//! flux and its errors.
//!
//! | file | what |
//! |---|---|
//! | `token` | the text as tokens, each with its place |
//! | `parse` | tokens to a tree, by precedence |
//! | [`names`] | the names that expressions know |
//! | [`number`] | what a tree is evaluated in: a number, or a [`Jet`] |
//! | [`jet`] | value, gradient and second derivatives |
//! | `tree` | the tree, and its value |
//! | [`coefficient`] | kappa: one expression, or the entries of a matrix |

pub mod coefficient;
pub mod jet;
pub mod names;
pub mod number;
mod parse;
mod token;
mod tree;

pub use coefficient::Coefficient;
pub use jet::Jet;

use crate::error::Result;
use crate::form::Field;
use crate::norm::Exact;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use tree::Tree;

/// A function of x, y, z.
#[derive(Clone)]
pub struct Expression {
    text: Arc<str>,
    tree: Arc<Tree>,
}

impl Expression {
    /// Its value at a point.
    pub fn at(&self, x: &[f64; 3]) -> f64 {
        self.tree.value(x)
    }
    /// Value, gradient and second derivatives at a point.
    pub fn jet(&self, x: &[f64; 3]) -> Jet {
        self.tree.value(&[0, 1, 2].map(|a| Jet::variable(a, x[a])))
    }
    /// Its value if it depends on no variable.
    pub fn constant(&self) -> Option<f64> {
        self.tree.is_constant().then(|| self.at(&[0.0; 3]))
    }
    /// Whether the variable of an axis stands in it.
    pub fn depends_on(&self, axis: usize) -> bool {
        self.tree.depends_on(axis)
    }
    /// The number c.
    pub fn number(c: f64) -> Self {
        Self { text: c.to_string().into(), tree: Arc::new(Tree::Constant(c)) }
    }
}

/// -div(kappa grad u) at a point, from expressions for u and kappa.
pub fn minus_divergence(u: &Expression, kappa: &Expression, x: &[f64; 3]) -> f64 {
    let (u, kappa) = (u.jet(x), kappa.jet(x));
    let transport: f64 = kappa.gradient.iter().zip(&u.gradient).map(|(k, u)| k * u).sum();
    -(kappa.value * u.laplacian() + transport)
}

/// kappa grad u at a point.
pub fn flux(u: &Expression, kappa: &Expression, x: &[f64; 3]) -> [f64; 3] {
    let k = kappa.at(x);
    u.jet(x).gradient.map(|slope| k * slope)
}

impl FromStr for Expression {
    type Err = crate::Error;
    fn from_str(text: &str) -> Result<Self> {
        let tree =
            parse::parse(text).map_err(|(at, problem)| crate::Error::Expression { text: text.into(), at, problem })?;
        Ok(Self { text: text.into(), tree: Arc::new(tree) })
    }
}

impl Exact for Expression {
    fn value(&self, x: &[f64; 3]) -> f64 {
        self.at(x)
    }
    fn gradient(&self, x: &[f64; 3]) -> [f64; 3] {
        self.jet(x).gradient
    }
}

impl From<Expression> for Field {
    fn from(expression: Expression) -> Self {
        expression.constant().map_or_else(|| Self::of(move |x| expression.at(x)), Self::Constant)
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
