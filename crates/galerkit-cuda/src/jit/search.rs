//! Where NVRTC (and, for benchmarks, cuSPARSE) may be, in this order: what GALERKIT_NVRTC names; CUDA toolkits
//! (CUDA_HOME, CUDA_PATH, /usr/local); the wheels `nvidia-cuda-nvrtc` of Python environments (VIRTUAL_ENV,
//! CONDA_PREFIX, the first python3 in PATH, ~/.local); whatever the system's loader knows. Inside one place the newest
//! comes first. NVRTC of a later CUDA generation than the driver makes machine code that the driver refuses, so such
//! ones are tried last.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What the search depends on.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// GALERKIT_NVRTC: the library or its folder.
    pub given: Option<PathBuf>,
    /// Folders of CUDA toolkits that variables name.
    pub toolkits: Vec<PathBuf>,
    /// The folder that has `cuda` and `cuda-*`, and Python packages installed by the administrator: /usr/local.
    pub system: PathBuf,
    /// Prefixes of Python environments.
    pub pythons: Vec<PathBuf>,
    /// Generation of CUDA that the driver has, if there is a driver: 12, 13, …
    pub driver: Option<u32>,
}

impl Places {
    /// The places of this process.
    pub fn of_environment(driver: Option<u32>) -> Self {
        Self::from_variables(|name| std::env::var_os(name).filter(|value| !value.is_empty()), driver)
    }

    /// The places that some variables name.
    fn from_variables(variable: impl Fn(&str) -> Option<OsString>, driver: Option<u32>) -> Self {
        let path = |name: &str| variable(name).map(PathBuf::from);
        let mut pythons: Vec<PathBuf> = ["VIRTUAL_ENV", "CONDA_PREFIX"].iter().filter_map(|name| path(name)).collect();
        pythons.extend(variable("PATH").iter().flat_map(first_python));
        pythons.extend(path("HOME").map(|home| home.join(".local")));
        // Conda puts the libraries of a toolkit straight into its prefix.
        let toolkits = ["CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"].iter().filter_map(|name| path(name)).collect();
        Self { given: path("GALERKIT_NVRTC"), toolkits, system: "/usr/local".into(), pythons, driver }
    }
}

impl std::fmt::Display for Places {
    /// Where one would look by hand, for the error that nothing was found.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |paths: &[PathBuf]| paths.iter().map(|path| format!("{}, ", path.display())).collect::<String>();
        write!(f, "toolkits in {}{}/cuda*", list(&self.toolkits), self.system.display())?;
        write!(f, "; Python packages in {}{}", list(&self.pythons), self.system.display())
    }
}

/// The prefixes of the first `python3` in a PATH: of the link, which is an environment's, and of what it points to. A
/// switch such as pyenv's `shims/python3` stands for the versions beside it.
fn first_python(path: &OsString) -> Vec<PathBuf> {
    let Some(program) = std::env::split_paths(path).map(|folder| folder.join("python3")).find(|file| file.is_file())
    else {
        return Vec::new();
    };
    let prefix = |file: &Path| file.parent().and_then(Path::parent).map(Path::to_path_buf);
    let resolved = program.canonicalize().unwrap_or_else(|_| program.clone());
    let mut prefixes: Vec<PathBuf> = prefix(&program).into_iter().collect();
    let versions = prefixes.first().map(|prefix| matching(&prefix.join("versions"), |_| true));
    prefixes.extend(versions.into_iter().flatten().rev());
    prefixes.extend(prefix(&resolved).filter(|prefix| !prefixes.contains(prefix)));
    prefixes
}

/// The NVRTCs to try, best first. Files exist when they are listed; bare names are for the system's loader.
pub fn candidates(places: &Places) -> Vec<PathBuf> {
    candidates_of("libnvrtc", "cuda_nvrtc", places.given.as_deref(), places)
}

/// The same for any library of CUDA, by its name without `.so` and by the folder of its wheel; `given` goes first.
pub fn candidates_of(library: &str, wheel: &str, given: Option<&Path>, places: &Places) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let given = given.map(|given| named(library, given));
    if let Some(given) = &given {
        found.extend(given.iter().cloned());
    }
    for toolkit in places.toolkits.iter().cloned().chain(toolkits_in(&places.system)) {
        add(&mut found, libraries(library, &toolkit_folders(&toolkit)));
    }
    for prefix in places.pythons.iter().chain([&places.system]) {
        add(&mut found, libraries(library, &wheel_folders(wheel, prefix)));
    }
    add(&mut found, [".so.13", ".so.12", ".so"].map(|ending| PathBuf::from(format!("{library}{ending}"))).into());
    // What was asked for stays in front, whatever the driver is.
    let asked = given.map_or(0, |list| list.len());
    found[asked..].sort_by_key(|path| is_too_new(path, places.driver)); // stable: the order above is kept
    found
}

fn is_too_new(path: &Path, driver: Option<u32>) -> bool {
    matches!((version_in_name(path).first(), driver), (Some(&library), Some(driver)) if library > driver)
}

fn add(found: &mut Vec<PathBuf>, more: Vec<PathBuf>) {
    for path in more {
        if !found.contains(&path) {
            found.push(path);
        }
    }
}

/// A folder stands for the libraries in it; anything else is taken as it is, so that a wrong path shows in the error.
fn named(library: &str, given: &Path) -> Vec<PathBuf> {
    match given.is_dir() {
        true => {
            let found = libraries(library, &[given.to_path_buf()]);
            if found.is_empty() { vec![given.join(format!("{library}.so"))] } else { found }
        }
        false => vec![given.canonicalize().unwrap_or_else(|_| given.to_path_buf())],
    }
}

/// `cuda`, then every `cuda-*`, the newest first.
fn toolkits_in(system: &Path) -> Vec<PathBuf> {
    let mut versioned = matching(system, |name| name.starts_with("cuda-"));
    versioned.sort_by_key(|path| std::cmp::Reverse(numbers(&file_name(path))));
    std::iter::once(system.join("cuda")).chain(versioned).collect()
}

fn toolkit_folders(toolkit: &Path) -> Vec<PathBuf> {
    let targets = matching(&toolkit.join("targets"), |_| true);
    let inner = targets.iter().map(|target| target.join("lib"));
    [toolkit.join("lib64"), toolkit.join("lib")].into_iter().chain(inner).collect()
}

/// Where the wheels nvidia-cuda-nvrtc (13), nvidia-cuda-nvrtc-cu12 and their relatives put a library.
fn wheel_folders(wheel: &str, prefix: &Path) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for library in ["lib", "lib64"] {
        for python in matching(&prefix.join(library), |name| name.starts_with("python3")) {
            for packages in ["site-packages", "dist-packages"] {
                for wheel in ["cu13", "cu12", wheel] {
                    let wheel = python.join(packages).join("nvidia").join(wheel);
                    folders.extend([wheel.join("lib"), wheel.join("lib64")]);
                }
            }
        }
    }
    folders
}

/// Every such library in some folders, links resolved, the newest first.
fn libraries(library: &str, folders: &[PathBuf]) -> Vec<PathBuf> {
    let (plain, versioned) = (format!("{library}.so"), format!("{library}.so."));
    let mut found = Vec::new();
    for folder in folders {
        let files = matching(folder, |name| name == plain || name.starts_with(&versioned));
        add(&mut found, files.into_iter().filter_map(|file| file.canonicalize().ok()).collect());
    }
    found.sort_by_key(|path| std::cmp::Reverse(version_in_name(path)));
    found
}

/// What a folder has under names of some kind, sorted; nothing if it cannot be read.
fn matching(folder: &Path, wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| wanted(&file_name(path))).collect();
    found.sort();
    found
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// libnvrtc.so.12.8.93 → [12, 8, 93].
fn version_in_name(path: &Path) -> Vec<u32> {
    file_name(path).split_once(".so").map(|(_, version)| numbers(version)).unwrap_or_default()
}

fn numbers(text: &str) -> Vec<u32> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
