//! The texts of the set-up.

use crate::convert::kernels::Text;
use galerkit_linalg::ScalarKind;

const ROUNDED: &str = include_str!("../../kernels/rounded.cuh");
const TEAM: &str = include_str!("../../kernels/team.cuh");
const HEAD: &str = include_str!("../../kernels/amg.cuh");
const NARROW: &str = "constexpr unsigned LANES = 1;\n";
const WIDE: &str = "constexpr unsigned LANES = 8;\n";

const fn strength(constants: &'static str) -> Text {
    Text {
        name: "amg strength",
        kernels: &["amg_diagonal", "amg_statistics", "amg_edges"],
        constants,
        texts: &[ROUNDED, TEAM, HEAD, include_str!("../../kernels/amg_strength.cu")],
    }
}

const fn roots(constants: &'static str) -> Text {
    Text {
        name: "amg roots",
        kernels: &["amg_reach", "amg_decide", "amg_first_owners", "amg_candidates", "amg_second_owners"],
        constants,
        texts: &[ROUNDED, TEAM, HEAD, include_str!("../../kernels/amg_roots.cu")],
    }
}

/// For a thread and for eight threads a row.
pub(super) static STRENGTH: [Text; 2] = [strength(NARROW), strength(WIDE)];
/// The same.
pub(super) static ROOTS: [Text; 2] = [roots(NARROW), roots(WIDE)];

pub(super) static AGGREGATES: Text = Text {
    name: "amg aggregates",
    kernels: &["amg_number", "amg_join_neighbour", "amg_join_strongest", "amg_join", "amg_checksum"],
    constants: NARROW,
    texts: &[ROUNDED, TEAM, HEAD, include_str!("../../kernels/amg_aggregates.cu")],
};

pub(super) static PROLONGATOR: Text = Text {
    name: "amg prolongator",
    kernels: &["amg_prolongator_count", "amg_prolongator_fill", "amg_long_count", "amg_long_fill"],
    constants: "constexpr unsigned LANES = 1, ROOM = 12;\n",
    texts: &[
        ROUNDED,
        TEAM,
        HEAD,
        include_str!("../../kernels/amg_prolongator.cu"),
        include_str!("../../kernels/amg_prolongator_long.cu"),
    ],
};

pub(super) static SINGLE: Text = Text {
    name: "amg single",
    kernels: &["single_largest", "single_round"],
    constants: "",
    texts: &[include_str!("../../kernels/amg_single.cu")],
};

fn texts() -> [(&'static str, &'static Text); 7] {
    [
        ("amg strength:1", &STRENGTH[0]),
        ("amg strength:8", &STRENGTH[1]),
        ("amg roots:1", &ROOTS[0]),
        ("amg roots:8", &ROOTS[1]),
        ("amg aggregates", &AGGREGATES),
        ("amg prolongator", &PROLONGATOR),
        ("amg single", &SINGLE),
    ]
}

/// The complete texts for a real scalar, with their names.
pub fn sources(kind: ScalarKind) -> Vec<(String, String)> {
    texts().map(|(name, text)| (name.to_string(), text.source(kind))).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_is_named() {
        for (name, text) in texts() {
            let source = text.source(ScalarKind::F64);
            assert_eq!(source.matches("extern \"C\" __global__ void ").count(), text.kernels.len(), "{name}");
        }
    }
}
