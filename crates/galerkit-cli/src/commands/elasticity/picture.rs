//! The deformed body, seen from where its length is.

use super::solved::Solved;
use crate::plan::elasticity::{ElasticityPlan, Show};
use anyhow::Result;
use galerkit::fem::Mesh;
use galerkit::fem::picture::{ColourMap, Picture, Scene, View};
use std::path::Path;

/// How many times the displacement is drawn: as asked for, or one, two or five times a power of ten.
pub fn scale(plan: &ElasticityPlan, solved: &Solved) -> f64 {
    plan.scale.unwrap_or_else(|| {
        let visible = solved.displacement.visible_scale();
        let power = 10f64.powf(visible.log10().floor());
        [5.0, 2.0, 1.0].into_iter().find(|digit| digit * power <= visible * (1.0 + 1e-9)).unwrap_or(1.0) * power
    })
}

/// Draws it.
pub fn draw(plan: &ElasticityPlan, solved: &Solved, path: &Path) -> Result<()> {
    let scale = scale(plan, solved);
    let deformed = solved.displacement.deformed(scale);
    let (values, words) = match plan.show {
        Show::Stress => (solved.von_mises.clone(), "von Mises stress"),
        Show::Displacement => (solved.displacement.lengths(), "displacement"),
    };
    let most = values.iter().copied().fold(0.0, f64::max);
    let scene = Scene::of_points(&deformed, &values)?;
    let title = format!("{}: {words}, deformation times {scale}", plan.name());
    let picture = Picture::of(&scene).size(1200, 720).title(title).view(view(&deformed)).edges(0.7);
    let picture = picture.colours(ColourMap::heat()).range(0.0, if most > 0.0 { most } else { 1.0 });
    Ok(picture.write_png(path)?)
}

/// From the side of long bodies, and from above.
fn view(mesh: &Mesh) -> View {
    let end = |d: usize, pick: fn(f64, f64) -> f64| mesh.points.iter().map(|x| x[d]).reduce(pick).unwrap_or(0.0);
    let [x, y, _] = [0, 1, 2].map(|d| end(d, f64::max) - end(d, f64::min));
    let towards = if x > 1.5 * y { [0.42, -1.0, 0.42] } else { [1.0, 0.62, 0.42] };
    View::from(towards, [0.0, 0.0, 1.0])
}
