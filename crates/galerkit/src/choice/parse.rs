//! A [`Choice`] by name: `auto`, or the name of a value.

use super::{Choice, unknown};
use crate::error::{Error, Result};
use galerkit_linalg::Error as LinalgError;
use std::str::FromStr;

impl<T: FromStr> FromStr for Choice<T>
where
    Error: From<T::Err>,
{
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        if name == "auto" {
            return Ok(Choice::Auto);
        }
        name.parse().map(Choice::Given).map_err(|error| match Error::from(error) {
            Error::Linalg(LinalgError::UnknownName { what, name: part, known }) if part == name => {
                unknown(what, name, &format!("auto, {known}")).into()
            }
            other => other,
        })
    }
}
