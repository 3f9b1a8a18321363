//! One boundary condition as typed: `[TAG=]EXPR`.

use anyhow::{Context, Result, bail};
use galerkit::fem::Expression;

/// A value on the boundary.
#[derive(Clone, Debug)]
pub enum Value {
    /// As written.
    Given(Expression),
    /// What the exact solution has there.
    Exact,
}

/// What holds there.
#[derive(Clone, Debug)]
pub enum Kind {
    /// u = value.
    Dirichlet(Value),
    /// (kappa grad u).n = value.
    Neumann(Value),
    /// (kappa grad u).n + alpha u = value.
    Robin(Expression, Value),
}

/// A condition on one piece of the boundary, or on what no other names.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The piece, by name or number.
    pub tag: Option<String>,
    /// What holds there.
    pub kind: Kind,
}

impl Condition {
    /// From the option's name and its argument.
    pub fn new(option: &str, text: &str, has_exact: bool) -> Result<Self> {
        let (tag, right) = split_tag(text);
        let context = || format!("--{option} {text}");
        let kind = match option {
            "dirichlet" => Kind::Dirichlet(value(right, has_exact).with_context(context)?),
            "neumann" => Kind::Neumann(value(right, has_exact).with_context(context)?),
            _ => robin(right, has_exact).with_context(context)?,
        };
        Ok(Self { tag: tag.map(Into::into), kind })
    }
}

impl Kind {
    /// The expressions in it.
    pub fn expressions(&self) -> Vec<&Expression> {
        match self {
            Self::Dirichlet(Value::Given(u)) | Self::Neumann(Value::Given(u)) => vec![u],
            Self::Robin(alpha, Value::Given(g)) => vec![alpha, g],
            Self::Robin(alpha, _) => vec![alpha],
            Self::Dirichlet(_) | Self::Neumann(_) => Vec::new(),
        }
    }
}

/// ALPHA, or ALPHA,G with the comma outside of parentheses.
fn robin(text: &str, has_exact: bool) -> Result<Kind> {
    let mut depth = 0;
    let comma = text.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    let (alpha, g) = match (comma, has_exact) {
        (Some(at), _) => (&text[..at], value(&text[at + 1..], has_exact)?),
        (None, true) => (text, Value::Exact),
        (None, false) => (text, Value::Given(Expression::number(0.0))),
    };
    Ok(Kind::Robin(alpha.parse()?, g))
}

fn value(text: &str, has_exact: bool) -> Result<Value> {
    match (text.trim(), has_exact) {
        ("exact", true) => Ok(Value::Exact),
        ("exact", false) => bail!("'exact' needs the exact solution: add --exact EXPR"),
        _ => Ok(Value::Given(text.parse()?)),
    }
}

/// A tag ends with the first '=' that is part of no comparison.
fn split_tag(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((tag, right)) if !right.starts_with('=') && !tag.contains(['<', '>', '!', '(', '*', '+', '/', '^']) => {
            (Some(tag.trim()), right)
        }
        _ => (None, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_end_with_an_equals_sign_that_compares_nothing() {
        assert_eq!(split_tag("left=x"), (Some("left"), "x"));
        assert_eq!(split_tag("3=-x"), (Some("3"), "-x"));
        assert_eq!(split_tag("top = x <= 1"), (Some("top"), " x <= 1"));
        for text in ["x", "x <= 1", "x == 1", "if(x != 1, 2, 3)", "min(x >= 1, 2)"] {
            assert_eq!(split_tag(text), (None, text));
        }
    }

    #[test]
    fn a_comma_within_parentheses_is_part_of_alpha() {
        let Kind::Robin(alpha, Value::Given(g)) = robin("max(x, 2),y", false).unwrap() else { panic!() };
        assert_eq!((alpha.at(&[3.0, 5.0, 0.0]), g.at(&[3.0, 5.0, 0.0])), (3.0, 5.0));
        assert!(matches!(robin("max(x, 2)", true).unwrap(), Kind::Robin(_, Value::Exact)));
    }
}
