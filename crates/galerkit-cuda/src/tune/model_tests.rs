//! The model on hand-made distributions of row lengths.

use super::*;
use galerkit_linalg::sparse::Csr;

fn h200() -> Properties {
    Properties {
        ordinal: 0,
        name: "NVIDIA H200".into(),
        capability: (9, 0),
        memory: 139 << 30,
        l2: 60 << 20,
        sm_count: 132,
        shared: 227 << 10,
        driver: (13, 0),
    }
}

/// Rows of the given lengths, entries side by side around the diagonal.
fn matrix(lengths: &[usize]) -> Csr<f64> {
    let rows = lengths.len();
    let (mut start, mut col) = (vec![0u64], Vec::new());
    for (i, &length) in lengths.iter().enumerate() {
        let first = i.saturating_sub(length / 2).min(rows - length);
        col.extend((first..first + length).map(|j| j as u32));
        start.push(col.len() as u64);
    }
    let val = vec![1.0; col.len()];
    Csr::new(rows, rows, start, col, val).unwrap()
}

fn ranking(A: &Csr<f64>) -> Vec<(String, Prediction)> {
    let ranked = rank(&Statistics::of(A, galerkit_linalg::ScalarKind::F64), &h200());
    assert!(ranked.windows(2).all(|pair| pair[0].seconds <= pair[1].seconds));
    assert!(ranked.iter().all(|p| p.seconds.is_finite() && p.seconds >= LAUNCH && p.bytes >= 0.0));
    ranked.into_iter().map(|p| (p.candidate.to_string(), p)).collect()
}

fn of<'a>(ranked: &'a [(String, Prediction)], name: &str) -> &'a Prediction {
    &ranked.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("{name} was not ranked")).1
}

#[test]
fn uniform_rows_go_to_narrow_slices() {
    let ranked = ranking(&matrix(&[27; 400_000]));
    assert_eq!(ranked[0].0, "sell:32:1");
    let (narrow, wide, teams) = (of(&ranked, "sell:32:1"), of(&ranked, "sell:32:1 wide"), of(&ranked, "csr lanes 8"));
    assert_eq!(narrow.limit, Limit::Memory);
    assert_eq!(narrow.bytes, 27.0 * 400_000.0 * 10.125 + 8.0 * 12_500.0);
    assert!(narrow.seconds < wide.seconds && wide.seconds < teams.seconds);
    // The measured order of lanes on 27 entries a row: 8, 4, 2 or 16, 1.
    assert!(teams.seconds < of(&ranked, "csr lanes 4").seconds);
    assert!(of(&ranked, "csr lanes 4").seconds < of(&ranked, "csr lanes 16").seconds);
}

#[test]
fn the_speeds_that_were_measured() {
    for (lanes, terabytes) in [(1, 1.1), (2, 2.4), (4, 2.7), (8, 3.6), (16, 2.2)] {
        let predicted = 4.6 * team_efficiency(lanes, 27.0, 1.0);
        assert!((predicted / terabytes - 1.0).abs() < 0.06, "{lanes} lanes: {predicted} for {terabytes} TB/s");
    }
}

#[test]
fn a_power_law_goes_to_balanced_shared_or_split_rows() {
    let lengths: Vec<usize> = (0..500_000).map(|i| (20_000 / (i * 7919 % 500_000 + 1)).max(3)).collect();
    let ranked = ranking(&matrix(&lengths));
    let best = &ranked[0].0;
    assert!(best == "csr balanced" || best == "hyb" || best.starts_with("k2:32"), "{best}");
    let (sliced, latency) = (of(&ranked, "sell:32:1"), BATCH_LATENCY);
    assert_eq!((sliced.limit, sliced.seconds), (Limit::Latency, 20_000.0 / 4.0 * latency));
}

#[test]
fn a_few_dense_rows_go_to_balanced_hybrid_or_shared_rows() {
    let mut lengths = vec![7; 300_000];
    (0..5).for_each(|k| lengths[50_000 * k + 17] = 100_000);
    let best = &ranking(&matrix(&lengths))[0].0;
    assert!(best == "csr balanced" || best == "hyb" || best.starts_with("k2:32"), "{best}");
}

#[test]
fn full_blocks_go_to_blocks_or_slices() {
    let lengths = vec![81; 240_000];
    let aligned = {
        let A = matrix(&lengths);
        let col = (0..A.rows()).flat_map(|i| {
            let first = (i / 3 * 3).saturating_sub(39).min(A.rows() - 81);
            (first..first + 81).map(|j| j as u32)
        });
        Csr::new(A.rows(), A.cols(), A.start().to_vec(), col.collect(), A.val().to_vec()).unwrap()
    };
    let ranked = ranking(&aligned);
    assert!(["bsr:3", "bsr:6", "sell:32:1"].contains(&ranked[0].0.as_str()), "{}", ranked[0].0);
    assert!(of(&ranked, "bsr:3").bytes < of(&ranked, "sell:32:1").bytes, "one column for nine values");
}

#[test]
fn small_matrices_are_limited_by_the_launch() {
    let ranked = ranking(&matrix(&[5; 1000]));
    assert_eq!((ranked[0].1.limit, ranked[0].1.seconds), (Limit::Launch, LAUNCH));
    assert!(ranked[0].1.candidate.fuses());
    assert!(ranking(&Csr::new(0, 0, vec![0], Vec::new(), Vec::new()).unwrap())[0].1.seconds >= LAUNCH);
}

#[test]
fn uneven_rows_are_sorted_in_windows() {
    let lengths: Vec<usize> = (0..400_000).map(|i| 10 + i * 7919 % 41).collect();
    let best = &ranking(&matrix(&lengths))[0].0;
    assert!(best == "sell:32:256" || best == "sell:32:4096", "{best}");
}
