//! A reference from a local function to a global one: its number and a sign, or nothing where the minimum rule drops
//! the function.

/// A global function with a sign, in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function(u32);

const SIGN: u32 = 1 << 31;

impl Function {
    /// No function: the coefficient is 0.
    pub const NONE: Self = Self(u32::MAX);
    /// How many functions can be told apart.
    pub const LIMIT: usize = SIGN as usize - 1;

    /// Function i, times -1 if negative.
    pub fn new(i: usize, is_negative: bool) -> Self {
        debug_assert!(i < Self::LIMIT);
        Self(i as u32 | if is_negative { SIGN } else { 0 })
    }
    /// Number and sign.
    pub fn get(self) -> Option<(usize, f64)> {
        let sign = if self.0 & SIGN == 0 { 1.0 } else { -1.0 };
        (self != Self::NONE).then_some(((self.0 & !SIGN) as usize, sign))
    }
    /// The coefficient of the local function, given those of the global ones.
    pub fn of(self, coefficients: &[f64]) -> f64 {
        self.get().map_or(0.0, |(i, sign)| sign * coefficients[i])
    }
    /// The 32 bits: the number, above it the sign; all ones for none.
    pub fn bits(self) -> u32 {
        self.0
    }
}
