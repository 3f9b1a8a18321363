//! Test files that would be forgotten: where all tests of a crate are one program, a file is run only if that program
//! names it.

use crate::skip;
use std::fs;
use std::path::Path;

/// Every file beside `tests/all.rs` is one of its modules. `text` is that file, `crate_folder` the crate's
/// `CARGO_MANIFEST_DIR`.
pub fn assert_every_file_is_a_module(crate_folder: &str, text: &str) {
    let Ok(entries) = fs::read_dir(Path::new(crate_folder).join("tests")) else {
        return skip("the sources of the tests are not here");
    };
    for path in entries.map(|entry| entry.expect("a folder that can be read").path()) {
        let name = path.file_stem().expect("files have names").to_string_lossy().into_owned();
        let is_named = text.lines().any(|line| line == format!("mod {name};"));
        assert!(name == "all" || is_named, "{} is not in tests/all.rs, so nobody runs it", path.display());
    }
}
