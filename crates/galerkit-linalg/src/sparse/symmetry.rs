//! What a matrix is to its transpose, by exact comparison, and cheap hints on definiteness. The comparison reads the
//! matrix once and transposes nothing: rows are taken in ascending order, so the entries (j, i), j > i, that answer row
//! i are met in their stored order, and one cursor for each row suffices. Matrices whose stored positions mirror each
//! other, which most do, are compared on several threads. Gershgorin: every eigenvalue lies in a disc around some a_ii
//! of radius sum over j != i of |a_ij|.

use crate::error::Result;
use crate::parallel;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::Csr;
use std::fmt;
use std::ops::Range;

/// Rows below which another thread is not worth its cursors.
const LEAST_ROWS: usize = 1 << 12;

/// How entry (i, j) relates to entry (j, i). An entry that is not stored counts as zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// a_ij = a_ji.
    Symmetric,
    /// a_ij = conj(a_ji); said of complex matrices only, and before `Symmetric` if both hold.
    Hermitian,
    /// a_ij = -a_ji.
    Skew,
    /// Only the stored positions mirror each other.
    Pattern,
    /// None of these, or the matrix is not square.
    None,
}

impl Symmetry {
    /// Whether a matrix of this symmetry and scalar equals its conjugate transpose, as CG demands.
    pub fn is_self_adjoint<S: Scalar>(self) -> bool {
        self == Symmetry::Hermitian || (self == Symmetry::Symmetric && !S::KIND.is_complex())
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Symmetry::Symmetric => "symmetric",
            Symmetry::Hermitian => "hermitian",
            Symmetry::Skew => "skew-symmetric",
            Symmetry::Pattern => "pattern-symmetric",
            Symmetry::None => "general",
        })
    }
}

/// What is still possible while entries are being compared.
struct Candidates {
    symmetric: bool,
    hermitian: bool,
    skew: bool,
    pattern: bool,
}

impl Candidates {
    fn all() -> Self {
        Self { symmetric: true, hermitian: true, skew: true, pattern: true }
    }
    fn restrict(&mut self, other: &Self) {
        self.symmetric &= other.symmetric;
        self.hermitian &= other.hermitian;
        self.skew &= other.skew;
        self.pattern &= other.pattern;
    }
    fn pair<S: Scalar>(&mut self, a: S, b: S) {
        self.symmetric &= a == b;
        self.hermitian &= a == b.conj();
        self.skew &= a == -b;
    }
    fn unpaired<S: Scalar>(&mut self, a: S) {
        self.pattern = false;
        self.pair(a, S::zero());
    }
    fn exhausted(&self) -> bool {
        !(self.symmetric || self.hermitian || self.skew || self.pattern)
    }
}

per_scalar! {
    /// Classifies a matrix. The zero matrix is symmetric; NaN equals nothing, not even itself.
    pub fn symmetry<S>(A: &Csr<S>) -> Symmetry = symmetry_of;
}

fn symmetry_of<S: Scalar>(A: &Csr<S>) -> Symmetry {
    if A.rows() != A.cols() {
        return Symmetry::None;
    }
    let possible = mirrored(A).unwrap_or_else(|| one_by_one(A));
    match possible {
        Candidates { hermitian: true, .. } if S::KIND.is_complex() => Symmetry::Hermitian,
        Candidates { symmetric: true, .. } => Symmetry::Symmetric,
        Candidates { skew: true, .. } => Symmetry::Skew,
        Candidates { pattern: true, .. } => Symmetry::Pattern,
        _ => Symmetry::None,
    }
}

/// What is possible, on several threads, if every entry has a mirror image that is stored too; none otherwise.
fn mirrored<S: Scalar>(A: &Csr<S>) -> Option<Candidates> {
    let rows = A.rows().div_ceil(rayon::current_num_threads()).max(LEAST_ROWS);
    let part = |k: usize| mirrored_rows(A, k * rows..A.rows().min((k + 1) * rows));
    let found = parallel::values(A.rows().div_ceil(rows), &part);
    let (mut all, mut sides) = (Candidates::all(), [0; 2]);
    for part in found {
        let (possible, [above, below]) = part?;
        all.restrict(&possible);
        sides = [sides[0] + above, sides[1] + below];
    }
    // Each entry above the diagonal has met another one below: as many on both sides are all of them.
    (sides[0] == sides[1]).then_some(all)
}

/// The same for some rows, with the number of their entries above and below the diagonal; none where one above has no
/// mirror image. Cursors are its own, into the rows from its first one on, and each is put in place when it is needed
/// first.
fn mirrored_rows<S: Scalar>(A: &Csr<S>, rows: Range<usize>) -> Option<(Candidates, [usize; 2])> {
    const UNKNOWN: u32 = u32::MAX;
    let (first, col) = (rows.start, A.col());
    let last = rows.clone().filter_map(|i| col[A.range(i)].last()).max().map_or(first, |&j| j as usize);
    let mut cursor = vec![UNKNOWN; (last + 1).saturating_sub(first)];
    let (mut possible, mut sides) = (Candidates::all(), [0; 2]);
    for i in rows {
        let row = A.range(i);
        let below = col[row.clone()].partition_point(|&j| (j as usize) < i);
        sides[1] += below;
        for k in row.start + below..row.end {
            let (j, a) = (col[k] as usize, A.val()[k]);
            if i == j {
                possible.pair(a, a);
                continue;
            }
            let (mirror, at) = (A.range(j), &mut cursor[j - first]);
            if *at == UNKNOWN {
                *at = col[mirror.clone()].partition_point(|&j| (j as usize) < i) as u32;
            }
            let answer = mirror.start + *at as usize;
            if answer >= mirror.end || col[answer] as usize != i {
                return None;
            }
            possible.pair(a, A.val()[answer]);
            *at += 1;
            sides[0] += 1;
        }
    }
    Some((possible, sides))
}

fn one_by_one<S: Scalar>(A: &Csr<S>) -> Candidates {
    let mut possible = Candidates::all();
    let mut cursor = A.start()[..A.rows()].to_vec();
    for i in 0..A.rows() {
        skip_unanswered(A, &mut cursor[i], i, i, &mut possible);
        for k in cursor[i] as usize..A.range(i).end {
            let (j, a) = (A.col()[k] as usize, A.val()[k]);
            if i == j {
                possible.pair(a, a);
                continue;
            }
            skip_unanswered(A, &mut cursor[j], j, i, &mut possible);
            let answer = cursor[j] as usize;
            if answer < A.range(j).end && A.col()[answer] as usize == i {
                possible.pair(a, A.val()[answer]);
                cursor[j] += 1;
            } else {
                possible.unpaired(a);
            }
        }
        if possible.exhausted() {
            break;
        }
    }
    possible
}

/// Moves the cursor of `row` past columns below `column`: the rows of those columns are done and did not ask for them.
fn skip_unanswered<S: Scalar>(A: &Csr<S>, cursor: &mut u64, row: usize, column: usize, possible: &mut Candidates) {
    while (*cursor as usize) < A.range(row).end && (A.col()[*cursor as usize] as usize) < column {
        possible.unpaired(A.val()[*cursor as usize]);
        *cursor += 1;
    }
}

/// Cheap facts that speak for or against positive definiteness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DefinitenessHints {
    /// Every diagonal entry is stored, real and positive: necessary for a positive definite matrix.
    pub positive_diagonal: bool,
    /// Rows with |a_ii| >= sum of the other |a_ij|.
    pub dominant_rows: usize,
    /// Rows with |a_ii| > sum of the other |a_ij|.
    pub strictly_dominant_rows: usize,
    /// Gershgorin's lower bound for the real part of every eigenvalue.
    pub gershgorin_low: f64,
    /// Gershgorin's upper bound for the real part of every eigenvalue.
    pub gershgorin_high: f64,
}

impl DefinitenessHints {
    /// Whether the bounds alone prove a self-adjoint matrix positive definite.
    pub fn prove_positive_definite(&self) -> bool {
        self.positive_diagonal && self.gershgorin_low > 0.0
    }
}

per_scalar! {
    /// Collects the hints of a square matrix in one pass; without rows both bounds are 0.
    pub fn definiteness_hints<S>(A: &Csr<S>) -> Result<DefinitenessHints> = definiteness_hints_of;
}

fn definiteness_hints_of<S: Scalar>(A: &Csr<S>) -> Result<DefinitenessHints> {
    A.require_square("a definiteness test")?;
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let (mut positive_diagonal, mut dominant_rows, mut strictly_dominant_rows) = (true, 0, 0);
    for i in 0..A.rows() {
        let (mut diagonal, mut radius) = (S::zero(), 0.0);
        for (j, a) in A.row(i) {
            if i == j {
                diagonal = a;
            } else {
                radius += a.modulus().parts().0;
            }
        }
        let (re, im) = diagonal.parts();
        let size = diagonal.modulus().parts().0;
        positive_diagonal &= re > 0.0 && im == 0.0;
        dominant_rows += (size >= radius) as usize;
        strictly_dominant_rows += (size > radius) as usize;
        (low, high) = (low.min(re - radius), high.max(re + radius));
    }
    let (gershgorin_low, gershgorin_high) = if A.rows() == 0 { (0.0, 0.0) } else { (low, high) };
    Ok(DefinitenessHints { positive_diagonal, dominant_rows, strictly_dominant_rows, gershgorin_low, gershgorin_high })
}
