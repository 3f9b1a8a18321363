//! The shape of a body: what is left when its literals and tables are taken out and the variables that it declares are
//! renamed by the order in which they appear.

use crate::generate::ir::{Expression, Label, Leaf, Statement, Values, Variable, leaves};
use std::collections::{HashMap, HashSet};

/// A shape.
#[derive(PartialEq)]
pub struct Shape {
    /// The statements, with neutral leaves.
    pub statements: Vec<Statement>,
    /// The labels that they have, by which they are not to be told apart.
    pub labels: Vec<Label>,
}

/// What was taken out.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A whole literal.
    Integer(u64),
    /// A real, by its bits.
    Real(u64),
    /// What is in a table.
    List(Vec<u64>),
}

impl Value {
    /// What is in a table.
    pub fn list(&self) -> &[u64] {
        if let Value::List(list) = self { list } else { &[] }
    }
}

impl Shape {
    /// The shape of a body, and what was taken out. What was merged already stays as it is: its tables cannot be looked
    /// up in tables.
    pub fn of(body: &[Statement]) -> (Self, Vec<Value>) {
        let mut statements = body.to_vec();
        if selects_variant(body) {
            return (Self { statements, labels: Vec::new() }, Vec::new());
        }
        let mut renaming = Renaming::of(&mut statements);
        let (mut values, mut labels) = (Vec::new(), Vec::new());
        leaves(&mut statements, &mut |leaf| match leaf {
            Leaf::Literal(literal) | Leaf::Size(literal) => values.push(take(literal)),
            Leaf::Use(Expression::Variable(variable)) | Leaf::Declared(variable) => renaming.variable(variable),
            Leaf::Use(_) => (),
            Leaf::Table(table) => {
                renaming.variable(&mut table.name);
                let values_of_table = std::mem::replace(&mut table.values, Values::Integers(Vec::new()));
                values.push(Value::List(if let Values::Integers(list) = values_of_table { list } else { Vec::new() }));
            }
            Leaf::Label(label) => labels.extend(renaming.label(label)),
        });
        labels.dedup();
        (Self { statements, labels }, values)
    }
}

fn take(literal: &mut Expression) -> Value {
    match literal {
        Expression::Real(bits) => Value::Real(std::mem::take(bits)),
        Expression::Integer(value) => Value::Integer(std::mem::take(value)),
        _ => unreachable!("literals are integers and reals"),
    }
}

/// Whether a body selects variants of its own.
fn selects_variant(body: &[Statement]) -> bool {
    body.iter().any(|statement| match statement {
        Statement::SelectVariant(_) => true,
        Statement::If(_, then, otherwise) => selects_variant(then) || selects_variant(otherwise),
        Statement::For(head) => selects_variant(&head.body),
        Statement::Forever(body) | Statement::Once(body) | Statement::Block(body) => selects_variant(body),
        _ => false,
    })
}

/// New names for what a body declares. What it only mentions stands outside, and keeps its name.
struct Renaming {
    variables: HashSet<Variable>,
    labels: HashSet<Label>,
    known: HashMap<Variable, Variable>,
    counts: HashMap<&'static str, usize>,
    known_labels: HashMap<Label, usize>,
}

impl Renaming {
    fn of(statements: &mut [Statement]) -> Self {
        let mut variables = HashSet::new();
        leaves(statements, &mut |leaf| {
            let name = match leaf {
                Leaf::Declared(name) => name,
                Leaf::Table(table) => &mut table.name,
                _ => return,
            };
            if !name.id.is_empty() {
                variables.insert(name.clone());
            }
        });
        let mut labels = HashSet::new();
        declared_labels(statements, &mut labels);
        let (known, counts, known_labels) = Default::default();
        Self { variables, labels, known, counts, known_labels }
    }

    fn variable(&mut self, variable: &mut Variable) {
        if !self.variables.contains(variable) {
            return;
        }
        let count = self.counts.entry(variable.stem).or_insert(0);
        let renamed = self.known.entry(variable.clone()).or_insert_with(|| {
            *count += 1;
            Variable::new(variable.stem, format!("_{}", *count - 1))
        });
        *variable = renamed.clone();
    }

    /// The new name, if it gets one.
    fn label(&mut self, label: &mut Label) -> Option<Label> {
        if !self.labels.contains(label) {
            return None;
        }
        let count = self.known_labels.len();
        let number = *self.known_labels.entry(label.clone()).or_insert(count);
        *label = Label { stem: label.stem, path: vec![number] };
        Some(label.clone())
    }
}

fn declared_labels(body: &[Statement], labels: &mut HashSet<Label>) {
    for statement in body {
        match statement {
            Statement::Label(label) => {
                labels.insert(label.clone());
            }
            Statement::If(_, then, otherwise) => {
                declared_labels(then, labels);
                declared_labels(otherwise, labels);
            }
            Statement::For(head) => declared_labels(&head.body, labels),
            Statement::Forever(body) | Statement::Once(body) | Statement::Block(body) => declared_labels(body, labels),
            _ => (),
        }
    }
}
