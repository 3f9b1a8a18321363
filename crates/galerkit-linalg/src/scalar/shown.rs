//! Numbers in messages.

use super::Scalar;

/// A number as people read it: with an exponent where it is very large or very small.
///
/// ```
/// use galerkit_linalg::{c64, scalar::shown};
///
/// assert_eq!([shown(0.25), shown(-1e240), shown(1e-30f32)], ["0.25", "-1e240", "1e-30"]);
/// assert_eq!(shown(c64::new(1e-200, -2.0)), "1e-200-2e0i");
/// ```
pub fn shown<S: Scalar>(value: S) -> String {
    let (re, im) = value.parts();
    let is_plain = |part: f64| part == 0.0 || !part.is_finite() || (1e-5..1e9).contains(&part.abs());
    if is_plain(re) && is_plain(im) {
        return value.to_string();
    }
    let part = |part: f64| match S::eps() > 1e-10 {
        true => format!("{:e}", part as f32),
        false => format!("{part:e}"),
    };
    let sign = if im < 0.0 { "" } else { "+" };
    if im == 0.0 { part(re) } else { format!("{}{sign}{}i", part(re), part(im)) }
}
