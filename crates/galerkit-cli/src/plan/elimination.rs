//! Options of iterations beside a method that has none.

use crate::args::Solve;
use anyhow::{Result, bail};
use galerkit::{Choice, Method};

/// An error where elimination was asked for and something that only iterations have.
pub(super) fn require_no_options(method: Choice<Method>, arguments: &Solve) -> Result<()> {
    let Some(method) = method.given().filter(|method| method.krylov().is_none()) else { return Ok(()) };
    let given = [
        ("--precond", arguments.precond != "auto"),
        ("--near-null", !arguments.near_null.is_empty()),
        ("--max-iterations", arguments.max_iterations.is_some()),
        ("--residual-replacement", arguments.residual_replacement != "auto"),
        ("--triangular", arguments.triangular != "auto"),
        ("--format", arguments.format != "auto"),
        ("--ordering", arguments.ordering != "auto"),
    ];
    let names: Vec<&str> = given.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name).collect();
    if !names.is_empty() {
        let them = if names.len() == 1 { "it" } else { "them" };
        bail!(
            "{} would say nothing: {method} eliminates, without iterations, in an order and a storage of its own; leave \
             {them} out, or choose a method such as cg or gmres",
            names.join(", ")
        );
    }
    Ok(())
}
