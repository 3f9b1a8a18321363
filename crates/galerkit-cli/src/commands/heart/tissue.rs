//! From the plan to tissue: meshes generated or read, checked against what a heart can be; fibres, regions, scars.

use super::unused::{Numbers, used};
use super::{edges, steps};
use crate::plan::heart::tissue::{Change, Fibres, surface_tags};
use crate::plan::heart::{Geometry, HeartPlan, Shape, Spot};
use anyhow::{Context, Result, anyhow, bail};
use galerkit::fem::Error as FemError;
use galerkit::fem::cardiac::fibres::{Surfaces, fibres};
use galerkit::fem::cardiac::{Conductivity, Region, Stimulus, Tissue, geometry};
use galerkit::fem::io::{Contents, Field, carp, read_contents};
use galerkit::fem::mesh::generate::to_simplices;
use galerkit::fem::mesh::{Mesh, Shape as CellShape};
use std::io::ErrorKind;

/// Sizes of hearts in mm, and of parts of them.
const SIZES: [f64; 2] = [5.0, 300.0];
/// Units that a mesh may be in, with how many mm they are.
const UNITS: [(&str, f64); 4] = [("mm", 1.0), ("cm", 10.0), ("um", 1e-3), ("m", 1000.0)];
/// Names under which programs write fibres, in lower case.
const FIBRE_NAMES: [&str; 8] =
    ["fibre", "fiber", "fibres", "fibers", "f0", "fibre_direction", "fiber_direction", "longitudinal"];

/// Tissue with what excites it.
pub struct Prepared {
    /// The tissue.
    pub tissue: Tissue,
    /// Its stimuli.
    pub stimuli: Vec<Stimulus>,
}

/// The tissue of a plan; warnings are said.
pub fn prepare(plan: &HeartPlan, say: &dyn Fn(&str)) -> Result<Prepared> {
    let (contents, numbers) = used(contents(&plan.geometry, say)?, say);
    let mesh = &contents.mesh;
    let tissue = Tissue::new(mesh, plan.conductivity).map_err(told)?;
    check_size(&plan.geometry, &tissue)?;
    let tissue = fibred(plan, &contents, tissue, say)?;
    let place = |spot: &Spot| placed(spot, mesh, &numbers);
    let (tissue, gone) = regions(plan, &place, tissue, say)?;
    let mut stimuli = stimuli(plan, &place)?;
    let tissue = if gone.contains(&true) { scarred(&tissue, &gone, &mut stimuli)? } else { tissue };
    edges::warning(plan, &tissue).iter().chain(&steps::warning(plan)).for_each(|warning| say(warning));
    Ok(Prepared { tissue, stimuli })
}

fn contents(from: &Geometry, say: &dyn Fn(&str)) -> Result<Contents> {
    let mesh = match from {
        Geometry::BuiltIn { shape: Shape::Cable, size, dx } => geometry::cable(size[0], *dx)?,
        Geometry::BuiltIn { shape: Shape::Sheet, size, dx } => geometry::sheet([size[0], size[1]], *dx)?,
        Geometry::BuiltIn { shape: Shape::Slab, size, dx } => geometry::slab(*size, *dx)?,
        Geometry::BuiltIn { shape: Shape::Ventricle, dx, .. } => geometry::ventricle(*dx)?,
        Geometry::BuiltIn { shape: Shape::Biventricle, dx, .. } => geometry::biventricle(*dx)?,
        Geometry::File { path, unit, .. } => {
            let mut contents = read_contents(path).map_err(told)?;
            contents.mesh.points.iter_mut().flatten().for_each(|x| *x *= unit);
            return in_simplices(contents, say);
        }
    };
    Ok(Contents { mesh, ..Contents::default() })
}

/// What an error of the mesh or of its coefficients is called here: the flags that help other commands are not there.
fn told(error: FemError) -> anyhow::Error {
    match &error {
        FemError::InvalidCoefficient { .. } => anyhow!("{error}"),
        FemError::Io { path, source } if source.kind() == ErrorKind::NotFound => {
            anyhow!("there is no file {}: check the path; --geometry has built-in shapes", path.display())
        }
        _ => error.into(),
    }
}

/// Voxels are cut into tetrahedra, pixels into triangles.
fn in_simplices(contents: Contents, say: &dyn Fn(&str)) -> Result<Contents> {
    let mesh = &contents.mesh;
    let is_grid = |shape| matches!(shape, CellShape::Hexahedron | CellShape::Quadrilateral);
    if !mesh.blocks_of(mesh.dim()).any(|block| is_grid(block.shape)) {
        return Ok(contents);
    }
    let cut = to_simplices(mesh)?;
    say(&format!("{} voxels were cut into {} simplices", cells(mesh), cells(&cut)));
    Ok(Contents { mesh: cut, point_data: contents.point_data, cell_data: Vec::new() })
}

fn cells(mesh: &Mesh) -> usize {
    mesh.blocks_of(mesh.dim()).map(|block| block.len()).sum()
}

/// A heart in another unit is not a heart: which it may be is said.
fn check_size(from: &Geometry, tissue: &Tissue) -> Result<()> {
    let Geometry::File { is_given: false, unit, unit_name, .. } = from else { return Ok(()) };
    // A wedge of 5 cm is 5 mm large in the wrong unit: hearts are larger.
    let is_heart = |extent: f64| extent > SIZES[0] && extent <= SIZES[1];
    let extent = tissue.extent();
    if is_heart(extent) {
        return Ok(());
    }
    let fits = |(_, other): &&(&str, f64)| is_heart(extent / unit * other);
    let fitting: Vec<String> = UNITS.iter().filter(fits).map(|(name, _)| format!("--unit {name}")).collect();
    bail!(
        "the mesh is {extent} mm large if its unit is {unit_name}, hearts are more than {} and at most {} mm: say its unit ({}), or --unit \
         {unit_name} if it is meant so",
        SIZES[0],
        SIZES[1],
        if fitting.is_empty() { "mm, cm, m or um".into() } else { fitting.join(" or ") }
    );
}

/// With the fibre of each element.
fn fibred(plan: &HeartPlan, contents: &Contents, tissue: Tissue, say: &dyn Fn(&str)) -> Result<Tissue> {
    let directions = match &plan.fibres {
        Fibres::Constant(fibre) => return tissue.with_fibre(*fibre).map_err(told),
        Fibres::Rule(angles) => {
            let tags = plan.surfaces.as_deref().map(|text| surface_tags(text, &contents.mesh)).transpose()?;
            fibres(&tissue, &Surfaces::new(&contents.mesh, tags)?, *angles)?
        }
        Fibres::Lon(path) => {
            let fields = carp::read_lon(path, cells(&contents.mesh))?;
            vectors(&fields[0])
        }
        Fibres::Field(name) => {
            let is_it = |found: &str| found == name;
            let names =
                || contents.cell_data.iter().chain(&contents.point_data).map(|field| &field.name).collect::<Vec<_>>();
            let found = of_file(contents, &tissue, &is_it);
            found.with_context(|| format!("the mesh file has no vectors '{name}': it has {:?}", names()))?
        }
        Fibres::OfFile => {
            let is_fibre = |name: &str| FIBRE_NAMES.contains(&name.to_ascii_lowercase().as_str());
            let Some(found) = of_file(contents, &tissue, &is_fibre) else {
                if plan.conductivity.ani != 0.0 {
                    say("the mesh file has no fibres: all are taken along x; see --fibres and --fibre");
                }
                return Ok(tissue);
            };
            found
        }
    };
    tissue.with_fibres(directions).map_err(told)
}

fn vectors(field: &Field) -> Vec<[f64; 3]> {
    field.values.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect()
}

/// Vectors by cell, or the mean of those at the nodes, turned where they point against each other.
fn of_file(contents: &Contents, tissue: &Tissue, is_wanted: &dyn Fn(&str) -> bool) -> Option<Vec<[f64; 3]>> {
    let find =
        |fields: &[Field]| fields.iter().find(|field| field.components == 3 && is_wanted(&field.name)).map(vectors);
    if let Some(all) = find(&contents.cell_data) {
        // Fields have all cells of the file, tissue those of the highest dimension, in the same order.
        let dim = contents.mesh.dim();
        let sizes = contents.mesh.blocks.iter().map(|block| (block.len(), block.shape.dim() == dim));
        let is_body: Vec<bool> = sizes.flat_map(|(count, is_body)| std::iter::repeat_n(is_body, count)).collect();
        return Some(all.into_iter().zip(is_body).filter(|(_, is_body)| *is_body).map(|(vector, _)| vector).collect());
    }
    let at_nodes = find(&contents.point_data)?;
    let mean = |e: usize| {
        let first = at_nodes[tissue.nodes(e)[0] as usize];
        let turned = tissue.nodes(e).iter().map(|&node| {
            let vector = at_nodes[node as usize];
            let against = (0..3).map(|d| vector[d] * first[d]).sum::<f64>() < 0.0;
            if against { vector.map(|x| -x) } else { vector }
        });
        turned.fold([0.0; 3], |sum, v| [sum[0] + v[0], sum[1] + v[1], sum[2] + v[2]])
    };
    Some((0..tissue.elements()).map(mean).collect())
}

/// A spot in the mesh; nodes of files have the numbers of the mesh file.
fn placed(spot: &Spot, mesh: &Mesh, numbers: &Numbers) -> Result<Region> {
    match spot {
        Spot::Nodes(file) => Ok(Region::Nodes(file.within(numbers.len())?.filter_map(|node| numbers[node]).collect())),
        _ => spot.region(mesh),
    }
}

/// With conductivities by element, and which elements are to be taken away; none where nothing is.
fn regions(
    plan: &HeartPlan,
    place: &dyn Fn(&Spot) -> Result<Region>,
    tissue: Tissue,
    say: &dyn Fn(&str),
) -> Result<(Tissue, Vec<bool>)> {
    if plan.regions.is_empty() {
        return Ok((tissue, Vec::new()));
    }
    let mut conductivities: Vec<Conductivity> = (0..tissue.elements()).map(|e| tissue.conductivity(e)).collect();
    let mut gone = vec![false; tissue.elements()];
    for (number, region) in plan.regions.iter().enumerate() {
        let place = place(&region.spot)?;
        let mut found = 0;
        for (e, _) in tissue.tags().enumerate().filter(|(e, tag)| place.has_element(&tissue, *e, *tag)) {
            found += 1;
            match region.change {
                Change::To(conductivity) => conductivities[e] = conductivity,
                Change::Times(0.0) => gone[e] = true,
                Change::Times(scale) => {
                    let Conductivity { iso, ani } = conductivities[e];
                    conductivities[e] = Conductivity { iso: scale * iso, ani: scale * ani };
                }
            }
        }
        if found == 0 {
            say(&format!(
                "warning: region or scar {} has no element: check its place and the unit of the mesh",
                number + 1
            ));
        }
    }
    if gone.iter().all(|gone| *gone) {
        bail!("the scars take all tissue away: make them smaller, or give them a scale");
    }
    Ok((tissue.with_conductivities(conductivities).map_err(told)?, gone))
}

fn stimuli(plan: &HeartPlan, place: &dyn Fn(&Spot) -> Result<Region>) -> Result<Vec<Stimulus>> {
    let made = plan.stimuli.iter().map(|stimulus| {
        Ok(Stimulus { region: place(&stimulus.spot)?, action: stimulus.action, times: stimulus.times.clone() })
    });
    made.collect()
}

/// Without what is gone; nodes of stimuli have new numbers.
fn scarred(tissue: &Tissue, gone: &[bool], stimuli: &mut [Stimulus]) -> Result<Tissue> {
    let (left, numbers) = tissue.without(&|e| gone[e])?;
    for stimulus in stimuli {
        if let Region::Nodes(nodes) = &mut stimulus.region {
            *nodes = nodes.iter().filter_map(|&node| numbers.get(node as usize).copied().flatten()).collect();
        }
    }
    Ok(left)
}
