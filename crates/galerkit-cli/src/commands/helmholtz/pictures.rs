//! Pictures of a pressure: its level, its real part, its phase; one period as a film.

use crate::plan::helmholtz::{HelmholtzFiles, Show};
use anyhow::Result;
use galerkit::fem::acoustics::{Pressure, WaveSpace};
use galerkit::fem::io::Contents;
use galerkit::fem::picture::gif::write_gif;
use galerkit::fem::picture::{ColourMap, Film, Image, Picture, Plane, Scene};
use std::f64::consts::TAU;
use std::path::Path;

/// Images of a period, and how long each is shown.
const FRAMES: usize = 24;
const MILLISECONDS: u16 = 60;
const FILM_SIZE: [usize; 2] = [520, 420];

/// Writes what was asked for.
pub fn write<V: WaveSpace>(files: &HelmholtzFiles, show: Show, pressure: &Pressure<V>, title: &str) -> Result<()> {
    if files.vtu.is_none() && files.png.is_none() && files.gif.is_none() {
        return Ok(());
    }
    let contents = pressure.contents();
    if let Some(path) = &files.vtu {
        contents.write(path)?;
    }
    if let Some(path) = &files.png {
        let (field, words) = match show {
            Show::Level => (2, "sound-pressure level in dB"),
            Show::Real => (0, "real part of the pressure"),
            Show::Phase => (3, "phase in degrees"),
        };
        draw(
            &contents,
            &contents.point_data[field].values,
            show,
            (None, format!("{title}, {words}").as_str()),
            |picture| Ok(picture.write_png(path)?),
        )?;
    }
    if let Some(path) = &files.gif {
        film(&contents, path, title)?;
    }
    Ok(())
}

/// Draws values at the points; `size` is that of a film's images.
fn draw<T>(
    contents: &Contents,
    values: &[f64],
    show: Show,
    (size, title): (Option<[usize; 2]>, &str),
    then: impl FnOnce(Picture<'_>) -> Result<T>,
) -> Result<T> {
    let scene = Scene::of_points(&contents.mesh, values)?;
    let mut picture = Picture::of(&scene).edges(0.0).title(title);
    if let Some([width, height]) = size {
        picture = picture.size(width, height);
    }
    picture = match show {
        Show::Level => picture.colours(ColourMap::heat()),
        Show::Phase => picture.colours(ColourMap::diverging()).range(-180.0, 180.0),
        Show::Real => {
            let most = values.iter().fold(f64::MIN_POSITIVE, |most, p| most.max(p.abs()));
            picture.colours(ColourMap::diverging()).range(-most, most)
        }
    };
    let end =
        |d: usize, pick: fn(f64, f64) -> f64| contents.mesh.points.iter().map(|x| x[d]).reduce(pick).unwrap_or(0.0);
    if contents.mesh.dim() == 3 {
        // the car lies across z; other bodies are cut across y, as elsewhere
        let axis = if title.starts_with("car") { 2 } else { 1 };
        picture = picture.cut(Plane::across(axis, 0.5 * (end(axis, f64::min) + end(axis, f64::max))));
    }
    then(picture)
}

/// Re(u e^(-i omega t)) over a period.
fn film(contents: &Contents, path: &Path, title: &str) -> Result<()> {
    let (re, im) = (&contents.point_data[0].values, &contents.point_data[1].values);
    let most = re.iter().zip(im).fold(f64::MIN_POSITIVE, |most, (re, im)| most.max(re.hypot(*im)));
    let mut images: Vec<Image> = Vec::new();
    for frame in 0..FRAMES {
        let angle = TAU * frame as f64 / FRAMES as f64;
        let values: Vec<f64> = re.iter().zip(im).map(|(re, im)| re * angle.cos() + im * angle.sin()).collect();
        let rendered = draw(contents, &values, Show::Real, (Some(FILM_SIZE), title), |picture| {
            Ok(picture.range(-most, most).render()?)
        })?;
        images.push(rendered);
    }
    if path.extension().is_some_and(|end| end == "png" || end == "apng") {
        let mut film = Film::new(MILLISECONDS);
        images.into_iter().try_for_each(|image| film.push(image))?;
        film.write(path)?;
    } else {
        write_gif(path, &images, MILLISECONDS)?;
    }
    Ok(())
}
