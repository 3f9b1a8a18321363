//! Merged variants: one body for the positions of a cycle that do the same with other vectors and scalars. Thirty
//! positions of GMRES would take minutes to compile as one kernel, and hardly fit an instruction cache.
//!
//! Bodies are compared without their leaves: they have one shape if nothing else differs. Variables that a body
//! declares are renamed by the order in which they appear; literals that differ are computed from the variant or looked
//! up by it in tables; of tables that differ the longest serves all if the others are its beginnings, else each variant
//! has a row.

mod literals;
pub mod shape;

use crate::generate::ir::{Binary, Expression, Label, Leaf, Statement, Values, element, leaves, name};
use literals::Literals;
use shape::{Shape, Value};

/// Variants up to which each has a body of its own: what is written out runs faster than what is looked up.
pub const FEW_VARIANTS: usize = 8;

/// The bodies of all variants, which are lists of parts: first all first parts and so on. `selector` tells which
/// variant it is; cycles inside each other are at different depths. Also of how many bodies it is made.
pub fn variants(selector: Expression, variants: Vec<Vec<Vec<Statement>>>, depth: usize) -> (Vec<Statement>, usize) {
    let (mut out, mut count) = (vec![Statement::SelectVariant(selector)], 0);
    if variants.len() <= FEW_VARIANTS {
        let all = variants.len();
        for (variant, parts) in variants.into_iter().enumerate() {
            count += parts.len();
            let body = parts.concat();
            let is_it = || name("variant").equals(variant);
            out.push(if all == 1 { Statement::Block(body) } else { Statement::when(is_it(), body) });
        }
        return (out, count);
    }
    let longest = variants.iter().map(Vec::len).max().unwrap_or(0);
    for at in 0..longest {
        let bodies: Vec<Option<&[Statement]>> =
            variants.iter().map(|parts| parts.get(at).map(|part| &part[..])).collect();
        let (statements, made_of) = merged(&bodies, &[depth, at]);
        out.extend(statements);
        count += made_of;
    }
    (out, count)
}

/// Variants whose bodies have one shape.
struct Group<'a> {
    variants: Vec<usize>,
    bodies: Vec<&'a [Statement]>,
    shape: Shape,
    /// The literals and tables of each.
    values: Vec<Vec<Value>>,
}

/// One statement for each shape of the variants' bodies (none: a variant that has nothing to do), and how many there
/// are. `path` makes the names of tables and labels unique.
pub fn merged(bodies: &[Option<&[Statement]>], path: &[usize]) -> (Vec<Statement>, usize) {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (variant, body) in bodies.iter().enumerate() {
        let Some(body) = *body else { continue };
        let (shape, values) = Shape::of(body);
        match groups.iter_mut().find(|group| group.shape == shape) {
            Some(group) => {
                group.variants.push(variant);
                group.values.push(values);
            }
            None => groups.push(Group { variants: vec![variant], bodies: vec![body], shape, values: vec![values] }),
        }
    }
    let count = groups.len();
    let merge = |(number, group): (usize, Group<'_>)| {
        let condition = condition(&group.variants, bodies.len());
        let body = match group.variants[..] {
            [_] => group.bodies[0].to_vec(),
            _ => group.body(&[path, &[number]].concat()),
        };
        match condition {
            Some(condition) => Statement::when(condition, body),
            None => Statement::Block(body),
        }
    };
    (groups.into_iter().enumerate().map(merge).collect(), count)
}

/// When it is one of these variants; none: always.
fn condition(variants: &[usize], all: usize) -> Option<Expression> {
    if variants.len() == all {
        return None;
    }
    let within = |run: &[usize]| {
        let from = name("variant").binary(Binary::GreaterEqual, run[0]);
        from.and(name("variant").binary(Binary::LessEqual, run[run.len() - 1]))
    };
    let runs = variants.chunk_by(|one, other| one + 1 == *other).map(within);
    runs.reduce(|one, other| one.binary(Binary::Or, other))
}

impl Group<'_> {
    /// The shape with the leaves of all variants.
    fn body(self, path: &[usize]) -> Vec<Statement> {
        let Self { variants, shape: Shape { statements: mut body, labels }, values, .. } = self;
        let mut literals = Literals::new(path, &variants);
        let (mut next, mut by_row) = (0, Vec::new());
        let mut of_all = || {
            let at: Vec<&Value> = values.iter().map(|values| &values[next]).collect();
            next += 1;
            at
        };
        leaves(&mut body, &mut |leaf| match leaf {
            Leaf::Literal(literal) => *literal = literals.literal(&of_all()),
            Leaf::Size(size) => *size = largest(&of_all()),
            Leaf::Table(table) => {
                let lists: Vec<&[u64]> = of_all().into_iter().map(Value::list).collect();
                table.values = joined(&variants, &lists);
                by_row.extend(matches!(table.values, Values::Rows(_)).then(|| table.name.clone()));
            }
            Leaf::Use(variable) => {
                if let Expression::Variable(known) = &*variable
                    && by_row.contains(known)
                {
                    *variable = element(known.value(), literals.row());
                }
            }
            Leaf::Label(label) if labels.contains(label) => {
                *label = Label { stem: label.stem, path: [path, &label.path].concat() };
            }
            Leaf::Declared(_) | Leaf::Label(_) => (),
        });
        literals.tables().into_iter().chain(body).collect()
    }
}

/// The size that serves all.
pub fn largest(sizes: &[&Value]) -> Expression {
    let size = |value: &&Value| if let Value::Integer(size) = value { *size } else { 0 };
    Expression::Integer(sizes.iter().map(size).max().unwrap_or(0))
}

/// The table that serves for the tables of all variants.
fn joined(variants: &[usize], lists: &[&[u64]]) -> Values {
    let longest = lists.iter().max_by_key(|list| list.len()).expect("a group has a variant");
    if lists.iter().all(|list| longest.starts_with(list)) {
        return Values::Integers(longest.to_vec());
    }
    let row = |variant: usize| variants.iter().position(|&known| known == variant).map_or(&[][..], |at| lists[at]);
    Values::Rows((variants[0]..=variants[variants.len() - 1]).map(|variant| row(variant).to_vec()).collect())
}

#[cfg(test)]
mod tests;
