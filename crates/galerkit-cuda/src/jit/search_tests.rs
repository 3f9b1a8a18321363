//! The search in folders made for it.

use super::*;
use std::fs;

struct Tree(tempfile::TempDir);

impl Tree {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }
    fn root(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap()
    }
    fn file(&self, path: &str) -> PathBuf {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        path
    }
    fn places(&self) -> Places {
        Places { system: self.root().join("local"), ..Places::default() }
    }
}

/// The candidates that are files.
fn files(places: &Places) -> Vec<PathBuf> {
    candidates(places).into_iter().filter(|path| path.is_absolute()).collect()
}

#[test]
fn nothing_but_the_loader_on_a_bare_machine() {
    let tree = Tree::new();
    assert_eq!(candidates(&tree.places()), ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"].map(PathBuf::from));
}

#[test]
fn given_then_toolkits_then_wheels() {
    let tree = Tree::new();
    let wheel = tree.file("venv/lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
    let old_wheel = tree.file("home/lib/python3.9/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    let administrator = tree.file("local/lib/python3.12/dist-packages/nvidia/cu12/lib/libnvrtc.so.12");
    let toolkit = tree.file("opt/targets/sbsa-linux/lib/libnvrtc.so.12.6.85");
    let old = tree.file("local/cuda-12.9/lib64/libnvrtc.so.12.9.86");
    let new = tree.file("local/cuda-12.10/lib64/libnvrtc.so.12.10.1");
    let given = tree.file("given/libnvrtc.so.11");
    let root = tree.root();
    let mut places = Places {
        given: Some(root.join("given")),
        toolkits: vec![root.join("absent"), root.join("opt")],
        pythons: vec![root.join("venv"), root.join("home")],
        ..tree.places()
    };
    let expected = [given.clone(), toolkit, new, old, wheel, old_wheel, administrator];
    assert_eq!(files(&places), expected);
    places.given = Some(given); // the file instead of its folder
    assert_eq!(files(&places), expected);
}

#[test]
fn links_are_one_library_and_the_newest_comes_first() {
    let tree = Tree::new();
    let new = tree.file("local/cuda/lib64/libnvrtc.so.13.0.88");
    let old = tree.file("local/cuda/lib64/libnvrtc.so.12.8.93");
    tree.file("local/cuda/lib64/libnvrtc-builtins.so.13.0");
    tree.file("local/cuda/lib64/libnvrtc.alt.so.13");
    let link = |from: &str| std::os::unix::fs::symlink(&new, tree.root().join("local/cuda/lib64").join(from)).unwrap();
    link("libnvrtc.so");
    link("libnvrtc.so.13");
    std::os::unix::fs::symlink(tree.root().join("local/cuda"), tree.root().join("local/cuda-13")).unwrap();
    assert_eq!(files(&tree.places()), [new, old]);
}

#[test]
fn what_the_driver_would_refuse_comes_last_unless_asked_for() {
    let tree = Tree::new();
    let new = tree.file("local/cuda-13.0/lib64/libnvrtc.so.13.0.88");
    let old = tree.file("local/cuda-12.8/lib64/libnvrtc.so.12.8.93");
    let places = Places { driver: Some(12), ..tree.places() };
    let found = candidates(&places);
    assert_eq!(found[0], old);
    assert_eq!(found.iter().position(|path| *path == new), Some(3)); // after the loader's libnvrtc.so.12 and libnvrtc.so
    assert_eq!(candidates(&Places { given: Some(new.clone()), ..places.clone() })[0], new);
    assert_eq!(candidates(&Places { driver: Some(13), ..places })[0], new);
}

#[test]
fn a_wrong_path_is_tried_so_that_the_error_names_it() {
    let tree = Tree::new();
    let given = |path: &str| candidates(&Places { given: Some(tree.root().join(path)), ..tree.places() })[0].clone();
    assert_eq!(given("absent.so"), tree.root().join("absent.so"));
    fs::create_dir(tree.root().join("empty")).unwrap();
    assert_eq!(given("empty"), tree.root().join("empty/libnvrtc.so"));
}

#[test]
fn variables_name_places() {
    let tree = Tree::new();
    tree.file("usr/bin/python3.11");
    tree.file("empty/other");
    fs::create_dir_all(tree.root().join("venv/bin")).unwrap();
    std::os::unix::fs::symlink(tree.root().join("usr/bin/python3.11"), tree.root().join("venv/bin/python3")).unwrap();
    let path = std::env::join_paths(["empty", "venv/bin"].map(|folder| tree.root().join(folder))).unwrap();
    let variable = |name: &str| match name {
        "PATH" => Some(path.clone()),
        "VIRTUAL_ENV" | "XDG_CACHE_HOME" => None,
        other => Some(OsString::from(format!("/{other}"))),
    };
    let places = Places::from_variables(variable, None);
    assert_eq!(places.given, Some("/GALERKIT_NVRTC".into()));
    assert_eq!(places.toolkits, ["/CUDA_HOME", "/CUDA_PATH", "/CONDA_PREFIX"].map(PathBuf::from));
    let text = places.to_string();
    assert!(text.starts_with("toolkits in /CUDA_HOME, /CUDA_PATH, /CONDA_PREFIX, /usr/local/cuda*; Python"), "{text}");
    assert!(text.ends_with("/usr, /HOME/.local, /usr/local"), "{text}");
    let [conda, local] = ["/CONDA_PREFIX", "/HOME/.local"].map(PathBuf::from);
    assert_eq!(places.pythons, [conda, tree.root().join("venv"), tree.root().join("usr"), local]);
}

#[test]
fn a_switch_between_pythons_stands_for_all_of_them() {
    let tree = Tree::new();
    tree.file("pyenv/shims/python3");
    let wheel = |version: &str| {
        tree.file(&format!("pyenv/versions/{version}/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13"))
    };
    let (old, new) = (wheel("3.12.1"), wheel("3.12.4"));
    let path = tree.root().join("pyenv/shims").into_os_string();
    let places = Places::from_variables(|name| (name == "PATH").then(|| path.clone()), None);
    assert_eq!(files(&Places { system: tree.root().join("local"), ..places }), [new, old]);
}
