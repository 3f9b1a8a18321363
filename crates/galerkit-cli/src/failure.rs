//! What is said when something goes wrong: `error: ...`, its causes, and a hint that names the fix. Exit code 2.

use galerkit::linalg::Error as LinalgError;
use std::io::{ErrorKind, Write};
use std::panic::PanicHookInfo;
use std::path::Path;
use std::process::ExitCode;

const FAILED: u8 = 2;

/// Prints an error. A reader that has closed its end of the pipe is not one.
pub fn explain(error: &anyhow::Error) -> ExitCode {
    let broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|io| io.kind() == ErrorKind::BrokenPipe)
    };
    if error.chain().any(broken_pipe) {
        return ExitCode::SUCCESS;
    }
    let mut said: Vec<String> = Vec::new();
    for text in error.chain().map(|cause| cause.to_string()) {
        // Transparent wrappers and messages that already quote their source would repeat themselves.
        if !said.iter().any(|earlier| earlier.contains(&text)) {
            said.push(text);
        }
    }
    let mut err = std::io::stderr().lock();
    let _ = writeln!(err, "error: {}", said.join("\n  cause: "));
    if let Some(hint) = error.chain().find_map(hint) {
        let _ = writeln!(err, "  hint: {hint}");
    }
    ExitCode::from(FAILED)
}

/// A panic is a defect of this program: say so in one sentence, without a backtrace.
pub fn explain_panic(info: &PanicHookInfo<'_>) {
    let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
    let payload = info.payload();
    let literal = payload.downcast_ref::<&str>().copied();
    let text = literal.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    let _ = writeln!(std::io::stderr(), "error: internal error{place}: {text}\n  hint: please report this");
    std::process::exit(FAILED.into());
}

/// What to do about it, where the message itself does not say.
fn hint(cause: &(dyn std::error::Error + 'static)) -> Option<String> {
    let measured = match cause.downcast_ref::<galerkit_bench::Error>() {
        Some(galerkit_bench::Error::Galerkit(inner)) => Some(inner),
        _ => None,
    };
    let linalg = match cause.downcast_ref::<galerkit::Error>().or(measured) {
        Some(galerkit::Error::Linalg(inner)) => inner,
        _ => cause.downcast_ref::<LinalgError>()?,
    };
    match linalg {
        LinalgError::Io { path, source } => io_hint(path, source),
        LinalgError::UnknownName { name, known, .. } => {
            let name = name.split(':').next().unwrap_or(name); // without its parameter
            nearest(name, known.split([',', ' ', ':', '[', ']', '|'])).map(|best| format!("did you mean '{best}'?"))
        }
        LinalgError::Factorisation { .. } => Some("galerkit info shows empty rows and a missing diagonal".into()),
        LinalgError::NegativeDiagonal { .. } => Some("choose --precond none, or --method gmres or lu".into()),
        _ => None,
    }
}

fn io_hint(path: &Path, source: &std::io::Error) -> Option<String> {
    match source.kind() {
        ErrorKind::NotFound
            if path.parent().is_some_and(|folder| !folder.as_os_str().is_empty() && !folder.exists()) =>
        {
            Some(format!("the folder {} does not exist", path.parent()?.display()))
        }
        ErrorKind::NotFound => match neighbour(path) {
            Some(best) => Some(format!("did you mean '{best}'?")),
            None => Some("check the path; built-in problems are named gallery:NAME, see galerkit gallery".into()),
        },
        ErrorKind::IsADirectory => Some("name a .mtx or .mtx.gz file inside it".into()),
        ErrorKind::PermissionDenied => Some("check who may read or write there, or choose another place".into()),
        ErrorKind::UnexpectedEof | ErrorKind::InvalidData | ErrorKind::InvalidInput => {
            Some("the file is damaged or was cut off: fetch or write it again".into())
        }
        _ => None,
    }
}

/// A file beside the missing one with nearly its name.
fn neighbour(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names: Vec<String> =
        std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.file_name().to_string_lossy().into()).collect();
    let wanted = path.file_name()?.to_string_lossy();
    nearest(&wanted, names.iter().map(String::as_str))
}

/// The candidate with the fewest edits, if it is close.
fn nearest<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    let scored = candidates.filter(|c| !c.is_empty()).map(|candidate| (edits(wanted, candidate), candidate));
    let (distance, best) = scored.min()?;
    (distance > 0 && distance <= 1 + wanted.chars().count() / 4).then(|| best.to_string())
}

/// Levenshtein's distance.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("csr", "csr"), 0);
    }

    #[test]
    fn only_close_names_are_suggested() {
        let known = ["jacobi", "block-jacobi", "ssor"];
        assert_eq!(nearest("jakobi", known.into_iter()), Some("jacobi".into()));
        assert_eq!(nearest("multigrid", known.into_iter()), None);
    }
}
