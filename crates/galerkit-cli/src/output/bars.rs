//! Bars in groups, as SVG: one group a matrix, one bar a format, and a line for what the bars are measured against.
//! After figure 12 of source 004.

use anyhow::{Result, anyhow};
use plotters::prelude::*;
use plotters::style::FontTransform;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// One bar.
pub struct Bar {
    /// Which group it stands in.
    pub group: String,
    /// What it is; the same has the same colour in every group.
    pub series: String,
    /// How high it is.
    pub value: f64,
}

/// What is drawn.
pub struct Chart {
    /// The title.
    pub title: String,
    /// The line below it.
    pub subtitle: String,
    /// What the values are.
    pub unit: String,
    /// The bars, groups together.
    pub bars: Vec<Bar>,
    /// A name and a value.
    pub line: Option<(String, f64)>,
}

const INK: RGBColor = RGBColor(40, 40, 40);
const FAINT: RGBColor = RGBColor(226, 226, 226);
const LIMIT: RGBColor = RGBColor(192, 57, 43);
/// Pixels of a bar, and of the gap between groups.
const BAR: usize = 13;
const GAP: usize = 2;
const HEIGHT: u32 = 560;
/// Pixels a line of the legend takes, and entries of a line.
const LEGEND_LINE: u32 = 20;
const LEGEND_COLUMNS: usize = 5;

/// The chart as SVG text.
pub fn draw(chart: &Chart) -> Result<String> {
    let mut svg = String::new();
    draw_into(&mut svg, chart).map_err(|problem| anyhow!("the bar chart cannot be drawn: {problem}"))?;
    Ok(svg)
}

/// The distinct values, in order of appearance.
fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut list = Vec::new();
    for text in texts {
        if !list.contains(&text) {
            list.push(text);
        }
    }
    list
}

/// Colours that differ in hue; the second half of many is darker.
fn colour(index: usize, count: usize) -> HSLColor {
    let hue = index as f64 / count.max(1) as f64;
    HSLColor(hue * 0.92, 0.62, if index.is_multiple_of(2) { 0.46 } else { 0.62 })
}

fn draw_into(svg: &mut String, chart: &Chart) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let groups = distinct(chart.bars.iter().map(|bar| bar.group.as_str()));
    let series = distinct(chart.bars.iter().map(|bar| bar.series.as_str()));
    let slots = groups.len() * (series.len() + GAP) + GAP;
    let legend = series.len().div_ceil(LEGEND_COLUMNS) as u32 * LEGEND_LINE;
    let size = (((slots * BAR) as u32 + 140).max(900), HEIGHT + legend);
    let highest = chart.bars.iter().map(|bar| bar.value).filter(|value| value.is_finite());
    let highest = highest.chain(chart.line.iter().map(|line| line.1)).fold(0.0, f64::max).max(1e-9) * 1.08;
    let root = SVGBackend::with_string(svg, size).into_drawing_area();
    root.fill(&WHITE)?;
    root.draw(&Text::new(chart.title.clone(), (24, 16), ("sans-serif", 20).into_font().color(&INK)))?;
    root.draw(&Text::new(chart.subtitle.clone(), (24, 44), ("sans-serif", 14).into_font().color(&INK.mix(0.7))))?;
    for (index, name) in series.iter().enumerate() {
        let width = (size.0 as usize - 48) / LEGEND_COLUMNS;
        let x = (24 + index % LEGEND_COLUMNS * width) as i32;
        let y = 70 + (index / LEGEND_COLUMNS) as i32 * LEGEND_LINE as i32;
        root.draw(&Rectangle::new([(x, y), (x + 12, y + 12)], colour(index, series.len()).filled()))?;
        root.draw(&Text::new(name.to_string(), (x + 18, y), ("sans-serif", 13).into_font().color(&INK)))?;
    }
    let mut plot = ChartBuilder::on(&root)
        .margin_top(84 + legend)
        .margin_right(24)
        .margin_left(12)
        .x_label_area_size(52)
        .y_label_area_size(72)
        .build_cartesian_2d(0.0..slots as f64, 0.0..highest)?;
    plot.configure_mesh()
        .disable_x_mesh()
        .disable_x_axis()
        .bold_line_style(FAINT)
        .light_line_style(TRANSPARENT)
        .axis_style(INK.mix(0.6))
        .y_desc(chart.unit.clone())
        .label_style(("sans-serif", 13).into_font().color(&INK))
        .draw()?;
    let letters = (size.0 as usize - 108) * (series.len() + GAP) / slots / 7;
    for (g, group) in groups.iter().enumerate() {
        let first = (GAP + g * (series.len() + GAP)) as f64;
        for bar in chart.bars.iter().filter(|bar| bar.group == *group && bar.value.is_finite()) {
            let index = series.iter().position(|name| *name == bar.series).unwrap_or(0);
            let left = first + index as f64;
            let corners = [(left, 0.0), (left + 0.9, bar.value)];
            plot.draw_series([Rectangle::new(corners, colour(index, series.len()).filled())])?;
        }
        let style = ("sans-serif", 12).into_font().transform(FontTransform::None).color(&INK);
        let style = style.pos(Pos::new(HPos::Center, VPos::Top));
        let place = (first + series.len() as f64 / 2.0, -0.02 * highest);
        plot.draw_series([Text::new(short(group, letters), place, style)])?;
    }
    if let Some((name, value)) = &chart.line {
        let ends = [(0.0, *value), (slots as f64, *value)];
        plot.draw_series(DashedLineSeries::new(ends, 7, 5, LIMIT.stroke_width(2)))?;
        let style = ("sans-serif", 13).into_font().color(&LIMIT).pos(Pos::new(HPos::Left, VPos::Bottom));
        plot.draw_series([Text::new(name.clone(), (0.3, value * 1.005), style)])?;
    }
    root.present()?;
    Ok(())
}

/// The end of a name that fits so many letters: files are told apart by their ends, recipes by their parameters.
fn short(name: &str, letters: usize) -> String {
    let (count, letters) = (name.chars().count(), letters.max(12));
    if count <= letters {
        name.into()
    } else {
        format!("...{}", name.chars().skip(count + 3 - letters).collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(values: &[(&str, &str, f64)]) -> Chart {
        let bar =
            |&(group, series, value): &(&str, &str, f64)| Bar { group: group.into(), series: series.into(), value };
        Chart {
            title: "t".into(),
            subtitle: "s".into(),
            unit: "GB/s".into(),
            bars: values.iter().map(bar).collect(),
            line: Some(("read bandwidth 10 GB/s".into(), 10.0)),
        }
    }

    #[test]
    fn every_bar_is_drawn_and_every_name_written() {
        let svg =
            draw(&chart(&[("A", "csr", 5.0), ("A", "k1", 8.0), ("B", "csr", 2.0), ("B", "k1", f64::NAN)])).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        for word in ["csr", "k1", "A", "B", "read bandwidth 10 GB/s", "GB/s"] {
            assert!(svg.contains(&format!("\n{word}\n")) || svg.contains(word), "{word}");
        }
        // The background, two squares of the legend, three bars.
        assert_eq!(svg.matches("<rect").count(), 1 + 2 + 3);
    }

    #[test]
    fn nothing_to_draw_is_still_a_chart() {
        assert!(draw(&chart(&[])).unwrap().contains("</svg>"));
    }

    #[test]
    fn long_names_keep_their_end() {
        assert_eq!(short("gallery:poisson3d?n=100", 12), "...n3d?n=100");
        assert_eq!(short("A.mtx", 12), "A.mtx");
    }
}
