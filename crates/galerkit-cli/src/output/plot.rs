//! Residuals of iterations, as SVG: logarithmic, one curve a method, with the tolerance as a dashed line.

use anyhow::{Result, anyhow};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// One method.
pub struct Curve<'a> {
    /// Its name in the legend.
    pub name: String,
    /// Relative residuals, the first before the first iteration.
    pub history: &'a [f64],
    /// How far an iteration leads along the axis.
    pub step: usize,
    /// The relative residual computed anew from the final x.
    pub true_residual: f64,
}

impl Curve<'_> {
    /// Where it ends.
    fn end(&self) -> f64 {
        (self.history.len().saturating_sub(1) * self.step) as f64
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        let points = self.history.iter().enumerate().map(|(i, &r)| ((i * self.step) as f64, r));
        points.filter(|&(_, r)| r.is_finite() && r > 0.0)
    }
}

/// What is drawn.
pub struct Residuals<'a> {
    /// The matrix, and the method if there is one only.
    pub title: String,
    /// How it went, in one line.
    pub subtitle: String,
    /// What is counted from left to right.
    pub axis: &'static str,
    /// The methods; several have a legend.
    pub curves: Vec<Curve<'a>>,
    /// The relative tolerance.
    pub tolerance: f64,
}

type Failure = Box<dyn std::error::Error>;
type Axes<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, LogCoord<f64>>>;

const SIZE: (u32, u32) = (860, 520);
/// Pixels to the right of the axes that a legend takes.
const LEGEND: u32 = 150;
const LIMIT: RGBColor = RGBColor(192, 57, 43);
const INK: RGBColor = RGBColor(40, 40, 40);
const FAINT: RGBColor = RGBColor(226, 226, 226);
const COLOURS: [RGBColor; 10] = [
    RGBColor(31, 94, 168),
    RGBColor(217, 110, 17),
    RGBColor(44, 140, 60),
    RGBColor(130, 80, 170),
    RGBColor(140, 86, 75),
    RGBColor(214, 90, 170),
    RGBColor(110, 110, 110),
    RGBColor(160, 160, 20),
    RGBColor(20, 160, 180),
    RGBColor(10, 50, 90),
];

/// The plot as SVG text.
pub fn draw(residuals: &Residuals<'_>) -> Result<String> {
    let mut svg = String::new();
    draw_into(&mut svg, residuals).map_err(|problem| anyhow!("the residual plot cannot be drawn: {problem}"))?;
    Ok(svg)
}

fn draw_into(svg: &mut String, residuals: &Residuals<'_>) -> std::result::Result<(), Failure> {
    let (low, high) = decades(residuals);
    let last = residuals.curves.iter().map(Curve::end).fold(1.0, f64::max);
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    root.draw(&Text::new(residuals.title.clone(), (24, 16), ("sans-serif", 20).into_font().color(&INK)))?;
    root.draw(&Text::new(residuals.subtitle.clone(), (24, 44), ("sans-serif", 14).into_font().color(&INK.mix(0.7))))?;
    let mut chart = ChartBuilder::on(&root)
        .margin_top(76)
        .margin_right(if residuals.curves.len() > 1 { LEGEND } else { 28 })
        .margin_bottom(12)
        .margin_left(12)
        .x_label_area_size(46)
        .y_label_area_size(72)
        .build_cartesian_2d(0.0..last, (10f64.powi(low)..10f64.powi(high)).log_scale())?;
    chart
        .configure_mesh()
        .bold_line_style(FAINT)
        .light_line_style(TRANSPARENT)
        .axis_style(INK.mix(0.6))
        .x_desc(residuals.axis)
        .y_desc("relative residual")
        .x_labels(9)
        .y_labels((high - low + 1).clamp(2, 14) as usize)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| format!("1e{:.0}", y.log10()))
        .label_style(("sans-serif", 13).into_font().color(&INK))
        .axis_desc_style(("sans-serif", 14).into_font().color(&INK))
        .draw()?;
    draw_tolerance(&mut chart, residuals.tolerance, last)?;
    for (curve, colour) in residuals.curves.iter().zip(COLOURS.iter().cycle()) {
        chart.draw_series(LineSeries::new(curve.points(), colour.stroke_width(2)))?;
        if curve.true_residual > 0.0 && curve.true_residual.is_finite() {
            chart.draw_series([Circle::new((curve.end(), curve.true_residual), 4, colour.filled())])?;
        }
    }
    if residuals.curves.len() > 1 {
        for (place, (curve, colour)) in residuals.curves.iter().zip(COLOURS.iter().cycle()).enumerate() {
            let (x, y) = ((SIZE.0 - LEGEND) as i32 + 14, 84 + 20 * place as i32);
            root.draw(&Rectangle::new([(x, y + 4), (x + 16, y + 7)], colour.filled()))?;
            root.draw(&Text::new(curve.name.clone(), (x + 22, y), ("sans-serif", 13).into_font().color(&INK)))?;
        }
    }
    root.present()?;
    Ok(())
}

fn draw_tolerance(chart: &mut Axes<'_, '_>, tolerance: f64, last: f64) -> std::result::Result<(), Failure> {
    if tolerance > 0.0 {
        let line = [(0.0, tolerance), (last, tolerance)];
        chart.draw_series(DashedLineSeries::new(line, 7, 5, LIMIT.stroke_width(1)))?;
        let anchor = Pos::new(HPos::Left, VPos::Bottom);
        let style = ("sans-serif", 13).into_font().color(&LIMIT).pos(anchor);
        let place = (last * 0.012, tolerance * 1.15);
        chart.draw_series([Text::new(format!("tolerance {tolerance:.0e}"), place, style)])?;
    }
    Ok(())
}

/// Whole decades that hold the curves, the tolerance and the final residuals.
fn decades(residuals: &Residuals<'_>) -> (i32, i32) {
    let curve = |curve: &Curve<'_>| curve.history.iter().copied().chain([curve.true_residual]).collect::<Vec<f64>>();
    let values = residuals.curves.iter().flat_map(curve).chain([residuals.tolerance]);
    let logs = values.filter(|v| v.is_finite() && *v > 0.0).map(f64::log10);
    let (low, high) = logs.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return (-1, 1);
    }
    let (low, high) = ((low - 0.2).floor() as i32, (high + 0.05).ceil() as i32);
    (low, high.max(low + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn residuals<'a>(histories: &[&'a [f64]]) -> Residuals<'a> {
        let curve = |&history: &&'a [f64]| Curve { name: "a < b".into(), history, step: 2, true_residual: 9e-9 };
        let curves = histories.iter().map(curve).collect();
        Residuals { title: "t".into(), subtitle: "s".into(), axis: "iteration", curves, tolerance: 1e-8 }
    }

    #[test]
    fn decades_hold_everything() {
        assert_eq!(decades(&residuals(&[&[1.0, 1e-3, 9e-9]])), (-9, 1));
        assert_eq!(decades(&residuals(&[&[f64::NAN, 0.0], &[200.0]])), (-9, 3));
    }

    #[test]
    fn a_history_with_zeros_and_nans_can_be_drawn() {
        let svg = draw(&residuals(&[&[1.0, f64::NAN, 0.0, f64::INFINITY]])).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    }

    #[test]
    fn every_method_has_a_curve_and_a_name_and_a_single_one_no_legend() {
        let curves = |svg: &str| svg.matches("stroke-width=\"2\"").count();
        let several = draw(&residuals(&[&[1.0, 0.1], &[1.0, 0.2], &[1.0, 0.5, 0.3]])).unwrap();
        assert_eq!((curves(&several), several.matches("a &lt; b").count()), (3, 3));
        let one = draw(&residuals(&[&[1.0, 0.1]])).unwrap();
        assert_eq!((curves(&one), one.matches("a &lt; b").count()), (1, 0));
    }
}
