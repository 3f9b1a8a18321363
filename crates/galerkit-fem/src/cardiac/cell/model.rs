//! The models there are, by name, parts of which may be switched off.

use super::Cell;
use super::aliev_panfilov::AlievPanfilov;
use super::mitchell_schaeffer::MitchellSchaeffer;
use galerkit_linalg::engine::Entry;

/// A cell model by name, parts of which may be switched off.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Its equations.
    pub kind: Kind,
    /// Whether phi reacts at all; if not, only diffusion is left.
    pub reaction: bool,
    /// Whether r moves.
    pub recovery: bool,
}

/// The models there are.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Aliev and Panfilov 1996.
    AlievPanfilov(AlievPanfilov),
    /// Mitchell and Schaeffer 2003.
    MitchellSchaeffer(MitchellSchaeffer),
}

impl Default for Model {
    fn default() -> Self {
        AlievPanfilov::default().into()
    }
}
impl From<AlievPanfilov> for Model {
    fn from(cell: AlievPanfilov) -> Self {
        Self { kind: Kind::AlievPanfilov(cell), reaction: true, recovery: true }
    }
}
impl From<MitchellSchaeffer> for Model {
    fn from(cell: MitchellSchaeffer) -> Self {
        Self { kind: Kind::MitchellSchaeffer(cell), reaction: true, recovery: true }
    }
}

impl Model {
    /// The name by which the command line knows it.
    pub fn name(&self) -> &'static str {
        match self.kind {
            Kind::AlievPanfilov(_) => "aliev-panfilov",
            Kind::MitchellSchaeffer(_) => "mitchell-schaeffer",
        }
    }
    fn switched<N: Entry>(&self, [f, g]: [N; 2]) -> [N; 2] {
        let zero = N::constant(0.0);
        [if self.reaction { f } else { zero }, if self.reaction && self.recovery { g } else { zero }]
    }
}

impl Cell for Model {
    fn rates<N: Entry>(&self, phi: N, r: N) -> [N; 2] {
        self.switched(match &self.kind {
            Kind::AlievPanfilov(cell) => cell.rates(phi, r),
            Kind::MitchellSchaeffer(cell) => cell.rates(phi, r),
        })
    }
    fn slopes<N: Entry>(&self, phi: N, r: N) -> [[N; 2]; 2] {
        let [[f_phi, f_r], [g_phi, g_r]] = match &self.kind {
            Kind::AlievPanfilov(cell) => cell.slopes(phi, r),
            Kind::MitchellSchaeffer(cell) => cell.slopes(phi, r),
        };
        let ([f_phi, g_phi], [f_r, g_r]) = (self.switched([f_phi, g_phi]), self.switched([f_r, g_r]));
        [[f_phi, f_r], [g_phi, g_r]]
    }
    fn rest(&self) -> [f64; 2] {
        match &self.kind {
            Kind::AlievPanfilov(cell) => cell.rest(),
            Kind::MitchellSchaeffer(cell) => cell.rest(),
        }
    }
    fn recovered<N: Entry>(&self, phi: N, r_before: N, per_step: N) -> (N, usize) {
        match &self.kind {
            _ if !(self.reaction && self.recovery) => (r_before, 1),
            Kind::AlievPanfilov(cell) => cell.recovered(phi, r_before, per_step),
            Kind::MitchellSchaeffer(cell) => cell.recovered(phi, r_before, per_step),
        }
    }
    fn orbit(&self) -> [[f64; 2]; 2] {
        match &self.kind {
            Kind::AlievPanfilov(cell) => cell.orbit(),
            Kind::MitchellSchaeffer(cell) => cell.orbit(),
        }
    }
}
