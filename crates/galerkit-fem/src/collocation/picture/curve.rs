//! c over an interval: axes with numbers, tissues as bands, and the threshold from which on imaging shows a tumour.

use crate::collocation::space::Collocation;
use crate::picture::font::Letters;
use crate::picture::image::{Image, Pen, Rgb};
use crate::picture::legend::ticks;

const LINE: Rgb = [0.0, 0.35, 0.6];
const SEEN: Rgb = [0.75, 0.2, 0.1];
/// Shades of the slowest and the fastest tissue.
const SHADES: [f64; 2] = [0.84, 0.97];
/// Pixels above, below, at the left and at the right of the axes.
const MARGIN: [usize; 4] = [40, 40, 52, 20];

/// How curves are drawn.
pub struct Curve {
    pub threshold: f64,
    pub most: f64,
    pub letters: Letters,
    pub has_units: bool,
}

impl Curve {
    pub fn draw(&self, image: &mut Image, space: &Collocation, a: &[f64]) {
        let [left, right] = space.x().ends();
        let (width, height) = (
            image.width().saturating_sub(MARGIN[2] + MARGIN[3]).max(1),
            image.height().saturating_sub(MARGIN[0] + MARGIN[1]).max(1),
        );
        let place = |x: f64, c: f64| {
            let across = MARGIN[2] as f64 + width as f64 * (x - left) / (right - left);
            [across as f32, (MARGIN[0] as f64 + height as f64 * (1.0 - (c / self.most).clamp(0.0, 1.0))) as f32]
        };
        bands(image, space, |x| place(x, self.most), height);
        self.axes(image, [left, right], place);
        image.stroke(&[place(left, self.threshold), place(right, self.threshold)], Pen { colour: SEEN, width: 1.0 });
        let seen = Letters { pen: Pen { colour: SEEN, ..self.letters.pen }, height: 0.82 * self.letters.height };
        let ([x, y], words) = (place(right, self.threshold), format!("c = {}, what imaging shows", self.threshold));
        seen.write(image, [x - seen.width(&words) - 4.0, y - 5.0], &words);
        let point = |k: usize| left + (right - left) * k as f64 / width as f64;
        let points: Vec<[f32; 2]> =
            (0..=width).map(|k| place(point(k), space.at(a, &[point(k).min(right)]).unwrap_or(0.0))).collect();
        points.windows(2).for_each(|pair| image.stroke(pair, Pen { colour: LINE, width: 2.0 }));
    }

    fn axes(&self, image: &mut Image, [left, right]: [f64; 2], place: impl Fn(f64, f64) -> [f32; 2]) {
        let (pen, letters) = (Pen { width: 1.0, ..self.letters.pen }, self.letters);
        image.stroke(&[place(left, self.most), place(left, 0.0), place(right, 0.0)], pen);
        for (x, label) in ticks([left, right]) {
            let [across, base] = place(x, 0.0);
            image.stroke(&[[across, base], [across, base + 4.0]], pen);
            letters.write(image, [across - 0.5 * letters.width(&label), base + 19.0], &label);
        }
        for (c, label) in ticks([0.0, self.most]) {
            let [across, height] = place(left, c);
            image.stroke(&[[across - 4.0, height], [across, height]], pen);
            letters.write(image, [across - 8.0 - letters.width(&label), height + 0.5 * letters.height], &label);
        }
        let names = if self.has_units { ["x in cm", "c per cm"] } else { ["x", "c"] };
        let [end, base] = place(right, 0.0);
        letters.write(image, [end - letters.width(names[0]), base + 35.0], names[0]);
        let [start, top] = place(left, self.most);
        letters.write(image, [start + 8.0, top + letters.height + 4.0], names[1]);
    }
}

/// A band for each stretch of one tissue.
fn bands(image: &mut Image, space: &Collocation, top: impl Fn(f64) -> [f32; 2], height: usize) {
    let (d, nodes) = (space.x().diffusion(), space.x().nodes());
    let [slow, fast] = d.iter().fold([f64::INFINITY, 0.0f64], |[low, high], d| [low.min(*d), high.max(*d)]);
    for (e, d) in d.iter().enumerate() {
        let share = if slow == fast { 1.0 } else { (d / slow).ln() / (fast / slow).ln() };
        let shade = [(SHADES[0] + share * (SHADES[1] - SHADES[0])) as f32; 3];
        let ([from, row], [to, _]) = (top(nodes[e]), top(nodes[e + 1]));
        let (from, to) = (from.round() as i64, to.round() as i64);
        image.fill([from, row as i64], [to - from, height as i64], |_| shade);
    }
}
