//! A gallery URI taken apart: `gallery:NAME?PARAMETER=VALUE&PARAMETER=VALUE`, the prefix optional, parameters in any order,
//! defaults for those left out. Names that do not exist are answered with those that do.

use super::catalogue::{Parameter, Problem, list};
use super::{Built, Order, Stencil};
use crate::error::{Error, Result};
use std::fmt;

/// A problem with a value for each of its parameters; its text is the full URI.
#[derive(Clone, Debug)]
pub struct Recipe {
    problem: &'static Problem,
    values: Vec<String>, // in the order of the problem's parameters
}

/// Reads a URI; values are checked when the problem is built.
pub fn parse(uri: &str) -> Result<Recipe> {
    let text = uri.strip_prefix("gallery:").unwrap_or(uri);
    let (name, query) = text.split_once('?').unwrap_or((text, ""));
    let problem = list().iter().find(|problem| problem.name == name).ok_or_else(|| {
        let known = join(list().iter().map(|problem| problem.name));
        Error::UnknownName { what: "gallery problem", name: name.into(), known }
    })?;
    let mut given: Vec<Option<String>> = vec![None; problem.parameters.len()];
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let place = problem.parameters.iter().position(|p| p.name == key).ok_or_else(|| {
            let known = join(problem.parameters.iter().map(|p| p.name));
            Error::UnknownName { what: "parameter of this gallery problem", name: key.into(), known }
        })?;
        if given[place].replace(value.into()).is_some() {
            let expected = "each parameter may be given once";
            return Err(Error::InvalidParameter {
                name: problem.parameters[place].name,
                value: value.into(),
                expected,
            });
        }
    }
    let fill = |(value, parameter): (Option<String>, &Parameter)| value.unwrap_or_else(|| parameter.default.into());
    let values = given.into_iter().zip(problem.parameters).map(fill).collect();
    Ok(Recipe { problem, values })
}

impl Recipe {
    /// The problem of this recipe.
    pub fn problem(&self) -> &'static Problem {
        self.problem
    }

    /// Builds the matrix.
    pub fn build(&self) -> Result<Built> {
        (self.problem.build)(self)
    }

    /// The value of a parameter as it was written, or its default.
    pub fn text(&self, name: &'static str) -> &str {
        let place = self.problem.parameters.iter().position(|p| p.name == name);
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

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "gallery:{}", self.problem.name)?;
        for (k, (parameter, value)) in self.problem.parameters.iter().zip(&self.values).enumerate() {
            write!(f, "{}{}={value}", if k == 0 { '?' } else { '&' }, parameter.name)?;
        }
        Ok(())
    }
}

/// Names in a sentence.
pub(super) fn join<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
