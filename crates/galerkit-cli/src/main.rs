//! The galerkit command line.
fn main() {}
