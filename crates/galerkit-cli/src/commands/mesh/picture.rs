//! The picture that `mesh info --png` draws.

use crate::args::MeshInfo;
use anyhow::{Context, Result, bail};
use galerkit_fem::io::Contents;
use galerkit_fem::picture::{Picture, Plane, Scene, View};
use std::path::Path;

/// What was asked of the picture.
pub struct Plan {
    size: [usize; 2],
    cut: Option<Plane>,
    view: Option<View>,
    field: Option<String>,
}

const MOST_PIXELS: usize = 16_000;

/// Reads the options before anything else is done.
pub fn plan(arguments: &MeshInfo) -> Result<Plan> {
    let wrong = || format!("--size {}: give width and height in pixels, such as 1000x800", arguments.size);
    let (width, height) = arguments.size.split_once('x').with_context(wrong)?;
    let size = [width.parse().with_context(wrong)?, height.parse().with_context(wrong)?];
    if size.iter().any(|length| !(16..=MOST_PIXELS).contains(length)) {
        bail!("--size {}: each side has 16 to {MOST_PIXELS} pixels", arguments.size);
    }
    let view = match arguments.view[..] {
        [] => None,
        [x, y, z] if [x, y, z].iter().any(|d| *d != 0.0) => Some(View::from([x, y, z], [0.0, 0.0, 1.0])),
        _ => bail!("--view needs three numbers, not all 0, such as 1,1,0.5"),
    };
    let cut = arguments.cut.as_deref().map(plane).transpose()?;
    Ok(Plan { size, cut, view, field: arguments.field.clone() })
}

fn plane(text: &str) -> Result<Plane> {
    let wrong = || format!("--cut {text}: give an axis and a coordinate, such as x=0.5");
    let (axis, at) = text.split_once('=').with_context(wrong)?;
    let axis = ["x", "y", "z"].iter().position(|name| *name == axis).with_context(wrong)?;
    Ok(Plane::across(axis, at.parse().with_context(wrong)?))
}

/// Draws a mesh, or a field on it.
pub fn draw(path: &Path, contents: &Contents, plan: &Plan) -> Result<()> {
    let values = plan.field.as_deref().map(|name| values(contents, name)).transpose()?;
    let scene = match &values {
        Some(values) => Scene::of_points(&contents.mesh, values)?,
        None => Scene::of_tags(&contents.mesh)?,
    };
    let mut picture = Picture::of(&scene).size(plan.size[0], plan.size[1]);
    if let Some(view) = plan.view {
        picture = picture.view(view);
    }
    if let Some(plane) = plan.cut {
        picture = picture.cut(plane);
    }
    if let Some(field) = &plan.field {
        picture = picture.title(field.as_str());
    }
    Ok(picture.write_png(path)?)
}

/// A scalar field, or the lengths of a vector field.
fn values(contents: &Contents, name: &str) -> Result<Vec<f64>> {
    let Some(field) = contents.point_data.iter().find(|field| field.name == name) else {
        let names: Vec<&str> = contents.point_data.iter().map(|field| &*field.name).collect();
        let known = if names.is_empty() { "there are none".into() } else { format!("there are {}", names.join(", ")) };
        bail!("there is no field '{name}' on the points of the mesh; {known}");
    };
    Ok(match field.components {
        1 => field.values.clone(),
        n => field.values.chunks_exact(n.max(1)).map(|v| v.iter().map(|x| x * x).sum::<f64>().sqrt()).collect(),
    })
}
