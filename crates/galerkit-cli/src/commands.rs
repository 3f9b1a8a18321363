//! One file for each command.

mod bench;
mod completions;
mod convert;
mod doctor;
mod elasticity;
mod gallery;
mod heart;
mod helmholtz;
mod info;
mod mesh;
mod poisson;
mod reproduce;
mod session;
mod solve;
mod tumour;

use crate::args::{Bench, Command, Reproduce};
use crate::interrupt;
use crate::output::Output;
use anyhow::Result;
use galerkit::Loaded;
use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Done, or converged.
    Done,
    /// The tolerance was not met.
    NotConverged,
    /// A check found something wrong.
    Findings,
    /// Stopped by Ctrl-C.
    Interrupted,
}

impl Ending {
    /// 0, 1 or 130; a failure is an error and exits with 2.
    pub fn exit_code(self) -> ExitCode {
        ExitCode::from(match self {
            Ending::Done => 0,
            Ending::NotConverged | Ending::Findings => 1,
            Ending::Interrupted => interrupt::EXIT_CODE,
        })
    }
}

/// Does what was typed.
pub fn run(command: Command, output: Output) -> Result<Ending> {
    match command {
        Command::Solve(arguments) => solve::run(arguments, output),
        Command::Poisson(arguments) => poisson::run(*arguments, output),
        Command::Tumour(arguments) => tumour::run(&arguments, output),
        Command::Heart(arguments) => heart::run(*arguments, output),
        Command::Helmholtz(arguments) => helmholtz::run(*arguments, output),
        Command::Elasticity(arguments) => elasticity::run(&arguments, output),
        Command::Info(arguments) => info::run(&arguments, output),
        Command::Convert(arguments) => convert::run(&arguments, output),
        Command::Mesh(command) => mesh::run(&command, output),
        Command::Bench(Bench::Spmv(arguments)) => bench::spmv(&arguments, output),
        Command::Bench(Bench::Cg(arguments)) => bench::cg(&arguments, output),
        Command::Bench(Bench::Krylov(arguments)) => bench::krylov(&arguments, output),
        Command::Bench(Bench::Triangular(arguments)) => bench::triangular(&arguments, output),
        Command::Bench(Bench::Reorder(arguments)) => bench::reorder(&arguments, output),
        Command::Bench(Bench::Ordering(arguments)) => bench::ordering(&arguments, output),
        Command::Reproduce(Reproduce::Vpgcr(arguments)) => reproduce::vpgcr(&arguments, output),
        Command::Reproduce(Reproduce::Dhc(arguments)) => reproduce::dhc::run(&arguments, output),
        Command::Reproduce(Reproduce::Heart(arguments)) => reproduce::heart::run(&arguments, output),
        Command::Reproduce(Reproduce::Hpfem(arguments)) => reproduce::hpfem::run(&arguments, output),
        Command::Reproduce(Reproduce::Alinea(arguments)) => reproduce::alinea::run(&arguments, output),
        Command::Doctor(arguments) => doctor::run(&arguments, output),
        Command::Gallery => gallery::run(output),
        Command::Completions { shell } => completions::run(shell, output),
    }
}

/// Reads or builds a matrix and says what a user would want to know about it.
fn load(name: &str, output: Output) -> Result<Loaded> {
    Ok(said(galerkit::load(name)?, output))
}

/// What was read, after what is to be said of it.
fn said(loaded: Loaded, output: Output) -> Loaded {
    if loaded.duplicates > 0 {
        let entries = if loaded.duplicates == 1 { "entry was" } else { "entries were" };
        output.note(&format!("note: {}: {} duplicate {entries} summed", loaded.name, loaded.duplicates));
    }
    if let Some(header) = loaded.header.as_ref().filter(|_| loaded.has_both_triangles) {
        let (name, symmetry) = (&loaded.name, header.symmetry.name());
        output.note(&format!(
            "note: {name}: {symmetry}, with entries on both sides of the diagonal, each pair taken once"
        ));
    }
    loaded
}
