//! The tests of the crate as one program: what they share is compiled once. One module a subject:
//! `cargo test -p galerkit-cuda krylov::` runs some of them. Those that need a GPU say "skipped" where there is none.
#![allow(non_snake_case)] // matrices keep their capital letter, as in the library

mod bad_input;
mod born;
mod conformance;
mod convert;
mod device_amg;
mod emulator;
mod factorisations;
mod generate;
mod held;
mod jit;
mod krylov;
mod large;
mod living;
mod nvrtc;
mod ordering;
mod packs;
mod preconditioners;
mod products;
mod rooms;
mod sizes;
mod solvers;
mod sparse_products;
mod stored;
mod timing;
mod transfer;
mod tune;
mod tunings;

#[test]
fn every_file_is_a_module() {
    galerkit_testkit::assert_every_file_is_a_module(env!("CARGO_MANIFEST_DIR"), include_str!("all.rs"));
}
