//! Forwarding: what an instruction on scalars has computed the next ones take from a variable; who reads it from memory
//! waits until it was written. Where registers are few all is read from memory, and the compiler is made to forget now
//! and then what it holds.

use crate::generate::ir::{Expression, Statement, Type, Variable, element, name, scalars};
use std::collections::HashMap;

/// Statements after which the compiler must forget.
const WINDOW: usize = 8;

/// Statements for one thread, as far as they have come.
#[derive(Default)]
pub struct Forward {
    saves_registers: bool,
    statements: Vec<Statement>,
    tests: bool,
    count: usize,
    /// Where the scalars are that were computed, by their index in `c`.
    variables: HashMap<u64, Variable>,
}

impl Forward {
    /// Nothing yet; where registers are few nothing is forwarded.
    pub fn new(saves_registers: bool) -> Self {
        Self { saves_registers, ..Self::default() }
    }

    /// The next statement: an assignment to an element of `c`, or a test.
    pub fn push(&mut self, mut statement: Statement) {
        match &mut statement {
            Statement::Assign(_, _, value) => self.read(value),
            Statement::If(condition, ..) => {
                self.read(condition);
                self.tests = true;
            }
            _ => (),
        }
        match (self.saves_registers, scalar_target(&statement)) {
            (false, Some(k)) => self.assign(k, statement),
            _ => self.statements.push(statement),
        }
        self.count += 1;
        if self.saves_registers && self.count.is_multiple_of(WINDOW) {
            self.statements.push(Statement::Fixed("__syncwarp(1);"));
        }
    }

    fn read(&self, value: &mut Expression) {
        scalars(value, &mut |scalar| {
            if let Some(known) = index(scalar).and_then(|k| self.variables.get(&k)) {
                *scalar = known.value();
            }
        });
    }

    fn assign(&mut self, k: u64, statement: Statement) {
        let Statement::Assign(target, operator, value) = statement else { return };
        let variable = Variable::new("s", self.count);
        self.statements.push(Statement::constant(Type::Scalar, variable.clone(), value));
        self.statements.push(Statement::Assign(target, operator, variable.value()));
        self.variables.insert(k, variable);
    }

    /// A loop among them, which may have written anything.
    pub fn push_loop(&mut self, statement: Statement) {
        self.statements.push(statement);
        self.variables.clear();
    }

    /// The statements, and whether a test is among them; none if there is nothing.
    pub fn taken(&mut self) -> Option<(Vec<Statement>, bool)> {
        let saves_registers = self.saves_registers;
        let Self { statements, tests, .. } = std::mem::replace(self, Self::new(saves_registers));
        (!statements.is_empty()).then_some((statements, tests))
    }
}

/// Scalar `k` of the array `c`.
pub fn scalar(k: impl Into<Expression>) -> Expression {
    element(name("c"), k)
}

/// Its index in `c`.
pub fn index(scalar: &Expression) -> Option<u64> {
    let Expression::Element(_, index) = scalar else { return None };
    if let Expression::Integer(k) = **index { Some(k) } else { None }
}

/// The index in `c` that a statement assigns to.
pub fn scalar_target(statement: &Statement) -> Option<u64> {
    if let Statement::Assign(target, ..) = statement { index(target) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::ir::print_statements;

    #[test]
    fn what_was_computed_is_read_from_variables() {
        let c = |k: usize| scalar(k);
        let lines = [(3, c(1) * c(2)), (4, c(3) - c(1)), (3, c(4) * c(3)), (5, c(3) - c(3))]
            .map(|(k, v)| Statement::set(c(k), v));
        let mut forward = Forward::default();
        lines.iter().for_each(|line| forward.push(line.clone()));
        let source = print_statements(&forward.taken().expect("four statements").0);
        assert!(source.contains("const Scalar s1 = s0 - c[1];\nc[4] = s1;"), "{source}");
        assert!(source.contains("const Scalar s3 = s2 - s2;\nc[5] = s3;"), "{source}");
        let mut forward = Forward::new(true);
        lines.iter().chain(&lines).for_each(|line| forward.push(line.clone()));
        let source = print_statements(&forward.taken().expect("eight statements").0);
        assert!(source.ends_with("c[5] = c[3] - c[3];\n__syncwarp(1);\n"), "{source}");
    }
}
