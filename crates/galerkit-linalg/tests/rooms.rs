//! The folders of this crate stand in one order, and a file uses only what stands before its own folder or beside it: no circles.
//! The order is that of the architecture: data, maps, programs, those who run them, methods, and what is built on all of that.

use std::fs;
use std::path::{Path, PathBuf};

/// From below.
const ROOMS: [&str; 15] = [
    "error", "parallel", "scalar", "random", "sparse", "map", "program", "backend", "engine", "krylov", "precond",
    "direct", "io", "gallery", "lib",
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// The code of a file: no comments, and nothing of the tests in it.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    code.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

#[test]
fn folders_use_only_what_stands_below_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let level = |room: &str| ROOMS.iter().position(|known| *known == room);
    let mut seen = 0;
    for path in sources(&root) {
        let first = path.strip_prefix(&root).unwrap().iter().next().unwrap().to_str().unwrap();
        let room = first.trim_end_matches(".rs");
        let own = level(room).unwrap_or_else(|| panic!("{room} has no place in the order of rooms"));
        if path.ends_with("tests.rs") {
            continue;
        }
        for mention in code(&path).split("crate::").skip(1) {
            let name: String = mention.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let Some(used) = level(&name) else { continue };
            assert!(used <= own, "{} uses {name}, which stands above {room}", path.display());
            seen += 1;
        }
    }
    assert!(seen > 300, "{seen} mentions: the sources were not read");
}
