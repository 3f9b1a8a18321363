//! The `galerkit` program: arguments as typed (`args`), as meant (`plan`), what is done (`commands`), what is said
//! (`output`), and what is said when it goes wrong (`failure`).
#![forbid(unsafe_code)]
#![allow(non_snake_case)] // matrices keep the paper's capital letter

mod args;
mod commands;
mod failure;
mod interrupt;
mod output;
mod plan;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(failure::explain_panic));
    let arguments = args::Arguments::parse();
    let output = output::Output::new(arguments.color);
    let built_in = failure::built_in(&arguments.command);
    let ending = interrupt::listen().and_then(|()| commands::run(arguments.command, output));
    match ending {
        Ok(ending) => ending.exit_code(),
        Err(error) => failure::explain(&error, built_in),
    }
}
