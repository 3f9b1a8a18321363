//! Which flag helps against an error.

use galerkit::cuda::Error as CudaError;
use galerkit::fem::Error as FemError;
use galerkit::linalg::Error as LinalgError;
use std::error::Error;
use std::io::ErrorKind;
use std::path::Path;

/// What to do about it, where the message itself does not say: errors name facts, this names the flag that helps.
/// `built_in` says what the command has in place of a mesh file.
pub(super) fn hint(cause: &(dyn Error + 'static), built_in: &str) -> Option<String> {
    let measured = match cause.downcast_ref::<galerkit_bench::Error>() {
        Some(galerkit_bench::Error::Galerkit(inner)) => Some(inner),
        _ => None,
    };
    match cause.downcast_ref::<galerkit::Error>().or(measured) {
        Some(galerkit::Error::Linalg(inner)) => linalg_hint(inner),
        Some(galerkit::Error::Cuda(inner)) => cuda_hint(inner),
        Some(galerkit::Error::Fem(inner)) => fem_hint(inner, built_in),
        Some(other) => facade_hint(other),
        None => match (cause.downcast_ref::<LinalgError>(), cause.downcast_ref::<CudaError>()) {
            (Some(inner), _) => linalg_hint(inner),
            (None, Some(inner)) => cuda_hint(inner),
            (None, None) => cause.downcast_ref::<FemError>().and_then(|inner| fem_hint(inner, built_in)),
        },
    }
}

fn linalg_hint(error: &LinalgError) -> Option<String> {
    let hint = match error {
        LinalgError::Io { path, source } => return io_hint(path, source),
        LinalgError::Parse { found, .. } if found.starts_with("only ") || found.starts_with("the end of the ") => {
            "the file ends early: if it is still being written or copied wait for its end, else fetch it again"
        }
        LinalgError::UnknownName { name, known, .. } => {
            let name = name.split(':').next().unwrap_or(name); // without its parameter
            let best = nearest(name, known.split([',', ' ', ':', '[', ']', '|']))?;
            return Some(format!("did you mean '{best}'?"));
        }
        LinalgError::Factorisation { .. } => "galerkit info shows empty rows and a missing diagonal",
        LinalgError::FactorTooLarge { .. } => "choose --method auto, or a Krylov method such as gmres",
        LinalgError::NegativeDiagonal { .. } => "choose --precond none, or --method gmres or lu",
        LinalgError::ZeroDiagonal { .. } => "choose --precond none",
        LinalgError::SingularBlock { .. } => "choose --precond jacobi",
        LinalgError::ZeroPivot { .. } => "choose --precond ilu:1 or --precond none, or --ordering rcm",
        LinalgError::NotPositivePivot { .. } => {
            "choose --precond ic0:0.01 and more, --precond jacobi, or --method bicgstab or gmres with --precond ilu0"
        }
        LinalgError::NotHermitian { .. } => "choose --precond ilu0 and --method bicgstab or gmres",
        _ => return None,
    };
    Some(hint.into())
}

fn fem_hint(error: &FemError, built_in: &str) -> Option<String> {
    let hint = match error {
        FemError::Linalg(inner) => return linalg_hint(inner),
        FemError::Io { path, source } if source.kind() == ErrorKind::NotFound => {
            let near = neighbour(path).map(|best| format!("did you mean '{best}'?"));
            return Some(near.unwrap_or_else(|| format!("check the path{built_in}")));
        }
        FemError::Io { source, .. } if source.kind() == ErrorKind::IsADirectory => "name a mesh file inside it",
        FemError::Io { path, source } => return io_hint(path, source),
        FemError::Imbalance { .. } => "fix u with --dirichlet or --robin, or choose --rhs and --neumann that balance",
        FemError::InvalidDegree { .. } => "choose a lower --degree, fewer --layers or a smaller --slope",
        FemError::InvalidCoefficient { .. } => "change the expression; if(condition, then, else) chooses by place",
        _ => return None,
    };
    Some(hint.into())
}

fn facade_hint(error: &galerkit::Error) -> Option<String> {
    use galerkit::Error as E;
    let hint = match error {
        E::SweepsByName { .. } | E::NoFactors { .. } => "leave --triangular out",
        E::ColouredByName { .. } => "leave --ordering out",
        E::NoIterations { .. } | E::BeyondSingle { .. } | E::PreconditionerBeyondSingle { .. } => "use --precision f64",
        _ => return None,
    };
    Some(hint.into())
}

fn cuda_hint(error: &CudaError) -> Option<String> {
    let hint = match error {
        CudaError::Linalg(inner) => return linalg_hint(inner),
        CudaError::NoDriver | CudaError::NoGpu | CudaError::NoNvrtc { .. } | CudaError::OldDriver { .. } => {
            "use --device cpu; galerkit doctor says what is missing"
        }
        CudaError::NewerNvrtc { .. } => "use --device cpu until then",
        CudaError::NoSuchGpu { .. } => "choose a GPU with --device cuda:N, or --device cpu",
        CudaError::OutOfMemory { .. } => "use --precision f32, another --format, or --device cpu",
        _ => return None,
    };
    Some(hint.into())
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
        ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded => {
            Some("there is no room: make some, or choose another place; what was there before is untouched".into())
        }
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
