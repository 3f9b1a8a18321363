//! Reverse Cuthill-McKee on the GPU: the order of the host, vertex for vertex, or a reason to leave it to the host.

use galerkit_cuda::jit::Jit;
use galerkit_cuda::ordering::{Left, order_of};
use galerkit_cuda::testing;
use galerkit_linalg::gallery::{Order, Random, Stencil, poisson1d, poisson2d, tetra};
use galerkit_linalg::sparse::{Coo, Csr, Permutation, reverse_cuthill_mckee};

/// A symmetric pattern of so many rows and about so many edges, with half of the diagonal.
fn random(rows: usize, edges: usize, seed: u64) -> Csr<f64> {
    let mut random = Random::new(seed);
    let mut triples: Vec<_> = (0..rows).step_by(2).map(|i| (i, i, 1.0)).collect();
    for _ in 0..edges {
        let (i, j) = (random.below(rows), random.below(rows));
        triples.extend([(i, j, 1.0), (j, i, 1.0)]);
    }
    Coo::from_triples(rows, rows, &triples).unwrap().to_csr().0
}

fn shuffled(A: Csr<f64>, seed: u64) -> Csr<f64> {
    let order = Permutation::from_old(Random::new(seed).shuffled(A.rows())).unwrap();
    A.permute_symmetric(&order).unwrap()
}

#[test]
fn the_order_is_that_of_the_host() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    let mut graphs = vec![
        ("nothing", Csr::identity(0)),
        ("one vertex", random(1, 0, 1)),
        ("isolated vertices", random(40, 0, 1)),
        ("a loop of a graph", random(2, 3, 1)),
        ("a mesh", tetra(9, Order::Random, 2).unwrap()),
        ("a grid", shuffled(poisson2d(24, Stencil::Points9).unwrap(), 3)),
        ("a chain", shuffled(poisson1d(150).unwrap(), 4)),
    ];
    graphs.extend([(60, 30), (300, 280), (300, 600), (1200, 6000)].map(|(n, e)| ("random", random(n, e, e as u64))));
    for (name, A) in graphs {
        let expected = reverse_cuthill_mckee(&A).unwrap();
        match order_of(&gpu, &jit, &A).unwrap() {
            Ok(order) => assert!(order.download().unwrap() == expected, "{name}, {} rows", A.rows()),
            Err(left) => panic!("{name}, {} rows: {left}", A.rows()),
        }
    }
}

/// Children of one parent, as many as a row may have: equal degrees go by number, others by degree.
#[test]
fn a_long_row_is_sorted() {
    let Some(gpu) = testing::gpu() else { return };
    let n = 700;
    let spokes = (1..n).flat_map(|w| [(0, w, 1.0), (w, 0, 1.0)]);
    let rim = (1..n - 1).filter(|w| w % 3 == 0).flat_map(|w| [(w, w + 1, 1.0), (w + 1, w, 1.0)]);
    let A = Coo::from_triples(n, n, &spokes.chain(rim).collect::<Vec<_>>()).unwrap().to_csr().0;
    let order = order_of(&gpu, &Jit::new(&gpu), &A).unwrap().unwrap_or_else(|left| panic!("{left}"));
    assert!(order.download().unwrap() == reverse_cuthill_mckee(&A).unwrap());
}

#[test]
fn what_does_not_suit_is_left_to_the_host() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    let left = |A: &Csr<f64>| order_of(&gpu, &jit, A).unwrap().err();
    let half = Coo::from_triples(3, 3, &[(0, 1, 1.0), (1, 0, 1.0), (2, 1, 1.0)]).unwrap().to_csr().0;
    assert_eq!(left(&half), Some(Left::Unsymmetric));
    let n = 1100;
    let star: Vec<_> = (1..n).flat_map(|w| [(0, w, 1.0), (w, 0, 1.0)]).collect();
    assert_eq!(left(&Coo::from_triples(n, n, &star).unwrap().to_csr().0), Some(Left::LongRow(n as u64 - 1)));
    assert_eq!(left(&random(70, 0, 1)), Some(Left::Thin)); // 70 components
    assert_eq!(left(&poisson1d(700).unwrap()), Some(Left::Thin)); // two sweeps of 700 levels
    let wide = Coo::from_triples(1, 2, &[(0, 0, 1.0)]).unwrap().to_csr().0;
    assert!(order_of(&gpu, &jit, &wide).is_err());
}
