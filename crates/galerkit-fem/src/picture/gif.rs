//! Sequences of images as GIF, which every program plays: 256 colours for the whole film, found by halving the box of
//! all colours where it is longest, and Lempel-Ziv-Welch codes. <https://www.w3.org/Graphics/GIF/spec-gif89a.txt>

use super::image::Image;
use crate::error::{Error, Result};
use galerkit_linalg::io::atomic_write;
use std::collections::HashMap;
use std::path::Path;

type Colour = [u8; 3];

/// Writes images of one size, each shown for some time, again and again.
///
/// # Errors
/// If there are none, sizes differ, or the file cannot be written.
pub fn write_gif(path: &Path, images: &[Image], milliseconds: u16) -> Result<()> {
    let refuse = |problem: &str| Err(Error::NotDrawable { what: "a GIF".into(), problem: problem.into() });
    let Some(first) = images.first() else { return refuse("it needs at least one image") };
    let (width, height) = (first.width(), first.height());
    if images.iter().any(|image| (image.width(), image.height()) != (width, height)) {
        return refuse("its images have several sizes");
    }
    if width.max(height) > usize::from(u16::MAX) {
        return refuse("it has at most 65535 pixels a side");
    }
    let palette = palette(images);
    let size = [(width as u16).to_le_bytes(), (height as u16).to_le_bytes()].concat();
    let mut bytes = b"GIF89a".to_vec();
    bytes.extend(&size);
    bytes.extend([0xf7, 0, 0]); // 256 colours for all images
    (0..256).for_each(|k| bytes.extend(palette.get(k).copied().unwrap_or_default()));
    bytes.extend(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"); // shown without end
    let mut nearest: HashMap<Colour, u8> = HashMap::new();
    for image in images {
        bytes.extend([0x21, 0xf9, 4, 0]);
        bytes.extend((milliseconds / 10).to_le_bytes());
        bytes.extend([0, 0, 0x2c, 0, 0, 0, 0]);
        bytes.extend(&size);
        bytes.extend([0, 8]);
        let pixels = image.to_bytes();
        let indices: Vec<u8> =
            pixels.as_chunks::<3>().0.iter().map(|&pixel| index(&palette, &mut nearest, pixel)).collect();
        let packed = packed(&indices);
        for block in packed.chunks(255) {
            bytes.push(block.len() as u8);
            bytes.extend(block);
        }
        bytes.push(0);
    }
    bytes.push(0x3b);
    Ok(atomic_write(path, |to| to.write_all(&bytes))?)
}

/// At most 256 colours that stand for all.
fn palette(images: &[Image]) -> Vec<Colour> {
    let mut counts: HashMap<Colour, usize> = HashMap::new();
    for image in images {
        image.to_bytes().as_chunks::<3>().0.iter().for_each(|&pixel| *counts.entry(pixel).or_default() += 1);
    }
    let mut all: Vec<(Colour, usize)> = counts.into_iter().collect();
    all.sort_unstable(); // the order of a hash map changes from run to run
    let mut boxes = vec![all];
    while boxes.len() < 256 {
        let split = boxes
            .iter()
            .enumerate()
            .filter(|(_, colours)| colours.len() > 1)
            .max_by_key(|(_, colours)| longest(colours).1);
        let Some(k) = split.map(|(k, _)| k) else { break };
        let mut colours = boxes.swap_remove(k);
        let (axis, _) = longest(&colours);
        colours.sort_unstable_by_key(|(colour, _)| (colour[axis], *colour));
        let upper = colours.split_off(colours.len() / 2);
        boxes.extend([colours, upper]);
    }
    boxes.iter().map(|colours| mean(colours)).collect()
}

/// The axis along which colours differ most, and by how much.
fn longest(colours: &[(Colour, usize)]) -> (usize, u8) {
    let range = |axis: usize| {
        let values = colours.iter().map(|(colour, _)| colour[axis]);
        values.clone().max().unwrap_or(0) - values.min().unwrap_or(0)
    };
    (0..3).map(|axis| (axis, range(axis))).max_by_key(|(_, range)| *range).unwrap_or((0, 0))
}

fn mean(colours: &[(Colour, usize)]) -> Colour {
    let total: usize = colours.iter().map(|(_, count)| count).sum();
    let sum = |axis: usize| colours.iter().map(|(colour, count)| usize::from(colour[axis]) * count).sum::<usize>();
    [0, 1, 2].map(|axis| ((sum(axis) + total / 2) / total.max(1)) as u8)
}

fn index(palette: &[Colour], known: &mut HashMap<Colour, u8>, pixel: Colour) -> u8 {
    let distance = |colour: &Colour| (0..3).map(|d| (i32::from(colour[d]) - i32::from(pixel[d])).pow(2)).sum::<i32>();
    *known.entry(pixel).or_insert_with(|| {
        let best = palette.iter().enumerate().min_by_key(|(_, colour)| distance(colour));
        best.map_or(0, |(k, _)| k as u8)
    })
}

/// Codes of 9 to 12 bits for strings of indices that came before.
fn packed(indices: &[u8]) -> Vec<u8> {
    const CLEAR: u16 = 256;
    const END: u16 = 257;
    let (mut bytes, mut bits, mut filled) = (Vec::new(), 0u32, 0);
    let mut write = |code: u16, width: u32| {
        bits |= u32::from(code) << filled;
        filled += width;
        while filled >= 8 {
            bytes.push(bits as u8);
            (bits, filled) = (bits >> 8, filled - 8);
        }
    };
    let mut strings: HashMap<(u16, u8), u16> = HashMap::new();
    let (mut next, mut width) = (END + 1, 9);
    write(CLEAR, width);
    let mut current: Option<u16> = None;
    for &index in indices {
        let Some(string) = current else {
            current = Some(u16::from(index));
            continue;
        };
        if let Some(&longer) = strings.get(&(string, index)) {
            current = Some(longer);
            continue;
        }
        write(string, width);
        current = Some(u16::from(index));
        if next == 4096 {
            write(CLEAR, width);
            strings.clear();
            (next, width) = (END + 1, 9);
            continue;
        }
        strings.insert((string, index), next);
        width += u32::from(next == 1 << width);
        next += 1;
    }
    current.into_iter().for_each(|string| write(string, width));
    write(END, width);
    write(0, 7); // the last bits
    bytes
}
