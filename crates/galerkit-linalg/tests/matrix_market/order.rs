//! The order of the lines changes nothing: by rows, by columns or at random, whole or one triangle, over many blocks.

use super::legal::gzip;
use galerkit_linalg::io::matrix_market::{File, Symmetry, parse, read_matrix};
use galerkit_linalg::sparse::{AnyCsr, Coo};
use galerkit_linalg::{Scalar, c64};
use proptest::prelude::*;

type Triple<S> = (usize, usize, S);

/// About 60 000 entries, so that the text is several blocks; empty rows and columns, rows of every length up to 40.
fn band(n: usize, keep: impl Fn(usize, usize) -> bool) -> Vec<Triple<c64>> {
    let value = |i: usize, j: usize| c64::new((3 * i + j) as f64 - 900.0, if i == j { 0.0 } else { i as f64 });
    let row = |i: usize| (0..n).filter(move |&j| i % 7 != 3 && j % 11 != 5 && (i * i + 5 * j) % 97 < i % 41);
    (0..n)
        .flat_map(|i| row(i).map(move |j| (i, j)))
        .filter(|&(i, j)| keep(i, j))
        .map(|(i, j)| (i, j, value(i, j)))
        .collect()
}

fn text<S: Scalar>(n: usize, symmetry: Symmetry, triples: &[Triple<S>]) -> String {
    let field = if S::KIND.is_complex() { "complex" } else { "real" };
    let banner = format!("%%MatrixMarket matrix coordinate {field} {}", symmetry.name());
    let mut text = format!("{banner}\n{n} {n} {}\n", triples.len());
    for &(i, j, v) in triples {
        let (re, im) = v.parts();
        text += &if S::KIND.is_complex() {
            format!("{} {} {re} {im}\n", i + 1, j + 1)
        } else {
            format!("{} {} {re}\n", i + 1, j + 1)
        };
    }
    text
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Reads the triples by rows, by columns, at random and nearly by rows; all must give `expected`.
fn check<S: Scalar>(n: usize, symmetry: Symmetry, triples: &[Triple<S>], expected: &AnyCsr) {
    let (mut by_columns, mut scattered) = (triples.to_vec(), triples.to_vec());
    by_columns.sort_by_key(|t| (t.1, t.0));
    scattered.sort_by_key(|t| (t.0 * 7919 + t.1 * 104_729) % 65_537);
    let mut nearly = triples.to_vec();
    nearly.rotate_left(1); // the first entry comes last
    for (name, order) in [("rows", triples), ("columns", &by_columns), ("scattered", &scattered), ("nearly", &nearly)] {
        let text = text(n, symmetry, order);
        assert!(text.len() > 3 << 18, "{} bytes are too few blocks", text.len());
        for threads in [1, 2, 5] {
            let file = with_threads(threads, || parse(text.as_bytes(), name).unwrap());
            assert!(file.matrix == *expected && file.duplicates == 0, "{} {name} {threads}", symmetry.name());
        }
        assert!(parse(&gzip(&text), name).unwrap().matrix == *expected, "{} {name} packed", symmetry.name());
    }
}

#[test]
fn general() {
    let n = 1_000;
    let triples = band(n, |_, _| true);
    let expected = AnyCsr::Complex(Coo::from_triples(n, n, &triples).unwrap().to_csr().0);
    check(n, Symmetry::General, &triples, &expected);
    let real: Vec<Triple<f64>> = triples.iter().map(|&(i, j, v)| (i, j, v.re)).collect();
    let expected = AnyCsr::Real(Coo::from_triples(n, n, &real).unwrap().to_csr().0);
    check(n, Symmetry::General, &real, &expected);
}

#[test]
fn triangles() {
    let n = 1_400;
    for symmetry in [Symmetry::Symmetric, Symmetry::SkewSymmetric, Symmetry::Hermitian] {
        for lower in [true, false] {
            let diagonal = symmetry != Symmetry::SkewSymmetric;
            let triples = band(n, |i, j| if i == j { diagonal } else { (i > j) == lower });
            let image = |v: c64| match symmetry {
                Symmetry::SkewSymmetric => -v,
                Symmetry::Hermitian => v.conj(),
                _ => v,
            };
            let mut full = triples.clone();
            full.extend(triples.iter().filter(|t| t.0 != t.1).map(|&(i, j, v)| (j, i, image(v))));
            let expected = AnyCsr::Complex(Coo::from_triples(n, n, &full).unwrap().to_csr().0);
            check(n, symmetry, &triples, &expected);
        }
    }
}

#[test]
fn zeros_on_the_diagonal_keep_their_sign() {
    for lines in ["1 1 5 0\n2 1 0 -0\n2 2 -0 0\n", "2 1 0 -0\n2 2 -0 0\n1 1 5 0\n"] {
        let text = format!("%%MatrixMarket matrix coordinate complex hermitian\n2 2 3\n{lines}");
        let AnyCsr::Complex(A) = parse(text.as_bytes(), "x").unwrap().matrix else { panic!("complex expected") };
        let bits = |i, j| A.get(i, j).map(|v: c64| [v.re.to_bits(), v.im.to_bits()]).unwrap();
        let (plus, minus) = (0f64.to_bits(), (-0f64).to_bits());
        assert_eq!([bits(1, 1), bits(1, 0), bits(0, 1)], [[minus, plus], [plus, minus], [plus, plus]]);
        assert_eq!(bits(0, 0), [5f64.to_bits(), plus]);
    }
}

/// 100 000 lines by rows, with changes.
fn long(stated: usize, change: impl FnOnce(&mut Vec<String>)) -> galerkit_linalg::Result<File> {
    let mut lines: Vec<String> = (1..=100_000).map(|i| format!("{i} {i} 5")).collect();
    change(&mut lines);
    let text =
        format!("%%MatrixMarket matrix coordinate integer general\n100000 100000 {stated}\n{}\n", lines.join("\n"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.mtx");
    std::fs::write(&path, text).unwrap();
    read_matrix(&path)
}

#[test]
fn what_comes_late_in_an_ordered_file() {
    let diagonal = |file: &File| match &file.matrix {
        AnyCsr::Real(A) => (0..A.rows()).all(|i| A.get(i, i) == Some(5.0)) && A.nnz() == 100_000,
        AnyCsr::Complex(_) => false,
    };
    assert!(diagonal(&long(100_000, |_| ()).unwrap()));
    let skipped = |lines: &mut Vec<String>| {
        lines.insert(99_990, "% comment".into());
        lines.insert(70_000, "  \t\r".into());
        lines[60_000] += " \r";
        lines[50_000] = " 50001\t  50001   +5".into();
    };
    assert!(diagonal(&long(100_000, skipped).unwrap()));
    let twice = long(100_001, |lines| lines.push("100000 100000 7".into())).unwrap();
    assert_eq!((twice.duplicates, twice.matrix.nnz()), (1, 100_000));
    let swapped = long(100_000, |lines| lines.swap(99_998, 99_999)).unwrap();
    assert!(diagonal(&swapped));
}

#[test]
fn errors_late_in_an_ordered_file() {
    let message = |result: galerkit_linalg::Result<File>| result.unwrap_err().to_string();
    let at = |line: usize, words: &str, found: String| {
        assert!(found.contains(&format!("long.mtx:{line}: ")) && found.contains(words), "{found}");
    };
    at(100_003, "one too many", message(long(100_000, |lines| lines.push("100000 100000 7".into()))));
    at(100_002, "only 100000", message(long(100_001, |_| ())));
    at(100_003, "a row index", message(long(100_000, |lines| lines.push("the end".into()))));
    at(100_002, "an integer", message(long(100_000, |lines| lines[99_999] = "100000 100000 5.5".into())));
    at(90_003, "a column index", message(long(100_000, |lines| lines[90_000] = "90001 100001 5".into())));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn by_rows_or_by_columns(places in prop::collection::btree_map((0usize..9, 0usize..7), -50i32..50, 0..40)) {
        let triples: Vec<_> = places.iter().map(|(&(i, j), &v)| (i, j, f64::from(v))).collect();
        let expected = AnyCsr::Real(Coo::from_triples(9, 7, &triples).unwrap().to_csr().0);
        let mut by_columns = triples.clone();
        by_columns.sort_by_key(|t| (t.1, t.0));
        for order in [&triples, &by_columns] {
            let lines: String = order.iter().map(|(i, j, v)| format!("{} {} {v}\n", i + 1, j + 1)).collect();
            let text = format!("%%MatrixMarket matrix coordinate real general\n9 7 {}\n{lines}", order.len());
            prop_assert_eq!(&parse(text.as_bytes(), "x").unwrap().matrix, &expected);
        }
    }
}
