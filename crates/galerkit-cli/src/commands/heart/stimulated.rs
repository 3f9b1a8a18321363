//! What is to be said where nothing will be activated.

use crate::plan::heart::HeartPlan;
use galerkit::fem::cardiac::{Simulation, Tissue};

/// Stimuli that hit nothing.
pub fn unreached(simulation: &Simulation) -> Vec<String> {
    let empty = simulation.reached().into_iter().enumerate().filter(|(_, nodes)| *nodes == 0);
    let said = |(number, _): (usize, usize)| {
        let number = number + 1;
        format!("warning: stimulus {number} hits no node of the tissue: check its place and the unit of the mesh")
    };
    empty.map(said).collect()
}

/// A mesh file has no stimulus of its own: what is to be said where none was typed, not even that there is none.
pub fn unstimulated(plan: &HeartPlan, tissue: &Tissue) -> Option<String> {
    let lowest = tissue.points().iter().min_by(|a, b| a[2].total_cmp(&b[2]))?;
    let [x, y, z] = lowest.map(|x| format!("{x:.4}"));
    let radius = 0.1 * tissue.extent();
    plan.stimulus_texts.is_empty().then(|| {
        format!(
            "warning: nothing is stimulated, so nothing will be activated: a mesh needs a --stimulus, as in --stimulus \
             'sphere={x},{y},{z},{radius:.4}', --stimulus 'tag=1' or --stimulus 'nodes=FILE.vtx'; 'none' for none at all"
        )
    })
}
