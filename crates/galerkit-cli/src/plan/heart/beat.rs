//! Whose times of activation and repolarisation are wanted, where nodes beat several times.

use super::Purpose;
use anyhow::{Result, bail};
use galerkit::fem::cardiac::crossings::Beat;

/// Beats that come between two looks may be missed, if looks are further apart than this, in ms.
const APART: f64 = 50.0;

/// Whose times are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BeatChoice {
    /// The first beat of each node.
    First,
    /// The last.
    Last,
    /// The n-th, from 1.
    Number(usize),
    /// Each.
    All,
}

impl BeatChoice {
    /// From its name or number.
    pub fn new(text: Option<&str>, purpose: Purpose, every: f64) -> Result<Self> {
        let choice = match text.unwrap_or("first") {
            "first" => Self::First,
            "last" => Self::Last,
            "all" => Self::All,
            number => match number.parse() {
                Ok(number) if number > 0 => Self::Number(number),
                _ => bail!("--beat {number}: it is first, last, all, or a number from 1"),
            },
        };
        if text.is_some() && purpose != Purpose::Beat {
            bail!("--beat is for 'heart': measurements know which beats they look at");
        }
        if choice.is_collected() && every > APART {
            bail!(
                "--beat {} collects beats whenever it looks: --every {every} is too rare, take {APART} at most",
                choice.name()
            );
        }
        Ok(choice)
    }

    /// What the program keeps.
    pub fn kept(self) -> Beat {
        if self == Self::First { Beat::First } else { Beat::Last }
    }

    /// Whether the host keeps what has been.
    pub fn is_collected(self) -> bool {
        matches!(self, Self::Number(_) | Self::All)
    }

    /// As it is typed.
    pub fn name(self) -> String {
        match self {
            Self::First => "first".into(),
            Self::Last => "last".into(),
            Self::Number(number) => number.to_string(),
            Self::All => "all".into(),
        }
    }
}
