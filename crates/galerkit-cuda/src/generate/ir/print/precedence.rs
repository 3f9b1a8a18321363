//! Precedence of the operators of C++.

use crate::generate::ir::{Binary, Expression};

/// How strongly an expression binds.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
#[allow(missing_docs)] // the names say it
pub enum Precedence {
    Any,
    Select,
    Or,
    And,
    Equality,
    Order,
    Sum,
    Product,
    Unary,
    Primary,
}

impl Precedence {
    /// What the right operand needs, so that the tree stays as it is: sums of reals depend on their order.
    pub fn above(self) -> Self {
        match self {
            Self::Any | Self::Select => Self::Or,
            Self::Or => Self::And,
            Self::And => Self::Equality,
            Self::Equality => Self::Order,
            Self::Order => Self::Sum,
            Self::Sum => Self::Product,
            Self::Product => Self::Unary,
            Self::Unary | Self::Primary => Self::Primary,
        }
    }
}

/// How strongly this one binds.
pub fn precedence(expression: &Expression) -> Precedence {
    match expression {
        Expression::Real(bits) if f64::from_bits(*bits).is_sign_negative() => Precedence::Unary,
        Expression::Unary(..) => Precedence::Unary,
        Expression::Binary(operator, ..) => match operator {
            Binary::Mul | Binary::Div | Binary::Remainder => Precedence::Product,
            Binary::Add | Binary::Sub => Precedence::Sum,
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => Precedence::Order,
            Binary::Equal => Precedence::Equality,
            Binary::And => Precedence::And,
            Binary::Or => Precedence::Or,
            Binary::Over => Precedence::Select,
        },
        Expression::Select(_) => Precedence::Select,
        _ => Precedence::Primary,
    }
}
