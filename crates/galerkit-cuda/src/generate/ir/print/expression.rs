//! Expressions as source, with parentheses where precedence needs them.

use super::Printer;
use super::precedence::{Precedence, precedence};
use crate::generate::ir::{Binary, Expression, Function, Lambda, Static, Unary, call};
use std::fmt::Write;

impl Printer {
    /// An expression; in parentheses if it binds less than what is around it needs.
    pub fn expression(&mut self, expression: &Expression, needed: Precedence) {
        if precedence(expression) < needed {
            self.around("(", expression, ")");
            return;
        }
        match expression {
            Expression::Integer(value) => {
                let _ = write!(self.out, "{value}");
            }
            Expression::Real(bits) => {
                let _ = write!(self.out, "{:e}", f64::from_bits(*bits));
            }
            Expression::Variable(variable) => self.name(variable),
            Expression::Name(name) => self.out += name,
            Expression::Argument(stem, number) => {
                let _ = write!(self.out, "a.{stem}{number}");
            }
            Expression::Element(array, index) => {
                self.expression(array, Precedence::Primary);
                self.around("[", index, "]");
            }
            Expression::Unary(operator, value) => {
                self.out += match operator {
                    Unary::Minus => "-",
                    Unary::Not => "!",
                };
                // Two signs in a row would be another operator.
                self.expression(value, Precedence::Primary);
            }
            Expression::Binary(Binary::Over, a, b) => {
                let quotient = Expression::Binary(Binary::Div, a.clone(), b.clone());
                let is_zero = call("is_zero", [(**b).clone()]);
                self.expression(&is_zero.select(call("zero", []), quotient), Precedence::Any);
            }
            Expression::Binary(operator, a, b) => {
                let own = precedence(expression);
                self.expression(a, own);
                let _ = write!(self.out, " {} ", source_of_operator(*operator));
                self.expression(b, own.above());
            }
            Expression::Select(parts) => {
                let [condition, then, otherwise] = &**parts;
                self.expression(condition, Precedence::Or);
                self.around(" ? ", then, " : ");
                self.expression(otherwise, Precedence::Select);
            }
            Expression::Call(function, arguments) => {
                self.out += &source_of_function(function);
                self.list("(", arguments, ")");
            }
            Expression::List(values) => self.list("{", values, "}"),
            Expression::Lambda(lambda) => self.lambda(lambda),
        }
    }

    fn list(&mut self, before: &str, values: &[Expression], behind: &str) {
        self.out += before;
        for (at, value) in values.iter().enumerate() {
            self.around(if at > 0 { ", " } else { "" }, value, "");
        }
        self.out += behind;
    }

    fn lambda(&mut self, Lambda { copies, parameters, mutable, body }: &Lambda) {
        self.out += "[&";
        copies.iter().for_each(|copy| self.around(", ", copy, ""));
        self.out += "](";
        for (at, (kind, name)) in parameters.iter().enumerate() {
            self.out += if at > 0 { ", " } else { "" };
            self.kind(*kind);
            self.out += name;
        }
        self.out += if *mutable { ") mutable " } else { ") " };
        self.block(body);
    }
}

fn source_of_operator(operator: Binary) -> &'static str {
    match operator {
        Binary::Mul => "*",
        Binary::Div | Binary::Over => "/",
        Binary::Remainder => "%",
        Binary::Add => "+",
        Binary::Sub => "-",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
        Binary::Equal => "==",
        Binary::And => "&&",
        Binary::Or => "||",
    }
}

fn source_of_function(Function { map, name, template }: &Function) -> String {
    let space = map.map_or(String::new(), |map| format!("map{map}::"));
    let arguments: Vec<String> = template
        .iter()
        .map(|argument| match argument {
            Static::Count(count) => count.to_string(),
            Static::Flag(flag) => flag.to_string(),
            Static::Name(name) => name.to_string(),
        })
        .collect();
    let template = if arguments.is_empty() { String::new() } else { format!("<{}>", arguments.join(", ")) };
    format!("{space}{name}{template}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::ir::name;

    fn printed(expression: &Expression) -> String {
        let mut printer = Printer::default();
        printer.expression(expression, Precedence::Any);
        printer.out
    }

    /// The tree stays as it is: sums of reals depend on their order.
    #[test]
    fn parentheses_stand_where_they_are_needed() {
        let [a, b, c] = [|| name("a"), || name("b"), || name("c")];
        for (expression, source) in [
            (a() + b() * c(), "a + b * c"),
            ((a() + b()) * c(), "(a + b) * c"),
            (a() - b() - c(), "a - b - c"),
            (a() - (b() - c()), "a - (b - c)"),
            (a() + (b() + c()), "a + (b + c)"),
            (-(a() * b()), "-(a * b)"),
            (-Expression::real(-2.0), "-(-2e0)"),
            (a() * Expression::real(-2.0), "a * -2e0"),
            (!a().less(b()), "!(a < b)"),
            (a().select(b(), c()) + 1, "(a ? b : c) + 1"),
            (a().select(b(), c().select(a(), b())), "a ? b : c ? a : b"),
            (a().binary(Binary::Over, b() + c()), "is_zero(b + c) ? zero() : a / (b + c)"),
            (a().binary(Binary::Or, b()).and(c()), "(a || b) && c"),
        ] {
            assert_eq!(printed(&expression), source);
        }
    }
}
