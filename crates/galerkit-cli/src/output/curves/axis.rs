//! What an axis spans, and its labels.

use std::ops::Range;

/// Labels of an axis that is not logarithmic, at most.
const LABELS: usize = 9;
/// Above and below values that an axis fits.
const MARGIN: f64 = 0.05;
/// Numbers from here to there are written out, others with an exponent.
const WRITTEN_OUT: Range<f64> = 1e-3..1e6;

/// An axis.
pub struct Axis {
    /// What it shows.
    pub name: &'static str,
    /// Whether by decades.
    pub logarithmic: bool,
    /// Whether it spans the values alone, though it goes upward: zero says nothing.
    fits: bool,
}

impl Axis {
    /// By decades, or with zero if it goes upward.
    pub const fn new(name: &'static str, logarithmic: bool) -> Self {
        Self { name, logarithmic, fits: false }
    }
    /// Of values whose differences count.
    pub const fn fitted(name: &'static str) -> Self {
        Self { name, logarithmic: false, fits: true }
    }

    /// Where a value stands, if it can be shown.
    pub(super) fn place(&self, value: f64) -> Option<f64> {
        let place = if self.logarithmic { value.log10() } else { value };
        place.is_finite().then_some(place)
    }

    /// What the axis spans: whole decades; or every value, if it goes upward with zero and a tenth more, or with a margin.
    pub(super) fn range(&self, values: impl Iterator<Item = f64>, upward: bool) -> Range<f64> {
        let with_zero = upward && !self.fits;
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        match (low > high, self.logarithmic) {
            (true, _) => 0.0..1.0,
            (_, true) => (low - 0.02).floor()..(high + 0.02).ceil(),
            (_, false) if with_zero && low == 0.0 && high == 0.0 => 0.0..1.0,
            (_, false) if with_zero => 1.1 * low.min(0.0)..1.1 * high.max(0.0),
            (_, false) if low == high => low - 0.1..high + 0.1,
            _ if upward => low - MARGIN * (high - low)..high + MARGIN * (high - low),
            _ => low..high,
        }
    }

    /// How many labels there may be.
    pub(super) fn labels(&self, range: &Range<f64>) -> usize {
        if self.logarithmic { (range.end - range.start) as usize + 1 } else { LABELS }
    }

    /// A label, with the digits that tell it from its neighbours.
    pub(super) fn label(&self, place: f64, range: &Range<f64>) -> String {
        if self.logarithmic {
            return format!("1e{place:.0}");
        }
        let decade = |value: f64| value.log10().floor() as i32;
        let apart = (range.end - range.start) / (LABELS + 1) as f64;
        let largest = range.start.abs().max(range.end.abs());
        if place.abs() < 0.1 * apart {
            "0".into()
        } else if WRITTEN_OUT.contains(&largest) {
            let digits = (1 - decade(apart)).max(0) as usize;
            trimmed(&format!("{place:.digits$}"))
        } else {
            let digits = (1 + decade(place.abs()) - decade(apart)).max(0) as usize;
            let text = format!("{place:.digits$e}");
            let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            format!("{}e{exponent}", trimmed(mantissa))
        }
    }
}

/// Without zeros at the end that say nothing.
fn trimmed(number: &str) -> String {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.').into() } else { number.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(logarithmic: bool) -> Axis {
        Axis::new("", logarithmic)
    }

    #[test]
    fn axes_span_whole_decades_or_begin_at_zero() {
        assert_eq!(axis(true).range([-2.5, 0.3].into_iter(), true), -3.0..1.0);
        assert_eq!(axis(false).range([2.0, 10.0].into_iter(), true), 0.0..11.0);
        assert_eq!(axis(false).range([0.2, 1.0].into_iter(), false), 0.2..1.0);
        assert_eq!(axis(true).label(-3.0, &(-3.0..1.0)), "1e-3");
        assert_eq!([2.5, 10.0].map(|x| axis(false).label(x, &(0.0..11.0))), ["2.5", "10"]);
    }

    #[test]
    fn axes_span_negative_values() {
        assert_eq!(axis(false).range([-2.0, 10.0].into_iter(), true), -2.2..11.0);
        assert_eq!(axis(false).range([-2.0, -1.0].into_iter(), true), -2.2..0.0);
        assert_eq!(axis(false).range([0.0].into_iter(), true), 0.0..1.0);
    }

    /// Levels of 70 to 90 dB lay in the upper part of an axis from 0.
    #[test]
    fn axes_fit_levels() {
        assert_eq!(Axis::fitted("dB").range([70.0, 90.0].into_iter(), true), 69.0..91.0);
        assert_eq!(Axis::fitted("dB").range([-30.0, -10.0].into_iter(), true), -31.0..-9.0);
        assert_eq!(Axis::fitted("dB").range([80.0].into_iter(), true), 79.9..80.1);
    }

    /// Three digits for everything made labels of 0.001, 0.001, 0.002.
    #[test]
    fn labels_next_to_each_other_differ() {
        for (scale, step) in [(1e-12, 2.0), (1e-7, 5.0), (1e-4, 5.0), (1e-3, 2.0), (1.0, 2.0), (3e4, 1.0), (1e9, 2.0)] {
            let range = -4.0 * step * scale..4.5 * step * scale;
            let labels: Vec<String> =
                (-4..=4).map(|k| axis(false).label(f64::from(k) * step * scale, &range)).collect();
            let mut distinct = labels.clone();
            distinct.dedup();
            assert_eq!(distinct, labels);
            for (k, label) in (-4..=4).zip(&labels) {
                let exact = f64::from(k) * step * scale;
                assert!((label.parse::<f64>().unwrap() - exact).abs() <= 1e-9 * scale, "{label}: {exact}");
            }
        }
    }
}
