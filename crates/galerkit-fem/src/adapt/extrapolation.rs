//! What is left of the error, from how P(v) = a(v, v) - 2 l(v) has fallen: P(u_h) - P(u) = |u - u_h|^2, whatever the
//! data, and spaces that contain each other make it smaller. Through the last three passes goes P = P(u) + C N^-alpha;
//! where errors fall faster than a power of N this is too much, not too little.
//!
//! The difference of two solutions on one mesh cannot tell that alone: at an edge, where u_{p+1} is hardly better than
//! u_p, it is below the error of both.

/// Errors are taken to fall like N^(-1/8) at least, squares like N^(-1/4): slower than at any corner or edge.
const SLOWEST: f64 = 0.25;
/// And like this power at most.
const FASTEST: f64 = 64.0;
/// Differences below this part of P are rounding.
const ROUNDING: f64 = 1e-12;
/// Passes do not gain evenly: at Fichera's corner what is found is 0.7 to 10 times what is left.
const SAFETY: f64 = 1.5;

/// A bound of the square of the error of the last pass, from unknowns and P of the last three; none where P did not fall.
pub fn remaining([first, second, third]: [(usize, f64); 3]) -> Option<f64> {
    let falls = [first.1 - second.1, second.1 - third.1];
    if falls.iter().any(|fall| *fall <= ROUNDING * third.1.abs()) || !(first.0 < second.0 && second.0 < third.0) {
        return None;
    }
    let steps = [first, second].map(|(unknowns, _)| (third.0 as f64 / unknowns as f64).ln());
    // P(N_k) - P(u) over P(N_3) - P(u) is e^(alpha ln(N_3/N_k))
    let ratio = |alpha: f64| ((alpha * steps[0]).exp() - (alpha * steps[1]).exp()) / (alpha * steps[1]).exp_m1();
    let (mut low, mut high) = (SLOWEST, FASTEST);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if ratio(middle) < falls[0] / falls[1] { low = middle } else { high = middle }
    }
    Some(SAFETY * falls[1] / (low * steps[1]).exp_m1())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(error: impl Fn(f64) -> f64) -> [(usize, f64); 3] {
        [100, 250, 700].map(|unknowns| (unknowns, error(unknowns as f64) - 3.0))
    }

    #[test]
    fn powers_are_found() {
        for alpha in [0.5, 1.0, 4.0 / 3.0, 3.0] {
            let error = |n: f64| 7.0 * n.powf(-alpha);
            let found = remaining(passes(error)).unwrap();
            assert!((found / (SAFETY * error(700.0)) - 1.0).abs() < 1e-4, "{alpha}: {found:e}");
        }
    }

    #[test]
    fn what_falls_faster_than_a_power_is_not_taken_for_less_than_it_is() {
        let error = |n: f64| (-n.cbrt()).exp();
        let found = remaining(passes(error)).unwrap();
        assert!(found > error(700.0) && found < 6.0 * error(700.0), "{found:e}");
    }

    #[test]
    fn nothing_is_said_where_nothing_fell() {
        assert_eq!(remaining([(10, -1.0), (20, -1.0), (40, -1.5)]), None);
        assert_eq!(remaining([(10, -1.0), (20, -1.5), (40, -1.5)]), None);
        assert_eq!(remaining([(10, -1.0), (20, -1.5), (20, -1.6)]), None);
        let hardly = remaining([(10, -1.0), (20, -1.001), (40, -1.1)]).unwrap(); // begins to fall: much may be left
        assert!(hardly > 0.1, "{hardly:e}");
    }
}
