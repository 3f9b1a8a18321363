//! Sequences of images as animated PNG, which browsers play and every program shows the first image of. Frames after
//! the first hold only the rectangle that has changed. <https://www.w3.org/TR/png-3/#apng-frame-based-animation>

use super::image::Image;
use super::png::{SIGNATURE, packed, write_chunk, write_header};
use crate::error::{Error, Result};
use galerkit_linalg::io::atomic_write;
use std::io::{self, Write};
use std::path::Path;

/// Images of one size, shown one after the other, again and again.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    milliseconds: u16,
    frames: Vec<Frame>,
    last: Option<Image>,
}

/// What changes from one image to the next.
#[derive(Clone, Debug, PartialEq)]
struct Frame {
    size: [usize; 2],
    offset: [usize; 2],
    data: Vec<u8>,
}

impl Film {
    /// No images yet; each is shown for this time.
    pub fn new(milliseconds: u16) -> Self {
        Self { milliseconds, frames: Vec::new(), last: None }
    }
    /// How many images there are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Adds an image.
    ///
    /// # Errors
    /// If it has another size than those before.
    pub fn push(&mut self, image: Image) -> Result<()> {
        let whole = ([0, 0], [image.width(), image.height()]);
        let (offset, size) = match &self.last {
            None => whole,
            Some(last) if (last.width(), last.height()) == (image.width(), image.height()) => changed(last, &image),
            Some(last) => {
                let found = format!("{} x {}", image.width(), image.height());
                let problem = format!("it has {found} pixels, those before have {} x {}", last.width(), last.height());
                return Err(Error::NotDrawable { what: format!("image {} of a film", self.len()), problem });
            }
        };
        let data = packed(&part(&image, offset, size), size[0])?;
        self.frames.push(Frame { size, offset, data });
        self.last = Some(image);
        Ok(())
    }

    /// Writes an animated PNG.
    ///
    /// # Errors
    /// If there are no images, or the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let Some(first) = self.frames.first() else {
            let problem = "it needs at least one image".into();
            return Err(Error::NotDrawable { what: "a film".into(), problem });
        };
        Ok(atomic_write(path, |to| {
            to.write_all(&SIGNATURE)?;
            write_header(to, first.size[0], first.size[1])?;
            let counts = [self.frames.len() as u32, 0]; // shown without end
            write_chunk(to, b"acTL", &counts.map(u32::to_be_bytes).concat())?;
            let mut sequence = 0;
            for (number, frame) in self.frames.iter().enumerate() {
                self.write_control(to, frame, &mut sequence)?;
                if number == 0 {
                    write_chunk(to, b"IDAT", &frame.data)?;
                } else {
                    write_chunk(to, b"fdAT", &[&next(&mut sequence)[..], &frame.data].concat())?;
                }
            }
            write_chunk(to, b"IEND", &[])
        })?)
    }

    /// fcTL: where the frame lies and how long it is shown; it replaces what was there and stays.
    fn write_control(&self, to: &mut dyn Write, frame: &Frame, sequence: &mut u32) -> io::Result<()> {
        let mut control = next(sequence).to_vec();
        let places = frame.size.iter().chain(&frame.offset);
        places.for_each(|&length| control.extend((length as u32).to_be_bytes()));
        control.extend(self.milliseconds.to_be_bytes());
        control.extend(1000u16.to_be_bytes());
        control.extend([0, 0]);
        write_chunk(to, b"fcTL", &control)
    }
}

/// The next number of a sequence as bytes.
fn next(sequence: &mut u32) -> [u8; 4] {
    *sequence += 1;
    (*sequence - 1).to_be_bytes()
}

/// Corner and size of the rectangle in which two images differ; one pixel if they do not.
fn changed(before: &Image, after: &Image) -> ([usize; 2], [usize; 2]) {
    let (mut low, mut high) = ([usize::MAX; 2], [0; 2]);
    for row in 0..after.height() {
        for column in (0..after.width()).filter(|&column| before.pixel(column, row) != after.pixel(column, row)) {
            low = [low[0].min(column), low[1].min(row)];
            high = [high[0].max(column), high[1].max(row)];
        }
    }
    if low[0] == usize::MAX { ([0; 2], [1; 2]) } else { (low, [high[0] - low[0] + 1, high[1] - low[1] + 1]) }
}

fn part(image: &Image, [left, top]: [usize; 2], [width, height]: [usize; 2]) -> Vec<u8> {
    let row = |row: usize| (left..left + width).flat_map(move |column| image.pixel(column, row));
    (top..top + height).flat_map(row).collect()
}
