//! The folders of this crate stand in one order, and a file uses only what stands before its own folder or beside it;
//! inside a folder files use each other in no circle. The order is that of the architecture: data, maps, programs,
//! those who run them, methods, and what is built on all of that.

use galerkit_testkit::rooms;

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// From below.
const ROOMS: [&str; 15] = [
    "error",
    "parallel",
    "scalar",
    "random",
    "sparse",
    "map",
    "program",
    "backend",
    "engine",
    "krylov",
    "multigrid",
    "precond",
    "io",
    "gallery",
    "lib",
];

#[test]
fn folders_use_only_what_stands_below_them() {
    let level = |file: &str| {
        let room = file.split('/').next().unwrap_or_default().trim_end_matches(".rs");
        let place = ROOMS.iter().position(|known| *known == room);
        place.unwrap_or_else(|| panic!("{room} has no place in the order of rooms"))
    };
    for (user, used) in rooms::uses(CRATE).unwrap_or_default() {
        for (file, names) in used {
            assert!(level(&file) <= level(&user), "{user} uses {names:?} of {file}, which stands above it");
        }
    }
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    rooms::assert_no_circles(CRATE);
}
