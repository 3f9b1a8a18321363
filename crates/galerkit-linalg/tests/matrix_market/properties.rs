//! Properties: what is written reads back to the same bits, and no bytes whatever make the reader panic.

use super::legal::gzip;
use galerkit_linalg::io::matrix_market::{
    AnyVector, Symmetry, parse, parse_vector, read_matrix, read_vector, write_matrix, write_vector,
};
use galerkit_linalg::sparse::{AnyCsr, Coo, Csr};
use galerkit_linalg::{Scalar, c32, c64};
use proptest::collection::vec;
use proptest::prelude::*;

/// Any double but NaN, whose payload is not text.
fn number() -> impl Strategy<Value = f64> {
    any::<u64>().prop_map(f64::from_bits).prop_filter("NaN", |v| !v.is_nan())
}

fn build<S: Scalar>(shape: (usize, usize), places: &[(usize, usize, f64, f64)]) -> Csr<S> {
    let triple = |&(i, j, re, im): &(usize, usize, f64, f64)| (i % shape.0, j % shape.1, S::from_parts(re, im));
    let mut triples: Vec<_> = places.iter().map(triple).collect();
    triples.sort_by_key(|t| (t.0, t.1));
    triples.dedup_by_key(|t| (t.0, t.1)); // sums of random bits may be NaN
    Coo::from_triples(shape.0, shape.1, &triples).unwrap().to_csr().0
}

fn bits<S: Scalar>(A: &Csr<S>) -> (usize, Vec<u64>, Vec<u32>, Vec<u8>) {
    (A.cols(), A.start().to_vec(), A.col().to_vec(), bytemuck::cast_slice(A.val()).to_vec())
}

fn round_trip<S: Scalar>(A: &Csr<S>, name: &str, symmetry: Symmetry) -> AnyCsr {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    write_matrix(&path, A, symmetry, &[]).unwrap();
    read_matrix(&path).unwrap().matrix
}

fn places() -> impl Strategy<Value = Vec<(usize, usize, f64, f64)>> {
    vec((0usize..40, 0usize..40, number(), number()), 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn matrices_survive(rows in 1usize..40, cols in 1usize..40, places in places(), packed: bool) {
        let name = if packed { "A.mtx.gz" } else { "A.mtx" };
        let A = build::<f64>((rows, cols), &places);
        let AnyCsr::Real(back) = round_trip(&A, name, Symmetry::General) else { panic!("real expected") };
        prop_assert_eq!(bits(&back), bits(&A));
        let A = build::<c64>((rows, cols), &places);
        let AnyCsr::Complex(back) = round_trip(&A, name, Symmetry::General) else { panic!("complex expected") };
        prop_assert_eq!(bits(&back), bits(&A));
    }

    #[test]
    fn single_precision_survives(places in places()) {
        let finite: Vec<_> = places.into_iter().filter(|p| (p.2 as f32).is_finite() && (p.3 as f32).is_finite()).collect();
        let A = build::<c32>((40, 40), &finite);
        let AnyCsr::Complex(back) = round_trip(&A, "A.mtx", Symmetry::General) else { panic!("complex expected") };
        prop_assert_eq!(bits(&back.map_values(|v| c32::new(v.re as f32, v.im as f32))), bits(&A));
    }

    #[test]
    fn triangles_survive(places in places()) {
        let both: Vec<_> = places.iter().flat_map(|&(i, j, re, _)| [(i, j, re, 0.0), (j, i, re, 0.0)]).collect();
        let mut lower: Vec<_> = both.into_iter().filter(|p| p.0 >= p.1).collect();
        lower.sort_by_key(|p| (p.0, p.1));
        lower.dedup_by_key(|p| (p.0, p.1));
        let full: Vec<_> = lower.iter().flat_map(|&(i, j, re, im)| [(i, j, re, im), (j, i, re, im)]).collect();
        let A = build::<f64>((40, 40), &full);
        let AnyCsr::Real(back) = round_trip(&A, "A.mtx", Symmetry::Symmetric) else { panic!("real expected") };
        prop_assert_eq!(bits(&back), bits(&A));
    }

    #[test]
    fn vectors_survive(x in vec(number(), 0..200)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.mtx");
        write_vector(&path, &x, &[]).unwrap();
        let AnyVector::Real(back) = read_vector(&path).unwrap() else { panic!("real expected") };
        prop_assert_eq!(back.iter().map(|v| v.to_bits()).collect::<Vec<_>>(), x.iter().map(|v| v.to_bits()).collect::<Vec<_>>());
    }

    #[test]
    fn any_order_of_integers_gives_what_triples_give(places in vec((0usize..9, 0usize..7, -50i32..50), 0..80)) {
        let lines: String = places.iter().map(|(i, j, v)| format!("{} {} {v}\n", i + 1, j + 1)).collect();
        let text = format!("%%MatrixMarket matrix coordinate integer general\n9 7 {}\n{lines}", places.len());
        let triples: Vec<_> = places.iter().map(|&(i, j, v)| (i, j, f64::from(v))).collect();
        let (expected, merged) = Coo::from_triples(9, 7, &triples).unwrap().to_csr();
        let file = parse(text.as_bytes(), "A").unwrap();
        prop_assert_eq!((file.matrix, file.duplicates), (AnyCsr::Real(expected), merged));
    }
}

/// Legal files to spoil.
const SEEDS: [&str; 6] = [
    "%%MatrixMarket matrix coordinate real general\n% c\n3 3 4\n1 1 1.5e3\n2 2 -2\n3 1 .5\n1 3 nan\n",
    "%%MatrixMarket matrix coordinate complex hermitian\n3 3 3\n1 1 1 0\n2 1 3 4\n3 2 5 -6e-300\n",
    "%%MatrixMarket matrix coordinate pattern symmetric\r\n3 3 2\r\n2 1\r\n3 3\r\n",
    "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n2 1 123456789012345678901\n3 1 -7\n",
    "%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n",
    "%%MatrixMarket matrix array complex general\n1 3\n1 2\n3 4\n5 6\n",
];

/// Bytes that matter to the format come more often than others.
fn byte() -> impl Strategy<Value = u8> {
    prop_oneof![prop::sample::select(b" \t\r\n%0123456789+-.eEdDnaif".to_vec()), any::<u8>()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn no_bytes_make_it_panic(
        seed in 0usize..6,
        changes in vec((any::<prop::sample::Index>(), 0u8..3, byte()), 1..8),
        packed in 0u8..4,
    ) {
        let mut bytes = if packed == 0 { gzip(SEEDS[seed]) } else { SEEDS[seed].as_bytes().to_vec() };
        for (place, change, byte) in changes {
            let place = place.index(bytes.len());
            match change {
                0 => bytes[place] = byte,
                1 => bytes.insert(place, byte),
                _ if bytes.len() > 1 => drop(bytes.remove(place)),
                _ => {}
            }
        }
        for message in [parse(&bytes, "x").map(drop), parse_vector(&bytes, "x").map(drop)].into_iter().filter_map(Result::err) {
            prop_assert!(message.to_string().starts_with("x:"), "{}", message);
        }
    }

    #[test]
    fn nor_do_random_lines(lines in vec("[-+0-9.eEdDnaif% \t]{0,20}", 0..20), seed in 0usize..6) {
        let banner = SEEDS[seed].lines().next().unwrap();
        let text = format!("{banner}\n{}", lines.join("\n"));
        let _ = (parse(text.as_bytes(), "x").is_ok(), parse_vector(text.as_bytes(), "x").is_ok());
    }
}
