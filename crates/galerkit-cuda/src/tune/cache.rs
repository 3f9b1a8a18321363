//! Decisions on disk, one JSON file each: `tuning/<key>.json` beside the compiled kernels. A file that cannot be read,
//! or names a candidate that does not exist, counts as absent and is written again. Files appear only when complete.

use super::{Candidate, Choice, Key};
use crate::jit::Cache as Kernels;
use galerkit_linalg::io::atomic_write;
use serde::Serialize;
use std::fs;
use std::path::PathBuf;

/// A folder of decisions; without one nothing is kept.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// The folder of this user, as for kernels: GALERKIT_CACHE, else XDG_CACHE_HOME/galerkit, else
    /// HOME/.cache/galerkit.
    pub fn of_environment() -> Self {
        let kernels = Kernels::of_environment();
        Self { folder: kernels.folder().and_then(|folder| folder.parent()).map(|folder| folder.join("tuning")) }
    }
    /// Decisions in a folder of one's own.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()) }
    }
    /// Nothing is read and nothing kept.
    pub fn none() -> Self {
        Self { folder: None }
    }

    fn path(&self, key: &Key) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{}.json", key.text())))
    }

    /// The candidate that was taken for a key, and the account of that decision.
    pub fn read(&self, key: &Key) -> Option<(Candidate, Choice)> {
        let choice: Choice = serde_json::from_slice(&fs::read(self.path(key)?).ok()?).ok()?;
        Some((choice.taken.parse().ok()?, choice))
    }

    /// Keeps a decision; the sentence says why it could not. Without a folder nothing is to be kept.
    pub fn write(&self, key: &Key, choice: &Choice) -> Result<(), String> {
        self.keep(key, choice)
    }

    /// The seconds that were kept for a key, by name; none if nothing was.
    pub fn times(&self, key: &Key) -> Vec<(String, f64)> {
        let read = || serde_json::from_slice(&fs::read(self.path(key)?).ok()?).ok();
        let times: Vec<(String, f64)> = read().unwrap_or_default();
        times.into_iter().filter(|(_, seconds)| *seconds > 0.0).collect()
    }

    /// Keeps seconds by name, under a key that is no decision's; the sentence says why it could not.
    pub fn keep_times(&self, key: &Key, times: &[(String, f64)]) -> Result<(), String> {
        self.keep(key, times)
    }

    fn keep(&self, key: &Key, what: &(impl Serialize + ?Sized)) -> Result<(), String> {
        let (Some(folder), Some(path)) = (&self.folder, self.path(key)) else { return Ok(()) };
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let text = serde_json::to_string_pretty(what).map_err(|error| error.to_string())?;
        atomic_write(&path, |out| out.write_all(text.as_bytes())).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::Origin;
    use galerkit_linalg::ScalarKind::F64;
    use galerkit_testkit::problems::laplacian;

    #[test]
    fn decisions_are_kept_and_damaged_ones_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("tuning"));
        let key = Key::new(&laplacian::<f64>(5, 2), F64, "a GPU");
        assert!(cache.read(&key).is_none());
        let choice = Choice {
            predicted: vec![("csr lanes 8".into(), 1e-6)],
            measured: vec![("csr lanes 8".into(), 1.1353600000000001e-5)], // one that a hasty parser gets wrong
            taken: "csr lanes 8".into(),
            from: Origin::Measured,
            note: None,
        };
        cache.write(&key, &choice).unwrap();
        assert_eq!(cache.read(&key), Some(("csr lanes 8".parse().unwrap(), choice.clone())));
        assert!(cache.read(&Key::new(&laplacian::<f64>(5, 2), F64, "another")).is_none());
        let path = cache.path(&key).unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        for damaged in [&whole[..whole.len() / 2], "", "{}", &whole.replace("csr lanes 8", "csr lanes 7")] {
            fs::write(&path, damaged).unwrap();
            assert!(cache.read(&key).is_none(), "{damaged}");
        }
        cache.write(&key, &choice).unwrap();
        assert!(cache.read(&key).is_some());
        assert_eq!((Cache::none().write(&key, &choice), Cache::none().read(&key)), (Ok(()), None));
    }

    #[test]
    fn times_are_kept_and_damaged_ones_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("tuning"));
        let key = Key::new(&laplacian::<f64>(5, 2), F64, "triangular solves on a GPU");
        let times = vec![("exact".to_string(), 1.1353600000000001e-5), ("sweep".to_string(), 2e-6)];
        assert!(cache.times(&key).is_empty());
        cache.keep_times(&key, &times).unwrap();
        assert_eq!(cache.times(&key), times);
        assert!(cache.read(&key).is_none(), "times are no decision");
        for damaged in ["", "{}", "[[\"exact\"]]", "[[\"exact\", -1.0]]"] {
            fs::write(cache.path(&key).unwrap(), damaged).unwrap();
            assert!(cache.times(&key).is_empty(), "{damaged}");
        }
        assert_eq!((Cache::none().keep_times(&key, &times), Cache::none().times(&key)), (Ok(()), Vec::new()));
    }
}
