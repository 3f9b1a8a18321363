//! The same on a GPU that has the matrix: the times of both ways are estimated. Iterations with the diagonal are 2.39
//! for each point of the longest side with 7 points (256³ and 464³; 1.44 with 27), and a cycle in single precision
//! takes as long as 6 to 8 of them; set-up grows with the entries. All constants are of an H200
//! (benches/results/2026-11-17-h200/amg.txt); the choice asks for half as much time again.

use super::{BALANCED, LEAST_ROWS, sentence};
use crate::matrix::MatrixRef;
use galerkit_cuda::convert::Facts;
use galerkit_linalg::Scalar;
use galerkit_linalg::precond::Class;

/// Iterations with the diagonal for each point of the longest side, to 1e-8.
const ITERATIONS_A_POINT: f64 = 2.4;
/// Bytes an iteration moves for each entry and each row, and how many a second.
const ENTRY_BYTES: f64 = 10.0;
const ROW_BYTES: f64 = 80.0;
const BANDWIDTH: f64 = 4e12;
/// An iteration without bytes, and a cycle.
const LAUNCH: f64 = 8e-6;
const CYCLE_LAUNCH: f64 = 150e-6;
/// Cycles to 1e-8, each as long as so many iterations.
const CYCLES: f64 = 17.0;
const CYCLE: f64 = 8.0;
/// Set-up, and what it takes for each entry.
const SETUP: f64 = 0.03;
const SETUP_ENTRY: f64 = 0.6e-9;
/// How much longer the diagonal must take.
const MARGIN: f64 = 1.5;
/// Rows that are looked at for the bandwidth.
const SAMPLES: usize = 1 << 14;

/// Seconds of an iteration's bytes.
fn iteration(rows: usize, nnz: usize) -> f64 {
    (ENTRY_BYTES * nnz as f64 + ROW_BYTES * rows as f64) / BANDWIDTH
}

/// Seconds of a solve with the diagonal.
fn with_diagonal(rows: usize, nnz: usize, side: usize) -> f64 {
    ITERATIONS_A_POINT * side as f64 * (iteration(rows, nnz) + LAUNCH)
}

/// Seconds of set-up and solve with multigrid.
fn with_multigrid(rows: usize, nnz: usize) -> f64 {
    SETUP + SETUP_ENTRY * nnz as f64 + CYCLES * (CYCLE * iteration(rows, nnz) + CYCLE_LAUNCH)
}

/// Why it pays, if it does.
pub(crate) fn multigrid_pays_there<S: Scalar>(A: MatrixRef<'_, S>, class: Class, facts: &Facts) -> Option<String> {
    let (rows, nnz) = (A.rows(), A.nnz());
    let is_definite = class == Class::PositiveDefinite && facts.not_real_positive.is_none();
    if !is_definite || !facts.is_self_adjoint || rows < LEAST_ROWS || S::KIND.is_complex() {
        return None;
    }
    // rows that sum up to nothing and are dominated by their diagonal have all other entries against it
    let share = facts.vanishing_rows.min(facts.dominant_rows) as f64 / rows as f64;
    let side = longest_side(A);
    let (diagonal, multigrid) = (with_diagonal(rows, nnz, side), with_multigrid(rows, nnz));
    (share >= BALANCED && diagonal >= MARGIN * multigrid).then(|| {
        let times = format!("; about {diagonal:.2} s against {multigrid:.2} s, by a model of an H200");
        sentence(share, side) + &times + "; set up on the GPU"
    })
}

/// Points in the longest line: of a grid as it says, else rows by the bandwidth that some of them have.
fn longest_side<S: Scalar>(A: MatrixRef<'_, S>) -> usize {
    match A {
        MatrixRef::Problem(problem) => problem.grid.size().into_iter().max().unwrap_or(0),
        MatrixRef::Rows(A) => {
            let step = A.rows().div_ceil(SAMPLES).max(1);
            let reach = |i: usize, j: Option<&u32>| j.map_or(0, |&j| i.abs_diff(j as usize));
            let of_row = |i: usize| {
                let row = &A.col()[A.range(i)];
                reach(i, row.first()).max(reach(i, row.last()))
            };
            A.rows() / (0..A.rows()).step_by(step).map(of_row).max().unwrap_or(0).max(1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Input;
    use galerkit_linalg::gallery::{OnGrid, Stencil, parse, poisson2d};

    fn facts(rows: usize, vanishing_rows: usize) -> Facts {
        Facts {
            not_finite: None,
            empty_row: None,
            not_positive: None,
            not_real_positive: None,
            not_invertible: None,
            vanishing_rows,
            dominant_rows: rows,
            is_mirrored: true,
            is_self_adjoint: true,
            squares: 1.0,
        }
    }

    /// What is said of a problem of the gallery whose rows nobody makes.
    fn said(name: &str, class: Class, vanishing: f64) -> Option<String> {
        let Some(OnGrid::Real(grid)) = parse(name).unwrap().on_grid().unwrap() else { panic!("{name} is no grid") };
        let (rows, problem) = (grid.size().iter().product::<usize>(), Input::problem(grid));
        multigrid_pays_there(problem.view(), class, &facts(rows, (vanishing * rows as f64) as usize))
    }

    /// Seconds of solves with the diagonal, and of multigrid's own set-up and its solves, as measured.
    #[test]
    fn the_model_is_near_what_was_measured() {
        let cases = [
            ((256usize.pow(3), 117_047_296), 256, Some(0.384), 0.116 + 0.084),
            ((464usize.pow(3), 697_989_632), 464, Some(4.13), 0.346 + 0.391),
            ((200usize.pow(3), 213_847_192), 200, None, 0.130 + 0.064),
        ];
        for ((rows, nnz), side, diagonal, multigrid) in cases {
            let near = |found: f64, measured: f64| (0.65..1.55).contains(&(found / measured));
            assert!(near(with_multigrid(rows, nnz), multigrid), "{side}: {}", with_multigrid(rows, nnz));
            let found = with_diagonal(rows, nnz, side);
            assert!(diagonal.is_none_or(|diagonal| near(found, diagonal)), "{side}: {found}");
        }
    }

    #[test]
    fn large_grids_of_laplacians_only() {
        let definite = Class::PositiveDefinite;
        for name in ["poisson3d?n=256&stencil=7", "poisson3d?n=464&stencil=7", "poisson2d?n=4000"] {
            let why = said(name, definite, 0.97).unwrap_or_else(|| panic!("{name} pays"));
            assert!(why.contains("97 %") && why.contains("points in a line") && why.contains("H200"), "{why}");
        }
        assert!(said("poisson3d?n=100&stencil=7", definite, 0.97).is_none(), "Jacobi takes some milliseconds");
        assert!(said("poisson3d?n=200&stencil=27", definite, 0.97).is_none(), "288 iterations are as fast");
        assert!(said("poisson3d?n=256&stencil=7", definite, 0.5).is_none(), "no Laplacian");
        assert!(said("poisson3d?n=256&stencil=7", Class::General, 0.97).is_none());
    }

    #[test]
    fn rows_by_bandwidth_are_the_longest_side() {
        let A = poisson2d(300, Stencil::Points5).unwrap();
        assert_eq!(longest_side(MatrixRef::Rows(&A)), 300);
    }
}
