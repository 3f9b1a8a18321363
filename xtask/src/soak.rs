//! `cargo xtask soak [N] [cuda]`: N small solves through one prepared system; fails if the process grows or anything
//! new is made.

use crate::step::{Verdict, cargo};
use anyhow::{Result, bail};

/// Solves unless told otherwise.
const USUAL: &str = "1000000";

/// The command; arguments go to the example as they are.
pub fn run(arguments: &[String]) -> Result<bool> {
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if arguments.is_empty() {
        arguments.push(USUAL);
    }
    let example = ["run", "--release", "-p", "galerkit-bench", "--example", "soak", "--"];
    match cargo(&[&example[..], &arguments[..]].concat()) {
        Verdict::Failed(why) => bail!(why),
        _ => Ok(true),
    }
}
