//! What some steps need and a newcomer's machine may lack. Without it they are skipped, with the reason in their row,
//! unless `GALERKIT_REQUIRE` names it: `GALERKIT_REQUIRE=nvrtc,g++,meshio,browser`, as CI has it, turns these skips
//! into failures.

use crate::step::{Finished, Verdict};
use anyhow::{Result, bail};

/// Something that a machine may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The compiler of CUDA kernels.
    Nvrtc,
    /// The compiler of the emulated GPU.
    Gxx,
    /// The Python package that reads mesh files.
    Meshio,
    /// Chromium, to open pages in.
    Browser,
    /// The folder of real matrices.
    Data,
    /// An NVIDIA GPU.
    Gpu,
}

impl Need {
    const ALL: [(Need, &'static str); 6] = [
        (Need::Nvrtc, "nvrtc"),
        (Need::Gxx, "g++"),
        (Need::Meshio, "meshio"),
        (Need::Browser, "browser"),
        (Need::Data, "data"),
        (Need::Gpu, "gpu"),
    ];

    fn by_name(name: &str) -> Result<Self> {
        let known = Self::ALL.map(|(_, name)| name).join(", ");
        match Self::ALL.iter().find(|(_, known)| *known == name) {
            Some((need, _)) => Ok(*need),
            None => bail!("GALERKIT_REQUIRE names '{name}': known are {known}, separated by commas"),
        }
    }
}

/// What this run may not skip.
pub fn of_environment() -> Result<Vec<Need>> {
    of_text(&std::env::var("GALERKIT_REQUIRE").unwrap_or_default())
}

fn of_text(text: &str) -> Result<Vec<Need>> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(Need::by_name).collect()
}

/// Rows that were skipped for lack of something required have failed.
pub fn insist(rows: &mut [Finished], required: &[Need]) {
    for row in rows {
        if let Verdict::Skipped(need, why) = &row.verdict
            && required.contains(need)
        {
            row.verdict = Verdict::Failed(format!("GALERKIT_REQUIRE does not let it be skipped: {why}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(verdict: Verdict) -> Finished {
        Finished { name: "step", verdict, elapsed: std::time::Duration::ZERO }
    }

    #[test]
    fn names_are_read_and_unknown_ones_refused() {
        assert_eq!(of_text("nvrtc,g++").unwrap(), [Need::Nvrtc, Need::Gxx]);
        assert_eq!(of_text(" gpu , data,").unwrap(), [Need::Gpu, Need::Data]);
        assert_eq!(of_text("").unwrap(), []);
        let said = of_text("nvrtc,gxx").unwrap_err().to_string();
        assert!(said.contains("'gxx'") && said.contains("nvrtc, g++, meshio, browser, data, gpu"), "{said}");
    }

    #[test]
    fn only_what_is_required_fails() {
        let mut rows = [
            row(Verdict::Skipped(Need::Gxx, "no g++".into())),
            row(Verdict::Skipped(Need::Gpu, "no GPU".into())),
            row(Verdict::Passed(String::new())),
        ];
        insist(&mut rows, &[]);
        assert!(matches!(rows[0].verdict, Verdict::Skipped(..)));
        insist(&mut rows, &[Need::Nvrtc, Need::Gxx]);
        assert!(matches!(&rows[0].verdict, Verdict::Failed(why) if why.ends_with("no g++")));
        assert!(matches!(rows[1].verdict, Verdict::Skipped(..)) && matches!(rows[2].verdict, Verdict::Passed(_)));
    }
}
