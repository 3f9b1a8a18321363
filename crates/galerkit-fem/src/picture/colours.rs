//! Colour maps: a few colours in Oklab, where equal distances look equal, joined by smooth curves at an even pace.
//! Lightness rises steadily in the sequential ones, so that they can be read in print and by the colour-blind.
//!
//! Oklab: B. Ottosson, "A perceptual color space for image processing", 2020.

use super::image::Rgb;

/// A colour for each number from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct ColourMap {
    table: Vec<Rgb>,
}

const STEPS: usize = 512;

impl ColourMap {
    /// From violet through blue and green to yellow; light enough to begin with that edges of cells are seen on it.
    pub fn sequential() -> Self {
        let at = [
            [0.37, 0.150, 308.0],
            [0.44, 0.135, 280.0],
            [0.53, 0.105, 240.0],
            [0.66, 0.115, 178.0],
            [0.79, 0.165, 142.0],
            [0.92, 0.185, 108.0],
        ];
        Self::through(&at.map(lab))
    }
    /// From blue through a light grey to red: for numbers on both sides of one that matters.
    pub fn diverging() -> Self {
        let at = [
            [0.36, 0.130, 262.0],
            [0.52, 0.135, 258.0],
            [0.72, 0.090, 250.0],
            [0.95, 0.003, 250.0],
            [0.74, 0.100, 40.0],
            [0.55, 0.160, 30.0],
            [0.39, 0.140, 26.0],
        ];
        Self::through(&at.map(lab))
    }
    /// From black through red and orange to a pale yellow.
    pub fn heat() -> Self {
        let at = [
            [0.16, 0.040, 300.0],
            [0.34, 0.130, 350.0],
            [0.50, 0.180, 22.0],
            [0.66, 0.175, 48.0],
            [0.82, 0.150, 78.0],
            [0.97, 0.060, 105.0],
        ];
        Self::through(&at.map(lab))
    }
    /// Round and back to where it began: from a pale grey through blue to black, through red to a pale grey again. For
    /// angles.
    pub fn cyclic() -> Self {
        let at = [
            [0.90, 0.010, 250.0],
            [0.70, 0.085, 245.0],
            [0.48, 0.130, 275.0],
            [0.24, 0.060, 320.0],
            [0.46, 0.135, 10.0],
            [0.70, 0.085, 40.0],
            [0.90, 0.010, 250.0],
        ];
        Self::through(&at.map(lab))
    }
    /// From dark to light.
    pub fn grey() -> Self {
        Self::through(&[[0.2, 0.0, 0.0], [0.97, 0.0, 0.0]])
    }

    /// The colour of a number; the ends beyond 0 and 1, a middle grey for what is none.
    #[inline]
    pub fn at(&self, t: f32) -> Rgb {
        if t.is_nan() {
            return [0.6; 3];
        }
        self.table[(t.clamp(0.0, 1.0) * (STEPS - 1) as f32 + 0.5) as usize]
    }

    /// A curve through colours in Oklab, run through at an even pace.
    fn through(points: &[[f32; 3]]) -> Self {
        const FINE: usize = 8 * STEPS;
        let fine: Vec<[f32; 3]> = (0..=FINE).map(|k| curve(points, k as f32 / FINE as f32)).collect();
        let mut walked = vec![0.0];
        for pair in fine.windows(2) {
            walked.push(walked[walked.len() - 1] + distance(pair[0], pair[1]));
        }
        let total = walked[FINE];
        let at = |k: usize| {
            let wanted = total * k as f32 / (STEPS - 1) as f32;
            from_oklab(fine[walked.partition_point(|&way| way < wanted).min(FINE)])
        };
        Self { table: (0..STEPS).map(at).collect() }
    }
}

/// Colours for things without an order, one after the other; neighbours differ most.
pub fn categories(count: usize) -> Vec<Rgb> {
    let colour = |number: usize| {
        let lightness = [0.80, 0.72, 0.86][number / 3 % 3];
        let turns = number as f32 * 137.5; // the golden angle: no hue comes back soon
        from_oklab(lab([lightness, 0.09, (245.0 + turns) % 360.0]))
    };
    (0..count).map(colour).collect()
}

/// Lightness, chroma and hue in degrees as Oklab.
fn lab([lightness, chroma, hue]: [f32; 3]) -> [f32; 3] {
    let angle = hue.to_radians();
    [lightness, chroma * angle.cos(), chroma * angle.sin()]
}

/// Catmull and Rom's curve through points, t from 0 to 1.
fn curve(points: &[[f32; 3]], t: f32) -> [f32; 3] {
    let last = points.len() - 1;
    let place = (t * last as f32).min(last as f32 - 1e-4);
    let (k, s) = (place as usize, place.fract());
    let [p, q, r, w] = [k.saturating_sub(1), k, k + 1, (k + 2).min(last)].map(|i| points[i]);
    [0, 1, 2].map(|d| {
        let (m, n) = (0.5 * (r[d] - p[d]), 0.5 * (w[d] - q[d]));
        let (a, b) = (2.0 * (q[d] - r[d]) + m + n, 3.0 * (r[d] - q[d]) - 2.0 * m - n);
        ((a * s + b) * s + m) * s + q[d]
    })
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|d| (a[d] - b[d]).powi(2)).sum::<f32>().sqrt()
}

/// Oklab to sRGB; what no screen can show is clipped.
fn from_oklab([lightness, a, b]: [f32; 3]) -> Rgb {
    let l = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let s = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    let linear = [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_93 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s,
        -0.004_196_086 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ];
    linear.map(|x| {
        let x = x.clamp(0.0, 1.0);
        if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 }
    })
}
