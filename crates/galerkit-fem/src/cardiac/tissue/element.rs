//! One straight simplex in space: volume (area, length) and the constant gradients of its linear functions, G = J (Jᵀ
//! J)⁻¹ along its own plane or line.

/// D = iso I + ani n nᵀ with the fibre n, in mm² a millisecond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conductivity {
    /// In every direction.
    pub iso: f64,
    /// Along the fibre in addition.
    pub ani: f64,
}

/// Volume and gradients.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// Volume, area or length.
    pub volume: f64,
    /// The gradient of each corner's function; those beyond the corners are zero.
    pub gradients: [[f64; 3]; 4],
    longest: f64,
    dim: usize,
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Element {
    /// From the corners, two to four.
    pub fn new(corners: impl Iterator<Item = [f64; 3]>) -> Self {
        let (mut points, mut count) = ([[0.0; 3]; 4], 0);
        for corner in corners.take(4) {
            points[count] = corner;
            count += 1;
        }
        let dim = count.max(2) - 1;
        let edge = |k: usize| [0, 1, 2].map(|d| points[k + 1][d] - points[0][d]);
        // Beyond the dimension the identity.
        let gram = [0, 1, 2].map(|i| {
            [0, 1, 2].map(|j| if i < dim && j < dim { dot(edge(i), edge(j)) } else { f64::from(u8::from(i == j)) })
        });
        let (inverse, determinant) = inverse(gram);
        let mut gradients = [[0.0; 3]; 4];
        for k in 0..dim {
            gradients[k + 1] = [0, 1, 2].map(|d| (0..dim).map(|l| edge(l)[d] * inverse[l][k]).sum());
            gradients[0] = [0, 1, 2].map(|d| gradients[0][d] - gradients[k + 1][d]);
        }
        let factorial = [1.0, 1.0, 2.0, 6.0][dim];
        let longest = (0..dim).map(|k| dot(edge(k), edge(k)).sqrt()).fold(0.0, f64::max);
        Self { volume: determinant.max(0.0).sqrt() / factorial, gradients, longest, dim }
    }

    /// Whether it has no volume to speak of.
    pub fn is_degenerate(&self) -> bool {
        let is_flat = self.volume.is_nan() || self.volume <= 1e-14 * self.longest.powi(self.dim as i32);
        is_flat || self.gradients.iter().flatten().any(|x| !x.is_finite())
    }

    /// Volume times gradient times D times gradient.
    pub fn stiffness(&self, i: usize, j: usize, conductivity: Conductivity, fibre: [f64; 3]) -> f64 {
        let (a, b) = (self.gradients[i], self.gradients[j]);
        self.volume * (conductivity.iso * dot(a, b) + conductivity.ani * dot(a, fibre) * dot(b, fibre))
    }
}

/// The inverse of a symmetric matrix, and its determinant.
fn inverse(a: [[f64; 3]; 3]) -> ([[f64; 3]; 3], f64) {
    let minor = |i: usize, j: usize| {
        let ([r, s], [c, d]) = ([(i + 1) % 3, (i + 2) % 3], [(j + 1) % 3, (j + 2) % 3]);
        a[r][c] * a[s][d] - a[r][d] * a[s][c]
    };
    let determinant: f64 = (0..3).map(|j| a[0][j] * minor(0, j)).sum();
    let entry = |i: usize, j: usize| minor(j, i) / determinant;
    ([0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j))), determinant)
}
