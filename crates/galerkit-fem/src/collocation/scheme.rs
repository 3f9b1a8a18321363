//! One step in time, in an engine's verbs. S v = (A0 - tau B)^-1 A0 v is all that a scheme needs, with tau = weight
//! times dt; dt itself appears nowhere, so another step is the same program with other values.
//!
//! ```text
//! backward Euler    a' = S a                                          weight 1
//! Crank-Nicolson    a' = 2 S a - a                                    weight 1/2
//! DIRK, two stages  y1 = S a,  v = a - (sqrt 3 / 3) k1,  y2 = S v     weight g = (3 + sqrt 3) / 6
//!                   k1 = (y1 - a) / g,  k2 = (y2 - v) / g,  a' = a + (k1 + k2) / 2
//! ```
//!
//! DIRK is A-stable and of third order. R(infinity) = 1 - sqrt 3: rough modes are damped slowly and with alternating
//! sign, hence steps of backward Euler to begin with for point sources.

use galerkit_linalg::engine::{Engine, Entry, Operator};
use galerkit_linalg::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// (3 + sqrt 3) / 6
pub const G: f64 = 0.788_675_134_594_812_9;
/// sqrt 3 / 3 = 2 g - 1
const THIRD: f64 = 0.577_350_269_189_625_8;

/// How time is stepped through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scheme {
    /// Two stages, third order, without a solve with A0.
    #[default]
    Dirk,
    /// The same in the arrangement of the source: increments, and a last solve with A0.
    DirkSource,
    /// First order.
    BackwardEuler,
    /// Second order.
    CrankNicolson,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Scheme; 4] = [Scheme::Dirk, Scheme::DirkSource, Scheme::BackwardEuler, Scheme::CrankNicolson];
    /// Their names.
    pub const NAMES: &str = "dirk, dirk-source, euler, crank-nicolson";

    /// tau / dt
    pub fn weight(self) -> f64 {
        match self {
            Scheme::Dirk | Scheme::DirkSource => G,
            Scheme::BackwardEuler => 1.0,
            Scheme::CrankNicolson => 0.5,
        }
    }

    /// R(z): what becomes of a mode with z = lambda dt in a step; of the mass with z = rho dt, exactly.
    pub fn growth(self, z: f64) -> f64 {
        match self {
            Scheme::Dirk | Scheme::DirkSource => {
                (1.0 + (1.0 - 2.0 * G) * z + (0.5 - 2.0 * G + G * G) * z * z) / (1.0 - G * z).powi(2)
            }
            Scheme::BackwardEuler => 1.0 / (1.0 - z),
            Scheme::CrankNicolson => (1.0 + 0.5 * z) / (1.0 - 0.5 * z),
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scheme::Dirk => "dirk",
            Scheme::DirkSource => "dirk-source",
            Scheme::BackwardEuler => "euler",
            Scheme::CrankNicolson => "crank-nicolson",
        })
    }
}

impl FromStr for Scheme {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        let known = |scheme: &Scheme| scheme.to_string() == name;
        let unknown = || Error::UnknownName { what: "scheme", name: name.into(), known: Self::NAMES.into() };
        Self::ALL.into_iter().find(known).ok_or_else(unknown)
    }
}

/// a' = S a
pub fn backward_euler<E: Engine>(e: &mut E, S: &dyn Operator<E>, a: &mut E::Vector) {
    let mut y = e.zeros_like(a);
    e.apply(S, a, &mut y);
    e.copy(&y, a);
}

/// a' = 2 S a - a
pub fn crank_nicolson<E: Engine>(e: &mut E, S: &dyn Operator<E>, a: &mut E::Vector) {
    let mut y = e.zeros_like(a);
    e.apply(S, a, &mut y);
    let two = e.number(2.0);
    let minus = e.number(-1.0);
    e.axpby(two, &y, minus, a);
}

/// Two stages of third order; returns y1, v, y2 and a as it was, which an estimate of the error is made of.
#[rustfmt::skip]
pub fn dirk<E: Engine>(e: &mut E, S: &dyn Operator<E>, a: &mut E::Vector) -> [E::Vector; 3] {
    let [mut y1, mut v, mut y2] = e.vectors_like(a);
    e.apply(S, a, &mut y1);                                           // y1 = S a
    e.pointwise([&mut v], [a, &y1], |_, [a, y1]| {
        [a - E::Entry::constant(THIRD / G) * (y1 - a)]                // v = a - (sqrt 3 / 3) k1
    });
    e.apply(S, &v, &mut y2);                                          // y2 = S v
    e.pointwise([a], [&y1, &v, &y2], |[a], [y1, v, y2]| {
        [a + E::Entry::constant(0.5 / G) * ((y1 - a) + (y2 - v))]     // a' = a + (k1 + k2) / 2
    });
    [y1, v, y2]
}

/// DIRK with an estimate of its error, relative to a: z = dt A0^-1 B in (z S)^3 a / 6, the term that a method of second
/// order would leave out. (z S)^2 a = (k2 - k1) / (1 - 2 g); one more solve.
#[rustfmt::skip]
pub fn dirk_estimated<E: Engine>(e: &mut E, S: &dyn Operator<E>, a: &mut E::Vector) -> E::Num {
    let [mut before, mut w, mut Sw] = e.vectors_like(a);
    e.copy(a, &mut before);
    let [y1, v, y2] = dirk(e, S, a);
    e.pointwise([&mut w], [&before, &y1, &v, &y2], |_, [a, y1, v, y2]| {
        [E::Entry::constant(-1.0 / (THIRD * G)) * ((y2 - v) - (y1 - a))] // w = (z S)^2 a
    });
    e.apply(S, &w, &mut Sw);
    let minus = e.number(-1.0);
    e.axpy(minus, &w, &mut Sw);                                       // g (z S) w
    let (error, size, scale) = (e.norm(&Sw), e.norm(a), e.number(1.0 / (6.0 * G)));
    scale * error / size
}

/// What the arrangement of the source needs.
pub struct SourceStep<'a, E: Engine> {
    /// A0 as a product.
    pub A0: &'a dyn Operator<E>,
    /// dt B as a product.
    pub dtB: &'a dyn Operator<E>,
    /// (A0 - g dt B)^-1
    pub A_inverse: &'a dyn Operator<E>,
    /// A0^-1
    pub A0_inverse: &'a dyn Operator<E>,
}

/// DIRK as the source has it, with the A0 a that its listing drops.
#[rustfmt::skip]
pub fn dirk_source<E: Engine>(e: &mut E, step: &SourceStep<'_, E>, a: &mut E::Vector) {
    let [mut b, mut y1, mut d, mut r] = e.vectors_like(a);
    e.apply(step.A0, a, &mut b);                                      // b = A0 a
    e.apply(step.A_inverse, &b, &mut y1);                             // A y1 = b
    e.apply(step.dtB, &y1, &mut r);
    let third = e.number(-THIRD);
    e.scale(third, &mut r);
    e.apply(step.A_inverse, &r, &mut d);                              // A d = -dt (sqrt 3 / 3) B y1
    let [one, two, half] = [1.0, 2.0, 0.5].map(|value| e.number(value));
    e.axpby(two, &y1, one, &mut d);
    e.apply(step.dtB, &d, &mut r);
    e.axpby(one, &b, half, &mut r);
    e.apply(step.A0_inverse, &r, a);                                  // A0 a' = b + (dt / 2) B (2 y1 + d)
}
