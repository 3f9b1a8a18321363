//! Which file of a crate uses which, read from its sources without their tests: for tests that demand an order of
//! files.
//!
//! A file uses the file that defines what it names. A module that only declares and re-exports its children is passed
//! through: no file uses it, and it uses none. What a method call needs is not seen: it names no file.
//!
//! | file | what |
//! |---|---|
//! | `tokens` | source as words, without comments, literals and tests |
//! | `module` | what a file says: its children, imports, definitions, paths |
//! | `resolve` | the file that defines what a path names |

mod module;
mod resolve;
mod tokens;

use crate::skip;
use module::Module;
use resolve::Tree;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The files that each file uses, each with the names that it uses of it; files by their path in `src`.
pub type Uses = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// Who uses whom in the crate of this folder, its `CARGO_MANIFEST_DIR`; none where its sources are not.
pub fn uses(crate_folder: &str) -> Option<Uses> {
    let root = Path::new(crate_folder).join("src");
    if !root.is_dir() {
        skip("the sources of the crate are not here");
        return None;
    }
    let mut sources = BTreeMap::new();
    read(&root, &root, &mut sources);
    Some(uses_of(&sources))
}

fn read(root: &Path, folder: &Path, sources: &mut BTreeMap<String, String>) {
    for path in fs::read_dir(folder).expect("a folder that can be read").map(|entry| entry.expect("a file").path()) {
        if path.is_dir() {
            read(root, &path, sources);
        } else {
            let name = path.strip_prefix(root).expect("it was found there").to_string_lossy().into_owned();
            sources.insert(name, fs::read_to_string(&path).expect("a source that can be read"));
        }
    }
}

fn uses_of(sources: &BTreeMap<String, String>) -> Uses {
    Tree::new(sources.iter().map(|(file, text)| (file.clone(), Module::new(text))).collect()).uses()
}

/// Panics where files of a crate use each other in a circle, with what they use of each other.
pub fn assert_no_circles(crate_folder: &str) {
    let Some(uses) = uses(crate_folder) else { return };
    let seen: usize = uses.values().map(BTreeMap::len).sum();
    assert!(seen > 0, "no file uses another: the sources were not read");
    let found = circles(&uses);
    assert!(
        found.is_empty(),
        "files use each other in a circle; move what both need below both:\n{}",
        found.join("\n")
    );
}

/// What files that stand in a circle use of each other, a line each.
fn circles(uses: &Uses) -> Vec<String> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = uses.keys().map(|file| (&file[..], reached(uses, file))).collect();
    let mut lines = Vec::new();
    for (user, used) in uses {
        for (file, names) in used.iter().filter(|(file, _)| reached[&file[..]].contains(&user[..])) {
            lines.push(format!("{user} uses {file}: {}", names.iter().cloned().collect::<Vec<_>>().join(", ")));
        }
    }
    lines
}

/// All files that a file uses, itself or through others.
fn reached<'a>(uses: &'a Uses, file: &str) -> BTreeSet<&'a str> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![file]);
    while let Some(file) = open.pop() {
        for next in uses.get(file).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(&next[..]) {
                open.push(next);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests;
