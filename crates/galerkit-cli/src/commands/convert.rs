//! `galerkit convert`: a matrix in, a Matrix Market file out, transposed or reordered on the way.

use super::Ending;
use crate::args::Convert;
use crate::output::Output;
use crate::output::table::grouped;
use anyhow::{Context, Result, bail};
use galerkit::linalg::Scalar;
use galerkit::linalg::io::matrix_market::{Symmetry as Stored, write_matrix};
use galerkit::linalg::sparse::{Csr, Symmetry, reverse_cuthill_mckee, symmetry};
use galerkit::{Choice, Ordering, dispatch};

/// Converts.
pub fn run(arguments: &Convert, output: Output) -> Result<Ending> {
    let reorder = match arguments.ordering.parse()? {
        Choice::Given(Ordering::Natural) => false,
        Choice::Given(Ordering::Rcm) => true,
        choice @ (Choice::Auto | Choice::Given(Ordering::Colours)) => {
            bail!("--ordering {choice} is for solve; convert takes natural or rcm")
        }
    };
    let loaded = super::load(&arguments.matrix, output)?;
    dispatch!(&loaded.matrix, A => rewrite(A, arguments, reorder, output))?;
    Ok(Ending::Done)
}

fn rewrite<S: Scalar>(A: &Csr<S>, arguments: &Convert, reorder: bool, output: Output) -> Result<()> {
    let mut B = if arguments.transpose { A.transpose() } else { A.clone() };
    if reorder {
        B = B.permute_symmetric(&reverse_cuthill_mckee(&B)?)?;
    }
    let stored = if arguments.symmetric { triangle(&B)? } else { Stored::General };
    let path = &arguments.output;
    write_matrix(path, &B, stored, &["written by galerkit convert"])
        .with_context(|| format!("cannot write {}", path.display()))?;
    if output.terminal {
        let entries = grouped(B.nnz() as u64);
        output.note(&format!("{}: {} x {}, {entries} entries", path.display(), B.rows(), B.cols()));
    }
    Ok(())
}

/// Which triangle rule a matrix obeys.
fn triangle<S: Scalar>(A: &Csr<S>) -> Result<Stored> {
    Ok(match symmetry(A) {
        Symmetry::Symmetric => Stored::Symmetric,
        Symmetry::Hermitian => Stored::Hermitian,
        Symmetry::Skew => Stored::SkewSymmetric,
        other => bail!("the matrix is {other}, so one triangle does not hold it: leave out --symmetric"),
    })
}
