//! Splines of collocation on an interval or a rectangle. On a rectangle everything is a sum of Kronecker products, x
//! slow; an interval is a rectangle whose second factor has one unknown.
//!
//! ```text
//! A0 = C0x (x) C0y        B = (Dg C2x) (x) C0y + (Dg C0x) (x) C2y + rho A0        A0 a' = B a
//! ```

use super::bands::Bands;
use super::hermite::{self, GAUSS};
use super::layers::Layers;
use super::line::{Line, Local};
use super::tissue::Tissue;
use crate::error::Result;
use galerkit_linalg::sparse::Csr;

/// Splines on an interval or a rectangle; D depends on x, or on the element if there is a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Collocation {
    x: Line,
    y: Option<Line>,
    /// Values and second derivatives at Gauss points, along x and along y.
    C0: [Bands; 2],
    C2: [Bands; 2],
    /// D C2 and D C0 along x.
    diffusive: [Bands; 2],
    tissue: Option<Tissue>,
}

/// A place along an axis: its element, and the functions that do not vanish there.
pub type Place = (usize, Local);

impl Collocation {
    /// On an interval.
    pub fn interval(x: Line) -> Self {
        Self::new(x, None)
    }
    /// On a rectangle. Only layers along x count.
    pub fn rectangle(x: Line, y: Line) -> Self {
        Self::new(x, Some(y))
    }

    /// On a rectangle with a map: D of each pixel, rows from the top. Layers of the lines do not count.
    ///
    /// # Errors
    /// If the map does not suit the mesh, or D is not a positive number.
    pub fn with_map(x: &Line, y: &Line, rows: &[Vec<f64>]) -> Result<Self> {
        let tissue = Tissue::of_pixels(x, y, rows)?;
        let one = Layers::equal(&[1.0])?;
        let [x, y] = [x, y].map(|line| Line::new(line.nodes().to_vec(), &one));
        Ok(Self { tissue: Some(tissue), ..Self::new(x?, Some(y?)) })
    }

    fn new(x: Line, y: Option<Line>) -> Self {
        let across = |matrix: fn(&Line) -> Bands| y.as_ref().map(matrix);
        let C0 = [x.C0(), across(Line::C0).unwrap_or(Bands::unit())];
        let C2 = [x.C2(), across(Line::C2).unwrap_or(Bands::zero(1))];
        let diffusion = x.diffusion_at_points();
        let scaled = |matrix: &Bands| Bands::combination(&[(&|i| diffusion[i], matrix)]);
        let diffusive = [scaled(&C2[0]), scaled(&C0[0])];
        Self { x, y, C0, C2, diffusive, tissue: None }
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
    /// D by element, where it is no matter of layers along x.
    pub fn tissue(&self) -> Option<&Tissue> {
        self.tissue.as_ref()
    }
    /// D of an element.
    pub fn diffusion(&self, element: [usize; 2]) -> f64 {
        self.tissue.as_ref().map_or(self.x.diffusion()[element[0]], |tissue| tissue.diffusion(element))
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
        if let Some(tissue) = &self.tissue {
            return self.assembled(tissue, |_, [x, y], _| x * y);
        }
        Ok(Bands::kronecker([(&self.C0[0], &self.C0[1])])?)
    }
    /// B: div(D grad c) + rho c at Gauss points, on the pattern of A0.
    ///
    /// # Errors
    /// If there are more unknowns than indices count.
    pub fn B(&self, rho: f64) -> Result<Csr<f64>> {
        if let Some(tissue) = &self.tissue {
            return self.assembled(tissue, |D, [x, y], [xx, yy]| D * (xx * y + x * yy) + rho * x * y);
        }
        let growth = Bands::combination(&[(&|_| rho, &self.C0[0])]);
        let [DC2x, DC0x] = &self.diffusive;
        Ok(Bands::kronecker([(DC2x, &self.C0[1]), (DC0x, &self.C2[1]), (&growth, &self.C0[1])])?)
    }

    /// A matrix of a map, on the pattern of Kronecker products, from D, values and second derivatives of functions
    /// along both axes.
    fn assembled(&self, tissue: &Tissue, f: impl Fn(f64, [f64; 2], [f64; 2]) -> f64) -> Result<Csr<f64>> {
        let lines = [Some(&self.x), self.y.as_ref()].map(|line| line.map_or(Vec::new(), at_points));
        let [along, across] = &lines;
        let (mut start, mut col, mut val) = (vec![0], Vec::new(), Vec::new());
        for (i, [x, xx]) in along.iter().enumerate() {
            for (j, [y, yy]) in across.iter().enumerate() {
                let element = [i / 2, j / 2];
                let D = tissue.diffusion(element);
                for (k, l) in (0..16).map(|k| (k / 4, k % 4)) {
                    if let (Some(column), Some(below)) = (x[k].0, y[l].0) {
                        col.push((column * across.len() + below) as u32);
                        val.push(tissue.factor(element, k, l) * f(D, [x[k].1, y[l].1], [xx[k].1, yy[l].1]));
                    }
                }
                start.push(col.len() as u64);
            }
        }
        Ok(Csr::new(self.unknowns(), self.unknowns(), start, col, val)?)
    }

    /// The mass as a function of coefficients: the integral of the spline is (m, a), exactly.
    ///
    /// # Errors
    /// If there are more unknowns than indices count.
    pub fn mass(&self) -> Result<Vec<f64>> {
        if self.tissue.is_none() {
            let [along, across] = self.mass_factors();
            return Ok(along.iter().flat_map(|x| across.iter().map(move |y| x * y)).collect());
        }
        let across = self.y.as_ref().map_or(vec![1.0], Line::weights);
        let (A0, along) = (self.A0()?, self.x.weights());
        let mut mass = vec![0.0; self.unknowns()];
        for i in 0..A0.rows() {
            let weight = along[i / across.len()] * across[i % across.len()];
            A0.row(i).for_each(|(j, a)| mass[j] += weight * a);
        }
        Ok(mass)
    }
    /// Its factors along x and along y.
    pub fn mass_factors(&self) -> [Vec<f64>; 2] {
        let weights = self.y.as_ref().map_or(vec![1.0], Line::weights);
        [self.C0[0].transposed_product(&self.x.weights()), self.C0[1].transposed_product(&weights)]
    }

    /// The spline at a point; none outside of the domain.
    pub fn at(&self, a: &[f64], point: &[f64]) -> Option<f64> {
        let along = self.x.place(*point.first()?)?;
        let across = match &self.y {
            Some(y) => y.place(*point.get(1)?)?,
            None => (0, [(Some(0), 1.0), (None, 0.0), (None, 0.0), (None, 0.0)]),
        };
        Some(self.value(a, &along, &across))
    }

    /// The spline where two places meet.
    pub fn value(&self, a: &[f64], (i, along): &Place, (j, across): &Place) -> f64 {
        let (fast, element) = (self.shape()[1], [*i, *j]);
        let mut sum = 0.0;
        for (k, (column, x)) in along.iter().enumerate() {
            let Some(column) = column else { continue };
            for (l, (row, y)) in across.iter().enumerate() {
                let Some(row) = row else { continue };
                let factor = self.tissue.as_ref().map_or(1.0, |tissue| tissue.factor(element, k, l));
                sum += factor * x * y * a[column * fast + row];
            }
        }
        sum
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

/// Values and second derivatives of the functions at each Gauss point of a line.
fn at_points(line: &Line) -> Vec<[Local; 2]> {
    let of = |e: usize, s: f64| {
        let h = line.length(e);
        [line.local(e, hermite::values(s, h)), line.local(e, hermite::curvatures(s, h))]
    };
    (0..line.elements()).flat_map(|e| GAUSS.map(|s| of(e, s))).collect()
}
