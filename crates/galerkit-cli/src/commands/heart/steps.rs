//! Long steps of backward Euler make fronts too fast: what is to be expected of them.

use crate::plan::heart::{HeartPlan, SchemeChoice};

/// Steps in ms and the error of a front's speed in per cent: measured by `galerkit heart cv --scheme newton --dx 0.5
/// --dt MS`.
const MEASURED: [[f64; 2]; 7] =
    [[0.25, 2.0], [0.5, 4.0], [1.0, 8.3], [1.5, 13.1], [2.0, 18.4], [3.0, 31.2], [4.0, 48.2]];
/// Steps that adapt grow no longer than this while a front travels: Newton's method takes four iterations then.
const ADAPTED: f64 = 2.4;
/// What is worth a warning, in per cent.
const MUCH: f64 = 3.5;

/// A warning, if the scheme's steps are long.
pub fn warning(plan: &HeartPlan) -> Option<String> {
    let SchemeChoice::Newton(settings) = &plan.scheme else { return None };
    let (longest, words) = match settings.adaptive {
        Some(longest) => (longest.min(ADAPTED), "--adaptive 0.25"),
        None => (settings.dt, "--dt 0.25"),
    };
    let error = speed_error(longest);
    let said =
        if longest > MEASURED[MEASURED.len() - 1][0] { "more than 48 %".into() } else { format!("about {error:.0} %") };
    (error > MUCH).then(|| {
        format!(
            "warning: steps of up to {longest} ms of backward Euler make fronts {said} too fast; {words} makes it 2 %, --scheme \
             strang less than 0.1 %"
        )
    })
}

/// The error in per cent for steps of so many ms.
fn speed_error(step: f64) -> f64 {
    let above = MEASURED.iter().position(|row| step <= row[0]).unwrap_or(MEASURED.len() - 1).max(1);
    let [low, high] = [MEASURED[above - 1], MEASURED[above]];
    low[1] + (step - low[0]) / (high[0] - low[0]) * (high[1] - low[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_those_that_were_measured_and_grow() {
        MEASURED.iter().for_each(|[step, error]| assert!((speed_error(*step) - error).abs() < 1e-12));
        let grown: Vec<f64> = (1..100).map(|k| speed_error(0.05 * f64::from(k))).collect();
        assert!(grown.windows(2).all(|pair| pair[0] < pair[1]) && speed_error(0.1) > 0.0, "{grown:?}");
    }
}
