//! The gallery: tiny matrices by hand, formulas for the number of entries, symmetry, row sums, published statistics,
//! the same bits on every machine, and errors for what cannot be built.

use galerkit_linalg::gallery::*;
use galerkit_linalg::sparse::{Csr, Symmetry, definiteness_hints, symmetry};
use galerkit_linalg::{Error, Scalar, c64};

/// FNV-1a of all arrays.
fn fingerprint<S: Scalar>(A: &Csr<S>) -> u64 {
    let starts = A.start().iter().flat_map(|s| s.to_le_bytes());
    let columns = A.col().iter().flat_map(|j| j.to_le_bytes());
    let values =
        A.val().iter().map(|v| v.parts()).flat_map(|(re, im)| [re, im]).flat_map(|v| v.to_bits().to_le_bytes());
    let step = |hash: u64, byte: u8| (hash ^ byte as u64).wrapping_mul(0x0100_0000_01b3);
    starts.chain(columns).chain(values).fold(0xcbf2_9ce4_8422_2325, step)
}

fn real(uri: &str) -> Csr<f64> {
    match build(uri).unwrap() {
        Built::Real(A) => A,
        Built::Complex(_) => panic!("{uri} is complex"),
    }
}

fn row_sums(A: &Csr<f64>) -> Vec<f64> {
    (0..A.rows()).map(|i| A.row(i).map(|(_, v)| v).sum()).collect()
}

#[test]
fn tiny_matrices_by_hand() {
    let A = poisson1d(3).unwrap();
    assert_eq!((A.start(), A.col()), (&[0u64, 2, 5, 7][..], &[0u32, 1, 0, 1, 2, 1, 2][..]));
    assert_eq!(A.val(), [2.0, -1.0, -1.0, 2.0, -1.0, -1.0, 2.0]);
    let A = poisson2d(2, Stencil::Points5).unwrap();
    assert_eq!(A.col(), [0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3]);
    assert_eq!(A.val(), [4.0, -1.0, -1.0, -1.0, 4.0, -1.0, -1.0, 4.0, -1.0, -1.0, -1.0, 4.0]);
    let A = poisson2d(2, Stencil::Points9).unwrap();
    assert_eq!((A.nnz(), A.get(0, 0), A.get(0, 3)), (16, Some(8.0), Some(-1.0)));
    let A = poisson3d(2, Stencil::Points27).unwrap();
    assert_eq!((A.nnz(), A.get(7, 7), A.get(0, 7)), (64, Some(26.0), Some(-1.0)));
    let A = toeplitz(4, 0.5).unwrap();
    assert_eq!(A.col(), [0, 1, 1, 2, 0, 2, 3, 1, 3]);
    assert_eq!(A.val(), [2.0, 1.0, 2.0, 1.0, 0.5, 2.0, 1.0, 0.5, 2.0]);
    let A = anisotropic2d(2, 0.25).unwrap();
    assert_eq!(A.val()[..3], [2.5, -0.25, -1.0]);
    assert_eq!(poisson3d(1, Stencil::Points7).unwrap().val(), [6.0]);
}

#[test]
fn upwind_and_shift_by_hand() {
    // n = 3: h = 1/4; wind (2, -4): x takes 2 h = 0.5 from the left, y takes 4 h = 1 from above.
    let A = convection_diffusion2d(3, 1.0, [2.0, -4.0]).unwrap();
    let centre: Vec<(usize, f64)> = A.row(4).collect();
    assert_eq!(centre, [(1, -1.0), (3, -1.5), (4, 5.5), (5, -1.0), (7, -2.0)]);
    // n = 1: h = 1/2; k = 2: (kh)^2 = 1.
    assert_eq!(shifted_laplace2d(1, 2.0, 0.5).unwrap().val(), [c64::new(3.0, 0.5)]);
    assert_eq!(shifted_laplace3d(1, 2.0, -0.5).unwrap().val(), [c64::new(5.0, -0.5)]);
    assert_eq!(symmetry(&shifted_laplace2d(4, 3.0, 0.5).unwrap()), Symmetry::Symmetric);
    assert_eq!(symmetry(&shifted_laplace3d(3, 3.0, 0.0).unwrap()), Symmetry::Hermitian);
}

#[test]
fn entries_follow_the_formulas() {
    for n in [1usize, 2, 3, 7, 20] {
        assert_eq!(poisson1d(n).unwrap().nnz(), 3 * n - 2);
        assert_eq!(poisson2d(n, Stencil::Points5).unwrap().nnz(), 5 * n * n - 4 * n);
        assert_eq!(poisson2d(n, Stencil::Points9).unwrap().nnz(), (3 * n - 2).pow(2));
        assert_eq!(poisson3d(n, Stencil::Points7).unwrap().nnz(), 7 * n.pow(3) - 6 * n * n);
        assert_eq!(poisson3d(n, Stencil::Points27).unwrap().nnz(), (3 * n - 2).pow(3));
        assert_eq!(convection_diffusion3d(n, 1.0, [1.0; 3]).unwrap().nnz(), 7 * n.pow(3) - 6 * n * n);
        assert_eq!(shifted_laplace2d(n, 1.0, 0.5).unwrap().nnz(), 5 * n * n - 4 * n);
        assert_eq!(toeplitz(n, 0.5).unwrap().nnz(), 2 * n - 1 + n.saturating_sub(2));
        // Seven pairs of neighbours; 3 along one axis, 3 along two, 1 along three.
        let m = n - 1;
        let edges = 3 * m * n * n + 3 * m * m * n + m * m * m;
        assert_eq!(tetra(n, Order::Natural, 1).unwrap().nnz(), n.pow(3) + 2 * edges);
    }
}

#[test]
fn five_points_are_a_kronecker_sum() {
    let (n, T) = (6, poisson1d(6).unwrap());
    let A = poisson2d(n, Stencil::Points5).unwrap();
    for i in 0..n * n {
        for j in 0..n * n {
            let ([x, y], [u, v]) = ([i % n, i / n], [j % n, j / n]);
            let t = |a, b| T.get(a, b).unwrap_or(0.0);
            let expected = t(x, u) * (y == v) as u8 as f64 + (x == u) as u8 as f64 * t(y, v);
            assert_eq!(A.get(i, j).unwrap_or(0.0), expected);
        }
    }
}

#[test]
fn poisson_is_symmetric_dominant_and_sums_to_zero_inside() {
    let problems = [
        (poisson2d(9, Stencil::Points5).unwrap(), 5),
        (poisson2d(9, Stencil::Points9).unwrap(), 9),
        (poisson3d(6, Stencil::Points7).unwrap(), 7),
        (poisson3d(6, Stencil::Points27).unwrap(), 27),
        (anisotropic2d(9, 0.125).unwrap(), 5),
        (anisotropic3d(6, 0.125).unwrap(), 7),
    ];
    for (A, points) in problems {
        assert_eq!(symmetry(&A), Symmetry::Symmetric);
        let hints = definiteness_hints(&A).unwrap();
        assert_eq!((hints.dominant_rows, hints.gershgorin_low), (A.rows(), 0.0));
        for (i, sum) in row_sums(&A).into_iter().enumerate() {
            assert!(if A.row_length(i) == points { sum == 0.0 } else { sum > 0.0 });
        }
    }
}

#[test]
fn convection_diffusion_is_an_m_matrix() {
    for A in [convection_diffusion2d(7, 0.25, [-1.0, 2.0]), convection_diffusion3d(7, 0.25, [1.0, -2.0, 0.0])] {
        let A = A.unwrap();
        assert_eq!(symmetry(&A), Symmetry::Pattern);
        assert_eq!(definiteness_hints(&A).unwrap().dominant_rows, A.rows());
        for i in 0..A.rows() {
            assert!(A.row(i).all(|(j, v)| (i == j) == (v > 0.0)));
        }
    }
}

#[test]
fn tetrahedra_are_symmetric_definite_and_shuffled_on_request() {
    let (natural, shuffled) = (tetra(8, Order::Natural, 3).unwrap(), tetra(8, Order::Random, 3).unwrap());
    assert_eq!(symmetry(&natural), Symmetry::Symmetric);
    assert_eq!(symmetry(&shuffled), Symmetry::Symmetric);
    assert_eq!((natural.longest_row(), natural.nnz()), (15, shuffled.nnz()));
    let sorted = |A: &Csr<f64>| {
        let mut values = A.val().to_vec();
        values.sort_by(f64::total_cmp);
        values
    };
    assert_eq!(sorted(&natural), sorted(&shuffled));
    assert_ne!(natural.diagonal(), shuffled.diagonal());
    assert!(natural.diagonal().iter().all(|d| (4.0..12.0).contains(d)));
    let inner = (0..512).filter(|&i| natural.row_length(i) == 15);
    let sums = row_sums(&natural);
    assert!(inner.into_iter().all(|i| sums[i].abs() < 64.0 * f64::EPSILON * natural.diagonal()[i]));
}

#[test]
fn random_spd_is_what_it_says() {
    for (n, k) in [(1, 1), (2, 2), (5, 5), (3000, 8), (3000, 9)] {
        let A = random_spd(n, k, 42).unwrap();
        assert_eq!(symmetry(&A), Symmetry::Symmetric);
        let hints = definiteness_hints(&A).unwrap();
        assert!(hints.prove_positive_definite() && hints.gershgorin_low > 1.0 - 64.0 * f64::EPSILON * k as f64);
        assert!((0..n).all(|i| A.row(i).all(|(j, v)| i == j || (-1.0..=0.0).contains(&v))));
        if n > 100 {
            let mean = A.nnz() as f64 / n as f64;
            assert!((mean - k as f64).abs() < 0.05, "{mean} entries a row instead of {k}");
        }
    }
    assert_ne!(random_spd(100, 5, 1).unwrap(), random_spd(100, 5, 2).unwrap());
}

/// Name, rows, entries, and shortest row, quartiles, longest row, as published.
const PUBLISHED: [(&str, usize, usize, [usize; 5]); 15] = [
    ("Circuit", 170998, 958936, [1, 4, 5, 6, 353]),
    ("Economics", 206500, 1273389, [1, 3, 5, 8, 44]),
    ("Epidemiology", 525825, 2100225, [2, 4, 4, 4, 4]),
    ("FEMAccelerator", 121192, 2624331, [8, 18, 23, 23, 81]),
    ("FEMCantilever", 62451, 4007383, [1, 51, 74, 75, 78]),
    ("FEMHarbor", 46835, 2374001, [4, 29, 46, 70, 145]),
    ("FEMShip", 140874, 7813404, [24, 54, 54, 54, 102]),
    ("FEMSpheres", 83334, 6010480, [1, 72, 81, 81, 81]),
    ("Heart3K", 3129, 37035, [5, 9, 12, 14, 21]),
    ("Heart5K", 4563, 52715, [6, 9, 11, 14, 22]),
    ("Heart30K", 28639, 367443, [6, 10, 12, 15, 24]),
    ("Protein", 36417, 4344765, [18, 99, 123, 144, 204]),
    ("QCD", 49152, 1916928, [39, 39, 39, 39, 39]),
    ("Webbase", 1000005, 3105536, [1, 2, 2, 2, 4700]),
    ("WindTunnel", 217918, 11634424, [2, 54, 54, 54, 180]),
];

#[test]
fn stand_ins_have_the_published_statistics() {
    assert!(williams_names().eq(PUBLISHED.iter().map(|p| p.0)));
    for (name, rows, entries, quantiles) in PUBLISHED {
        let A = williams(name, 1).unwrap();
        assert_eq!((A.rows(), A.cols(), A.nnz()), (rows, rows, entries), "{name}");
        let mut lengths: Vec<usize> = (0..rows).map(|i| A.row_length(i)).collect();
        lengths.sort_unstable();
        assert_eq!([0, rows / 4, rows / 2, 3 * rows / 4, rows - 1].map(|k| lengths[k]), quantiles, "{name}");
        assert_eq!(definiteness_hints(&A).unwrap().strictly_dominant_rows, rows, "{name}");
    }
}

#[test]
fn stand_ins_vary_with_the_seed_and_stay_within_it() {
    for seed in [0, 7, u64::MAX] {
        for name in ["Heart3K", "FEMHarbor", "QCD"] {
            let published = PUBLISHED.iter().find(|p| p.0 == name).unwrap();
            let A = williams(name, seed).unwrap();
            assert_eq!((A.nnz(), A.longest_row()), (published.2, published.3[4]));
            assert_ne!(A, williams(name, seed ^ 1).unwrap());
        }
    }
}

#[test]
fn random_numbers_are_those_of_splitmix64() {
    let mut random = Random::new(1234567);
    let published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431];
    assert_eq!([(); 4].map(|()| random.bits()), published);
    assert!((0..1000).all(|_| random.below(3) < 3 && (0.0..1.0).contains(&random.unit())));
    let mut order = random.shuffled(100);
    assert!(order.windows(2).any(|w| w[0] > w[1]));
    order.sort_unstable();
    assert!(order.into_iter().eq(0..100));
}

#[test]
fn bits_are_pinned() {
    let pins = [
        ("poisson3d?n=9", 0x07849f632093ffed),
        ("convection_diffusion2d?n=9", 0x9be8c73eabac7ae6),
        ("random_spd?n=500&k=7", 0xa3cbfb60df41d131),
        ("tetra?n=9", 0x7a25810da89374ba),
        ("williams?name=Heart3K", 0xed72d444ca9f5eb7),
        ("williams?name=FEMHarbor", 0xbaeb60763a892384),
        ("williams?name=Circuit", 0x4ca1b58e19f0321f),
        ("williams?name=QCD", 0x03b540251367650b),
    ];
    let found = pins.map(|(uri, _)| (uri, fingerprint(&real(uri))));
    assert_eq!(found, pins);
}

#[test]
fn bits_do_not_depend_on_the_number_of_threads() {
    let uris = ["poisson3d?n=30", "random_spd?n=30000", "tetra?n=30", "williams?name=Economics"];
    let with = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    for uri in uris {
        assert_eq!(with(1).install(|| real(uri)), with(3).install(|| real(uri)), "{uri}");
    }
}

#[test]
fn uris_are_read_and_written() {
    let recipe = parse("gallery:poisson3d?stencil=7").unwrap();
    assert_eq!(recipe.to_string(), "gallery:poisson3d?n=64&stencil=7");
    assert_eq!((recipe.problem().name, recipe.text("n")), ("poisson3d", "64"));
    assert_eq!(real("poisson3d?n=3&stencil=7"), poisson3d(3, Stencil::Points7).unwrap());
    let Built::Complex(A) = build("gallery:shifted_laplace2d?n=4&k=3&beta=-0.5").unwrap() else { panic!("complex") };
    assert_eq!(A, shifted_laplace2d(4, 3.0, -0.5).unwrap());
    let wind = real("convection_diffusion2d?n=4&eps=1e-3&wind=-1,2");
    assert_eq!(wind, convection_diffusion2d(4, 1e-3, [-1.0, 2.0]).unwrap());
}

#[test]
fn every_problem_builds_with_its_defaults() {
    for problem in list() {
        assert!(!problem.description.is_empty() && problem.parameters.iter().all(|p| !p.description.is_empty()));
        let rows = match build(problem.name).unwrap() {
            Built::Real(A) => A.rows(),
            Built::Complex(A) => A.rows(),
        };
        assert!(rows >= 1000, "{}", problem.name);
    }
}

#[test]
fn wrong_names_are_answered_with_the_known_ones() {
    let message = |uri: &str| match build(uri) {
        Err(error @ Error::UnknownName { .. }) => error.to_string(),
        other => panic!("{uri}: {other:?}"),
    };
    assert!(message("gallery:poison3d").contains("poisson3d"));
    assert!(message("").contains("poisson3d"));
    assert!(message("poisson3d?m=3").contains("n, stencil"));
    assert!(message("williams?name=Heart4K").contains("Heart3K"));
}

#[test]
fn wrong_values_are_errors() {
    let wrong = [
        "poisson3d?n=0",
        "poisson3d?n=-1",
        "poisson3d?n=three",
        "poisson3d?n",
        "poisson3d?n=3&n=4",
        "poisson3d?stencil=9",
        "poisson2d?stencil=27",
        "poisson2d?stencil=6",
        "anisotropic2d?eps=0",
        "anisotropic3d?eps=nan",
        "convection_diffusion2d?eps=-1",
        "convection_diffusion2d?wind=1",
        "convection_diffusion2d?wind=1,2,3",
        "convection_diffusion3d?wind=1,x,3",
        "convection_diffusion3d?wind=1,2,inf",
        "shifted_laplace2d?k=-1",
        "shifted_laplace2d?beta=inf",
        "toeplitz?gamma=NaN",
        "random_spd?n=10&k=11",
        "random_spd?k=0",
        "random_spd?seed=-1",
        "tetra?order=rcm",
    ];
    for uri in wrong {
        assert!(matches!(build(uri), Err(Error::InvalidParameter { .. })), "{uri}: {:?}", build(uri).map(|_| ()));
    }
}

#[test]
fn absurd_sizes_are_errors() {
    for uri in ["poisson1d?n=18446744073709551615", "poisson2d?n=65536", "poisson3d?n=1626", "tetra?n=99999999999"] {
        assert!(matches!(build(uri), Err(Error::IndexOverflow { .. })), "{uri}");
    }
    assert!(matches!(build("random_spd?n=4294967296&k=2"), Err(Error::IndexOverflow { .. })));
    // Terabytes: countable, but more than any machine these tests run on has.
    for uri in ["poisson3d?n=1600", "tetra?n=1620", "random_spd?n=4000000000&k=1000"] {
        assert!(matches!(build(uri), Err(Error::OutOfMemory { .. })), "{uri}");
    }
}
