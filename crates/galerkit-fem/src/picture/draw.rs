//! A picture: what is shown, from where, how large, in which colours.

use super::camera::{Camera, Frame, View};
use super::colours::{ColourMap, categories};
use super::cut::cut_faces;
use super::font::Letters;
use super::image::{Image, Pen, Rgb};
use super::key::Key;
use super::legend::Legend;
use super::light::Light;
use super::paint::{INK, Paint};
use super::plane::Plane;
use super::png::write_png;
use super::raster::{Projected, Raster};
use super::scene::{Colouring, Scene};
use super::skin::skin;
use super::triangle::{Recolour, Triangle};
use crate::error::Result;
use galerkit_linalg::parallel;
use std::path::Path;

/// Samples of a pixel along each axis.
const SAMPLES: usize = 3;
const BACKGROUND: Rgb = [1.0, 1.0, 1.0];

/// How something is drawn.
pub struct Picture<'a> {
    scene: &'a Scene<'a>,
    size: [usize; 2],
    map: ColourMap,
    range: Option<[f64; 2]>,
    edge_width: f32,
    plane: Option<Plane>,
    view: View,
    title: Option<String>,
}

impl<'a> Picture<'a> {
    /// A scene, seen from where its dimension suggests, 1000 x 800 pixels, with edges of cells.
    pub fn of(scene: &'a Scene<'a>) -> Self {
        let view = if scene.body.is_flat() { View::plane() } else { View::space() };
        let (map, size) = (ColourMap::sequential(), [1000, 800]);
        Self { scene, size, map, range: None, edge_width: 1.0, plane: None, view, title: None }
    }
    /// Width and height in pixels; 16 at least.
    pub fn size(mut self, width: usize, height: usize) -> Self {
        self.size = [width.max(16), height.max(16)];
        self
    }
    /// The colours of a field.
    pub fn colours(mut self, map: ColourMap) -> Self {
        self.map = map;
        self
    }
    /// The numbers that the ends of the colours stand for, instead of the least and largest that are drawn: pictures of
    /// a sequence need the same.
    pub fn range(mut self, low: f64, high: f64) -> Self {
        self.range = Some([low, high]);
        self
    }
    /// The width of cell edges in pixels; 0 for none.
    pub fn edges(mut self, width: f64) -> Self {
        self.edge_width = width.max(0.0) as f32;
        self
    }
    /// Takes away what lies between a plane and the viewer.
    pub fn cut(mut self, plane: Plane) -> Self {
        self.plane = Some(plane);
        self
    }
    /// From where it is seen.
    pub fn view(mut self, view: View) -> Self {
        self.view = view;
        self
    }
    /// Words above it.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Draws it and writes it as PNG.
    ///
    /// # Errors
    /// As [`render`](Self::render), and if the file cannot be written.
    pub fn write_png(&self, path: &Path) -> Result<()> {
        write_png(path, &self.render()?)
    }

    /// Draws it.
    ///
    /// # Errors
    /// If three cells share a facet, or a geometry is not known.
    pub fn render(&self) -> Result<Image> {
        let triangles = self.triangles()?;
        let is_field = self.scene.colouring == Colouring::Field;
        let range = self.range.unwrap_or_else(|| range(&triangles));
        let legend = Legend { map: &self.map, range, letters: self.letters(1.0) };
        let labels = self.scene.labels()?;
        let colours = categories(labels.len());
        let key = Key { colours: &colours, labels: &labels, letters: self.letters(1.0) };
        let frame = self.frame(if is_field { legend.width() } else { key.width() });
        let camera = Camera::fitted(self.view, &triangles, frame);
        let projected = self.projected(&triangles, &camera);
        let [width, height] = self.size;
        let raster = Raster { width, height, samples: SAMPLES, half_edge: 0.5 * self.edge_width * self.unit() };
        let paint = Paint::new(self.scene.colouring, &self.map, range, &colours);
        let mut image = Image::new(width, raster.draw(&projected, BACKGROUND, |fragment| paint.colour(fragment)));
        if is_field {
            legend.draw(&mut image)
        } else {
            key.draw(&mut image)
        }
        self.write_title(&mut image);
        Ok(image)
    }

    fn triangles(&self) -> Result<Vec<Triangle>> {
        let body = &*self.scene.body;
        let plane = self.plane.map(|plane| plane.facing(self.view.towards));
        let tags = self.scene.tags()?;
        let by_tag = |_: usize, tag: i32| tags.binary_search(&tag).ok().map(|number| number as f32);
        let by_region = |cell: usize, _: i32| by_tag(cell, body.region(cell));
        let recolour: Recolour = if self.scene.colouring == Colouring::Sides { &by_tag } else { &by_region };
        let mut triangles = skin(body, plane.as_ref(), recolour)?;
        if let (3, Some(plane)) = (body.dim(), plane) {
            triangles.extend(cut_faces(body, &plane, &by_region)?);
        }
        Ok(triangles)
    }

    /// Lengths grow with the image: 1 where its shorter side has 800 pixels.
    fn unit(&self) -> f32 {
        (self.size[0].min(self.size[1]) as f32 / 800.0).clamp(0.5, 4.0)
    }

    fn letters(&self, size: f32) -> Letters {
        let height = 13.0 * size * self.unit();
        Letters { height, pen: Pen { colour: INK, width: 0.115 * height } }
    }

    /// What is left for the scene between margins, title and colour bar.
    fn frame(&self, legend: f32) -> Frame {
        let margin = 0.04 * f64::from(self.unit()) * 800.0;
        let top = if self.title.is_some() { 1.8 * margin } else { margin };
        let [width, height] = self.size.map(|length| length as f64);
        let right = margin.max(f64::from(legend));
        Frame { origin: [margin, top], size: [(width - margin - right).max(8.0), (height - margin - top).max(8.0)] }
    }

    fn projected(&self, triangles: &[Triangle], camera: &Camera) -> Vec<Projected> {
        let is_flat = self.scene.body.is_flat();
        let shades = if is_flat { Vec::new() } else { self.light().shades(triangles) };
        let project = |index: usize| {
            let triangle = &triangles[index];
            let is_seen = self.edge_width > 0.0;
            let pieces = if triangle.is_cut { 0.6 } else { 1.0 }; // a plane cuts smaller pieces than cells are
            let strength = f32::from(is_seen) * visibility(pieces * triangle.size * camera.scale as f32 / self.unit());
            Projected {
                corners: triangle.corners.map(|corner| camera.project(corner.point).map(|x| x as f32)),
                values: triangle.corners.map(|corner| corner.value),
                shades: if triangle.is_cut || is_flat { [1.0; 3] } else { shades[index] },
                ink: triangle.outlined.map(|outlined| if outlined { strength } else { 0.0 }),
                is_cut: triangle.is_cut,
                is_edge: false,
            }
        };
        let mut projected = parallel::values(triangles.len(), &project);
        let half_width = 0.5 * self.edge_width * self.unit();
        let bars: Vec<_> = projected.iter().filter(|p| p.is_cut).flat_map(|p| p.edge_bars(half_width)).collect();
        projected.extend(bars);
        projected
    }

    /// From above the viewer's left shoulder; weaker where colours must be read.
    fn light(&self) -> Light {
        let View { right, up, towards } = self.view;
        let direction = [0, 1, 2].map(|d| (0.80 * towards[d] + 0.48 * up[d] - 0.36 * right[d]) as f32);
        let ambient = if self.scene.colouring == Colouring::Plain { 0.30 } else { 0.55 };
        Light { direction, viewer: towards.map(|x| x as f32), ambient }
    }

    fn write_title(&self, image: &mut Image) {
        let Some(title) = &self.title else { return };
        let letters = self.letters(1.25);
        let x = 0.5 * (image.width() as f32 - letters.width(title)).max(0.0);
        letters.write(image, [x, 2.2 * letters.height], title);
    }
}

/// How strongly edges of cells of some pixels are drawn: small cells would drown in ink.
fn visibility(pixels: f32) -> f32 {
    ((pixels - 3.0) / 22.0).clamp(0.0, 1.0)
}

/// The least and largest value; widened where they are the same.
fn range(triangles: &[Triangle]) -> [f64; 2] {
    let none = || [f64::INFINITY, f64::NEG_INFINITY];
    let joined = |[low, high]: [f64; 2], [l, h]: [f64; 2]| [low.min(l), high.max(h)];
    let of_triangle = |triangle: &Triangle| {
        let finite = triangle.corners.iter().map(|corner| f64::from(corner.value)).filter(|value| value.is_finite());
        finite.fold(none(), |range, value| joined(range, [value, value]))
    };
    let [low, high] = triangles.iter().map(of_triangle).fold(none(), joined);
    match (low.is_finite(), low < high) {
        (false, _) => [0.0, 1.0],
        (true, true) => [low, high],
        (true, false) => [low - 0.5 * low.abs().max(1.0), low + 0.5 * low.abs().max(1.0)],
    }
}
