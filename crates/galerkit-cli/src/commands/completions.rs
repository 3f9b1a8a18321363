//! `galerkit completions`: a script for the user's shell.

use super::Ending;
use crate::args::Arguments;
use crate::output::Output;
use anyhow::Result;
use clap::CommandFactory;

/// Prints the script.
pub fn run(shell: clap_complete::Shell, output: Output) -> Result<Ending> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "galerkit", &mut script);
    output.print(String::from_utf8_lossy(&script).trim_end())?;
    Ok(Ending::Done)
}
