//! The conversion as the kernels of convert.cu do it, transcribed line by line, against the conversion on the host.

use galerkit_linalg::sparse::{Csr, EllWarp, Variant};
use galerkit_testkit::{problems, strategies};
use proptest::prelude::*;

const PAD: u32 = u32::MAX;

#[derive(Debug, Default, PartialEq)]
struct Arrays {
    order: Vec<u32>,
    row_start: Vec<u32>,
    reduction: Vec<u32>,
    offset: Vec<u64>,
    col: Vec<u32>,
    slot_of: Vec<u64>,
}

/// `each_warp` of convert.cu: (row, lanes, slots of a lane).
fn each_warp(length: &[u32], warp: usize, threshold: u64, group: usize) -> Vec<(usize, u32, u64)> {
    let (W, first, mut warps) = (warp as u32, group * warp, Vec::new());
    let (mut done, mut part) = (0u32, W);
    while done < W && first + (done as usize) < length.len() {
        let lanes = W / part;
        let slots = (length[first + done as usize] as u64).div_ceil(lanes as u64);
        if slots <= threshold || part == 1 {
            warps.push((first + done as usize, lanes, slots));
            done += part;
            part = done & done.wrapping_neg();
        } else {
            part /= 2;
        }
    }
    warps
}

/// `most`: rows of more entries are sorted as pairs.
fn emulate(A: &Csr<f64>, variant: Variant, warp: usize, threshold: usize, most: usize) -> Arrays {
    let rows = A.rows();
    let threshold = if variant.splits() { threshold as u64 } else { u32::MAX as u64 };
    let longest = A.longest_row();
    let mut item: Vec<usize> = (0..rows).collect();
    item.sort_by_key(|&i| longest - A.row_length(i)); // stable, as the passes of sort.rs are
    let mut position = vec![0u32; rows];
    item.iter().enumerate().for_each(|(s, &i)| position[i] = s as u32);
    let length: Vec<u32> = item.iter().map(|&i| A.row_length(i) as u32).collect();

    let mut out = Arrays { order: item.iter().map(|&i| i as u32).collect(), offset: vec![0], ..Arrays::default() };
    let mut warp_of = vec![0usize; rows];
    for (s, lanes, slots) in (0..rows.div_ceil(warp)).flat_map(|g| each_warp(&length, warp, threshold, g)) {
        let end = (s + warp / lanes as usize).min(rows);
        warp_of[s..end].fill(out.row_start.len());
        out.row_start.push(s as u32);
        out.reduction.push(lanes);
        out.offset.push(out.offset[out.offset.len() - 1] + slots * warp as u64);
    }
    let slot = |out: &Arrays, s: usize, e: usize| {
        let w = warp_of[s];
        let (lanes, shift) = (out.reduction[w] as usize, out.reduction[w].trailing_zeros());
        let first = out.offset[w] as usize + (s - out.row_start[w] as usize) * lanes;
        first + (e >> shift) * warp + (e & (lanes - 1))
    };
    out.col = vec![PAD; out.offset[out.offset.len() - 1] as usize];
    out.slot_of = vec![u64::MAX; A.nnz()];
    let renumber = |j: u32| if variant.renumbers() { position[j as usize] } else { j };
    let columns: Vec<u32> = A.col().iter().map(|&j| renumber(j)).collect();
    let mut put = |s: usize, e: usize, k: usize| {
        let to = slot(&out, s, e);
        assert_eq!(std::mem::replace(&mut out.col[to], columns[k]), PAD, "slot {to} is taken");
        out.slot_of[k] = to as u64;
    };
    let mut pairs = Vec::new();
    for i in 0..rows {
        let (range, s) = (A.range(i), position[i] as usize);
        for k in range.clone() {
            if !variant.sorts() {
                put(s, k - range.start, k);
            } else if range.len() <= most {
                put(s, columns[range.clone()].iter().filter(|&&c| c < columns[k]).count(), k);
            } else {
                pairs.push(((s as u64) << 32 | columns[k] as u64, k));
            }
        }
    }
    pairs.sort_by_key(|pair| pair.0);
    let mut first = 0;
    for (p, &(key, k)) in pairs.iter().enumerate() {
        if p > 0 && pairs[p - 1].0 >> 32 != key >> 32 {
            first = p;
        }
        put((key >> 32) as usize, p - first, k);
    }
    out
}

fn host(A: &Csr<f64>, variant: Variant, warp: usize, threshold: usize) -> Arrays {
    let host = EllWarp::from_csr(A, variant, warp, threshold).unwrap();
    let slot_of = host.slot_of(A).unwrap();
    let mut col = vec![PAD; host.slots()];
    slot_of.iter().for_each(|&slot| col[slot as usize] = host.col()[slot as usize]);
    Arrays {
        order: host.row_order().old().into(),
        row_start: host.row_start().into(),
        reduction: host.reduction().into(),
        offset: host.warp_offset().into(),
        col,
        slot_of,
    }
}

fn check(A: &Csr<f64>) {
    for variant in Variant::ALL.into_iter().filter(|variant| A.rows() == A.cols() || !variant.renumbers()) {
        for (warp, threshold, most) in [(1, 1, 3), (2, 2, 0), (4, 2, 512), (4, 1, 3), (8, 3, 2), (32, 1, 1), (32, 9, 5)]
        {
            let found = emulate(A, variant, warp, threshold, most);
            assert_eq!(found, host(A, variant, warp, threshold), "{}:{warp}:{threshold}", variant.name());
        }
    }
}

#[test]
fn the_worked_example() {
    let rows: [&[f64]; 7] = [
        &[4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        &[7.0, 8.0, 0.0, 9.0, 10.0, 2.0, 0.0],
        &[0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0],
        &[0.0, 0.0, 0.0, 6.0, 0.0, 0.0, 0.0],
        &[0.0, 1.0, 0.0, 2.0, 5.0, 0.0, 3.0],
        &[0.0, 0.0, 0.0, 0.0, 0.0, 9.0, 0.0],
        &[2.0, 0.0, 0.0, 0.0, 4.0, 0.0, 8.0],
    ];
    let A = problems::dense(&rows);
    let found = emulate(&A, Variant::K2, 4, 2, 512);
    assert_eq!(found.order, [1, 4, 6, 2, 0, 3, 5]);
    assert_eq!((found.offset, found.reduction), (vec![0, 8, 12, 20, 24], vec![4, 4, 2, 1]));
    assert_eq!(found.row_start, [0, 1, 2, 4]);
    check(&A);
}

proptest! {
    #![proptest_config(strategies::config(48))]
    #[test]
    fn any_matrix_as_on_the_host(A in strategies::matrix::<f64>(70)) {
        check(&A);
    }

    #[test]
    fn any_square_matrix_as_on_the_host(A in strategies::square::<f64>(70)) {
        check(&A);
    }
}
