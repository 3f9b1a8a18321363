//! Galerkin least squares on bilinear squares of size h, where it only scales the mass: k^2 becomes k^2 (1 - tau k^2),
//! chosen so that plane waves in one direction have the right length on the grid. Harari, Magoulès 2004.

use galerkit_linalg::c64;

/// The correction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gls {
    /// The size of a cell.
    pub h: f64,
    /// The direction in which waves are exact, from the axis of x.
    pub angle: f64,
    /// Whether impedance walls take the wavenumber of the grid as well, k_b = 3 sin(kh) / (h (2 + cos kh)): exact in
    /// one dimension.
    pub on_walls: bool,
}

impl Gls {
    /// The usual direction.
    pub const ANGLE: f64 = std::f64::consts::FRAC_PI_8;

    /// 1 - tau k^2 = (6 / (kh)^2) (4 - fx - fy - 2 fx fy) / ((2 + fx) (2 + fy)), fx = cos(kh cos angle), fy = cos(kh
    /// sin angle).
    pub fn mass(&self, k: c64) -> c64 {
        let kh = k * self.h;
        if kh.norm() < 1e-4 {
            return c64::new(1.0, 0.0); // 1 + O((kh)^2)
        }
        let (fx, fy) = ((kh * self.angle.cos()).cos(), (kh * self.angle.sin()).cos());
        (4.0 - fx - fy - fx * fy * 2.0) * 6.0 / (kh * kh * (fx + 2.0) * (fy + 2.0))
    }

    /// k, or k_b.
    pub fn on_wall(&self, k: c64) -> c64 {
        let kh = k * self.h;
        if self.on_walls { kh.sin() * 3.0 / ((kh.cos() + 2.0) * self.h) } else { k }
    }
}
