//! The recipe of a format: which one, with which parameters. It can be written and read as text, `sell:8:256`, and is
//! what a user chooses and a report names.

use crate::error::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// Which member of the ELL-WARP family: K2 splits long rows over lanes; r renumbers columns in the sorted order of the
/// rows; s sorts each row by the new columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Rows sorted by length, one lane a row.
    K1,
    /// K1 in the sorted numbering.
    K1r,
    /// K1r with ascending columns.
    K1rs,
    /// Long rows shared by several lanes.
    K2,
    /// K2 in the sorted numbering.
    K2r,
    /// K2r with ascending columns.
    K2rs,
}

impl Variant {
    /// The six, in the order of the paper.
    pub const ALL: [Variant; 6] = [Variant::K1, Variant::K1r, Variant::K1rs, Variant::K2, Variant::K2r, Variant::K2rs];

    /// Its name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Variant::K1 => "k1",
            Variant::K1r => "k1r",
            Variant::K1rs => "k1rs",
            Variant::K2 => "k2",
            Variant::K2r => "k2r",
            Variant::K2rs => "k2rs",
        }
    }
    /// Whether long rows are shared by several lanes.
    pub fn splits(self) -> bool {
        matches!(self, Variant::K2 | Variant::K2r | Variant::K2rs)
    }
    /// Whether columns, x and y are renumbered in the order of the rows.
    pub fn renumbers(self) -> bool {
        !matches!(self, Variant::K1 | Variant::K2)
    }
    /// Whether each row is sorted by the new columns.
    pub fn sorts(self) -> bool {
        matches!(self, Variant::K1rs | Variant::K2rs)
    }
}

/// A format and its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Triples.
    Coo,
    /// Compressed rows.
    Csr,
    /// Dense blocks in compressed rows.
    Bsr {
        /// Order of a block, at least 1.
        block: usize,
    },
    /// Rows padded to the longest.
    Ell,
    /// ELL read by row lengths.
    EllR,
    /// Slices, each with its own width.
    Sell {
        /// Rows of a slice, at least 1.
        height: usize,
        /// Rows of a sorting window; 1 sorts nothing.
        sigma: usize,
    },
    /// ELL for the first entries of each row, COO for the rest.
    Hyb {
        /// Width of the ELL part; none for the default rule.
        width: Option<usize>,
    },
    /// Rows sorted by length, in groups of a warp.
    EllWarp {
        /// Which of the six.
        variant: Variant,
        /// Lanes of a warp: a power of two, at most 1024.
        warp: usize,
        /// Most entries one lane should process, at least 1; K1 and its kin ignore it.
        threshold: usize,
    },
}

const BLOCK: usize = 4;
const HEIGHT: usize = 8;
const SIGMA: usize = 256;
const WARP: usize = 32;
const THRESHOLD: usize = 16;
const KNOWN: &str = "coo, csr, bsr[:block], ell, ell-r, sell[:height[:sigma]], hyb[:width], k1[:warp], k1r, k1rs, \
                     k2[:warp[:threshold]], k2r, k2rs";

impl Format {
    /// One of each, with default parameters.
    pub fn all() -> Vec<Format> {
        let warp = |variant| Format::EllWarp { variant, warp: WARP, threshold: THRESHOLD };
        let mut all = vec![
            Format::Coo,
            Format::Csr,
            Format::Bsr { block: BLOCK },
            Format::Ell,
            Format::EllR,
            Format::Sell { height: HEIGHT, sigma: SIGMA },
            Format::Hyb { width: None },
        ];
        all.extend(Variant::ALL.map(warp));
        all
    }

    /// Errors when a parameter is outside its range.
    pub fn check(self) -> Result<()> {
        let at_least_one = |name, value: usize| match value {
            0 => Err(Error::InvalidParameter { name, value: "0".into(), expected: "it must be at least 1" }),
            _ => Ok(()),
        };
        match self {
            Format::Bsr { block } => at_least_one("the block order of bsr", block),
            Format::Sell { height, sigma } => {
                at_least_one("the slice height of sell", height)?;
                at_least_one("the sorting window of sell", sigma)
            }
            Format::EllWarp { warp, threshold, .. } => {
                if !warp.is_power_of_two() || warp > 1024 {
                    let expected = "it must be a power of two, at most 1024";
                    return Err(Error::InvalidParameter { name: "the warp width", value: warp.to_string(), expected });
                }
                at_least_one("the threshold", threshold)
            }
            Format::Coo | Format::Csr | Format::Ell | Format::EllR | Format::Hyb { .. } => Ok(()),
        }
    }

    /// How many numbers may follow the name.
    fn numbers(self) -> usize {
        match self {
            Format::Coo | Format::Csr | Format::Ell | Format::EllR => 0,
            Format::Bsr { .. } | Format::Hyb { .. } => 1,
            Format::EllWarp { variant, .. } if !variant.splits() => 1,
            Format::Sell { .. } | Format::EllWarp { .. } => 2,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Format::Coo => f.pad("coo"),
            Format::Csr => f.pad("csr"),
            Format::Bsr { block } => f.pad(&format!("bsr:{block}")),
            Format::Ell => f.pad("ell"),
            Format::EllR => f.pad("ell-r"),
            Format::Sell { height, sigma } => f.pad(&format!("sell:{height}:{sigma}")),
            Format::Hyb { width: None } => f.pad("hyb"),
            Format::Hyb { width: Some(width) } => f.pad(&format!("hyb:{width}")),
            Format::EllWarp { variant, warp, threshold } if variant.splits() => {
                f.pad(&format!("{}:{warp}:{threshold}", variant.name()))
            }
            Format::EllWarp { variant, warp, .. } => f.pad(&format!("{}:{warp}", variant.name())),
        }
    }
}

impl FromStr for Format {
    type Err = Error;

    /// Reads a name and its numbers, separated by colons; numbers left out take their defaults.
    fn from_str(text: &str) -> Result<Self> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let numbers = parts.map(|part| read_number(part, text)).collect::<Result<Vec<_>>>()?;
        let number = |position: usize, default| numbers.get(position).copied().unwrap_or(default);
        let format = match name {
            "coo" => Format::Coo,
            "csr" => Format::Csr,
            "bsr" => Format::Bsr { block: number(0, BLOCK) },
            "ell" => Format::Ell,
            "ell-r" => Format::EllR,
            "sell" => Format::Sell { height: number(0, HEIGHT), sigma: number(1, SIGMA) },
            "hyb" => Format::Hyb { width: numbers.first().copied() },
            _ => {
                let known = || Error::UnknownName { what: "format", name: text.into(), known: KNOWN.into() };
                let variant = Variant::ALL.into_iter().find(|v| v.name() == name).ok_or_else(known)?;
                Format::EllWarp { variant, warp: number(0, WARP), threshold: number(1, THRESHOLD) }
            }
        };
        if numbers.len() > format.numbers() {
            let expected = "fewer numbers may follow the name, see the list of formats";
            return Err(Error::InvalidParameter { name: "format", value: text.into(), expected });
        }
        format.check()?;
        Ok(format)
    }
}

fn read_number(part: &str, text: &str) -> Result<usize> {
    let expected = "what follows the colons must be whole numbers, as in sell:8:256";
    part.parse().map_err(|_| Error::InvalidParameter { name: "format", value: text.into(), expected })
}
