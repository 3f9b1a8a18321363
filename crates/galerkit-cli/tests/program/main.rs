//! The real program, run as a user would: bad input, exit codes, reports, help that works, Ctrl-C.
#![allow(non_snake_case)]

mod bad_input;
mod bench;
mod device;
mod doctor;
mod elasticity;
mod emulated;
mod heart;
mod heart_runs;
mod heart_tissue;
mod helmholtz;
mod help;
mod hybrid;
mod info_and_convert;
mod interrupt;
mod live;
mod mesh;
mod multigrid;
mod numerics;
mod poisson;
mod poisson_checks;
mod reproduce;
mod solve;
mod tumour;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The program under test.
const GALERKIT: &str = env!("CARGO_BIN_EXE_galerkit");

/// An empty folder that the program runs in.
struct Folder(tempfile::TempDir);

/// What came of a run.
struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// A file in the folder.
    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// A real general matrix from (row, column, value), counted from 1.
    fn matrix(&self, name: &str, rows: usize, cols: usize, entries: &[(usize, usize, f64)]) -> PathBuf {
        let mut text = format!("%%MatrixMarket matrix coordinate real general\n{rows} {cols} {}\n", entries.len());
        for (i, j, value) in entries {
            text += &format!("{i} {j} {value}\n");
        }
        self.file(name, &text)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// The numbers of a real vector file.
    fn vector(&self, name: &str) -> Vec<f64> {
        let text = self.read(name);
        let numbers = text.lines().filter(|line| !line.starts_with('%')).skip(1);
        numbers.map(|line| line.trim().parse().unwrap()).collect()
    }

    /// Everything in the folder, hidden files included.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap().flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into()).collect();
        names.sort();
        names
    }

    fn command(&self) -> Command {
        let mut command = Command::new(GALERKIT);
        command.current_dir(self.path()).env_remove("NO_COLOR");
        command
    }

    /// Runs the program with words separated by blanks.
    fn run(&self, arguments: &str) -> Ran {
        let output = self.command().args(arguments.split_whitespace()).output().unwrap();
        Ran::new(arguments, output)
    }

    /// Runs a line of shell in which `galerkit` is the program under test.
    fn shell(&self, line: &str) -> Ran {
        let folder = Path::new(GALERKIT).parent().unwrap();
        let search = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
        let output =
            Command::new("sh").args(["-c", line]).current_dir(self.path()).env("PATH", search).output().unwrap();
        Ran::new(line, output)
    }
}

impl Ran {
    /// Whatever happens, the program never panics.
    fn new(what: &str, output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let ran =
            Ran { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) };
        for word in ["panicked", "internal error", "RUST_BACKTRACE"] {
            assert!(!ran.stderr.contains(word), "{what}: {}", ran.stderr);
        }
        ran
    }

    /// It ended with this code.
    #[track_caller]
    fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// It failed, wrote no result, and its error says all of this.
    #[track_caller]
    fn fails_saying(self, words: &[&str]) -> Self {
        let ran = self.exits(2);
        assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
        assert_eq!(ran.stdout, "", "nothing on standard output when it fails");
        for word in words {
            assert!(ran.stderr.contains(word), "'{word}' is missing in: {}", ran.stderr);
        }
        ran
    }

    /// Standard output as JSON.
    #[track_caller]
    fn report(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {}", self.stdout))
    }
}
