//! b(k): what sources, boundary data and fixed functions put on the right-hand side.

use super::equations::{Equations, summed};
use super::excitation::Excitation;
use super::wave_space::{Side, WaveSpace};
use crate::error::{Error, Result};
use crate::form::{Field, Site};
use crate::space::row::Row;
use galerkit_linalg::c64;

impl<V: WaveSpace> Equations<V> {
    /// b(k) of the problem's own data.
    ///
    /// # Errors
    /// If data are not finite, or a source lies outside.
    pub fn rhs(&self, k: c64) -> Result<Vec<c64>> {
        self.rhs_of(k, &self.problem.excitation())
    }
    /// b(k) of other data and sources.
    ///
    /// # Errors
    /// If data are not finite, or a source lies outside.
    pub fn rhs_of(&self, k: c64, drive: &Excitation) -> Result<Vec<c64>> {
        let (problem, space) = (&self.problem, &*self.problem.space);
        let mut b = vec![c64::new(0.0, 0.0); self.unknowns()];
        let mut add = |e: usize, load: &[c64]| {
            for (row, load) in space.rows(e).iter().zip(load) {
                let free = row.iter().filter(|(i, _)| (*i as usize) < space.unknowns());
                free.for_each(|&(i, c)| b[i as usize] += load * c);
            }
        };
        let is_driven = problem.conditions.keys().any(|&tag| problem.driven(tag, drive).is_some());
        for e in 0..if is_driven { space.cells() } else { 0 } {
            for side in space.sides(e) {
                if let Some(data) = problem.driven(side.tag, drive) {
                    add(e, &self.side_load(k, e, side, &|x, n| data.at(k, x, n))?);
                }
            }
        }
        if let Some(f) = &drive.density {
            (0..space.cells()).try_for_each(|e| self.cell_load(k, e, f).map(|load| add(e, &load)))?;
        }
        for source in &drive.sources {
            let Some((e, functions)) = space.locate(&source.place) else {
                return Err(Error::SourceOutside { centre: source.place.to_vec(), ends: Vec::new() });
            };
            add(e, &functions.iter().map(|f| source.amplitude * f).collect::<Vec<_>>());
        }
        self.subtract_known(k, drive, &mut b)?;
        Ok(b)
    }

    /// int f v over cell e; stabilised elements weight f as they do the mass.
    fn cell_load(&self, k: c64, e: usize, f: &Field) -> Result<Vec<c64>> {
        let weight = self.problem.gls.map_or(c64::new(1.0, 0.0), |gls| gls.mass(k));
        let (space, mut load) = (&self.problem.space, Vec::new());
        for sample in space.samples(e, 3)? {
            let value = f.at(&Site { point: sample.point, region: space.region(e) });
            if !value.is_finite() {
                let (what, needed) = ("the source f", "finite");
                return Err(Error::InvalidCoefficient { what, value, point: sample.point, needed });
            }
            load.resize(sample.values.len(), c64::new(0.0, 0.0));
            load.iter_mut().zip(&sample.values).for_each(|(load, v)| *load += weight * (value * sample.weight * v));
        }
        Ok(load)
    }

    /// int g v / rho over a side: data are those of du/dn, what passes through the boundary is (1 / rho) du/dn.
    fn side_load(&self, k: c64, e: usize, side: Side, data: &dyn Fn(&[f64; 3], &[f64; 3]) -> c64) -> Result<Vec<c64>> {
        let (space, mut load) = (&self.problem.space, Vec::new());
        for sample in space.side_samples(e, side, 3)? {
            let (lightness, _) = self.problem.medium.at(&Site { point: sample.point, region: space.region(e) })?;
            let g = data(&sample.point, &sample.normal);
            if !(g.re.is_finite() && g.im.is_finite()) {
                let (what, needed) = ("the data on the boundary", "finite: is a source on it?");
                return Err(Error::InvalidCoefficient { what, value: k.norm(), point: sample.point, needed });
            }
            load.resize(sample.values.len(), c64::new(0.0, 0.0));
            load.iter_mut().zip(&sample.values).for_each(|(load, v)| *load += g * (lightness * sample.weight * v));
        }
        Ok(load)
    }

    fn subtract_known(&self, k: c64, drive: &Excitation, b: &mut [c64]) -> Result<()> {
        let space = &self.problem.space;
        if space.masters() == space.unknowns() {
            return Ok(());
        }
        let [re, im] = self.problem.lift(k, drive)?;
        let given: Vec<c64> = (space.unknowns()..space.masters()).map(|i| c64::new(re[i], im[i])).collect();
        self.split.subtract(&summed(&self.factors(k), &self.known), &given, b);
        for e in 0..if self.apart.is_empty() { 0 } else { space.cells() } {
            let rows = space.rows(e);
            let is_known = |row: &Row| row.iter().any(|(i, _)| *i as usize >= space.unknowns());
            if !rows.iter().any(is_known) {
                continue;
            }
            let g: Vec<c64> =
                space.local(e, &re).into_iter().zip(space.local(e, &im)).map(|(re, im)| c64::new(re, im)).collect();
            for (row, load) in rows.iter().zip(self.times_cell(k, e, &g)?) {
                let free = row.iter().filter(|(i, _)| (*i as usize) < space.unknowns());
                free.for_each(|&(i, c)| b[i as usize] -= load * c);
            }
        }
        Ok(())
    }

    /// The terms of cell e that are not assembled, times g.
    fn times_cell(&self, k: c64, e: usize, g: &[c64]) -> Result<Vec<c64>> {
        let mut sum = vec![c64::new(0.0, 0.0); g.len()];
        for term in &self.apart {
            let (c, Some(form)) = ((term.factor)(k), term.form()) else { continue };
            let S = self.problem.space.matrix(e, &form)?;
            for (sum, row) in sum.iter_mut().zip(S.val.chunks(g.len())) {
                *sum += c * row.iter().zip(g).map(|(s, g)| g * *s).sum::<c64>();
            }
        }
        Ok(sum)
    }
}
