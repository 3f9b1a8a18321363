//! The leaves of statements in the order in which they are printed: all in which variants of one shape may differ. With
//! them replaced by something neutral, statements of one shape are equal.

use super::{Binary, Expression, Label, Lambda, Loop, Placement, Statement, Table, Variable};

/// A leaf.
pub enum Leaf<'a> {
    /// An integer or real literal.
    Literal(&'a mut Expression),
    /// The size of an array, a literal: one that is larger serves as well.
    Size(&'a mut Expression),
    /// A variable that is read or assigned to.
    Use(&'a mut Expression),
    /// The name in a declaration.
    Declared(&'a mut Variable),
    /// A table, with its name.
    Table(&'a mut Table),
    /// A label, or where a `goto` leads.
    Label(&'a mut Label),
}

type Visit<'v> = &'v mut dyn FnMut(Leaf<'_>);

/// Visits all leaves of statements.
pub fn leaves(statements: &mut [Statement], visit: Visit<'_>) {
    statements.iter_mut().for_each(|statement| of_statement(statement, visit));
}

fn of_statement(statement: &mut Statement, visit: Visit<'_>) {
    match statement {
        Statement::Fixed(_) | Statement::Break | Statement::Return(None) => (),
        Statement::Declare(declaration) => {
            visit(Leaf::Declared(&mut declaration.name));
            match &mut declaration.size {
                Some(size @ Expression::Integer(_)) => visit(Leaf::Size(size)),
                size => size.iter_mut().for_each(|size| of_expression(size, visit)),
            }
            declaration.value.iter_mut().for_each(|value| of_expression(value, visit));
        }
        Statement::Table(Table { name, placement: Placement::PartOfTables(begin), .. }) => {
            visit(Leaf::Declared(name));
            visit(Leaf::Literal(begin));
        }
        Statement::Table(table) => visit(Leaf::Table(table)),
        Statement::Assign(target, _, value) => [target, value].into_iter().for_each(|part| of_expression(part, visit)),
        Statement::Evaluate(value) | Statement::Return(Some(value)) | Statement::SelectVariant(value) => {
            of_expression(value, visit);
        }
        Statement::If(condition, then, otherwise) => {
            of_expression(condition, visit);
            leaves(then, visit);
            leaves(otherwise, visit);
        }
        Statement::For(head) => of_loop(head, visit),
        Statement::Forever(body) | Statement::Once(body) | Statement::Block(body) => leaves(body, visit),
        Statement::Goto(label) | Statement::Label(label) => visit(Leaf::Label(label)),
    }
}

fn of_loop(head: &mut Loop, visit: Visit<'_>) {
    for (name, value) in &mut head.start {
        visit(Leaf::Declared(name));
        of_expression(value, visit);
    }
    of_expression(&mut head.condition, visit);
    for (target, _, value) in &mut head.step {
        of_expression(target, visit);
        of_expression(value, visit);
    }
    leaves(&mut head.body, visit);
}

fn of_expression(expression: &mut Expression, visit: Visit<'_>) {
    match expression {
        Expression::Integer(_) | Expression::Real(_) => visit(Leaf::Literal(expression)),
        Expression::Variable(_) => visit(Leaf::Use(expression)),
        Expression::Name(_) | Expression::Argument(..) => (),
        // Printed as a question about the divisor.
        Expression::Binary(Binary::Over, a, b) => [b, a].into_iter().for_each(|part| of_expression(part, visit)),
        Expression::Element(a, b) | Expression::Binary(_, a, b) => {
            [a, b].into_iter().for_each(|part| of_expression(part, visit));
        }
        Expression::Unary(_, a) => of_expression(a, visit),
        Expression::Select(parts) => parts.iter_mut().for_each(|part| of_expression(part, visit)),
        Expression::Call(_, parts) | Expression::List(parts) => {
            parts.iter_mut().for_each(|part| of_expression(part, visit));
        }
        Expression::Lambda(lambda) => {
            let Lambda { copies, body, .. } = &mut **lambda;
            copies.iter_mut().for_each(|part| of_expression(part, visit));
            leaves(body, visit);
        }
    }
}

/// Visits the scalars that arithmetic reads from the array `c`, operands in the order of their instruction.
pub fn scalars(expression: &mut Expression, visit: &mut dyn FnMut(&mut Expression)) {
    match expression {
        Expression::Element(array, _) if **array == Expression::Name("c") => visit(expression),
        Expression::Unary(_, a) => scalars(a, visit),
        Expression::Binary(_, a, b) => [a, b].into_iter().for_each(|part| scalars(part, visit)),
        Expression::Call(_, parts) => parts.iter_mut().for_each(|part| scalars(part, visit)),
        _ => (),
    }
}
