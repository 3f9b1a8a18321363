//! The tests of the crate as one program. One module a subject: `cargo test -p galerkit-fem shapes::` runs some of
//! them.
#![allow(non_snake_case)] // matrices keep their capital letter, as in the library

mod acoustics;
mod adaptivity;
mod basis;
mod cardiac;
mod collocation;
mod elasticity;
mod evolution;
mod evolution_runs;
mod expressions;
mod forests;
mod generate;
mod geometry;
mod lattice;
mod matrix_free;
mod matrix_free_device;
mod mesh_checks;
mod mesh_errors;
mod mesh_files;
mod mesh_orders;
mod mesh_out;
mod multigrid;
mod multigrid_device;
mod multigrid_parts;
mod patch;
mod picture_files;
mod pictures;
mod problems;
mod rooms;
mod scenes;
mod shapes;
mod simplices;
mod solutions_out;
mod spaces;
mod tables;
mod tissue;

#[test]
fn every_file_is_a_module() {
    galerkit_testkit::assert_every_file_is_a_module(env!("CARGO_MANIFEST_DIR"), include_str!("all.rs"));
}
