//! The problems that algebraic multigrid is compared by, each with the levels that it must have: rows, entries, rounds
//! of both sets and the checksum of the aggregates, level by level.

use crate::data_file;
use crate::problems::from_triples;
use galerkit_linalg::gallery::{GridMatrix, Stencil, anisotropic2d, poisson2d, poisson3d};
use galerkit_linalg::io::matrix_market;
use galerkit_linalg::multigrid::amg::{Levels, hash::hash, vectors::rigid_body_modes};
use galerkit_linalg::sparse::{AnyCsr, Csr};
use galerkit_linalg::{Scalar, krylov::norm};

/// Name, levels, iterations of CG to 1e-8 with smoothed aggregation. Without p3 100, which takes longer than tests may.
pub const LEVELS: [(&str, &str, usize); 13] = [
    ("p2 64", "4096 20224 8 450630622e075661 | 585 5947 11 98cd26cae31267a9 | 74 1016", 10),
    (
        "p2 256",
        "65536 326656 10 b99cf471f96952e5 | 9211 98189 14 3762a4da37d5283e | 1116 18026 11 9acd9899b1a2e838 | 134 2164",
        12,
    ),
    ("p3 32", "32768 223232 19 bdb6236703ebb186 | 3987 124705 18 978fbe84a6fd4ab8 | 246 13966", 9),
    (
        "p3 64",
        "262144 1810432 23 771aeb4f5a899f97 | 31965 1070709 23 ddf0d69155cbda62 | 1758 131906 15 a478287f16c1de2d | 164 10130",
        10,
    ),
    ("p27 32", "32768 830584 23 373084b649b30a0b | 1472 74212 17 52f958f25a726304 | 114 5870", 8),
    (
        "an 128",
        "16384 81408 8 796fb01bd68d048c | 4560 38502 7 d0e0a90d75b21829 | 1302 11566 11 516d9da02a294f45 | 183 2151",
        12,
    ),
    ("rot 128", "16384 145924 14 a9fcb57a6ab49c8a | 2098 29706 13 89100b44a474a045 | 323 5255", 22),
    ("jump2", "16384 81408 8 8af9c35fd7cd7c72 | 2514 27344 11 6501075cec86d127 | 349 4943", 11),
    ("jump3", "32768 223232 19 2e23ee039cd459e2 | 4186 131962 14 6af02749cff9fe9f | 497 25789", 9),
    ("ani4", "3081 20971 13 ec8cc642068c3e69 | 600 6576 10 d8a8fc06fbf73246 | 120 1936", 37),
    ("lsc_F_2", "5890 82582 14 8c4c1a4b112f07b8 | 607 14403 10 24f94edeef58ca50 | 79 1069", 12),
    ("1138_bus", "1138 4054 6 6335b98b1dbe7843 | 342 2828", 16),
    ("bcsstk16", "4884 290378 22 f3385b0601a2164f | 323 21535", 51),
];

/// The one that takes longer than tests may.
pub const MILLION: (&str, &str, usize) = (
    "p3 100",
    "1000000 6940000 24 81bf36c16d60c6be | 121570 4167626 24 7649f974a8e53c7c | 6483 538509 20 5a16c320f55b7250 | 518 40708 14 be7332a2aa7f8665 | 72 4020",
    11,
);

/// The levels as [`LEVELS`] writes them.
pub fn line<S: Scalar>(levels: &Levels<S>) -> String {
    let sizes = levels.sizes();
    let level = |l: usize| {
        let (rows, nnz) = sizes[l];
        match levels.levels.get(l) {
            Some(level) => {
                format!("{rows} {nnz} {} {:016x}", level.aggregates.rounds, level.aggregates.checksum())
            }
            None => format!("{rows} {nnz}"),
        }
    };
    (0..sizes.len()).map(level).collect::<Vec<_>>().join(" | ")
}

/// A problem by its name; none where its file is absent.
pub fn problem(name: &str) -> Option<Csr<f64>> {
    let (kind, size) = name.split_once(' ').unwrap_or((name, "0"));
    let n: usize = size.parse().expect("a size");
    let made = match kind {
        "p2" => poisson2d(n, Stencil::Points5),
        "p3" => poisson3d(n, Stencil::Points7),
        "p27" => poisson3d(n, Stencil::Points27),
        "an" => anisotropic2d(n, 0.01),
        "rot" => rotated(n),
        "jump2" => Ok(jump(2, 128, 8, 1e4)),
        "jump3" => Ok(jump(3, 32, 4, 1e4)),
        "ani4" | "lsc_F_2" | "fasp_FE" | "ldg_diffusion" | "lsc_Qu_2" => return read(&format!("fem_systems/{kind}")),
        "chaste" => return read("fem_systems/chaste_bidomain_cube6000"),
        _ => return read(&format!("suitesparse/{kind}")),
    };
    Some(made.expect("a problem of the gallery"))
}

/// A matrix of the data folder.
pub fn read(name: &str) -> Option<Csr<f64>> {
    let path = data_file(&format!("{name}.mtx.gz"))?;
    match matrix_market::read_matrix(&path).expect("a matrix").matrix {
        AnyCsr::Real(A) => Some(A),
        AnyCsr::Complex(_) => panic!("{name} is not real"),
    }
}

fn rotated(n: usize) -> galerkit_linalg::Result<Csr<f64>> {
    let rows = [[-2.495, -1.01, 0.475], [-1.01, 8.08, -1.01], [0.475, -1.01, -2.495]];
    let point = |k: usize| ([k as i64 % 3 - 1, k as i64 / 3 - 1, 0], rows[k / 3][k % 3]);
    GridMatrix::new([n, n, 1], (0..9).map(point).collect())?.to_csr()
}

/// Cells with kappa = k where the sum over axes of floor(x m/n) is odd, else 1; faces harmonic, boundary faces 2 kappa.
pub fn jump(dimensions: usize, n: usize, m: usize, k: f64) -> Csr<f64> {
    let kappa = |place: &[usize]| if place.iter().map(|x| x * m / n).sum::<usize>() % 2 == 1 { k } else { 1.0 };
    let place = |mut i: usize| {
        let mut place = vec![0; dimensions];
        place.iter_mut().for_each(|x| (*x, i) = (i % n, i / n));
        place
    };
    let mut triples = Vec::new();
    for i in 0..n.pow(dimensions as u32) {
        let (here, mut diagonal) = (place(i), 0.0);
        for axis in (0..dimensions).rev() {
            let (own, step, mut boundary) = (kappa(&here), n.pow(axis as u32), 0.0);
            for ahead in [true, false] {
                let is_inside = if ahead { here[axis] + 1 < n } else { here[axis] > 0 };
                if !is_inside {
                    boundary += 2.0 * own;
                    continue;
                }
                let j = if ahead { i + step } else { i - step };
                let other = kappa(&place(j));
                let face = 2.0 * own * other / (own + other);
                diagonal += face;
                triples.push((i, j, -face));
            }
            diagonal += boundary;
        }
        triples.push((i, i, diagonal));
    }
    from_triples(n.pow(dimensions as u32), n.pow(dimensions as u32), &triples)
}

/// Plane strain on squares with E = 1e5 and nu = 0.3, n x n free nodes inside of a fixed boundary; and its rigid body
/// modes.
pub fn elasticity(n: usize) -> (Csr<f64>, Vec<Vec<f64>>) {
    let (young, nu) = (1e5, 0.3);
    let (lambda, mu) = (young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), young / (2.0 * (1.0 + nu)));
    let corner = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let point = 1.0 / 3f64.sqrt();
    let mut k = [[0.0; 8]; 8];
    for at in corner.map(|c| [c[0] * point, c[1] * point]) {
        let slope = |a: usize, d: usize| corner[a][d] * (1.0 + corner[a][1 - d] * at[1 - d]) / 2.0;
        for (row, column) in (0..64).map(|entry| (entry / 8, entry % 8)) {
            let ((a, i), (b, j)) = ((row / 2, row % 2), (column / 2, column % 2));
            let both = if i == j { slope(a, 0) * slope(b, 0) + slope(a, 1) * slope(b, 1) } else { 0.0 };
            let energy = lambda * slope(a, i) * slope(b, j) + mu * (slope(a, j) * slope(b, i) + both);
            k[row][column] += energy / 4.0;
        }
    }
    let free = |x: usize, y: usize| ((1..=n).contains(&x) && (1..=n).contains(&y)).then(|| (y - 1) * n + x - 1);
    let mut triples = Vec::new();
    for (x, y) in (0..(n + 1) * (n + 1)).map(|cell| (cell % (n + 1), cell / (n + 1))) {
        let nodes = [free(x, y), free(x + 1, y), free(x + 1, y + 1), free(x, y + 1)];
        for (row, column) in (0..64).map(|entry| (entry / 8, entry % 8)) {
            if let (Some(p), Some(q)) = (nodes[row / 2], nodes[column / 2]) {
                triples.push((2 * p + row % 2, 2 * q + column % 2, k[row][column]));
            }
        }
    }
    let points: Vec<Vec<f64>> = (0..n * n).map(|p| vec![(p % n) as f64, (p / n) as f64]).collect();
    (from_triples(2 * n * n, 2 * n * n, &triples), rigid_body_modes(&points))
}

/// b_i = (h(i) >> 11)/2^52 - 1
pub fn rhs<S: Scalar>(rows: usize) -> Vec<S> {
    (0..rows as u64).map(|i| S::from_f64((hash(i) >> 11) as f64 / (1u64 << 52) as f64 - 1.0)).collect()
}

/// ||b - A x|| by ||b||.
pub fn residual<S: Scalar>(A: &Csr<S>, x: &[S], b: &[S]) -> f64 {
    let product = crate::problems::product(A, x);
    let r: Vec<S> = b.iter().zip(product).map(|(&b, y)| b - y).collect();
    norm(&r) / norm(b)
}
