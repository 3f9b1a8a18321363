//! The tests of the crate as one program: what they share is compiled once, which takes a third of the time. One module
//! a subject: `cargo test -p galerkit-linalg vpgcr::` runs some of them.
#![allow(non_snake_case)] // matrices keep their capital letter, as in the library

mod amg;
mod blocks;
mod breakdowns;
mod cpu;
mod factorisations;
mod failures;
mod formats;
mod gallery;
mod krylov;
mod long_recurrences;
mod matching;
mod matrix_market;
mod multigrid;
mod nested;
mod orderings;
mod panics;
mod pointwise;
mod precond;
mod prepared;
mod real_matrices;
mod recorded;
mod reference;
mod rooms;
mod routines;
mod short_recurrences;
mod values;
mod vpgcr;

#[test]
fn every_file_is_a_module() {
    galerkit_testkit::assert_every_file_is_a_module(env!("CARGO_MANIFEST_DIR"), include_str!("all.rs"));
}
