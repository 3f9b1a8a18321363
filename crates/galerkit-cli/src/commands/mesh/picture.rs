//! The picture that `mesh info --png` draws.

use crate::args::MeshInfo;
use anyhow::{Context, Result, bail};
use galerkit_fem::io::{Contents, Field};
use galerkit_fem::mesh::Block;
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
    let mesh = &contents.mesh;
    let values = plan.field.as_deref().map(|name| values(contents, name)).transpose()?;
    let scene = match &values {
        Some(Values::AtPoints(values)) => Scene::of_points(mesh, values)?,
        Some(Values::OfCells(values)) => {
            let sizes = mesh.blocks.iter().map(Block::len);
            let before: Vec<usize> = sizes.scan(0, |end, size| Some(std::mem::replace(end, *end + size))).collect();
            Scene::of_function(mesh, 1, move |block, cell, _| values[before[block] + cell])?
        }
        None => Scene::of_tags(mesh)?,
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

/// Numbers of a field, one for each point or cell.
enum Values {
    AtPoints(Vec<f64>),
    OfCells(Vec<f64>),
}

fn values(contents: &Contents, name: &str) -> Result<Values> {
    let named = |fields: &[Field]| fields.iter().find(|field| field.name == name).map(scalars);
    let at_points = named(&contents.point_data).map(Values::AtPoints);
    at_points.or_else(|| named(&contents.cell_data).map(Values::OfCells)).with_context(|| {
        let fields = contents.point_data.iter().chain(&contents.cell_data);
        let names: Vec<&str> = fields.map(|field| &*field.name).collect();
        let known = if names.is_empty() { "there are none".into() } else { format!("there are {}", names.join(", ")) };
        format!("there is no field '{name}' on the mesh; {known}")
    })
}

/// A scalar field, or the lengths of a vector field.
fn scalars(field: &Field) -> Vec<f64> {
    let length = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    match field.components {
        1 => field.values.clone(),
        n => field.values.chunks_exact(n.max(1)).map(length).collect(),
    }
}
