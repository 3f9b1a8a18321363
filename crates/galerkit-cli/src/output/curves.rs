//! Several curves in one chart, as SVG, on linear or logarithmic axes, each point marked unless they are many.

mod axis;

pub use axis::Axis;

use anyhow::{Result, anyhow};
use plotters::coord::{Shift, types::RangedCoordf64};
use plotters::prelude::*;

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
/// Of points, in pixels; more of them on a curve than this are not marked: they would hide it.
const RADIUS: i32 = 4;
const MARKED: usize = 60;

/// The chart as SVG text.
pub fn draw(curves: &Curves) -> Result<String> {
    let mut svg = String::new();
    draw_into(&mut svg, curves).map_err(|problem| anyhow!("the chart cannot be drawn: {problem}"))?;
    Ok(svg)
}

type Drawn = std::result::Result<(), Box<dyn std::error::Error>>;
type Root<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

fn draw_into(svg: &mut String, curves: &Curves) -> Drawn {
    let placed: Vec<Vec<(f64, f64)>> = curves.series.iter().map(|series| visible(series, curves)).collect();
    let x = curves.x.range(placed.iter().flatten().map(|point| point.0), false);
    let y = curves.y.range(placed.iter().flatten().map(|point| point.1), true);
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    heads(&root, curves)?;
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
        .x_label_formatter(&|place| curves.x.label(*place, &x))
        .y_label_formatter(&|place| curves.y.label(*place, &y))
        .label_style(("sans-serif", 13).into_font().color(&INK))
        .axis_desc_style(("sans-serif", 14).into_font().color(&INK))
        .draw()?;
    if !curves.y.logarithmic && y.contains(&0.0) && y.start < 0.0 {
        chart.draw_series(LineSeries::new([(x.start, 0.0), (x.end, 0.0)], INK.mix(0.6)))?;
    }
    placed.into_iter().enumerate().try_for_each(|(i, points)| curve(&mut chart, i, points))?;
    root.present()?;
    Ok(())
}

/// Titles and legend.
fn heads(root: &Root, curves: &Curves) -> Drawn {
    root.draw(&Text::new(curves.title.clone(), (24, 16), ("sans-serif", 20).into_font().color(&INK)))?;
    root.draw(&Text::new(curves.subtitle.clone(), (24, 44), ("sans-serif", 14).into_font().color(&INK.mix(0.7))))?;
    for (i, series) in curves.series.iter().enumerate() {
        let (left, top) = (24 + (i % LEGEND_COLUMNS) as i32 * LEGEND.0, 70 + (i / LEGEND_COLUMNS) as i32 * LEGEND.1);
        let middle = top + 6;
        for [from, to] in if is_dashed(i) { [[0, 6], [18, 24]] } else { [[0, 12], [12, 24]] } {
            root.draw(&PathElement::new([(left + from, middle), (left + to, middle)], colour(i).stroke_width(2)))?;
        }
        root.draw(&Circle::new((left + 12, middle), RADIUS, mark(i)))?;
        root.draw(&Text::new(series.name.clone(), (left + 32, top), ("sans-serif", 13).into_font().color(&INK)))?;
    }
    Ok(())
}

/// A line, and its points as far as they can be told apart.
fn curve(chart: &mut Chart, i: usize, points: Vec<(f64, f64)>) -> Drawn {
    let style = colour(i).stroke_width(2);
    if is_dashed(i) {
        chart.draw_series(DashedLineSeries::new(points.clone(), 6, 4, style))?;
    } else {
        chart.draw_series(LineSeries::new(points.clone(), style))?;
    }
    if points.len() <= MARKED {
        chart.draw_series(points.into_iter().map(|point| Circle::new(point, RADIUS, mark(i))))?;
    }
    Ok(())
}

fn colour(i: usize) -> RGBColor {
    COLOURS[i % COLOURS.len()]
}

/// A second round through the colours is dashed, with hollow points.
fn is_dashed(i: usize) -> bool {
    i / COLOURS.len() % 2 == 1
}

fn mark(i: usize) -> ShapeStyle {
    if is_dashed(i) { colour(i).stroke_width(2) } else { colour(i).filled() }
}

fn visible(series: &Series, curves: &Curves) -> Vec<(f64, f64)> {
    series.points.iter().filter_map(|&(x, y)| Some((curves.x.place(x)?, curves.y.place(y)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curves(points: Vec<(f64, f64)>, logarithmic: bool) -> Curves {
        let axis = |name| Axis::new(name, logarithmic);
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

    /// A curve that went below zero lay flat on the axis.
    #[test]
    fn what_is_negative_is_drawn_below_zero() {
        let svg = draw(&curves(vec![(0.0, 0.0), (1.0, -1.0), (2.0, 2.0)], false)).unwrap();
        let heights: Vec<f64> =
            svg.split("<circle").skip(2).filter_map(|circle| number_after(circle, "cy=\"")).collect();
        let [zero, below, above] = [0, 1, 2].map(|k| heights[k]);
        assert!(below > zero + 20.0 && above < zero - 20.0, "{heights:?}");
    }

    #[test]
    fn twelve_curves_are_told_apart() {
        let styles: Vec<_> = (0..12).map(|i| (colour(i), is_dashed(i))).collect();
        assert!(styles.iter().enumerate().all(|(i, style)| !styles[..i].contains(style)));
    }

    fn number_after(text: &str, key: &str) -> Option<f64> {
        text.split_once(key)?.1.split('"').next()?.parse().ok()
    }
}
