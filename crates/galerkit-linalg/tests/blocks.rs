//! ILU(0) of diagonal blocks: numbers checkable by hand, one block is ILU(0), no entry across blocks, and applied it
//! solves each block alone, with equal bits on every backend and number of threads.

use galerkit_linalg::backend::{Cpu, Reference};
use galerkit_linalg::map::Triangular;
use galerkit_linalg::precond::{Class, Factors, Preconditioner, Prepared, Recipe, diagonal_blocks, ilu0};
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Error, Scalar, c32, c64};
use galerkit_testkit::problems::{applied, dense, from_triples, hermitian, laplacian, scattered};
use galerkit_testkit::strategies;
use proptest::prelude::*;
use std::ops::Range;

fn factors<S: Scalar>(A: &Csr<S>, blocks: usize) -> Factors<S> {
    Recipe::Ilu0Blocks { blocks }.factorise(A).unwrap()
}

fn apply<S: Scalar>(M: &Factors<S>, x: &[S]) -> Vec<S> {
    let mut y = vec![S::from_f64(f64::NAN); x.len()];
    M.solve(x, &mut y);
    y
}

fn triples<S: Scalar>(A: &Csr<S>) -> Vec<(usize, usize, S)> {
    (0..A.rows()).flat_map(|i| A.row(i).map(move |(j, a)| (i, j, a))).collect()
}

fn ranges(rows: usize, blocks: usize) -> impl Iterator<Item = Range<usize>> {
    (0..blocks).map(move |k| k * rows / blocks..(k + 1) * rows / blocks)
}

/// Rows and columns of A in a range, as a matrix of its own.
fn alone<S: Scalar>(A: &Csr<S>, rows: &Range<usize>) -> Csr<S> {
    let inside = triples(A).into_iter().filter(|(i, j, _)| rows.contains(i) && rows.contains(j));
    let moved: Vec<_> = inside.map(|(i, j, a)| (i - rows.start, j - rows.start, a)).collect();
    from_triples(rows.len(), rows.len(), &moved)
}

/// Rows 0, 1 and rows 2 to 4: [2 4; 1 6] = [1; 1/2 1] [2 4; 4], and [2 4; 1 6 8; 2 20] as in factorisations.rs.
#[test]
fn two_blocks_by_hand() {
    let A = dense::<f64>(&[
        &[2.0, 4.0, 9.0, 0.0, 9.0],
        &[1.0, 6.0, 9.0, 0.0, 0.0],
        &[0.0, 9.0, 2.0, 4.0, 0.0],
        &[9.0, 0.0, 1.0, 6.0, 8.0],
        &[0.0, 9.0, 0.0, 2.0, 20.0],
    ]);
    let M = factors(&A, 2);
    assert_eq!(triples(M.lower()), [(1, 0, 0.5), (3, 2, 0.5), (4, 3, 0.5)]);
    assert_eq!(triples(M.upper()), [(0, 1, 4.0), (2, 3, 4.0), (3, 4, 8.0)]);
    assert_eq!(M.inverse(), [0.5, 0.25, 0.5, 0.25, 0.0625]);
    // [2 4; 1 6] (1, 2) and [2 4 0; 1 6 8; 0 2 20] (1, 2, 3)
    assert_eq!(apply(&M, &[10.0, 13.0, 10.0, 37.0, 64.0]), [1.0, 2.0, 1.0, 2.0, 3.0]);
    let kept = diagonal_blocks(&A, 2).unwrap();
    assert_eq!(kept.nnz(), 4 + 7);
    assert_eq!(factors(&A, 5).nnz(), 5); // nothing but the diagonal
}

/// Of 7 rows in 3 blocks: 2, 2 and 3.
#[test]
fn blocks_are_of_nearly_equal_size() {
    let A = dense::<f64>(&[&[1.0; 7][..]; 7]);
    let kept = diagonal_blocks(&A, 3).unwrap();
    let widths: Vec<_> = (0..7).map(|i| kept.range(i).len()).collect();
    assert_eq!(widths, [2, 2, 2, 2, 3, 3, 3]);
}

fn one_block_is_the_whole<S: Scalar>() {
    let A = hermitian::<S>(9);
    assert_eq!(factors(&A, 1), ilu0(&A).unwrap());
    assert!(std::ptr::eq(&*diagonal_blocks(&A, 1).unwrap(), &A), "nothing is copied");
}

#[test]
fn one_block_is_ilu0() {
    one_block_is_the_whole::<f32>();
    one_block_is_the_whole::<f64>();
    one_block_is_the_whole::<c32>();
    one_block_is_the_whole::<c64>();
}

#[test]
fn refusals() {
    let A = laplacian::<f64>(5, 1);
    for (blocks, value) in [(0, "0"), (6, "6 for 5 rows")] {
        let refused = Preconditioner::Ilu0Blocks { blocks }.prepare(&A, Class::General).unwrap_err();
        let Error::InvalidParameter { name: "blocks", value: found, .. } = &refused else { panic!("{refused}") };
        assert_eq!(found, value);
        assert!(refused.to_string().contains("no more than the matrix has rows"), "{refused}");
    }
    let empty = Csr::<f64>::identity(0);
    assert_eq!(factors(&empty, 1).rows(), 0);
    assert!(Recipe::Ilu0Blocks { blocks: 2 }.factorise(&empty).is_err());
    let wide = dense::<f64>(&[&[1.0, 2.0]]);
    assert!(matches!(Recipe::Ilu0Blocks { blocks: 2 }.factorise(&wide), Err(Error::NotSquare { .. })));
    // The pivot of the second row is 4 - 2 * 2 in one block, 4 in two; a missing one is missing in any.
    let cancels = dense::<f64>(&[&[1.0, 2.0], &[2.0, 4.0]]);
    assert!(matches!(Recipe::Ilu0Blocks { blocks: 1 }.factorise(&cancels), Err(Error::ZeroPivot { row: 1 })));
    assert_eq!(factors(&cancels, 2).inverse(), [1.0, 0.25]);
    let missing = dense::<f64>(&[&[1.0, 1.0], &[1.0, 0.0]]);
    assert!(matches!(Recipe::Ilu0Blocks { blocks: 2 }.factorise(&missing), Err(Error::ZeroPivot { row: 1 })));
}

/// By name, on every backend and in pools of several threads: each block alone, to the bit.
fn each_block_alone<S: Scalar>(A: &Csr<S>, blocks: usize) {
    let M = Preconditioner::Ilu0Blocks { blocks }.prepare(A, Class::General).unwrap();
    let Prepared::Map(map) = M else { panic!("a map") };
    let M = map.known::<Factors<S>>().expect("factors");
    let block_of = |i: usize| ranges(A.rows(), blocks).position(|rows| rows.contains(&i));
    for (i, j, _) in triples(M.lower()).into_iter().chain(triples(M.upper())) {
        assert_eq!(block_of(i), block_of(j), "entry ({i}, {j})");
    }
    let x = scattered::<S>(A.rows(), 5);
    let expected: Vec<S> =
        ranges(A.rows(), blocks).flat_map(|rows| apply(&ilu0(&alone(A, &rows)).unwrap(), &x[rows])).collect();
    assert!(apply(M, &x) == expected, "{blocks} blocks");
    assert!(applied(&Reference, map.clone(), &x) == expected, "{blocks} blocks, reference");
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let y = pool.install(|| applied(&Cpu, map.clone(), &x));
        assert!(y == expected, "{blocks} blocks, {threads} threads");
    }
}

/// Large enough for several threads.
#[test]
fn blocks_are_solved_alone_for_every_scalar() {
    for blocks in [2, 3, 70] {
        each_block_alone(&hermitian::<f32>(70), blocks);
        each_block_alone(&hermitian::<f64>(70), blocks);
        each_block_alone(&hermitian::<c32>(70), blocks);
        each_block_alone(&hermitian::<c64>(70), blocks);
    }
}

proptest! {
    #![proptest_config(strategies::config(64))]

    #[test]
    fn blocks_of_any_matrix_are_solved_alone(A in strategies::positive_definite::<c64>(40), share in 0.0f64..1.0) {
        let blocks = 1 + (share * (A.rows().max(1) - 1) as f64) as usize;
        each_block_alone(&A, blocks);
    }
}
