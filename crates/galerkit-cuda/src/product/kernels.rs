//! The texts of products and transposes, and the tables that a product may have.

use crate::convert::kernels::{SCAN, Text};

const ROUNDED: &str = include_str!("../../kernels/rounded.cuh");
const TEAM: &str = include_str!("../../kernels/team.cuh");

/// Hash tables of a size.
pub(super) struct Table {
    /// Threads that share a row.
    pub(super) lanes: usize,
    /// Places for columns.
    pub(super) slots: usize,
    /// Threads of a block.
    pub(super) threads: usize,
    /// Most entries of a row whose length is known.
    pub(super) most: usize,
    pub(super) text: Text,
}

const fn table(lanes: usize, slots: usize, threads: usize, most: usize, constants: &'static str) -> Table {
    let text = Text {
        name: "product",
        kernels: &["product_count", "product_fill", "product_once"],
        constants,
        texts: &[
            ROUNDED,
            TEAM,
            include_str!("../../kernels/product.cu"),
            include_str!("../../kernels/product_kernels.cu"),
        ],
    };
    Table { lanes, slots, threads, most, text }
}

/// The smallest first; rows that are longer than the last takes have accumulators in global memory.
pub(super) static TABLES: [Table; 6] = [
    table(4, 32, 256, 24, "constexpr unsigned LANES = 4, SLOTS = 32, THREADS = 256;\n"),
    table(8, 64, 256, 44, "constexpr unsigned LANES = 8, SLOTS = 64, THREADS = 256;\n"),
    table(16, 128, 256, 92, "constexpr unsigned LANES = 16, SLOTS = 128, THREADS = 256;\n"),
    table(32, 256, 256, 190, "constexpr unsigned LANES = 32, SLOTS = 256, THREADS = 256;\n"),
    table(32, 512, 128, 384, "constexpr unsigned LANES = 32, SLOTS = 512, THREADS = 128;\n"),
    table(32, 2048, 32, 1536, "constexpr unsigned LANES = 32, SLOTS = 2048, THREADS = 32;\n"),
];

/// Threads that keep a GPU busy.
const BUSY: usize = 1 << 18;
/// The last table whose lanes are worth more than its places.
const WIDEST: usize = 3;

/// The table to begin with where rows of B have so many entries on average; few rows are shared by more lanes.
pub(super) fn first_table(entries: f64, rows: usize) -> usize {
    let first = [5.0, 7.5, 14.0].iter().take_while(|&&most| entries > most).count();
    (first..WIDEST).find(|&which| rows * TABLES[which].lanes >= BUSY).unwrap_or(WIDEST)
}

/// What stands around the tables.
pub(super) static ROWS: Text = Text {
    name: "product rows",
    kernels: &[
        "scan_sums",
        "scan_partials",
        "scan_apply",
        "product_bin",
        "product_longest",
        "product_widen",
        "product_place",
        "product_mirror",
        "product_sum",
        "product_work",
    ],
    constants: "constexpr unsigned LANES = 8;\n",
    texts: &[SCAN, TEAM, include_str!("../../kernels/product_rows.cu")],
};

/// Rows that no table takes.
pub(super) static DENSE: Text = Text {
    name: "product dense",
    kernels: &["dense_count", "dense_fill", "dense_sort"],
    constants: "constexpr unsigned LANES = 32;\n",
    texts: &[include_str!("../../kernels/scan.cuh"), ROUNDED, TEAM, include_str!("../../kernels/product_dense.cu")],
};

const fn sort(constants: &'static str) -> Text {
    Text {
        name: "transpose",
        kernels: &["transpose_count", "transpose_scatter", "transpose_sort"],
        constants,
        texts: &[TEAM, include_str!("../../kernels/transpose.cu")],
    }
}

/// Rows of at most 64, and of at most 512 entries.
pub(super) static SORTS: [(usize, usize, Text); 2] = [
    (16, 64, sort("constexpr unsigned LANES = 16, SLOTS = 64, THREADS = 256;\n")),
    (32, 512, sort("constexpr unsigned LANES = 32, SLOTS = 512, THREADS = 256;\n")),
];

/// Every text, with a name of its own.
pub(super) fn texts() -> Vec<(String, &'static Text)> {
    let tables = TABLES.iter().map(|table| (format!("product:{}", table.slots), &table.text));
    let sorts = SORTS.iter().map(|(_, slots, text)| (format!("transpose:{slots}"), text));
    let others = [("product rows".to_string(), &ROWS), ("product dense".to_string(), &DENSE)];
    tables.chain(sorts).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::ScalarKind;

    #[test]
    fn every_kernel_is_named() {
        for (name, text) in texts() {
            let source = text.source(ScalarKind::F64);
            assert_eq!(source.matches("extern \"C\" __global__ void ").count(), text.kernels.len(), "{name}");
        }
    }

    #[test]
    fn longer_rows_begin_with_larger_tables() {
        assert_eq!([3.0, 5.0, 6.0, 8.0, 100.0].map(|entries| first_table(entries, 1 << 20)), [0, 0, 1, 2, 3]);
        assert_eq!([100_000, 40_000, 20_000, 10].map(|rows| first_table(3.0, rows)), [0, 1, 2, 3]);
        assert!(TABLES.iter().all(|table| table.most < table.slots));
        let bytes = |table: &Table| table.threads / table.lanes * table.slots * (4 + 16);
        assert!(
            TABLES.iter().all(|table| bytes(table) <= 40 << 10),
            "every kernel may have 48 KiB, and claims need some"
        );
    }
}
