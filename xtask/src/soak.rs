//! `cargo xtask soak [N] [cuda]`: N small solves through one prepared system; fails if the process grows or anything new is made.

use crate::step::{Verdict, cargo};
use anyhow::{Result, bail};

/// The command; arguments go to the example as they are, which knows what is usual.
pub fn run(arguments: &[String]) -> Result<bool> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let example = ["run", "--release", "-p", "galerkit-bench", "--example", "soak", "--"];
    match cargo(&[&example[..], &arguments[..]].concat()) {
        Verdict::Failed(why) => bail!(why),
        _ => Ok(true),
    }
}
