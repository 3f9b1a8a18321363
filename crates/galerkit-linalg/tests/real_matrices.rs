//! CG with Jacobi on every real positive definite matrix of the data folder: the defaults for divergence and patience
//! must let those converge that can, and an outcome other than converged must be true as well.

use flate2::read::GzDecoder;
use galerkit_linalg::krylov::{Outcome, Stop, backward_error, frobenius_norm};
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::sparse::Csr;
use galerkit_testkit::{System, data_file, problems};
use std::io::Read;
use std::path::Path;

/// The text of a gzip file.
fn text(path: &Path) -> String {
    let mut text = String::new();
    let file = std::fs::File::open(path).expect("the file exists");
    GzDecoder::new(file).read_to_string(&mut text).expect("a gzip file");
    text
}

/// Reads a real coordinate file, mirroring a symmetric one. As plain as can be: not the reader of this crate.
fn read(path: &Path) -> Csr<f64> {
    let text = text(path);
    let symmetric = text.lines().next().expect("a banner").contains("symmetric");
    let mut lines = text.lines().filter(|line| !line.starts_with('%') && !line.trim().is_empty());
    let field =
        |line: &str, k: usize| line.split_whitespace().nth(k).expect("a number").parse::<f64>().expect("a number");
    let size = lines.next().expect("a size line");
    let mut triples = Vec::new();
    for line in lines {
        let (i, j, a) = (field(line, 0) as usize - 1, field(line, 1) as usize - 1, field(line, 2));
        triples.push((i, j, a));
        if symmetric && i != j {
            triples.push((j, i, a));
        }
    }
    problems::from_triples(field(size, 0) as usize, field(size, 1) as usize, &triples)
}

/// The files, and the iterations that CG with Jacobi takes for b = 1 to 1e-8.
const POSITIVE_DEFINITE: [(&str, usize); 13] = [
    ("suitesparse/1138_bus", 1092),
    ("suitesparse/662_bus", 234),
    ("suitesparse/bcsstk09", 187),
    ("suitesparse/bcsstk14", 510),
    ("suitesparse/bcsstk16", 213),
    ("suitesparse/gr_30_30", 40),
    ("suitesparse/mhd3200b", 44),
    ("suitesparse/nos5", 260),
    ("fem_systems/ani4", 397),
    ("fem_systems/fasp_FE", 118),
    ("fem_systems/ldg_diffusion", 288),
    ("fem_systems/lsc_F_2", 164),
    ("fem_systems/lsc_Qu_2", 18),
];

/// Converges with the default criteria, to a backward error that shows it.
fn converges(name: &str, preconditioner: Preconditioner) -> Option<usize> {
    let A = read(&data_file(&format!("{name}.mtx.gz"))?);
    let b = vec![1.0; A.rows()];
    let solved = System::new(&A, preconditioner, b.clone()).solve(&Stop::default());
    let result = &solved.verified;
    assert_eq!(result.run.outcome, Outcome::Converged, "{name}, {preconditioner}");
    assert!(result.true_residual <= 1e-8 * result.start, "{name}, {preconditioner}");
    let error = backward_error(result.true_residual, frobenius_norm(&A), problems::norm(&solved.x), problems::norm(&b));
    assert!(error <= 1e-8, "{name}, {preconditioner}: {error:e}");
    Some(result.run.iterations)
}

#[test]
fn jacobi_converges_on_every_positive_definite_file() {
    for (name, expected) in POSITIVE_DEFINITE {
        if let Some(found) = converges(name, Preconditioner::Jacobi) {
            // Ill-conditioned systems amplify the order of summation: 5 percent.
            assert!(found.abs_diff(expected) <= 1 + expected / 20, "{name}: {found} iterations, not {expected}");
        }
    }
}

/// Hundreds of iterations without a new least residual, and then convergence. The longest such wait of all files is
/// some 900 (beam with Jacobi, 8600 iterations, too long for a test of every day) to 1200 (with block Jacobi).
#[test]
fn long_plateaus_are_not_stagnation() {
    converges("suitesparse/1138_bus", Preconditioner::None);
    converges("suitesparse/1138_bus", Preconditioner::BlockJacobi { block: 4 });
    converges("suitesparse/bcsstk14", Preconditioner::Ssor { omega: 1.0 });
}

/// The bidomain matrix is singular to working precision (its kernel are the constants of the extracellular potential):
/// with the right-hand side that belongs to it CG converges, with ones it must not claim to.
#[test]
fn bidomain_is_singular_but_consistent() {
    let name = "fem_systems/chaste_bidomain_cube6000";
    let Some((matrix, rhs)) = data_file(&format!("{name}.mtx.gz")).zip(data_file(&format!("{name}_rhs.mtx.gz"))) else {
        return;
    };
    let A = read(&matrix);
    let numbers = text(&rhs);
    let b = numbers.lines().filter(|line| !line.starts_with('%')).skip(1).map(|line| line.trim().parse().unwrap());
    let system = System::new(&A, Preconditioner::Jacobi, b.collect());
    let solved = system.solve(&Stop { rtol: 1e-6, ..Stop::default() });
    assert_eq!(solved.verified.run.outcome, Outcome::Converged);
    let system = System::new(&A, Preconditioner::Jacobi, vec![1.0; A.rows()]);
    let solved = system.solve(&Stop::default());
    assert!([Outcome::Stagnated, Outcome::Diverged].contains(&solved.verified.run.outcome));
}
