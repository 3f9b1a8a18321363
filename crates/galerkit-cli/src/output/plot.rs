//! The residual of an iteration, as SVG: logarithmic, with the tolerance as a dashed line.

use anyhow::{Result, anyhow};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// What is drawn.
pub struct Residual<'a> {
    /// The matrix and the method.
    pub title: String,
    /// How it went, in one line.
    pub subtitle: String,
    /// Relative residuals, the first before the first iteration.
    pub history: &'a [f64],
    /// The relative tolerance.
    pub tolerance: f64,
    /// The relative residual computed anew from the final x.
    pub true_residual: f64,
}

const SIZE: (u32, u32) = (860, 520);
const CURVE: RGBColor = RGBColor(31, 94, 168);
const LIMIT: RGBColor = RGBColor(192, 57, 43);
const INK: RGBColor = RGBColor(40, 40, 40);
const FAINT: RGBColor = RGBColor(226, 226, 226);

/// The plot as SVG text.
pub fn draw(residual: &Residual<'_>) -> Result<String> {
    let mut svg = String::new();
    draw_into(&mut svg, residual).map_err(|problem| anyhow!("the residual plot cannot be drawn: {problem}"))?;
    Ok(svg)
}

fn draw_into(svg: &mut String, residual: &Residual<'_>) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let (low, high) = decades(residual);
    let last = residual.history.len().saturating_sub(1).max(1) as f64;
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    root.draw(&Text::new(residual.title.clone(), (24, 16), ("sans-serif", 20).into_font().color(&INK)))?;
    root.draw(&Text::new(residual.subtitle.clone(), (24, 44), ("sans-serif", 14).into_font().color(&INK.mix(0.7))))?;
    let mut chart = ChartBuilder::on(&root)
        .margin_top(76)
        .margin_right(28)
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
        .x_desc("iteration")
        .y_desc("relative residual")
        .x_labels(9)
        .y_labels((high - low + 1).clamp(2, 14) as usize)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| format!("1e{:.0}", y.log10()))
        .label_style(("sans-serif", 13).into_font().color(&INK))
        .axis_desc_style(("sans-serif", 14).into_font().color(&INK))
        .draw()?;
    if residual.tolerance > 0.0 {
        let line = [(0.0, residual.tolerance), (last, residual.tolerance)];
        chart.draw_series(DashedLineSeries::new(line, 7, 5, LIMIT.stroke_width(1)))?;
        let anchor = Pos::new(HPos::Left, VPos::Bottom);
        let style = ("sans-serif", 13).into_font().color(&LIMIT).pos(anchor);
        let place = (last * 0.012, residual.tolerance * 1.15);
        chart.draw_series([Text::new(format!("tolerance {:.0e}", residual.tolerance), place, style)])?;
    }
    let points = residual.history.iter().enumerate().map(|(i, &r)| (i as f64, r));
    let visible = points.filter(|&(_, r)| r.is_finite() && r > 0.0);
    chart.draw_series(LineSeries::new(visible, CURVE.stroke_width(2)))?;
    if residual.true_residual > 0.0 && residual.true_residual.is_finite() {
        let end = (residual.history.len().saturating_sub(1) as f64, residual.true_residual);
        chart.draw_series([Circle::new(end, 4, CURVE.filled())])?;
    }
    root.present()?;
    Ok(())
}

/// Whole decades that hold the curve, the tolerance and the final residual.
fn decades(residual: &Residual<'_>) -> (i32, i32) {
    let values = residual.history.iter().copied().chain([residual.tolerance, residual.true_residual]);
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

    fn residual(history: &[f64]) -> Residual<'_> {
        Residual { title: "t".into(), subtitle: "s".into(), history, tolerance: 1e-8, true_residual: 9e-9 }
    }

    #[test]
    fn decades_hold_everything() {
        assert_eq!(decades(&residual(&[1.0, 1e-3, 9e-9])), (-9, 1));
        assert_eq!(decades(&residual(&[f64::NAN, 0.0])), (-9, -7));
    }

    #[test]
    fn a_history_with_zeros_and_nans_can_be_drawn() {
        let svg = draw(&residual(&[1.0, f64::NAN, 0.0, f64::INFINITY])).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    }
}
