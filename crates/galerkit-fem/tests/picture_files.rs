//! PNG files, read back here by hand and by Python's zlib: signature, chunks, checksums, pixels.

use flate2::read::ZlibDecoder;
use galerkit_fem::mesh::generate::rectangle;
use galerkit_fem::picture::png::write_png;
use galerkit_fem::picture::{Film, Image, Picture, Scene};
use galerkit_testkit::skip;
use std::io::Read;
use std::path::Path;
use std::process::Command;

/// The checksum of PNG, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

/// Name and data of each chunk.
fn chunks(path: &Path) -> Vec<(String, Vec<u8>)> {
    let bytes = std::fs::read(path).unwrap();
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let (mut chunks, mut rest) = (Vec::new(), &bytes[8..]);
    while !rest.is_empty() {
        let length = number(rest, 0) as usize;
        assert_eq!(crc(&rest[4..8 + length]), number(rest, 8 + length), "checksum");
        chunks.push((String::from_utf8(rest[4..8].to_vec()).unwrap(), rest[8..8 + length].to_vec()));
        rest = &rest[12 + length..];
    }
    chunks
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// Pixels of packed rows, filters undone as the specification defines them.
fn unpacked(data: &[u8], width: usize) -> Vec<u8> {
    let mut rows = Vec::new();
    ZlibDecoder::new(data).read_to_end(&mut rows).unwrap();
    let (stride, mut above, mut pixels) = (3 * width, vec![0u8; 3 * width], Vec::new());
    for row in rows.chunks_exact(stride + 1) {
        let mut raw = row[1..].to_vec();
        for i in 0..stride {
            let (left, corner) = if i < 3 { (0, 0) } else { (raw[i - 3], above[i - 3]) };
            let guess = |x: u8| (i32::from(left) + i32::from(above[i]) - i32::from(corner) - i32::from(x)).abs();
            let paeth = [left, above[i], corner].into_iter().min_by_key(|&x| guess(x)).unwrap();
            raw[i] = raw[i].wrapping_add(match row[0] {
                0 => 0,
                1 => left,
                2 => above[i],
                3 => ((u16::from(left) + u16::from(above[i])) / 2) as u8,
                4 => paeth,
                other => panic!("filter {other}"),
            });
        }
        pixels.extend_from_slice(&raw);
        above = raw;
    }
    pixels
}

/// A picture with smooth colours, letters and edges.
fn drawn(shift: f64) -> Image {
    let mesh = rectangle([0.0, 0.0], [1.0, 1.0], [4, 4]).unwrap();
    let field: Vec<f64> = mesh.points.iter().map(|[x, y, _]| (3.0 * x + shift).sin() * y).collect();
    let scene = Scene::of_points(&mesh, &field).unwrap();
    Picture::of(&scene).size(150, 101).range(-1.0, 1.0).title("waves").render().unwrap()
}

#[test]
fn a_png_reads_back_to_the_same_pixels() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    let image = drawn(0.0);
    write_png(&path, &image).unwrap();
    let chunks = chunks(&path);
    let names: Vec<&str> = chunks.iter().map(|chunk| &*chunk.0).collect();
    assert_eq!(names, ["IHDR", "IDAT", "IEND"]);
    assert_eq!((number(&chunks[0].1, 0), number(&chunks[0].1, 4)), (150, 101));
    assert_eq!(chunks[0].1[8..], [8, 2, 0, 0, 0]);
    assert_eq!(unpacked(&chunks[1].1, 150), image.to_bytes());
    let first = std::fs::read(&path).unwrap();
    write_png(&path, &drawn(0.0)).unwrap();
    assert_eq!(first, std::fs::read(&path).unwrap(), "the same picture is the same file");
}

#[test]
fn frames_of_a_film_add_up_to_its_images() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.png");
    let images = [drawn(0.0), drawn(0.4), drawn(0.4), drawn(1.0)];
    let mut film = Film::new(80);
    images.iter().for_each(|image| film.push(image.clone()).unwrap());
    film.write(&path).unwrap();
    let chunks = chunks(&path);
    let control = chunks.iter().find(|chunk| chunk.0 == "acTL").expect("an animation");
    assert_eq!((number(&control.1, 0), number(&control.1, 4)), (4, 0));
    let (mut canvas, mut sequence, mut shown, mut place) = (vec![0; 3 * 150 * 101], 0, 0, [0; 4]);
    for (name, data) in &chunks {
        if name == "fcTL" || name == "fdAT" {
            assert_eq!(number(data, 0), sequence);
            sequence += 1;
        }
        match &**name {
            "fcTL" => {
                place = [4, 8, 12, 16].map(|at| number(data, at) as usize);
                assert_eq!(data[20..26], [0, 80, 3, 232, 0, 0]);
            }
            "IDAT" | "fdAT" => {
                let [width, height, left, top] = place;
                let pixels = unpacked(&data[if name == "fdAT" { 4 } else { 0 }..], width);
                for row in 0..height {
                    let start = 3 * ((top + row) * 150 + left);
                    canvas[start..start + 3 * width].copy_from_slice(&pixels[3 * width * row..3 * width * (row + 1)]);
                }
                assert!(canvas == images[shown].to_bytes(), "image {shown}");
                shown += 1;
            }
            _ => {}
        }
    }
    assert_eq!(shown, 4);
}

#[test]
fn films_refuse_images_of_another_size_and_none() {
    let folder = tempfile::tempdir().unwrap();
    let mut film = Film::new(10);
    assert!(film.write(&folder.path().join("none.png")).is_err());
    film.push(drawn(0.0)).unwrap();
    assert!(film.push(Image::new(2, vec![[0.0; 3]; 4])).is_err());
    assert_eq!(film.len(), 1);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was left behind");
}

const PYTHON: &str = "
import struct, sys, zlib
data = open(sys.argv[1], 'rb').read()
at, packed = 8, b''
while at < len(data):
    length, name = struct.unpack('>I4s', data[at:at+8])
    body = data[at+8:at+8+length]
    assert zlib.crc32(name + body) == struct.unpack('>I', data[at+8+length:at+12+length])[0]
    packed += body if name == b'IDAT' else b''
    at += 12 + length
assert len(zlib.decompress(packed)) == 101 * (1 + 3 * 150)
";

#[test]
fn python_agrees_on_checksums_and_lengths() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    write_png(&path, &drawn(0.0)).unwrap();
    match Command::new("python3").args(["-c", PYTHON]).arg(&path).output() {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(_) => skip("there is no python3"),
    }
}
