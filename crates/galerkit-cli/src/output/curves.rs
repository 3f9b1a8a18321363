//! Several curves in one chart, as SVG, on linear or logarithmic axes, each point marked.

use anyhow::{Result, anyhow};
use plotters::prelude::*;
use std::ops::Range;

/// An axis.
pub struct Axis {
    /// What it shows.
    pub name: &'static str,
    /// Whether by decades.
    pub logarithmic: bool,
}

/// A curve.
pub struct Series {
    /// What it is.
    pub name: String,
    /// Its points, from left to right; what is not finite, or not positive where decades count, is left out.
    pub points: Vec<(f64, f64)>,
}

/// What is drawn.
pub struct Curves {
    /// The title.
    pub title: String,
    /// The line below it.
    pub subtitle: String,
    /// To the right.
    pub x: Axis,
    /// Upward.
    pub y: Axis,
    /// The curves.
    pub series: Vec<Series>,
}

const SIZE: (u32, u32) = (860, 560);
const INK: RGBColor = RGBColor(40, 40, 40);
const FAINT: RGBColor = RGBColor(226, 226, 226);
/// Colours that people of every kind of sight tell apart (Okabe and Ito 2008).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];
/// Entries in a line of the legend, and pixels a line and an entry take.
const LEGEND_COLUMNS: usize = 3;
const LEGEND: (i32, i32) = (270, 20);

/// The chart as SVG text.
pub fn draw(curves: &Curves) -> Result<String> {
    let mut svg = String::new();
    draw_into(&mut svg, curves).map_err(|problem| anyhow!("the chart cannot be drawn: {problem}"))?;
    Ok(svg)
}

impl Axis {
    /// Where a value stands, if it can be shown.
    fn place(&self, value: f64) -> Option<f64> {
        let place = if self.logarithmic { value.log10() } else { value };
        place.is_finite().then_some(place)
    }

    /// What the axis spans: whole decades, or from zero if it goes upward.
    fn range(&self, values: impl Iterator<Item = f64>, from_zero: bool) -> Range<f64> {
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        match (low > high, self.logarithmic) {
            (true, _) => 0.0..1.0,
            (_, true) => (low - 0.02).floor()..(high + 0.02).ceil(),
            (_, false) if from_zero => 0.0..1.1 * high.max(f64::MIN_POSITIVE),
            (_, false) if low == high => low - 0.1..high + 0.1,
            _ => low..high,
        }
    }

    fn labels(&self, range: &Range<f64>) -> usize {
        if self.logarithmic { (range.end - range.start) as usize + 1 } else { 9 }
    }

    fn label(&self, place: f64) -> String {
        if self.logarithmic {
            return format!("1e{place:.0}");
        }
        let text = format!("{place:.3}");
        text.trim_end_matches('0').trim_end_matches('.').into()
    }
}

fn draw_into(svg: &mut String, curves: &Curves) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let placed: Vec<Vec<(f64, f64)>> = curves.series.iter().map(|series| visible(series, curves)).collect();
    let x = curves.x.range(placed.iter().flatten().map(|point| point.0), false);
    let y = curves.y.range(placed.iter().flatten().map(|point| point.1), true);
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    root.draw(&Text::new(curves.title.clone(), (24, 16), ("sans-serif", 20).into_font().color(&INK)))?;
    root.draw(&Text::new(curves.subtitle.clone(), (24, 44), ("sans-serif", 14).into_font().color(&INK.mix(0.7))))?;
    for (i, series) in curves.series.iter().enumerate() {
        let (left, top) = (24 + (i % LEGEND_COLUMNS) as i32 * LEGEND.0, 70 + (i / LEGEND_COLUMNS) as i32 * LEGEND.1);
        root.draw(&Circle::new((left + 5, top + 6), 5, colour(i).filled()))?;
        root.draw(&Text::new(series.name.clone(), (left + 16, top), ("sans-serif", 13).into_font().color(&INK)))?;
    }
    let legend = curves.series.len().div_ceil(LEGEND_COLUMNS) as i32 * LEGEND.1;
    let mut chart = ChartBuilder::on(&root)
        .margin_top(80 + legend)
        .margin_right(28)
        .margin_bottom(12)
        .margin_left(12)
        .x_label_area_size(46)
        .y_label_area_size(72)
        .build_cartesian_2d(x.clone(), y.clone())?;
    chart
        .configure_mesh()
        .bold_line_style(FAINT)
        .light_line_style(TRANSPARENT)
        .axis_style(INK.mix(0.6))
        .x_desc(curves.x.name)
        .y_desc(curves.y.name)
        .x_labels(curves.x.labels(&x))
        .y_labels(curves.y.labels(&y))
        .x_label_formatter(&|place| curves.x.label(*place))
        .y_label_formatter(&|place| curves.y.label(*place))
        .label_style(("sans-serif", 13).into_font().color(&INK))
        .axis_desc_style(("sans-serif", 14).into_font().color(&INK))
        .draw()?;
    for (i, points) in placed.into_iter().enumerate() {
        chart.draw_series(LineSeries::new(points.clone(), colour(i).stroke_width(2)))?;
        chart.draw_series(points.into_iter().map(|point| Circle::new(point, 4, colour(i).filled())))?;
    }
    root.present()?;
    Ok(())
}

fn colour(i: usize) -> RGBColor {
    COLOURS[i % COLOURS.len()]
}

fn visible(series: &Series, curves: &Curves) -> Vec<(f64, f64)> {
    series.points.iter().filter_map(|&(x, y)| Some((curves.x.place(x)?, curves.y.place(y)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curves(points: Vec<(f64, f64)>, logarithmic: bool) -> Curves {
        let axis = |name| Axis { name, logarithmic };
        let series = vec![Series { name: "first".into(), points }];
        Curves { title: "t".into(), subtitle: "s".into(), x: axis("right"), y: axis("up"), series }
    }

    #[test]
    fn every_visible_point_is_marked() {
        let points = vec![(1e-3, 2.0), (1e-2, f64::NAN), (1e-1, 0.0), (1.0, 5.0)];
        for (logarithmic, visible) in [(true, 2), (false, 3)] {
            let svg = draw(&curves(points.clone(), logarithmic)).unwrap();
            assert_eq!(svg.matches("<circle").count(), visible + 1, "and the legend");
            for word in ["right", "up", "first"] {
                assert!(svg.contains(word), "{word}");
            }
        }
    }

    #[test]
    fn nothing_and_a_single_point_can_be_drawn() {
        for points in [vec![], vec![(1.0, 1.0)], vec![(0.5, f64::INFINITY)]] {
            for logarithmic in [false, true] {
                assert!(draw(&curves(points.clone(), logarithmic)).unwrap().trim_end().ends_with("</svg>"));
            }
        }
    }

    #[test]
    fn axes_span_whole_decades_or_begin_at_zero() {
        let axis = |logarithmic| Axis { name: "", logarithmic };
        assert_eq!(axis(true).range([-2.5, 0.3].into_iter(), true), -3.0..1.0);
        assert_eq!(axis(false).range([2.0, 10.0].into_iter(), true), 0.0..11.0);
        assert_eq!(axis(false).range([0.2, 1.0].into_iter(), false), 0.2..1.0);
        assert_eq!([axis(true).label(-3.0), axis(false).label(2.5), axis(false).label(10.0)], ["1e-3", "2.5", "10"]);
    }
}
