//! Packs of made-up machine code: what is whole is found, what is not is as good as absent.

use super::*;
use std::fs;

const CODE: [&[u8]; 2] = [b"machine code of one", b"machine code of the other"];

fn kernels() -> [Compiled<'static>; 2] {
    [0, 1].map(|k| Compiled { source: ["one", "other"][k], architecture: "sm_90", cubin: CODE[k] })
}

/// A pack in a folder of its own, and its file.
fn written() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("galerkit.kernels");
    let bytes = Pack::write(&path, (13, 0), &kernels()).unwrap();
    assert_eq!(fs::read(&path).unwrap().len(), bytes);
    (folder, path)
}

fn read(pack: &Pack, source: &str, architecture: &str) -> Option<Vec<u8>> {
    pack.read(&Key::of(source, architecture))
}

#[test]
fn what_was_packed_is_found_by_source_and_architecture() {
    let (_folder, path) = written();
    let pack = Pack::open(&path).unwrap();
    assert_eq!((pack.version(), pack.count_for("sm_90"), pack.count_for("sm_80")), ((13, 0), 2, 0));
    assert_eq!(read(&pack, "one", "sm_90").as_deref(), Some(CODE[0]));
    assert_eq!(read(&pack, "other", "sm_90").as_deref(), Some(CODE[1]));
    assert_eq!((read(&pack, "another", "sm_90"), read(&pack, "one", "sm_80")), (None, None));
}

#[test]
fn a_pack_of_another_version_or_a_damaged_one_is_refused_with_a_sentence() {
    let (_folder, path) = written();
    let whole = fs::read(&path).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        Pack::open(&path).unwrap_err()
    };
    let version = format!("\n{GALERKIT} ");
    let at = whole.windows(version.len()).position(|part| part == version.as_bytes()).unwrap();
    let other = [&whole[..at], b"\n9.9.9 ", &whole[at + version.len()..]].concat();
    assert!(refused(&other).contains("it is of galerkit 9.9.9"), "{}", refused(&other));
    assert!(refused(b"something else\n").contains("no pack of kernels"));
    assert!(refused(b"").contains("damaged"));
    assert!(refused(&whole[..80]).contains("damaged"));
    let mut changed = whole.clone();
    changed[at + version.len() + 12] ^= 1; // in the list
    assert!(refused(&changed).contains("damaged"));
    assert!(Pack::open(&path.with_extension("absent")).unwrap_err().contains("is not used"));
}

#[test]
fn a_damaged_kernel_is_absent_and_the_others_are_there() {
    let (_folder, path) = written();
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 8;
    bytes[last] ^= 0x55;
    fs::write(&path, &bytes).unwrap();
    let pack = Pack::open(&path).unwrap();
    assert_eq!(read(&pack, "one", "sm_90").as_deref(), Some(CODE[0]));
    assert_eq!(read(&pack, "other", "sm_90"), None);
    fs::write(&path, &bytes[..last - 20]).unwrap();
    assert_eq!(read(&pack, "other", "sm_90"), None);
}
