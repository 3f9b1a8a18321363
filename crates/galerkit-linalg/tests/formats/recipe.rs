//! Formats as text, and the drawings in the module headers as numbers.

use galerkit_linalg::Error;
use galerkit_linalg::sparse::{Bsr, Coo, Csr, Ell, EllWarp, Format, Hyb, Sell, Variant};

/// The matrix all drawings show.
fn drawn() -> Csr<f64> {
    let triples = [
        (0, 0, 1.0),
        (0, 1, -2.0),
        (1, 1, 3.0),
        (1, 2, 1.0),
        (2, 0, 2.0),
        (2, 2, -5.0),
        (2, 3, 1.0),
        (3, 1, 2.0),
        (3, 3, 4.0),
    ];
    Coo::from_triples(4, 4, &triples).unwrap().to_csr().0
}

#[test]
fn the_drawing_of_ell() {
    let A = Ell::from_csr(&drawn()).unwrap();
    assert_eq!(A.val(), [1.0, 3.0, 2.0, 2.0, -2.0, 1.0, -5.0, 4.0, 0.0, 0.0, 1.0, 0.0]);
    assert_eq!(A.col(), [0, 1, 0, 1, 1, 2, 2, 3, 0, 0, 3, 0]);
    assert_eq!(A.len(), [2, 2, 3, 2]);
    assert_eq!((A.width(), A.slots(), A.nnz(), A.bytes()), (3, 12, 9, 12 * 12 + 16));
}

#[test]
fn the_drawing_of_bsr() {
    let A = Bsr::from_csr(&drawn(), 2).unwrap();
    assert_eq!(A.block_start(), [0, 2, 4]);
    assert_eq!(A.block_col(), [0, 1, 0, 1]);
    assert_eq!(A.val(), [1.0, -2.0, 0.0, 3.0, 0.0, 0.0, 1.0, 0.0, 2.0, 0.0, 0.0, 2.0, -5.0, 1.0, 0.0, 4.0]);
    assert_eq!(A.stored(), [0b1011_1001_0100_1011]);
    assert!(!A.is_full());
    assert!(Bsr::from_csr(&drawn(), 1).unwrap().is_full());
}

#[test]
fn the_drawing_of_sell() {
    let A = Sell::from_csr(&drawn(), 2, 4).unwrap();
    assert_eq!(A.row_order().unwrap().old(), [2, 0, 1, 3]);
    assert_eq!(A.slice_start(), [0, 6, 10]);
    assert_eq!(A.len(), [3, 2, 2, 2]);
    assert_eq!(A.val(), [2.0, 1.0, -5.0, -2.0, 1.0, 0.0, 3.0, 2.0, 1.0, 4.0]);
    assert_eq!(A.col(), [0, 0, 2, 1, 3, 0, 1, 1, 2, 3]);
    assert_eq!((A.slices(), A.width(0), A.width(1)), (2, 3, 2));
    assert!(Sell::from_csr(&drawn(), 2, 1).unwrap().row_order().is_none());
    assert_eq!(Sell::from_csr(&drawn(), 3, 1).unwrap().len(), [2, 2, 3, 2, 0, 0]);
}

#[test]
fn the_drawing_of_hyb() {
    let A = Hyb::from_csr(&drawn(), Some(2)).unwrap();
    assert_eq!(A.ell().val(), [1.0, 3.0, 2.0, 2.0, -2.0, 1.0, -5.0, 4.0]);
    assert_eq!(A.ell().len(), [2, 2, 2, 2]);
    assert_eq!((A.coo().row(), A.coo().col(), A.coo().val()), (&[2][..], &[3][..], &[1.0][..]));
    assert_eq!(A.slots(), 9);
}

#[test]
fn the_drawing_of_ell_warp() {
    let built = |variant| EllWarp::from_csr(&drawn(), variant, 2, 2).unwrap();
    assert_eq!(built(Variant::K1).val(), [2.0, 1.0, -5.0, -2.0, 1.0, 0.0, 3.0, 2.0, 1.0, 4.0]);
    assert_eq!(built(Variant::K1r).col(), [1, 1, 0, 2, 3, 0, 2, 2, 0, 3]);
    assert_eq!(built(Variant::K1rs).val(), [-5.0, 1.0, 2.0, -2.0, 1.0, 0.0, 1.0, 2.0, 3.0, 4.0]);
    assert_eq!(built(Variant::K1rs).col(), [0, 1, 1, 2, 3, 0, 0, 2, 2, 3]);
    let K2 = built(Variant::K2);
    assert_eq!((K2.warp_offset(), K2.max_rows()), (&[0, 4, 6, 10][..], &[2, 1, 2][..]));
    assert_eq!((K2.row_start(), K2.reduction()), (&[0, 1, 2][..], &[2, 2, 1][..]));
    assert_eq!(K2.val(), [2.0, -5.0, 1.0, 0.0, 1.0, -2.0, 3.0, 2.0, 1.0, 4.0]);
}

#[test]
fn names_are_read_and_written() {
    let read = |text: &str| text.parse::<Format>().unwrap();
    assert_eq!(read("csr"), Format::Csr);
    assert_eq!(read("bsr"), Format::Bsr { block: 4 });
    assert_eq!(read("ell-r"), Format::EllR);
    assert_eq!(read("sell"), Format::Sell { height: 8, sigma: 256 });
    assert_eq!(read("sell:4"), Format::Sell { height: 4, sigma: 256 });
    assert_eq!(read("hyb"), Format::Hyb { width: None });
    assert_eq!(read("hyb:5"), Format::Hyb { width: Some(5) });
    assert_eq!(read("k1rs:32"), read("k1rs"));
    assert_eq!(read("k2rs:8:3"), Format::EllWarp { variant: Variant::K2rs, warp: 8, threshold: 3 });
    assert_eq!(read("k2").to_string(), "k2:32:16");
    assert_eq!(Format::all().len(), 13);
    for format in Format::all().into_iter().chain(super::formats(3, 3)) {
        let again = read(&format.to_string());
        assert_eq!(again.to_string(), format.to_string());
        let forgets_threshold = matches!(format, Format::EllWarp { variant, .. } if !variant.splits());
        assert!(again == format || forgets_threshold, "{format}");
    }
}

#[test]
fn bad_names_are_explained() {
    let error = |text: &str| text.parse::<Format>().unwrap_err();
    assert!(error("crs").to_string().contains("'crs': known are coo, csr, bsr"));
    assert!(matches!(error(""), Error::UnknownName { what: "format", .. }));
    for text in
        ["csr:3", "sell:8:256:1", "k1:32:16", "bsr:", "bsr:x", "bsr:-1", "bsr:0", "sell:0", "sell:8:0", "k2:31", "k2:0"]
    {
        assert!(matches!(error(text), Error::InvalidParameter { .. }), "{text}");
    }
    assert!(matches!(error("k2:32:0"), Error::InvalidParameter { name: "the threshold", .. }));
}
