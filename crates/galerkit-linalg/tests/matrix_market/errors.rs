//! Every way in which a file can be wrong: the line, what was expected and what was found.

use super::legal::gzip;
use galerkit_linalg::Error;
use galerkit_linalg::io::matrix_market::{parse, parse_vector, read_matrix, read_vector};

/// Reads text that must be wrong; `words` must occur in the message after the line number.
fn wrong(text: impl AsRef<[u8]>, line: usize, words: &[&str]) {
    for bytes in [text.as_ref().to_vec(), gzip(&String::from_utf8_lossy(text.as_ref()))] {
        let error = parse(&bytes, "bad.mtx").expect_err("must be refused");
        let message = error.to_string();
        let Error::Parse { line: found, .. } = error else { panic!("{message}") };
        assert_eq!(found, line, "{message}");
        assert!(message.starts_with(&format!("bad.mtx:{line}: expected ")), "{message}");
        words.iter().for_each(|word| assert!(message.contains(word), "'{word}' is not in: {message}"));
    }
}

fn real(body: &str, line: usize, words: &[&str]) {
    wrong(format!("%%MatrixMarket matrix coordinate real general\n{body}"), line, words);
}

#[test]
fn banner() {
    for text in ["", "\n", "1 1 1\n", "MatrixMarket matrix array real general\n", "%%%MatrixMarket matrix\n"] {
        wrong(text, 1, &["the banner '%%MatrixMarket"]);
    }
    wrong([0u8, 159, 146, 150, 0, 255], 1, &["banner"]);
    wrong("%%MatrixMarket vector array real general\n", 1, &["'matrix'", "found 'vector'"]);
    wrong("%%MatrixMarket\n", 1, &["'matrix'", "found nothing"]);
    wrong("%%MatrixMarket matrix list real general\n", 1, &["layout", "coordinate, array", "'list'"]);
    wrong("%%MatrixMarket matrix array quaternion general\n", 1, &["field", "real, complex", "'quaternion'"]);
    wrong("%%MatrixMarket matrix coordinate general\n", 1, &["field", "'general'"]);
    wrong("%%MatrixMarket matrix array real\n", 1, &["symmetry", "skew-symmetric", "nothing"]);
    wrong("%%MatrixMarket matrix array real general again\n", 1, &["end of the banner", "'again'"]);
}

#[test]
fn illegal_combinations() {
    wrong("%%MatrixMarket matrix array pattern general\n", 1, &["array files have no pattern"]);
    wrong("%%MatrixMarket matrix coordinate pattern skew-symmetric\n", 1, &["general or symmetric"]);
    for field in ["real", "integer", "pattern"] {
        wrong(format!("%%MatrixMarket matrix coordinate {field} hermitian\n"), 1, &["complex with hermitian"]);
    }
}

#[test]
fn size_line() {
    for size in ["", "% only a comment\n", "\n\n"] {
        let line = 2 + size.lines().count();
        real(size, line, &["'ROWS COLUMNS ENTRIES'", "end of the file"]);
    }
    for size in ["2 2\n", "2 2 2 2\n", "two by two\n"] {
        real(size, 2, &["'ROWS COLUMNS ENTRIES'"]);
    }
    for size in ["2.0 2 1", "-1 2 1", "4294967296 1 1", "1 99999999999999999999999 1"] {
        real(&format!("{size}\n"), 2, &["whole numbers up to 4294967295"]);
    }
    for size in ["1 1 -1", "1 1 x", "1 1 99999999999999999999999"] {
        real(&format!("{size}\n"), 2, &["whole number of entries"]);
    }
    wrong("%%MatrixMarket matrix array real general\n3 1 3\n", 2, &["'ROWS COLUMNS'", "'3 1 3'"]);
    for symmetry in ["symmetric", "skew-symmetric", "hermitian"] {
        let text = format!("%%MatrixMarket matrix array complex {symmetry}\n2 3\n");
        wrong(text, 2, &["square", symmetry]);
    }
}

#[test]
fn counts() {
    real("2 2 3\n1 1 1\n2 2 2\n", 4, &["3 entries", "only 2"]);
    real("2 2 3\n", 2, &["3 entries", "only 0"]);
    real("2 2 1\n\n1 1 1\n% comment\n\n2 2 2\n1 2 3\n", 7, &["1 entries", "one too many"]);
    real("2 2 18446744073709551615\n1 1 1\n", 3, &["only 1"]);
    wrong("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", 5, &["4 entries", "only 3"]);
    wrong("%%MatrixMarket matrix array real general\n1 1\n1\n2\n", 4, &["one too many"]);
    wrong("%%MatrixMarket matrix array real general\n4294967295 4294967295\n1\n", 3, &["only 1"]);
}

#[test]
fn sizes_beyond_reason_are_not_allocated() {
    real("4294967295 1 1\n1 1 1\n", 2, &["a size below 16777216", "4294967295"]);
    let text = "%%MatrixMarket matrix coordinate real general\n1 4294967295 1\n1 1 1\n";
    assert_eq!(parse(text.as_bytes(), "wide").unwrap().matrix.cols(), 4294967295, "columns cost nothing");
    let mut packed = gzip("%%MatrixMarket matrix coordinate real general\n9 9 1000000000\n1 1 1\n");
    let length = packed.len();
    packed[length - 4..].fill(0xff); // four gigabytes of text, it says
    assert!(parse(&packed, "boast").unwrap_err().to_string().contains("gzip data is damaged"));
    assert!(parse_vector(text.as_bytes(), "wide").unwrap_err().to_string().contains("a size below"));
}

#[test]
fn indices() {
    for body in ["0 1 5", "3 1 5", "-1 1 5", "+1 1 5", "1.0 1 5", "x 1 5", "4294967297 1 5", "99999999999999999999 1 5"]
    {
        real(&format!("2 3 1\n{body}\n"), 3, &["a row index from 1 to 2", "found '"]);
    }
    for body in ["1 0 5", "1 4 5", "1 1e0 5", "1 \u{b5} 5"] {
        real(&format!("2 3 1\n{body}\n"), 3, &["a column index from 1 to 3", "found '"]);
    }
    real("0 3 1\n1 1 5\n", 3, &["there are no rows"]);
}

#[test]
fn values() {
    for word in ["five", "1,5", "1.2.3", "1e", "0x1p3", "\u{ff11}", "1.0f"] {
        real(&format!("2 2 2\n1 1 1\n2 2 {word}\n"), 4, &["a real number", "found '"]);
    }
    real("2 2 1\n1 1\n", 3, &["a real number", "the end of the line"]);
    real("2 2 1\n1\n", 3, &["a column index", "the end of the line"]);
    real("2 2 1\n1 1 5 6\n", 3, &["the end of the line after 3 numbers", "'6'"]);
    let head = "%%MatrixMarket matrix coordinate";
    wrong(format!("{head} integer general\n1 1 1\n1 1 1.5\n"), 3, &["an integer", "'1.5'"]);
    wrong(format!("{head} pattern general\n1 1 1\n1 1 1\n"), 3, &["the end of the line after 2 numbers", "'1'"]);
    wrong(format!("{head} complex general\n1 1 1\n1 1 1\n"), 3, &["the imaginary part", "end of the line"]);
    wrong(format!("{head} complex general\n1 1 1\n1 1 1 i\n"), 3, &["the imaginary part", "'i'"]);
    wrong("%%MatrixMarket matrix array real general\n1 1\n1 2\n", 3, &["after 1 numbers", "'2'"]);
    wrong(b"%%MatrixMarket matrix array real general\n1 1\n\xff\xfe\n", 3, &["a real number"]);
}

#[test]
fn symmetry_of_the_entries() {
    let head = "%%MatrixMarket matrix coordinate";
    wrong(
        format!("{head} real symmetric\n2 2 2\n2 1 5\n1 2 6\n"),
        4,
        &["below the diagonal", "line 3", "row 2, column 1"],
    );
    wrong(
        format!("{head} real symmetric\n2 2 2\n1 2 5\n2 1 6\n"),
        4,
        &["above the diagonal", "line 3", "row 2, column 1"],
    );
    wrong(format!("{head} real skew-symmetric\n2 2 1\n2 2 5\n"), 3, &["zero on the diagonal", "found 5"]);
    wrong(format!("{head} complex hermitian\n2 2 1\n2 2 5 1\n"), 3, &["a real number on the diagonal", "5+1i"]);
    let array = "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n\n2 3\n4 1\n";
    wrong(array, 6, &["a real number on the diagonal", "4+1i"]);
}

#[test]
fn the_first_error_of_a_long_file_is_reported() {
    let mut lines = vec!["1 1 1.0000000000"; 200_000];
    lines[123_456] = "1 1 oops";
    lines[199_000] = "1 1 later";
    let text = format!("%%MatrixMarket matrix coordinate real general\n1 1 200000\n{}\n", lines.join("\n"));
    wrong(text, 2 + 123_457, &["'oops'"]);
}

/// A copy that is still under way, or broke off: every beginning of a file is refused, up to the last number, whose
/// digits nobody counts.
#[test]
fn files_that_end_early() {
    let coordinate =
        "%%MatrixMarket matrix coordinate real general\n% made by hand\n3 3 4\n1 1 2.5\n2 2 -1e3\n\n3 1 4\n3 3 0.125\n";
    let array = "%%MatrixMarket matrix array complex general\n2 1\n1 2.5\n-3 0.125\n";
    for text in [coordinate, array] {
        let last = text.len() - "0.125\n".len();
        for end in 0..=last {
            let error = parse(&text.as_bytes()[..end], "cut.mtx").expect_err(&text[..end]);
            assert!(matches!(error, Error::Parse { .. }), "{error}");
            assert!(error.to_string().starts_with("cut.mtx:"), "{error}");
        }
        assert!(parse(&text.as_bytes()[..text.len() - 1], "whole but for the end of its line").is_ok());
    }
}

#[test]
fn vectors() {
    let error = parse_vector(b"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n", "x.mtx").unwrap_err();
    assert_eq!(error.to_string(), "x.mtx:2: expected a vector, that is one row or one column, found 2 x 2");
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.mtx");
    for path in [missing.as_path(), folder.path()] {
        for error in [read_matrix(path).unwrap_err(), read_vector(path).unwrap_err()] {
            assert!(matches!(&error, Error::Io { path: named, .. } if named == path), "{error}");
        }
    }
}

#[test]
fn damaged_gzip() {
    let text: String = (0..40_000).map(|k| format!("1 1 {k}.{}\n", k * k)).collect();
    let whole = gzip(&format!("%%MatrixMarket matrix coordinate real general\n1 1 40000\n{text}"));
    assert!(parse(&whole, "whole").is_ok());
    let length = whole.len();
    let mut flipped = whole.clone();
    flipped[length / 2] ^= 0x55;
    let mut checksum = whole.clone();
    checksum[length - 6] ^= 1;
    let cut = |end: usize| whole[..end].to_vec();
    for bytes in [cut(length - 1), cut(length / 2), cut(30), cut(2), flipped, checksum] {
        let error = parse(&bytes, "bad.mtx.gz").unwrap_err();
        let message = error.to_string();
        assert!(matches!(error, Error::Io { .. }), "{message}");
        assert!(message.contains("gzip data is damaged or cut short"), "{message}");
    }
}
