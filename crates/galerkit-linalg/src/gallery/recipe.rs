//! A gallery URI taken apart: `gallery:NAME?PARAMETER=VALUE&PARAMETER=VALUE`, the prefix optional, parameters in any
//! order, defaults for those left out. Names that do not exist are answered with those that do.

use super::arguments::Arguments;
use super::catalogue::Matrix;
use super::{Built, OnGrid, Parameter, Problem, list};
use crate::error::{Error, Result};
use std::fmt;

/// A problem with a value for each of its parameters; its text is the full URI.
#[derive(Clone, Debug)]
pub struct Recipe {
    problem: &'static Problem,
    arguments: Arguments,
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
    Ok(Recipe { problem, arguments: Arguments { parameters: problem.parameters, values } })
}

impl Recipe {
    /// The problem of this recipe.
    pub fn problem(&self) -> &'static Problem {
        self.problem
    }

    /// Builds the matrix.
    pub fn build(&self) -> Result<Built> {
        match self.problem.matrix {
            Matrix::Grid(make) => make(&self.arguments)?.build(),
            Matrix::Rows(make) => make(&self.arguments),
        }
    }

    /// The stencil and the grid, where that is all there is to say: rows can then be made wherever they are needed.
    ///
    /// ```
    /// use galerkit_linalg::gallery::{OnGrid, parse};
    /// use galerkit_linalg::sparse::Pattern;
    ///
    /// let Some(OnGrid::Real(A)) = parse("gallery:poisson3d?n=432&stencil=27")?.on_grid()? else { unreachable!() };
    /// assert_eq!((A.rows(), A.nnz()), (80_621_568, 2_166_720_184)); // and not one entry in memory
    /// assert!(parse("gallery:tetra?n=4")?.on_grid()?.is_none());
    /// # Ok::<(), galerkit_linalg::Error>(())
    /// ```
    pub fn on_grid(&self) -> Result<Option<OnGrid>> {
        match self.problem.matrix {
            Matrix::Grid(make) => make(&self.arguments).map(Some),
            Matrix::Rows(_) => Ok(None),
        }
    }

    /// The value of a parameter as it was written, or its default.
    pub fn text(&self, name: &'static str) -> &str {
        self.arguments.text(name)
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "gallery:{}", self.problem.name)?;
        for (k, (parameter, value)) in self.problem.parameters.iter().zip(&self.arguments.values).enumerate() {
            write!(f, "{}{}={value}", if k == 0 { '?' } else { '&' }, parameter.name)?;
        }
        Ok(())
    }
}

/// Names in a sentence.
pub(super) fn join<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
