//! |a| by operations that round alike on every machine, as a library's `hypot` does not; and the unit number that turns a to |a|.

use crate::scalar::Scalar;
use num_traits::Float;

/// |a| in the precision of a.
#[inline]
pub fn modulus<S: Scalar>(a: S) -> S::Real {
    if !S::KIND.is_complex() {
        return a.modulus();
    }
    let real = |part: f64| <S::Real as Scalar>::from_f64(part.abs());
    let (re, im) = (real(a.parts().0), real(a.parts().1));
    let (most, least) = if re > im { (re, im) } else { (im, re) };
    if least > <S::Real as num_traits::Zero>::zero() {
        let t = least / most;
        most * Float::sqrt(<S::Real as num_traits::One>::one() + t * t)
    } else {
        most
    }
}

/// conj(a)/|a| for a that is not zero.
#[inline]
pub fn phase<S: Scalar>(a: S) -> S {
    a.conj() / S::from_real(modulus(a))
}
