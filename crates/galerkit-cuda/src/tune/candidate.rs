//! What can be chosen: a format with the parameters of its kernel. Only formats that keep the numbering of rows and
//! columns, so that one can take the place of another in the middle of a solve.

use super::Statistics;
use crate::error::{Error, Result};
use crate::launch::Gpu;
use crate::map::{Layout, Map, Tuning};
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::{Csr, Format, Matrix};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A format and how its kernel goes about it. As text: `csr lanes 8`, `csr balanced`, `sell:32:256`, `k2:32:16 wide`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Candidate {
    /// How the matrix is stored.
    pub format: Format,
    /// Lanes, balance and width of columns; without a word on the latter, narrow where they fit.
    pub tuning: Tuning,
}

impl Candidate {
    /// A format with every rule of its kernel.
    pub fn new(format: Format) -> Self {
        Self { format, tuning: Tuning::default() }
    }
    /// Compressed rows.
    pub fn csr() -> Self {
        Self::new(Format::Csr)
    }
    /// With so many threads a row.
    pub fn lanes(self, lanes: usize) -> Self {
        Self { tuning: Tuning { lanes: Some(lanes), balanced: Some(false), ..self.tuning }, ..self }
    }
    /// With the same work for every block.
    pub fn balanced(self) -> Self {
        Self { tuning: Tuning { balanced: Some(true), ..self.tuning }, ..self }
    }
    /// With 32-bit columns even where shorter ones fit.
    pub fn wide(self) -> Self {
        Self { tuning: Tuning { narrow: Some(false), ..self.tuning }, ..self }
    }
    /// Whether what reads the product can run in the same kernel, and a loop as one persistent kernel: not if rows are
    /// summed in parts.
    pub fn fuses(&self) -> bool {
        self.tuning.balanced != Some(true) && !matches!(self.format, Format::Hyb { .. } | Format::Coo)
    }

    /// Converts a matrix and brings it onto the GPU.
    pub fn build<S: Scalar>(&self, gpu: &Arc<Gpu>, A: &Csr<S>) -> Result<Map> {
        let unsupported =
            |error: galerkit_linalg::Error| Error::Unsupported { what: self.to_string(), reason: error.to_string() };
        let matrix = Matrix::from_csr(A, self.format).map_err(unsupported)?;
        Layout::of_matrix(&matrix, &self.tuning)?.upload(gpu)
    }
}

/// Every candidate for a matrix of which these formats were looked at.
pub fn enumerate(statistics: &Statistics) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for &(format, _) in &statistics.slots {
        let plain = Candidate::new(format);
        match format {
            Format::Csr => {
                candidates.extend(statistics.teams.iter().map(|&(lanes, _)| plain.lanes(lanes)));
                candidates.push(plain.balanced());
            }
            Format::Sell { .. } | Format::EllWarp { .. } if statistics.fits_narrow(format) => {
                candidates.extend([plain, plain.wide()]);
            }
            _ => candidates.push(plain),
        }
    }
    candidates
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tuning { lanes, narrow, balanced, .. } = self.tuning;
        let mut name = self.format.to_string();
        if balanced == Some(true) {
            name += " balanced";
        }
        if let Some(lanes) = lanes {
            name += &format!(" lanes {lanes}");
        }
        if narrow == Some(false) {
            name += " wide";
        }
        f.pad(&name)
    }
}

impl FromStr for Candidate {
    type Err = galerkit_linalg::Error;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let mut words = text.split(' ');
        let mut candidate = Self::new(words.next().unwrap_or_default().parse()?);
        let unknown = || {
            let known = "a format, then `lanes N`, `balanced` or `wide`".into();
            galerkit_linalg::Error::UnknownName { what: "candidate", name: text.into(), known }
        };
        while let Some(word) = words.next() {
            candidate = match word {
                "lanes" => {
                    let lanes = words.next().and_then(|lanes| lanes.parse::<usize>().ok());
                    let legal = lanes.filter(|lanes| lanes.is_power_of_two() && *lanes <= 32);
                    candidate.lanes(legal.ok_or_else(unknown)?)
                }
                "balanced" => candidate.balanced(),
                "wide" => candidate.wide(),
                _ => return Err(unknown()),
            };
        }
        Ok(candidate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        let names =
            ["csr lanes 8", "csr balanced", "sell:32:256", "k2:32:16 wide", "hyb", "bsr:3", "k1:32", "sell:32:1 wide"];
        for name in names {
            let candidate: Candidate = name.parse().unwrap();
            assert_eq!(candidate.to_string(), name);
            let fuses = !matches!(name, "csr balanced" | "hyb");
            assert_eq!(candidate.fuses(), fuses, "{name}");
        }
        for wrong in ["", "csr lanes", "csr lanes 3", "csr lanes 64", "csr fast", "sell:0", "csr  wide"] {
            assert!(wrong.parse::<Candidate>().is_err(), "{wrong:?}");
        }
    }
}
