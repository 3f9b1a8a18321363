//! Variants of a factorisation by name: `ilu0:swept:3`, `ic0:coloured`, `ilu:1:auto`.

use super::unknown;
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// What makes another preconditioner of a factorisation. Without one, `ilu0`, `ilu:FILL` and `ic0` mean exact solves in
/// the order of the matrix, on every device; a GPU need not wait for rows with a variant, which takes more iterations
/// as a rule.
///
/// ```
/// use galerkit::linalg::precond::Preconditioner;
/// use galerkit::{Preconditioning, Variant};
///
/// let ilu0 = Preconditioner::Ilu { fill: 0 };
/// assert_eq!("ilu0:coloured".parse::<Preconditioning>()?, Preconditioning::Variant(ilu0, Variant::Coloured));
/// assert_eq!(Preconditioning::Variant(ilu0, Variant::Swept(3)).to_string(), "ilu0:swept:3");
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// So many Jacobi sweeps in place of each triangular solve.
    Swept(usize),
    /// Exact solves of a matrix whose rows are stored colour by colour.
    Coloured,
    /// Factors of the matrix after a maximum-product matching with scaling
    /// ([`matching`](galerkit_linalg::sparse::matching())), which has ones on its diagonal and nothing larger; for
    /// methods that need no Hermitian matrix.
    Matched,
    /// On the CPU none; on a GPU the one that is expected to solve first, or none. The report names it.
    Auto,
}

/// Beyond this exact solves are cheaper.
const MOST_SWEEPS: usize = 100;
/// Where no number is given.
const USUAL_SWEEPS: usize = 3;
/// The words that variants begin with.
const WORDS: [&str; 4] = [":swept", ":coloured", ":matched", ":auto"];

impl Variant {
    /// The names, after that of a factorisation.
    pub const NAMES: &str = "swept:N, coloured, matched, auto";

    /// Where the name of a variant begins in that of a preconditioner, if it has one.
    pub(super) fn split(name: &str) -> Option<(&str, &str)> {
        let at = WORDS.iter().find_map(|word| name.rfind(word))?;
        Some((&name[..at], &name[at + 1..]))
    }

    /// Whether a preconditioner has it: sweeps need factors, and blocks are ranges of rows, which colours take apart.
    pub(crate) fn suits(self, preconditioner: Preconditioner) -> bool {
        let has_factors = preconditioner.recipe().is_some();
        let exact = preconditioner.sweeps().is_none();
        let is_ssor = matches!(preconditioner, Preconditioner::Ssor { .. });
        let in_blocks = matches!(preconditioner, Preconditioner::Ilu0Blocks { .. });
        match self {
            Variant::Swept(_) => has_factors && exact,
            Variant::Coloured => (has_factors || is_ssor) && !in_blocks,
            Variant::Matched => has_factors && !matches!(preconditioner, Preconditioner::Ic0 { .. }),
            Variant::Auto => (has_factors || is_ssor) && exact,
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Variant::Swept(count) => write!(f, "swept:{count}"),
            Variant::Coloured => f.write_str("coloured"),
            Variant::Matched => f.write_str("matched"),
            Variant::Auto => f.write_str("auto"),
        }
    }
}

impl FromStr for Variant {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        match (name, name.strip_prefix("swept:")) {
            ("coloured", _) => Ok(Variant::Coloured),
            ("matched", _) => Ok(Variant::Matched),
            ("auto", _) => Ok(Variant::Auto),
            ("swept", _) => Ok(Variant::Swept(USUAL_SWEEPS)),
            (_, Some(count)) => {
                let (name, expected) = ("sweeps", "each triangle is swept 0 to 100 times");
                let refuse = || Error::InvalidParameter { name, value: count.into(), expected };
                let sweeps = count.parse().ok().filter(|sweeps| *sweeps <= MOST_SWEEPS);
                Ok(Variant::Swept(sweeps.ok_or_else(refuse)?))
            }
            _ => Err(unknown("variant of a factorisation", name, Self::NAMES)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Preconditioning;

    #[test]
    fn names_of_variants() {
        let suffixed = ["ilu0", "ilu:2", "ic0", "ic0:0.1", "parilu0:3"];
        for base in suffixed {
            for (suffix, variant) in
                [("swept:2", Variant::Swept(2)), ("coloured", Variant::Coloured), ("auto", Variant::Auto)]
            {
                let name = format!("{base}:{suffix}");
                let read: Preconditioning = name.parse().unwrap();
                assert_eq!(read, Preconditioning::Variant(base.parse().unwrap(), variant), "{name}");
                assert_eq!(read.to_string(), name);
            }
        }
        assert_eq!("ilu0:swept".parse::<Preconditioning>().unwrap().to_string(), "ilu0:swept:3");
        assert_eq!("ilu:1:matched".parse::<Preconditioning>().unwrap().to_string(), "ilu:1:matched");
        assert_eq!("ssor:1.5:coloured".parse::<Preconditioning>().unwrap().to_string(), "ssor:1.5:coloured");
        assert_eq!("ilu0-blocks:2:swept:1".parse::<Preconditioning>().unwrap().to_string(), "ilu0-blocks:2:swept:1");
    }

    #[test]
    fn what_has_no_such_variant_is_refused() {
        let said = |name: &str| name.parse::<Preconditioning>().unwrap_err().to_string();
        for name in [
            "jacobi:auto",
            "ssor:1:swept",
            "ilu0-blocks:2:coloured",
            "ilu0-sweeps:2:swept:2",
            "none:coloured",
            "ic0:matched",
        ] {
            assert!(said(name).contains("swept:N, coloured, matched, auto"), "{}", said(name));
        }
        assert!(said("ilu0:swept:101").contains("0 to 100 times"), "{}", said("ilu0:swept:101"));
        assert!(said("ilu0:sweptt").contains("sweptt"), "{}", said("ilu0:sweptt"));
        assert!(said("ilu9:swept").contains("ilu9"), "{}", said("ilu9:swept"));
    }
}
