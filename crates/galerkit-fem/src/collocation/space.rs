//! Splines of collocation on an interval or a rectangle. On a rectangle everything is a sum of Kronecker products, x slow; an interval
//! is a rectangle whose second factor has one unknown.
//!
//! ```text
//! A0 = C0x (x) C0y        B = (Dg C2x) (x) C0y + (Dg C0x) (x) C2y + rho A0        A0 a' = B a
//! ```

use super::bands::Bands;
use super::line::{Line, Local};
use crate::error::Result;
use galerkit_linalg::sparse::Csr;

/// Splines on an interval or a rectangle; D depends on x.
#[derive(Clone, Debug, PartialEq)]
pub struct Collocation {
    x: Line,
    y: Option<Line>,
    /// Values and second derivatives at Gauss points, along x and along y.
    C0: [Bands; 2],
    C2: [Bands; 2],
    /// D C2 and D C0 along x.
    diffusive: [Bands; 2],
}

impl Collocation {
    /// On an interval.
    pub fn interval(x: Line) -> Self {
        Self::new(x, None)
    }
    /// On a rectangle. Only layers along x count.
    pub fn rectangle(x: Line, y: Line) -> Self {
        Self::new(x, Some(y))
    }

    fn new(x: Line, y: Option<Line>) -> Self {
        let across = |matrix: fn(&Line) -> Bands| y.as_ref().map(matrix);
        let C0 = [x.C0(), across(Line::C0).unwrap_or(Bands::unit())];
        let C2 = [x.C2(), across(Line::C2).unwrap_or(Bands::zero(1))];
        let diffusion = x.diffusion_at_points();
        let scaled = |matrix: &Bands| Bands::combination(&[(&|i| diffusion[i], matrix)]);
        let diffusive = [scaled(&C2[0]), scaled(&C0[0])];
        Self { x, y, C0, C2, diffusive }
    }

    /// 1 or 2.
    pub fn dim(&self) -> usize {
        if self.y.is_some() { 2 } else { 1 }
    }
    /// The mesh along x.
    pub fn x(&self) -> &Line {
        &self.x
    }
    /// The mesh along y, on a rectangle.
    pub fn y(&self) -> Option<&Line> {
        self.y.as_ref()
    }
    /// Unknowns along x, and for each of them along y.
    pub fn shape(&self) -> [usize; 2] {
        [self.C0[0].rows(), self.C0[1].rows()]
    }
    /// Unknowns.
    pub fn unknowns(&self) -> usize {
        self.shape().iter().product()
    }
    /// Elements.
    pub fn elements(&self) -> usize {
        self.x.elements() * self.y.as_ref().map_or(1, Line::elements)
    }
    /// From where to where the domain goes, along each axis.
    pub fn ends(&self) -> Vec<[f64; 2]> {
        std::iter::once(&self.x).chain(&self.y).map(Line::ends).collect()
    }

    /// Values at Gauss points along x and along y.
    pub fn C0(&self) -> [&Bands; 2] {
        self.C0.each_ref()
    }
    /// Second derivatives at Gauss points along y.
    pub fn C2y(&self) -> &Bands {
        &self.C2[1]
    }
    /// D C2 and D C0 along x.
    pub fn diffusive(&self) -> [&Bands; 2] {
        self.diffusive.each_ref()
    }

    /// A0: values at Gauss points.
    ///
    /// # Errors
    /// If there are more unknowns than indices count.
    pub fn A0(&self) -> Result<Csr<f64>> {
        Ok(Bands::kronecker([(&self.C0[0], &self.C0[1])])?)
    }
    /// B: div(D grad c) + rho c at Gauss points, on the pattern of A0.
    ///
    /// # Errors
    /// If there are more unknowns than indices count.
    pub fn B(&self, rho: f64) -> Result<Csr<f64>> {
        let growth = Bands::combination(&[(&|_| rho, &self.C0[0])]);
        let [DC2x, DC0x] = &self.diffusive;
        Ok(Bands::kronecker([(DC2x, &self.C0[1]), (DC0x, &self.C2[1]), (&growth, &self.C0[1])])?)
    }

    /// The mass as a function of coefficients: the integral of the spline is (m, a), exactly.
    pub fn mass(&self) -> Vec<f64> {
        let [along, across] = self.mass_factors();
        along.iter().flat_map(|x| across.iter().map(move |y| x * y)).collect()
    }
    /// Its factors along x and along y.
    pub fn mass_factors(&self) -> [Vec<f64>; 2] {
        let weights = self.y.as_ref().map_or(vec![1.0], Line::weights);
        [self.C0[0].transposed_product(&self.x.weights()), self.C0[1].transposed_product(&weights)]
    }

    /// The spline at a point; none outside of the domain.
    pub fn at(&self, a: &[f64], point: &[f64]) -> Option<f64> {
        let alone: Local = [(Some(0), 1.0), (None, 0.0), (None, 0.0), (None, 0.0)];
        let along = self.x.at(*point.first()?)?;
        let across = match &self.y {
            Some(y) => y.at(*point.get(1)?)?,
            None => alone,
        };
        let fast = self.shape()[1];
        let mut sum = 0.0;
        for (i, x) in along.into_iter().filter_map(|(unknown, factor)| Some((unknown?, factor))) {
            for (j, y) in across.into_iter().filter_map(|(unknown, factor)| Some((unknown?, factor))) {
                sum += x * y * a[i * fast + j];
            }
        }
        Some(sum)
    }

    /// Unknowns of the values at nodes, those along y fast.
    pub fn nodal(&self) -> Vec<usize> {
        let fast = self.shape()[1];
        let values = |line: &Line| (0..=line.elements()).map(|i| line.value(i)).collect::<Vec<_>>();
        let across = self.y.as_ref().map_or(vec![0], values);
        values(&self.x).iter().flat_map(|i| across.iter().map(move |j| i * fast + j)).collect()
    }
    /// How many nodes there are along x and along y.
    pub fn nodes(&self) -> [usize; 2] {
        [self.x.elements() + 1, self.y.as_ref().map_or(1, |y| y.elements() + 1)]
    }
}
