//! The names that expressions know: variables, constants, functions.

/// A function of one argument, with its first and second derivatives.
pub type Smooth = fn(f64) -> [f64; 3];

/// Variables, by axis.
pub const VARIABLES: [&str; 3] = ["x", "y", "z"];
/// Constants.
pub const CONSTANTS: [(&str, f64); 2] = [("pi", std::f64::consts::PI), ("e", std::f64::consts::E)];

/// Functions of one argument: f, f', f''.
pub const FUNCTIONS: [(&str, Smooth); 17] = [
    ("sin", |t| [t.sin(), t.cos(), -t.sin()]),
    ("cos", |t| [t.cos(), -t.sin(), -t.cos()]),
    ("tan", |t| [t.tan(), 1.0 + t.tan().powi(2), 2.0 * t.tan() * (1.0 + t.tan().powi(2))]),
    ("asin", |t| [t.asin(), (1.0 - t * t).powf(-0.5), t * (1.0 - t * t).powf(-1.5)]),
    ("acos", |t| [t.acos(), -(1.0 - t * t).powf(-0.5), -t * (1.0 - t * t).powf(-1.5)]),
    ("atan", |t| [t.atan(), 1.0 / (1.0 + t * t), -2.0 * t / (1.0 + t * t).powi(2)]),
    ("sinh", |t| [t.sinh(), t.cosh(), t.sinh()]),
    ("cosh", |t| [t.cosh(), t.sinh(), t.cosh()]),
    ("tanh", |t| [t.tanh(), 1.0 - t.tanh().powi(2), -2.0 * t.tanh() * (1.0 - t.tanh().powi(2))]),
    ("exp", |t| [t.exp(); 3]),
    ("log", |t| [t.ln(), 1.0 / t, -1.0 / (t * t)]),
    ("ln", |t| [t.ln(), 1.0 / t, -1.0 / (t * t)]),
    ("log10", |t| [t.log10(), std::f64::consts::LOG10_E / t, -std::f64::consts::LOG10_E / (t * t)]),
    ("sqrt", |t| [t.sqrt(), 0.5 / t.sqrt(), -0.25 / (t * t.sqrt())]),
    ("cbrt", |t| [t.cbrt(), 1.0 / (3.0 * t.cbrt().powi(2)), -2.0 / (9.0 * t * t.cbrt().powi(2))]),
    ("abs", |t| [t.abs(), if t < 0.0 { -1.0 } else { 1.0 }, 0.0]),
    ("sign", |t| [if t == 0.0 { 0.0 } else { t.signum() }, 0.0, 0.0]),
];

/// Functions of several arguments, with how many they take.
pub const OF_SEVERAL: [(&str, usize); 6] = [("atan2", 2), ("hypot", 2), ("min", 2), ("max", 2), ("pow", 2), ("if", 3)];

/// All of them, for errors and help.
pub fn known() -> String {
    let constants = CONSTANTS.iter().map(|(name, _)| *name);
    let functions = FUNCTIONS.iter().map(|(name, _)| *name).chain(OF_SEVERAL.iter().map(|(name, _)| *name));
    VARIABLES.into_iter().chain(constants).chain(functions).collect::<Vec<_>>().join(", ")
}
