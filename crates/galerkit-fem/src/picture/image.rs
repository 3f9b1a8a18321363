//! Pixels, and strokes with round ends on them.

/// Red, green and blue from 0 to 1, as sRGB.
pub type Rgb = [f32; 3];

/// A picture as pixels, rows from top to bottom.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    width: usize,
    pixels: Vec<Rgb>,
}

/// A line of some width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// Its colour.
    pub colour: Rgb,
    /// Its width in pixels.
    pub width: f32,
}

impl Image {
    /// Pixels in rows of a width.
    pub fn new(width: usize, pixels: Vec<Rgb>) -> Self {
        debug_assert!(width > 0 && pixels.len().is_multiple_of(width));
        Self { width, pixels }
    }
    /// Pixels in a row.
    pub fn width(&self) -> usize {
        self.width
    }
    /// Rows.
    pub fn height(&self) -> usize {
        self.pixels.len() / self.width
    }
    /// A pixel by column and row as bytes.
    pub fn pixel(&self, column: usize, row: usize) -> [u8; 3] {
        bytes(self.pixels[row * self.width + column])
    }
    /// All pixels as bytes, three each.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.pixels.iter().flat_map(|&pixel| bytes(pixel)).collect()
    }

    /// Lays a colour over a pixel; what lies outside of the image is left out.
    pub fn blend(&mut self, column: i64, row: i64, colour: Rgb, cover: f32) {
        if (0..self.width as i64).contains(&column) && (0..self.height() as i64).contains(&row) {
            let pixel = &mut self.pixels[row as usize * self.width + column as usize];
            (0..3).for_each(|d| pixel[d] += cover * (colour[d] - pixel[d]));
        }
    }

    /// Fills a rectangle with whole pixels.
    pub fn fill(&mut self, [left, top]: [i64; 2], [width, height]: [i64; 2], colour: impl Fn(i64) -> Rgb) {
        for row in top..top + height {
            (left..left + width).for_each(|column| self.blend(column, row, colour(row), 1.0));
        }
    }

    /// Draws a connected line through points; where its pieces meet it is no darker.
    pub fn stroke(&mut self, points: &[[f32; 2]], pen: Pen) {
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for point in points {
            (0..2).for_each(|d| (low[d], high[d]) = (low[d].min(point[d]), high[d].max(point[d])));
        }
        let reach = 0.5 * pen.width + 1.0;
        let bounds = |d: usize| (low[d] - reach).floor() as i64..=(high[d] + reach).ceil() as i64;
        for row in bounds(1) {
            for column in bounds(0) {
                let centre = [column as f32 + 0.5, row as f32 + 0.5];
                let pieces = points.windows(2).map(|ends| from_segment(centre, ends[0], ends[1]));
                let distance = pieces.fold(f32::INFINITY, f32::min);
                let cover = (0.5 * pen.width + 0.5 - distance).clamp(0.0, 1.0);
                if cover > 0.0 {
                    self.blend(column, row, pen.colour, cover);
                }
            }
        }
    }
}

fn bytes(pixel: Rgb) -> [u8; 3] {
    pixel.map(|x| (255.0 * x.clamp(0.0, 1.0) + 0.5) as u8)
}

fn from_segment(point: [f32; 2], a: [f32; 2], b: [f32; 2]) -> f32 {
    let (along, to) = ([b[0] - a[0], b[1] - a[1]], [point[0] - a[0], point[1] - a[1]]);
    let square = along[0] * along[0] + along[1] * along[1];
    let t = if square > 0.0 { ((along[0] * to[0] + along[1] * to[1]) / square).clamp(0.0, 1.0) } else { 0.0 };
    (to[0] - t * along[0]).hypot(to[1] - t * along[1])
}
