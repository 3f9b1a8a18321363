//! The project's own commands. `cargo xtask test` is what a newcomer and CI run; `cargo xtask bench` measures.
#![forbid(unsafe_code)]

mod bench;
mod browser;
mod emulator;
mod gpu;
mod kernels;
mod licences;
mod python;
mod require;
mod ship;
mod skips;
mod soak;
mod step;
mod test;
mod versions;

use std::process::ExitCode;

const HELP: &str = "\
usage: cargo xtask COMMAND

  test           everything this machine can run, and one table at the end: ran / skipped and why
  test STEP...   only these steps (toolchain format lints docs licences tests examples kernels emulated gpu);
                 GALERKIT_REQUIRE=nvrtc,g++,meshio,browser fails where these are missing instead of skipping (so can data and gpu)
  emulate [ARGS] the tests of galerkit-cuda on an emulated GPU; ARGS go to cargo test: krylov::every_method_f64
  gpu            pack what runs on a GPU machine without Rust into bundle/
  gpu collect DIR NAME   put what it wrote there into benches/results/<date>-NAME
  ship [FILE] [ARCHITECTURE...] [METHOD...]   compile what solves ask for ahead of time into FILE (target/galerkit.kernels), which
                 lies beside a released program: for sm_80, sm_90 and sm_100, every method
  bench          galerkit and the CPU peers in one run; see benches/README.md
  soak [N] [cuda]   N (a million) small solves through one prepared system: time, memory and counters must stay
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.first().map(String::as_str) {
        Some("test") => test::run(&arguments[1..]),
        Some("emulate") => emulator::run(&arguments[1..]),
        Some("gpu") => gpu::run(&arguments[1..]),
        Some("ship") => ship::run(&arguments[1..]),
        Some("bench") => bench::run(&arguments[1..]),
        Some("soak") => soak::run(&arguments[1..]),
        Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
