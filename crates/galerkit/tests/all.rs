//! The tests of the facade as one program: what they share is compiled once. One module a subject:
//! `cargo test -p galerkit --test all hybrid::` runs some of them.
#![allow(non_snake_case)] // matrices keep their capital letter, as in the library

mod bad_input;
mod choices;
mod hybrid;
mod loading;
mod matched;
mod matrix_free;
mod methods;
mod multigrid;
mod multigrid_there;
mod observer;
mod open_map;
mod rooms;
mod solver;
mod sparse;
mod system;
mod systems;
mod transposed;
mod triangular;

#[test]
fn every_file_is_a_module() {
    galerkit_testkit::assert_every_file_is_a_module(env!("CARGO_MANIFEST_DIR"), include_str!("all.rs"));
}
