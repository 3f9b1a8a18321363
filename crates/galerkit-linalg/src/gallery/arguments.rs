//! The parameters of a problem, and their values as a URI gives them.

use super::{Order, Stencil};
use crate::error::{Error, Result};

/// A parameter of a problem.
#[derive(Debug)]
pub struct Parameter {
    /// The name in a URI.
    pub name: &'static str,
    /// The value if it is left out.
    pub default: &'static str,
    /// One line for a list.
    pub description: &'static str,
}

/// A value for each parameter of a problem, as it was written, or its default.
#[derive(Clone, Debug)]
pub(super) struct Arguments {
    pub(super) parameters: &'static [Parameter],
    /// In the order of the parameters.
    pub(super) values: Vec<String>,
}

impl Arguments {
    /// The value of a parameter.
    pub(super) fn text(&self, name: &'static str) -> &str {
        let place = self.parameters.iter().position(|p| p.name == name);
        place.map_or("", |place| &self.values[place])
    }

    pub(super) fn size(&self, name: &'static str) -> Result<usize> {
        let expected = "an integer of at least 1";
        self.parsed(name, expected).and_then(|n: usize| if n >= 1 { Ok(n) } else { self.refuse(name, expected) })
    }

    pub(super) fn seed(&self) -> Result<u64> {
        self.parsed("seed", "an integer from 0 to 18446744073709551615")
    }

    pub(super) fn real(&self, name: &'static str) -> Result<f64> {
        self.parsed(name, "a number")
    }

    pub(super) fn reals<const N: usize>(&self, name: &'static str) -> Result<[f64; N]> {
        let expected = "one number for each dimension, separated by commas";
        let numbers: Vec<f64> = self.text(name).split(',').filter_map(|part| part.trim().parse().ok()).collect();
        let written = self.text(name).split(',').count();
        match numbers.try_into() {
            Ok(numbers) if written == N => Ok(numbers),
            _ => self.refuse(name, expected),
        }
    }

    pub(super) fn stencil(&self) -> Result<Stencil> {
        match self.text("stencil") {
            "5" => Ok(Stencil::Points5),
            "7" => Ok(Stencil::Points7),
            "9" => Ok(Stencil::Points9),
            "27" => Ok(Stencil::Points27),
            _ => self.refuse("stencil", "5 or 9 in two dimensions, 7 or 27 in three"),
        }
    }

    pub(super) fn order(&self) -> Result<Order> {
        match self.text("order") {
            "natural" => Ok(Order::Natural),
            "random" => Ok(Order::Random),
            _ => self.refuse("order", "natural or random"),
        }
    }

    fn parsed<Value: std::str::FromStr>(&self, name: &'static str, expected: &'static str) -> Result<Value> {
        self.text(name).parse().or_else(|_| self.refuse(name, expected))
    }

    fn refuse<Value>(&self, name: &'static str, expected: &'static str) -> Result<Value> {
        Err(Error::InvalidParameter { name, value: self.text(name).into(), expected })
    }
}
