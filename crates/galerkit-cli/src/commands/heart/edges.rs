//! Edges longer than the front is wide make it travel at a wrong speed, or not at all: what is to be expected of them.

use crate::plan::heart::{HeartPlan, SchemeChoice};
use galerkit::fem::cardiac::Tissue;
use galerkit::fem::cardiac::cell::Kind;
use galerkit::fem::cardiac::front::Front;

/// Edges over the width of the front, and the error of its speed in per cent with `strang` and with `newton`: measured
/// by `galerkit heart cv --dx H` with H = 1.8, 2, 2.5, 3.2, 4, 5, 6.4, 8 and 10 mm, steps of 0.25 ms.
const MEASURED: [[f64; 3]; 9] = [
    [1.002, -0.04, 3.9],
    [1.114, -0.06, 4.3],
    [1.392, -0.13, 5.9],
    [1.782, -0.32, 8.8],
    [2.227, -0.64, 13.1],
    [2.784, -1.10, 19.6],
    [3.563, -1.61, 28.1],
    [4.454, -2.34, 42.2],
    [5.568, -3.01, 57.8],
];

/// A warning, if edges are longer than the front is wide.
pub fn warning(plan: &HeartPlan, tissue: &Tissue) -> Option<String> {
    let Kind::AlievPanfilov(cell) = &plan.model.kind else { return None };
    let (edge, width) = (tissue.mean_edge(), Front::new(cell, plan.conductivity.iso).width);
    (edge > width).then(|| {
        let expected = match speed_error(&plan.scheme, edge / width) {
            Some(error) => {
                format!("expect an error of its speed of about {error:+.1} %, or more where edges are longer")
            }
            None => "what becomes of its speed cannot be told, and it may stop".into(),
        };
        format!("warning: edges are {edge:.2} mm on average, the front across fibres is {width:.2} mm wide: {expected}")
    })
}

/// The error in per cent where edges are so many widths of the front long; none beyond what was measured.
fn speed_error(scheme: &SchemeChoice, ratio: f64) -> Option<f64> {
    let column = match scheme {
        SchemeChoice::Strang(_) => 1,
        SchemeChoice::Newton(_) => 2,
    };
    let above = MEASURED.iter().position(|row| ratio <= row[0])?;
    let [low, high] = [above.saturating_sub(1), above].map(|k| MEASURED[k]);
    let share = if above == 0 { 0.0 } else { (ratio - low[0]) / (high[0] - low[0]) };
    Some(low[column] + share * (high[column] - low[column]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit::fem::cardiac::{newton, strang};

    /// It said 0.1, 0.2, 0.4 and 1.0 % for both schemes, and 22541521 % for a front without width.
    #[test]
    fn the_expected_error_of_the_speed_is_the_measured_one() {
        let strang = SchemeChoice::Strang(strang::Settings::default());
        let newton = SchemeChoice::Newton(newton::Settings::default());
        for (h, slow, fast) in [(2.0, -0.06, 4.3), (4.0, -0.64, 13.1), (5.0, -1.1, 19.6), (8.0, -2.3, 42.2)] {
            for (scheme, measured) in [(&strang, slow), (&newton, fast)] {
                let said = speed_error(scheme, h / 1.7961).unwrap();
                assert!((said - measured).abs() < 0.05, "{h} mm: {said} %, measured {measured} %");
            }
        }
        for scheme in [&strang, &newton] {
            let said: Vec<f64> = (10..=55).filter_map(|k| speed_error(scheme, 0.1 * f64::from(k))).collect();
            assert!(said.len() == 46 && said.windows(2).all(|pair| pair[0].abs() <= pair[1].abs()), "{said:?}");
            assert_eq!(speed_error(scheme, 5.6), None);
            assert_eq!(speed_error(scheme, 1e4), None);
        }
    }
}
