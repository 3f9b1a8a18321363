//! The account of a decision: what was predicted, what was measured, what was taken, and how wrong the model was.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Where a decision comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The model alone.
    Model,
    /// Candidates were timed in this solve.
    Measured,
    /// Candidates were timed in an earlier solve.
    Cached,
}

/// A decision and the numbers behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// Seconds of a product by the model, best first.
    pub predicted: Vec<(String, f64)>,
    /// Seconds of a product as measured; the model's pick comes first.
    pub measured: Vec<(String, f64)>,
    /// The candidate that was taken.
    pub taken: String,
    /// On what grounds.
    pub from: Origin,
    /// Why the decision could not be kept on disk, if it could not.
    #[serde(skip)]
    pub note: Option<String>,
}

impl Choice {
    /// Predicted over measured seconds of the taken candidate; 1 is right.
    pub fn model_error(&self) -> Option<f64> {
        Some(seconds(&self.predicted, &self.taken)? / seconds(&self.measured, &self.taken)?)
    }
    /// What the model's pick loses against the best measured: 0 if it is the best, 0.1 if it takes 10 % longer.
    pub fn loss(&self) -> Option<f64> {
        let picked = self.measured.first()?.1;
        let best = self.measured.iter().map(|(_, seconds)| *seconds).fold(f64::INFINITY, f64::min);
        Some(picked / best - 1.0)
    }
}

fn seconds(list: &[(String, f64)], name: &str) -> Option<f64> {
    list.iter().find(|(known, _)| known == name).map(|(_, seconds)| *seconds)
}

/// Candidates beyond the best few of the model are not listed unless they were measured.
const LISTED: usize = 5;

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grounds = match self.from {
            Origin::Model => "by the model alone",
            Origin::Measured => "measured in this solve",
            Origin::Cached => "measured in an earlier solve and cached",
        };
        writeln!(f, "product stored as {}, {grounds}", self.taken)?;
        writeln!(f, "  {:<18} {:>12} {:>12}", "candidate", "predicted", "measured")?;
        let time = |seconds: Option<f64>| seconds.map_or("-".into(), |s| format!("{:.2} us", 1e6 * s));
        for (rank, (name, predicted)) in self.predicted.iter().enumerate() {
            let measured = seconds(&self.measured, name);
            if rank < LISTED || measured.is_some() {
                writeln!(f, "  {name:<18} {:>12} {:>12}", time(Some(*predicted)), time(measured))?;
            }
        }
        if let (Some(error), Some(loss)) = (self.model_error(), self.loss()) {
            let loss = 100.0 * loss;
            writeln!(
                f,
                "  the model predicts {error:.2} of the measured time; its pick loses {loss:.1} % to the best"
            )?;
        }
        self.note.iter().try_for_each(|note| writeln!(f, "  the decision could not be kept: {note}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_says_how_wrong_the_model_was() {
        let list = |pairs: &[(&str, f64)]| pairs.iter().map(|(name, s)| ((*name).into(), *s)).collect();
        let choice = Choice {
            predicted: list(&[("sell:32:1", 8e-6), ("csr lanes 8", 9e-6)]),
            measured: list(&[("sell:32:1", 12e-6), ("csr lanes 8", 10e-6)]),
            taken: "csr lanes 8".into(),
            from: Origin::Measured,
            note: None,
        };
        assert_eq!(choice.model_error(), Some(9e-6 / 10e-6));
        assert!((choice.loss().unwrap() - 0.2).abs() < 1e-12);
        let text = choice.to_string();
        assert!(text.contains("csr lanes 8, measured in this solve") && text.contains("loses 20.0 %"), "{text}");
        let alone = Choice { measured: Vec::new(), from: Origin::Model, ..choice };
        assert_eq!((alone.model_error(), alone.loss()), (None, None));
        assert!(!alone.to_string().contains("loses"));
    }
}
