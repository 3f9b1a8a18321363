//! PNG: chunks of length, name, data and checksum; rows are filtered so that they compress, then packed with zlib.
//! <https://www.w3.org/TR/png-3/>

use super::image::Image;
use crate::error::Result;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use galerkit_linalg::io::atomic_write;
use std::io::{self, Write};
use std::path::Path;

/// The first bytes of every PNG.
pub const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a];

const BYTES_PER_PIXEL: usize = 3;

/// Writes an image.
///
/// # Errors
/// If the file cannot be written.
pub fn write_png(path: &Path, image: &Image) -> Result<()> {
    let data = packed(&image.to_bytes(), image.width())?;
    Ok(atomic_write(path, |to| {
        to.write_all(&SIGNATURE)?;
        write_header(to, image.width(), image.height())?;
        write_chunk(to, b"IDAT", &data)?;
        write_chunk(to, b"IEND", &[])
    })?)
}

/// IHDR: width, height, 8 bits, three colours, nothing unusual.
pub(super) fn write_header(to: &mut dyn Write, width: usize, height: usize) -> io::Result<()> {
    let mut header = Vec::new();
    [width, height].iter().for_each(|&length| header.extend((length as u32).to_be_bytes()));
    header.extend([8, 2, 0, 0, 0]);
    write_chunk(to, b"IHDR", &header)
}

/// Length, name, data, and the CRC of name and data.
pub(super) fn write_chunk(to: &mut dyn Write, name: &[u8; 4], data: &[u8]) -> io::Result<()> {
    let mut crc = Crc::new();
    crc.update(name);
    crc.update(data);
    to.write_all(&(data.len() as u32).to_be_bytes())?;
    to.write_all(name)?;
    to.write_all(data)?;
    to.write_all(&crc.sum().to_be_bytes())
}

/// Filtered and compressed rows.
pub(super) fn packed(bytes: &[u8], width: usize) -> Result<Vec<u8>> {
    let stride = BYTES_PER_PIXEL * width;
    let nothing = vec![0; stride];
    let above = std::iter::once(&nothing[..]).chain(bytes.chunks_exact(stride));
    let mut filtered = Vec::with_capacity(bytes.len() + bytes.len() / stride);
    for (row, above) in bytes.chunks_exact(stride).zip(above) {
        let best = [filter(0, row, above), filter(1, row, above), filter(2, row, above), filter(4, row, above)];
        filtered.extend(best.into_iter().min_by_key(|row| cost(row)).unwrap_or_default());
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(&filtered).and_then(|()| encoder.finish());
    Ok(packed.expect("memory can be written"))
}

/// A row less what a filter predicts: nothing (0), the pixel at the left (1), above (2), or Paeth's choice (4).
fn filter(kind: u8, row: &[u8], above: &[u8]) -> Vec<u8> {
    let left_of = |of: &[u8], i: usize| if i < BYTES_PER_PIXEL { 0 } else { of[i - BYTES_PER_PIXEL] };
    let predicted = |i: usize| match kind {
        0 => 0,
        1 => left_of(row, i),
        2 => above[i],
        _ => paeth(left_of(row, i), above[i], left_of(above, i)),
    };
    std::iter::once(kind).chain((0..row.len()).map(|i| row[i].wrapping_sub(predicted(i)))).collect()
}

/// Of left, above and the one between them, that which is nearest to left + above - between.
fn paeth(left: u8, above: u8, between: u8) -> u8 {
    let [a, b, c] = [left, above, between].map(i32::from);
    let guess = a + b - c;
    let [da, db, dc] = [a, b, c].map(|x| (guess - x).abs());
    if da <= db && da <= dc {
        left
    } else if db <= dc {
        above
    } else {
        between
    }
}

/// The usual estimate of how well a filtered row compresses: the sum of its bytes as signed numbers.
fn cost(row: &[u8]) -> u32 {
    row.iter().map(|&byte| u32::from((byte as i8).unsigned_abs())).sum()
}
