//! Options of `galerkit helmholtz` that exclude each other. A solution that is given must hold, and drive the problem:
//! errors against anything else are numbers without a meaning.

use super::geometry::Geometry;
use super::words::{Drive, Truncation, Wall};
use super::{HelmholtzPlan, Source};
use anyhow::{Result, bail};
use galerkit::fem::acoustics::Wave;

impl HelmholtzPlan {
    /// An error that says what to take instead; `cuts_off`: --boundary was typed.
    pub(super) fn check(&self, cuts_off: bool) -> Result<()> {
        if self.gls.is_some() && self.degree != 1 {
            bail!("--gls corrects bilinear elements: use --degree 1");
        }
        if !(self.sound_speed > 0.0 && self.sound_speed.is_finite()) {
            bail!("--sound-speed {} is not allowed: it is above 0, in m/s", self.sound_speed);
        }
        if self.scatter.is_none() && self.cases.iter().any(|case| matches!(case.drive, Drive::Incident(_))) {
            bail!("--case incident needs an obstacle: add --scatter soft or hard");
        }
        if self.exact.is_none() && self.walls.iter().any(|(_, wall)| *wall == Wall::Exact) {
            bail!("a wall is 'exact': add --exact WAVE");
        }
        self.check_medium()?;
        self.check_scatter()?;
        self.check_exact(cuts_off)
    }

    /// Whether the geometry has an inner boundary of radius 1 and an outer one.
    fn has_inner(&self) -> bool {
        matches!(self.source, Source::Geometry(Geometry::Annulus(_) | Geometry::Shell(_), _))
    }

    /// Waves in closed form are those of one medium.
    fn check_medium(&self) -> Result<()> {
        let varies = self.slowness().is_none() || self.density.as_ref().is_some_and(|rho| rho.constant().is_none());
        if self.gls.is_some() && self.slowness().is_none() {
            bail!("--gls corrects waves of one speed: give --speed as a number");
        }
        match (self.exact.is_some(), self.scatter.is_some()) {
            (true, _) if varies => {
                bail!("--exact is a wave in one medium: give --speed and --density as numbers, or leave --exact out")
            }
            (_, true) if varies => bail!(
                "--scatter is met by a wave in one medium: give --speed and --density as numbers, or drive it by --source"
            ),
            _ => Ok(()),
        }
    }

    fn check_scatter(&self) -> Result<()> {
        if self.scatter.is_none() {
            return Ok(());
        }
        if !self.has_inner() || self.exact.is_some() {
            bail!("--scatter needs --geometry annulus or shell, and no --exact");
        }
        match self.walls.first() {
            Some((name, _)) => bail!(
                "--wall {name} contradicts --scatter, the condition on 'inner', or --boundary, that on 'outer': leave --wall \
                 out, or --scatter"
            ),
            None => Ok(()),
        }
    }

    /// Waves between rigid walls are those of one geometry, which has its walls by itself.
    fn check_walls_of_exact(&self) -> Result<()> {
        let is_mode = matches!(self.exact, Some(Wave::Duct { .. }));
        let is_along = matches!(self.exact, Some(Wave::Plane { direction: [x, _, _] }) if x == 1.0);
        match self.source {
            Source::Geometry(Geometry::Duct, _) if is_mode => {}
            Source::Geometry(Geometry::Strip, _) if is_along => {}
            Source::Geometry(Geometry::Strip, _) => {
                bail!("--geometry strip is a problem of one dimension: its solution is --exact plane:0")
            }
            _ if is_mode => bail!("--exact duct:M is a mode of --geometry duct: take that"),
            _ => return Ok(()),
        }
        match self.walls.first() {
            Some((name, _)) => {
                bail!("--wall {name} contradicts --exact, which has the walls of its geometry: leave it out")
            }
            None => Ok(()),
        }
    }

    fn check_exact(&self, cuts_off: bool) -> Result<()> {
        if self.exact.is_none() {
            return Ok(());
        }
        if !self.cases.is_empty() {
            bail!("--exact has boundary data of its own: leave --case out");
        }
        if matches!(self.source, Source::Geometry(Geometry::Car(_), _)) {
            bail!(
                "--exact has no data for the car, which its panel drives: take --geometry square, cube, duct, annulus or \
                 shell, or --mesh FILE"
            );
        }
        self.check_walls_of_exact()?;
        if !self.sources.is_empty() || self.volume.is_some() {
            bail!("--exact solves the equation without sources inside: leave --source and --volume out, or --exact");
        }
        if cuts_off && !self.has_inner() && self.truncation != Truncation::Impedance {
            bail!(
                "--exact gives data on the whole boundary, so that nothing is left to --boundary: leave one of them out, or \
                 take --geometry annulus or shell"
            );
        }
        match self.walls.iter().find(|(_, wall)| !matches!(wall, Wall::Exact | Wall::Impedance(_))) {
            Some((name, _)) => bail!(
                "--wall {name} contradicts --exact, from which boundary data follow: write {name}=exact (u given) or \
                 {name}=impedance:BETA (du/dn - ik BETA u given)"
            ),
            None => Ok(()),
        }
    }
}
