//! Folder, keys and the memory of versions.

use super::*;

fn folder(variables: &[(&str, &str)]) -> Option<PathBuf> {
    let look = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value));
    Cache::from_variables(look).folder
}

#[test]
fn the_folder_by_precedence() {
    let all = [("HOME", "/h"), ("XDG_CACHE_HOME", "/x"), ("GALERKIT_CACHE", "/g")];
    assert_eq!(folder(&all), Some("/g/kernels".into()));
    assert_eq!(folder(&all[..2]), Some("/x/galerkit/kernels".into()));
    assert_eq!(folder(&all[..1]), Some("/h/.cache/galerkit/kernels".into()));
    assert_eq!(folder(&[]), None);
}

#[test]
fn text_cannot_move_between_options_and_source() {
    assert_eq!(Key::new(&["a"], "b", "sm_90"), Key::new(&["a"], "b", "sm_90"));
    assert_ne!(Key::new(&["a"], "b", "sm_90"), Key::new(&[], "ab", "sm_90"));
    assert_ne!(Key::new(&["a"], "b", "sm_90"), Key::new(&["ab"], "", "sm_90"));
}

#[test]
fn versions_are_remembered_until_the_library_changes() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("kernels"));
    let [one, two] = ["a b.so", "c.so"].map(|name| folder.path().join(name)); // a blank in a path is no separator
    fs::write(&one, "1").unwrap();
    fs::write(&two, "2").unwrap();
    assert_eq!(cache.known_version(&one), None);
    cache.remember_version(&one, (12, 8)).unwrap();
    cache.remember_version(&two, (13, 0)).unwrap();
    assert_eq!((cache.known_version(&one), cache.known_version(&two)), (Some((12, 8)), Some((13, 0))));
    fs::write(&one, "other").unwrap();
    assert_eq!((cache.known_version(&one), cache.known_version(&two)), (None, Some((13, 0))));
    cache.remember_version(&one, (12, 9)).unwrap();
    assert_eq!(cache.known_version(&one), Some((12, 9)));
    assert_eq!(fs::read_to_string(cache.notes().unwrap()).unwrap().lines().count(), 2);
    assert_eq!(cache.contents(), (0, 0)); // the notes are no kernel
}
