//! `galerkit mesh`: describe, check and rewrite meshes.

mod check;
mod convert;
mod describe;
mod info;
mod picture;
mod source;

use super::Ending;
use crate::args::Mesh;
use crate::output::Output;
use anyhow::Result;

/// Does what was typed.
pub fn run(command: &Mesh, output: Output) -> Result<Ending> {
    match command {
        Mesh::Info(arguments) => info::run(arguments, output),
        Mesh::Check(arguments) => check::run(arguments, output),
        Mesh::Convert(arguments) => convert::run(arguments, output),
    }
}
