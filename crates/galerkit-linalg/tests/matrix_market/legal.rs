//! Small files with numbers that can be checked by hand.

use super::{complex, dense, read, real};
use flate2::Compression;
use flate2::write::GzEncoder;
use galerkit_linalg::c64;
use galerkit_linalg::io::matrix_market::{AnyVector, Field, Layout, Symmetry, parse, parse_vector};
use galerkit_linalg::sparse::AnyCsr;
use std::io::Write;

pub fn gzip(text: &str) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(text.as_bytes()).unwrap();
    packed.finish().unwrap()
}

#[test]
fn coordinate_real_general_in_any_order() {
    let file = read("%%MatrixMarket matrix coordinate real general\n2 3 4\n2 3 -4\n1 1 1.5\n2 1 2e1\n1 2 0\n");
    assert_eq!(real(&file), [[Some(1.5), Some(0.0), None], [Some(20.0), None, Some(-4.0)]]);
    assert_eq!((file.header.layout, file.header.field), (Layout::Coordinate, Field::Real));
    assert_eq!((file.header.symmetry, file.header.stored), (Symmetry::General, 4));
    assert_eq!((file.duplicates, file.explicit_zeros()), (0, 1));
}

#[test]
fn comments_blank_lines_cases_and_carriage_returns() {
    let text = "%%matrixMARKET Matrix COORDINATE Real GENERAL\r\n%one\r\n\r\n  % two  \r\n  2\t2 2 \r\n\r\n 1  1\t7 \r\n\
                % three\r\n2 2 8\r\n\r\n";
    let file = read(text);
    assert_eq!(dense(&file), [[7.0, 0.0], [0.0, 8.0]]);
    assert_eq!(file.header.comments, ["one", "two"]);
}

#[test]
fn last_line_without_end_and_banner_with_one_percent_sign() {
    assert_eq!(dense(&read("%MatrixMarket matrix array real general\n2 1\n3\n4")), [[3.0], [4.0]]);
}

#[test]
fn coordinate_symmetries() {
    let lines = "2 2 2\n1 1 3\n2 1 5\n";
    let symmetric = read(&format!("%%MatrixMarket matrix coordinate integer symmetric\n{lines}"));
    assert_eq!(real(&symmetric), [[Some(3.0), Some(5.0)], [Some(5.0), None]]);
    let skew = read("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 3\n2 1 5\n3 1 -1\n3 3 0\n");
    assert_eq!(dense(&skew), [[0.0, -5.0, 1.0], [5.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]);
    let pattern = read("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 2\n2 1\n");
    assert_eq!(real(&pattern), [[None, Some(1.0)], [Some(1.0), Some(1.0)]]);
    let upper = read("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 2 5\n");
    assert_eq!(dense(&upper), [[0.0, 5.0], [-5.0, 0.0]]);
}

#[test]
fn coordinate_complex() {
    let z = |re, im| Some(c64::new(re, im));
    let hermitian = read("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 2 0\n2 1 3 4\n");
    assert_eq!(complex(&hermitian), [[z(2.0, 0.0), z(3.0, -4.0)], [z(3.0, 4.0), None]]);
    let symmetric = read("%%MatrixMarket matrix coordinate complex symmetric\n2 2 1\n2 1 3 4\n");
    assert_eq!(complex(&symmetric), [[None, z(3.0, 4.0)], [z(3.0, 4.0), None]]);
    let skew = read("%%MatrixMarket matrix coordinate complex skew-symmetric\n2 2 1\n2 1 3 4\n");
    assert_eq!(complex(&skew), [[None, z(-3.0, -4.0)], [z(3.0, 4.0), None]]);
}

#[test]
fn arrays_hold_every_entry() {
    let general = read("%%MatrixMarket matrix array integer general\n2 3\n1\n2\n0\n4\n5\n6\n");
    assert_eq!(real(&general), [[Some(1.0), Some(0.0), Some(5.0)], [Some(2.0), Some(4.0), Some(6.0)]]);
    let symmetric = read("%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n4\n3\n5\n6\n");
    assert_eq!(dense(&symmetric), [[1.0, 2.0, 4.0], [2.0, 3.0, 5.0], [4.0, 5.0, 6.0]]);
    let skew = read("%%MatrixMarket matrix array real skew-symmetric\n3 3\n2\n4\n5\n");
    assert_eq!(dense(&skew), [[0.0, -2.0, -4.0], [2.0, 0.0, -5.0], [4.0, 5.0, 0.0]]);
    assert_eq!(skew.matrix.nnz(), 9);
    let z = |re, im| Some(c64::new(re, im));
    let hermitian = read("%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n");
    assert_eq!(complex(&hermitian), [[z(1.0, 0.0), z(2.0, -3.0)], [z(2.0, 3.0), z(4.0, 0.0)]]);
}

#[test]
fn duplicates_are_summed_and_counted() {
    let file =
        read("%%MatrixMarket matrix coordinate real general\n3 2 6\n3 1 1\n1 2 4\n3 1 10\n1 1 7\n3 1 100\n3 2 9\n");
    assert_eq!(real(&file), [[Some(7.0), Some(4.0)], [None, None], [Some(111.0), Some(9.0)]]);
    assert_eq!(file.duplicates, 2);
    let order = read("%%MatrixMarket matrix coordinate real general\n1 1 3\n1 1 1e300\n1 1 -1e300\n1 1 1\n");
    assert_eq!((dense(&order), order.duplicates), (vec![vec![1.0]], 2), "summed in the order of the file");
}

#[test]
fn numbers_of_all_sorts() {
    let text =
        "%%MatrixMarket matrix array real general\n9 1\n1.5D+03\n-2d-1\nnan\nInf\n-Infinity\n.5\n3.\n+7\n1e999\n";
    let AnyVector::Real(x) = parse_vector(text.as_bytes(), "x").unwrap() else { panic!("real expected") };
    assert_eq!(x[..2], [1500.0, -0.2]);
    assert!(x[2].is_nan());
    assert_eq!(x[3..], [f64::INFINITY, f64::NEG_INFINITY, 0.5, 3.0, 7.0, f64::INFINITY]);
    let big = read("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 123456789012345678901234567890\n");
    assert_eq!(dense(&big), [[123456789012345678901234567890.0]]);
}

#[test]
fn empty_matrices() {
    for (rows, cols) in [(0, 0), (0, 3), (3, 0), (2, 2)] {
        let file = read(&format!("%%MatrixMarket matrix coordinate real general\n{rows} {cols} 0\n"));
        assert_eq!((file.matrix.rows(), file.matrix.cols(), file.matrix.nnz()), (rows, cols, 0));
    }
    for (rows, cols) in [(0, 0), (0, 3), (3, 0)] {
        let file = read(&format!("%%MatrixMarket matrix array real general\n{rows} {cols}\n"));
        assert_eq!((file.matrix.rows(), file.matrix.cols(), file.matrix.nnz()), (rows, cols, 0));
    }
    assert_eq!(dense(&read("%%MatrixMarket matrix array real skew-symmetric\n1 1\n")), [[0.0]]);
}

#[test]
fn vectors() {
    let expected = AnyVector::Real(vec![0.0, 5.0, 0.0]);
    for text in ["array real general\n3 1\n0\n5\n0\n", "array real general\n1 3\n0\n5\n0\n"] {
        assert_eq!(parse_vector(format!("%%MatrixMarket matrix {text}").as_bytes(), "x").unwrap(), expected);
    }
    for text in ["coordinate real general\n3 1 1\n2 1 5\n", "coordinate integer general\n1 3 2\n1 2 2\n1 2 3\n"] {
        assert_eq!(parse_vector(format!("%%MatrixMarket matrix {text}").as_bytes(), "x").unwrap(), expected);
    }
    let complex = parse_vector(b"%%MatrixMarket matrix array complex general\n1 1\n3 -4\n", "x").unwrap();
    assert_eq!(complex, AnyVector::Complex(vec![c64::new(3.0, -4.0)]));
    for size in ["0 1", "1 0"] {
        let text = format!("%%MatrixMarket matrix array real general\n{size}\n");
        assert!(parse_vector(text.as_bytes(), "x").unwrap().is_empty());
    }
}

#[test]
fn gzip_by_content_and_in_several_members() {
    let mut packed = gzip("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1");
    packed.extend(gzip("5\n2 2 8\n"));
    assert_eq!(dense(&parse(&packed, "no-suffix").unwrap()), [[15.0, 0.0], [0.0, 8.0]]);
}

#[test]
fn many_blocks_on_any_number_of_threads() {
    // 150 000 lines are several blocks; rows come back to front, with blank lines, and every fifth entry twice.
    let n = 50_000u32;
    let mut body = String::new();
    let mut count = 0;
    for i in (1..=n).rev() {
        for (j, v) in [(i, 2.0), (n + 1 - i, 0.25)].into_iter().chain((i % 5 == 0).then_some((i, 1.0))) {
            body += &format!("{i} {j} {v:.17}\n");
            count += 1;
        }
        if i % 1000 == 0 {
            body += "\n";
        }
    }
    let text = format!("%%MatrixMarket matrix coordinate real general\n{n} {n} {count}\n{body}");
    let read_with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| read(&text))
    };
    let one = read_with(1);
    assert_eq!((one.matrix.nnz(), one.duplicates), (2 * n as usize, n as usize / 5));
    let AnyCsr::Real(A) = &one.matrix else { panic!("real expected") };
    for i in 0..n as usize {
        let diagonal = if (i + 1) % 5 == 0 { 3.0 } else { 2.0 };
        assert_eq!((A.get(i, i), A.get(i, n as usize - 1 - i)), (Some(diagonal), Some(0.25)));
    }
    for threads in [2, 7] {
        assert_eq!(read_with(threads).matrix, one.matrix);
    }
}

/// The format asks for one triangle; some write both, or half of the entries on each side.
#[test]
fn symmetric_files_with_both_triangles_are_read_where_they_agree() {
    let text = |symmetry: &str, lines: &str| {
        let count = lines.matches('\n').count();
        format!("%%MatrixMarket matrix coordinate real {symmetry}\n3 3 {count}\n{lines}")
    };
    let full = [[Some(4.0), Some(1.0), None], [Some(1.0), Some(5.0), Some(2.0)], [None, Some(2.0), None]];
    let agree = read(&text("symmetric", "1 1 4\n2 1 1\n1 2 1\n2 2 5\n2 3 2\n3 2 2\n"));
    let apart = read(&text("symmetric", "1 1 4\n2 1 1\n2 2 5\n2 3 2\n"));
    let mixed = read(&text("symmetric", "1 1 4\n2 1 1\n1 2 1\n2 2 5\n2 3 2\n"));
    for file in [agree, apart, mixed] {
        assert_eq!(real(&file), full);
        assert!(file.has_both_triangles && file.duplicates == 0);
    }
    assert!(!read(&text("symmetric", "1 1 4\n2 1 1\n")).has_both_triangles);
    let skew = read(&text("skew-symmetric", "2 1 3\n1 2 -3\n"));
    assert_eq!(real(&skew)[0], [None, Some(-3.0), None]);
    let twice = read(&text("symmetric", "1 1 4\n1 1 1\n2 1 1\n1 2 1\n"));
    assert_eq!((real(&twice)[0][..2].to_vec(), twice.duplicates), (vec![Some(5.0), Some(1.0)], 1));
    let said = parse(text("symmetric", "1 1 4\n2 1 1\n1 2 9\n").as_bytes(), "x").unwrap_err().to_string();
    assert!(said.contains("or the same on both sides") && said.contains("row 2, column 1"), "{said}");
}
