//! The published statistics: rows, entries, shortest and longest row from source 004; quartiles and variance of the row
//! lengths from the real files where they were recorded (for the hearts: estimated from similar tetrahedral meshes).
//! `FEMAccelerator` follows the source, whose shortest row has 8 entries; the real file has empty rows.

/// What a stand-in must reproduce.
pub(super) struct Profile {
    pub name: &'static str,
    pub rows: usize,
    pub nz: u64,
    /// Shortest row, quartiles, longest row.
    pub quantiles: [u32; 5],
    pub variance: f64,
    /// Unknowns at a node: that many neighbouring rows have one length and share their columns.
    pub group: usize,
    pub places: Places,
}

/// Where the columns of a row lie.
pub(super) enum Places {
    /// Runs of neighbouring nodes around the diagonal and at this distance (in rows) before and behind it.
    Clustered(usize),
    /// Anywhere at most this far below and above the diagonal.
    Banded(usize, usize),
    /// Half of them near, half anywhere; the exponent makes some columns popular (1: none).
    Scattered(u32),
    /// The chain on a two-dimensional grid: these offsets from the diagonal.
    Offsets([i64; 3]),
    /// Blocks of 3 x 3 on a periodic lattice of 8^4 sites with 12 unknowns each.
    Lattice,
}

const fn profile(name: &'static str, rows: usize, nz: u64, quantiles: [u32; 5], variance: f64) -> Profile {
    Profile { name, rows, nz, quantiles, variance, group: 1, places: Places::Scattered(1) }
}

impl Profile {
    const fn grouped(self, group: usize) -> Self {
        Profile { group, ..self }
    }
    const fn placed(self, places: Places) -> Self {
        Profile { places, ..self }
    }
}

pub(super) static PROFILES: [Profile; 15] = [
    profile("Circuit", 170_998, 958_936, [1, 4, 5, 6, 353], 19.291).placed(Places::Scattered(2)),
    profile("Economics", 206_500, 1_273_389, [1, 3, 5, 8, 44], 19.677).placed(Places::Banded(1242, 2056)),
    profile("Epidemiology", 525_825, 2_100_225, [2, 4, 4, 4, 4], 0.006).placed(Places::Offsets([257, -513, -1])),
    profile("FEMAccelerator", 121_192, 2_624_331, [8, 18, 23, 23, 81], 190.238).placed(Places::Clustered(2900)),
    profile("FEMCantilever", 62_451, 4_007_383, [1, 51, 74, 75, 78], 197.578).grouped(3).placed(Places::Clustered(250)),
    profile("FEMHarbor", 46_835, 2_374_001, [4, 29, 46, 70, 145], 771.762).grouped(5).placed(Places::Clustered(600)),
    profile("FEMShip", 140_874, 7_813_404, [24, 54, 54, 54, 102], 122.651).grouped(6).placed(Places::Clustered(5000)),
    profile("FEMSpheres", 83_334, 6_010_480, [1, 72, 81, 81, 81], 364.054).grouped(3).placed(Places::Clustered(2700)),
    profile("Heart3K", 3_129, 37_035, [5, 9, 12, 14, 21], 10.0).placed(Places::Banded(400, 400)),
    profile("Heart5K", 4_563, 52_715, [6, 9, 11, 14, 22], 10.0).placed(Places::Banded(600, 600)),
    profile("Heart30K", 28_639, 367_443, [6, 10, 12, 15, 24], 12.0).placed(Places::Banded(2000, 2000)),
    profile("Protein", 36_417, 4_344_765, [18, 99, 123, 144, 204], 1015.084).grouped(3).placed(Places::Clustered(1200)),
    profile("QCD", 49_152, 1_916_928, [39, 39, 39, 39, 39], 0.0).grouped(3).placed(Places::Lattice),
    profile("Webbase", 1_000_005, 3_105_536, [1, 2, 2, 2, 4700], 642.380).placed(Places::Scattered(3)),
    profile("WindTunnel", 217_918, 11_634_424, [2, 54, 54, 54, 180], 22.505).grouped(6).placed(Places::Clustered(1000)),
];
