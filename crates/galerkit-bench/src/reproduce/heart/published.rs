//! What is printed elsewhere.

/// Table 4 of source 004: products until K1 and K2 have paid for reordering values on the GPU and on the CPU; 0 is
/// never.
pub const ALPHA: [(&str, [u64; 4]); 15] = [
    ("Circuit", [3, 15, 3, 12]),
    ("Economics", [3, 12, 3, 13]),
    ("Epidemiology", [2, 20, 2, 21]),
    ("FEMAccelerator", [3, 12, 3, 12]),
    ("FEMCantilever", [12, 50, 9, 39]),
    ("FEMHarbor", [7, 27, 7, 28]),
    ("FEMShip", [8, 27, 8, 24]),
    ("FEMSpheres", [10, 34, 10, 34]),
    ("Heart 3K", [1, 4, 1, 4]),
    ("Heart 5K", [1, 5, 1, 5]),
    ("Heart 30K", [3, 10, 3, 10]),
    ("Protein", [21, 96, 21, 91]),
    ("QCD", [4, 17, 4, 17]),
    ("Webbase", [0, 0, 2, 12]),
    ("WindTunnel", [8, 26, 8, 24]),
];

/// What the source says of speed-ups over one core of an i7-950, solve and assembly on a GTX 480: from 3K to 50K nodes.
pub const SPEEDUPS: [f64; 2] = [5.0, 12.0];

/// Points of Niederer's slab with activation times in ms: the mean of 11 codes (TP06) at dx 0.1 mm, fenicsx-beat (TP06)
/// at dx 0.2 mm, dt 0.005.
pub const SLAB: [([f64; 3], f64, f64); 5] = [
    ([20.0, 0.0, 0.0], 32.23, 31.05),
    ([0.0, 7.0, 0.0], 29.76, 29.02),
    ([0.0, 0.0, 3.0], 8.95, 9.32),
    ([10.0, 3.5, 1.5], 20.50, 18.05),
    ([20.0, 7.0, 3.0], 44.93, 38.24),
];
/// The far corner of the same slab with Aliev and Panfilov's cells, converged (spec 09).
pub const FAR_CORNER: f64 = 42.22;

/// Fronts of the scheme `newton` (spec 06): h in mm, dt in units of 12.9 ms, v/v_exact - 1.
pub const FRONTS: [(f64, f64, f64); 6] = [
    (2.0, 0.005, 2.96e-2),
    (1.0, 0.005, 1.06e-2),
    (0.5, 0.005, 6.2e-3),
    (0.5, 0.08, 8.63e-2),
    (0.5, 0.04, 4.17e-2),
    (0.5, 0.02, 2.11e-2),
];
