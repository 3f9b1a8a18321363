//! The terms of A(k) = sum c(k) S: real matrices S with complex factors c of k, so that another k needs no assembly.
//!
//! | term | c(k) | S |
//! |---|---|---|
//! | stiffness, its loss in layers | 1, i | int D grad u . grad v |
//! | mass, its loss | -k^2, -i k^2 (times 1 - tau k^2) | int u v / c^2 |
//! | impedance | -i k beta | int_G u v / c |
//! | BGT | see [`boundary_terms`] | int_G u v, int_G u v / R, int_G grad_t u . grad_t v |
//! | infinite elements | 1, i k, k^2 | the parts of [`infinite`](super::infinite) |
//!
//! On the boundary all of them are divided by rho; BGT and infinite elements have k / c of the medium there.

use super::beyond::Beyond;
use super::condition::Condition;
use super::gls::Gls;
use super::infinite::{Parts, element};
use super::medium::{Medium, Part, PartForm};
use super::wave_space::{Sample, Side, WaveSpace};
use crate::basis::dense::Dense;
use crate::error::Result;
use crate::forest::geometry::Point;
use crate::form::{Form, Site};
use galerkit_linalg::c64;
use std::sync::Arc;

/// A factor as a function of k.
pub type Factor = Arc<dyn Fn(c64) -> c64 + Send + Sync>;

const I: c64 = c64::new(0.0, 1.0);

/// What is integrated.
#[derive(Clone)]
pub enum Integral {
    /// A form over all cells.
    Cells(Arc<PartForm>),
    /// A product over the sides with a tag.
    Sides(i32, OnSide),
    /// A part of the infinite elements behind the sides with a tag.
    Infinite(i32, Point, usize, InfinitePart),
}

/// A product on sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OnSide {
    /// u v / (rho c).
    Admittance,
    /// u v / rho.
    Mass,
    /// u v / (rho R), R the distance from a centre.
    Curvature(Point),
    /// grad u . grad v / rho along the boundary.
    Tangential,
}

/// Which part of an infinite element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InfinitePart {
    /// Without k.
    Constant,
    /// Times i k.
    Odd,
    /// Times k^2.
    Even,
}

/// A term.
#[derive(Clone)]
pub struct Term {
    /// c.
    pub factor: Factor,
    /// S.
    pub integral: Integral,
}

impl Term {
    /// The form, where it is one over cells.
    pub fn form(&self) -> Option<Arc<dyn Form>> {
        match &self.integral {
            Integral::Cells(form) => Some(form.clone()),
            _ => None,
        }
    }
    /// The factor of the mass, if this is its term.
    pub fn mass(&self, k: c64) -> Option<c64> {
        match &self.integral {
            Integral::Cells(form) if form.part == Part::Mass => Some((self.factor)(k)),
            _ => None,
        }
    }
}

fn term(integral: Integral, factor: impl Fn(c64) -> c64 + Send + Sync + 'static) -> Term {
    Term { factor: Arc::new(factor), integral }
}

/// The terms of the medium.
pub fn cell_terms(medium: &Arc<Medium>, gls: Option<Gls>) -> Vec<Term> {
    let mass = move |k: c64| -k * k * gls.map_or(c64::new(1.0, 0.0), |gls| gls.mass(k));
    let of = |part: Part| {
        let integral = Integral::Cells(Arc::new(PartForm { medium: medium.clone(), part }));
        match part {
            Part::Stiffness => term(integral, |_| c64::new(1.0, 0.0)),
            Part::StiffnessLoss => term(integral, |_| I),
            Part::Mass => term(integral, mass),
            Part::MassLoss => term(integral, move |k| I * mass(k)),
        }
    };
    medium.parts().into_iter().map(of).collect()
}

/// The terms of a condition, with the medium beyond. With n = d - 1, BGT1 is u_r = (i k - n / (2 R)) u and BGT2
/// u_r = ((2 k^2 + (n + 2) i k / R - n (n + 2) / (4 R^2)) u + Laplace_t u) / (2 (1/R - i k)).
pub fn boundary_terms(dim: usize, tag: i32, condition: &Condition, gls: Option<Gls>, beyond: Beyond) -> Vec<Term> {
    let (n, Beyond { lightness, slowness }) = (dim as f64 - 1.0, beyond);
    let side = |on: OnSide| Integral::Sides(tag, on);
    match *condition {
        Condition::Velocity(_) | Condition::Soft(_) => Vec::new(),
        Condition::Impedance { admittance, .. } => {
            vec![term(side(OnSide::Admittance), move |k| -I * admittance * gls.map_or(k, |gls| gls.on_wall(k)))]
        }
        Condition::Bgt1 { centre } => vec![
            term(side(OnSide::Admittance), |k| -I * k),
            term(side(OnSide::Curvature(centre)), move |_| c64::new(n / 2.0, 0.0)),
        ],
        Condition::Bgt2 { radius } => {
            let c = if dim == 2 { [3.0, 0.75] } else { [4.0, 2.0] };
            let below = move |k: c64| (1.0 / radius - I * k) * 2.0;
            let above = move |k: c64| k * k * 2.0 + I * k * (c[0] / radius) - c[1] / (radius * radius);
            vec![
                term(side(OnSide::Mass), move |k| -above(k * slowness) / below(k * slowness)),
                term(side(OnSide::Tangential), move |k| 1.0 / below(k * slowness)),
            ]
        }
        Condition::Infinite { centre, order } => {
            let part = |part| Integral::Infinite(tag, centre, order, part);
            vec![
                term(part(InfinitePart::Constant), move |_| c64::new(lightness, 0.0)),
                term(part(InfinitePart::Odd), move |k| I * k * slowness * lightness),
                term(part(InfinitePart::Even), move |k| k * k * (slowness * slowness * lightness)),
            ]
        }
    }
}

/// int over a side.
pub fn side_matrix<V: WaveSpace>(space: &V, medium: &Medium, e: usize, side: Side, on: OnSide) -> Result<Dense> {
    let samples = space.side_samples(e, side, 1)?;
    let n = samples.first().map_or(0, |sample| sample.values.len());
    let mut B = Dense::zeros(n, n);
    for sample in &samples {
        let (lightness, slowness) = medium.at(&Site { point: sample.point, region: space.region(e) })?;
        let w = sample.weight * lightness;
        let w = match on {
            OnSide::Admittance => w * slowness,
            OnSide::Curvature(centre) => w / distance(&sample.point, &centre),
            OnSide::Mass | OnSide::Tangential => w,
        };
        let along: Vec<Point> = sample.gradients.iter().map(|g| tangential(sample, g)).collect();
        for i in 0..n {
            for j in 0..n {
                let product = match on {
                    OnSide::Tangential => (0..3).map(|d| along[i][d] * along[j][d]).sum(),
                    _ => sample.values[i] * sample.values[j],
                };
                B[(i, j)] += w * product;
            }
        }
    }
    Ok(B)
}

/// A part of the infinite element behind a side.
pub fn infinite_matrix<V: WaveSpace>(
    space: &V,
    (e, side): (usize, Side),
    (centre, order): (Point, usize),
    part: InfinitePart,
) -> Result<Dense> {
    let samples = space.side_samples(e, side, 1)?;
    let Parts { constant, odd, even } = element(space.dim(), centre, order, &space.on_side(e, side), &samples)?;
    Ok(match part {
        InfinitePart::Constant => constant,
        InfinitePart::Odd => odd,
        InfinitePart::Even => even,
    })
}

fn tangential(sample: &Sample, g: &Point) -> Point {
    let along: f64 = (0..3).map(|i| g[i] * sample.normal[i]).sum();
    std::array::from_fn(|i| g[i] - along * sample.normal[i])
}

fn distance(a: &Point, b: &Point) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}
