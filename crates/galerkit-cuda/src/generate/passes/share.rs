//! Kernels of one shape become one: those of the positions of a cycle, of the levels of a multigrid, of steps of a
//! smoother. What they differ in comes with each launch: literals as kernel arguments `a.at[k]`, lists behind
//! `a.tables`. So a long program compiles as few kernels as it has shapes.

use super::merge::largest;
use super::merge::shape::{Shape, Value};
use crate::generate::ir::{Expression, Leaf, Placement, Statement, Values, call, element, leaves, name};

/// What comes with a launch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Own {
    /// Integers, and reals by their bits.
    pub literals: Vec<u64>,
    /// Lists, one behind the other.
    pub tables: Vec<u32>,
}

/// A body that serves several kernels.
pub struct Shared {
    /// What it does.
    pub body: Vec<Statement>,
    /// The kernels, by their index, and what the launches of each bring.
    pub members: Vec<(usize, Own)>,
}

/// The different bodies of some kernels; of those that differ in literals only one is left where `by_shape` says so,
/// else of equal ones.
pub fn share(bodies: Vec<Vec<Statement>>, by_shape: bool) -> Vec<Shared> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, body) in bodies.into_iter().enumerate() {
        let (shape, values) = Shape::of(&body);
        let joins = |group: &&mut Group| group.shape == shape && (by_shape || group.values[0] == values);
        match groups.iter_mut().find(joins) {
            Some(group) => {
                group.members.push(index);
                group.values.push(values);
            }
            None => groups.push(Group { members: vec![index], first: body, shape, values: vec![values] }),
        }
    }
    groups.into_iter().map(Group::shared).collect()
}

/// Kernels of one shape.
struct Group {
    members: Vec<usize>,
    /// The body of the first.
    first: Vec<Statement>,
    shape: Shape,
    /// The literals and tables of each.
    values: Vec<Vec<Value>>,
}

impl Group {
    fn shared(self) -> Shared {
        let Self { members, first, shape: Shape { statements: mut body, .. }, values } = self;
        if values.iter().all(|one| *one == values[0]) {
            return Shared { body: first, members: members.into_iter().map(|index| (index, Own::default())).collect() };
        }
        let mut own = Brought { literals: Vec::new(), tables: vec![Vec::new(); members.len()] };
        let mut next = 0;
        let mut of_all = || {
            let at: Vec<&Value> = values.iter().map(|values| &values[next]).collect();
            next += 1;
            at
        };
        leaves(&mut body, &mut |leaf| match leaf {
            Leaf::Literal(literal) => *literal = own.literal(&of_all()),
            Leaf::Size(size) => *size = largest(&of_all()),
            Leaf::Table(table) => {
                let lists: Vec<&[u64]> = of_all().into_iter().map(Value::list).collect();
                if lists.iter().all(|list| *list == lists[0]) {
                    table.values = Values::Integers(lists[0].to_vec());
                } else {
                    table.placement = Placement::OfLaunch(own.table(&lists));
                }
            }
            Leaf::Use(_) | Leaf::Declared(_) | Leaf::Label(_) => (),
        });
        Shared { body, members: members.into_iter().zip(own.by_member()).collect() }
    }
}

/// What the launches of a group bring: the values of a literal in all members side by side, the tables of each member.
struct Brought {
    literals: Vec<Vec<u64>>,
    tables: Vec<Vec<u32>>,
}

impl Brought {
    /// The literal that has these values.
    fn literal(&mut self, values: &[&Value]) -> Expression {
        let is_real = matches!(values[0], Value::Real(_));
        let bits = |value: &&Value| match value {
            Value::Integer(bits) | Value::Real(bits) => *bits,
            Value::List(_) => unreachable!("a table is no literal"),
        };
        let values: Vec<u64> = values.iter().map(bits).collect();
        match (values.iter().all(|value| *value == values[0]), is_real) {
            (true, true) => Expression::Real(values[0]),
            (true, false) => Expression::Integer(values[0]),
            (false, true) => call("__longlong_as_double", [self.brought(values)]),
            (false, false) => self.near(&values).unwrap_or_else(|| self.brought(values)),
        }
    }

    fn brought(&mut self, values: Vec<u64>) -> Expression {
        let k = self.literals.iter().position(|known| *known == values).unwrap_or_else(|| {
            self.literals.push(values);
            self.literals.len() - 1
        });
        element(name("a.at"), k)
    }

    /// Always as far from one that is brought already: scalars of a position lie side by side.
    fn near(&self, values: &[u64]) -> Option<Expression> {
        self.literals.iter().enumerate().find_map(|(k, known)| {
            let mut distances = values.iter().zip(known).map(|(value, known)| value.wrapping_sub(*known) as i64);
            let first = distances.next()?;
            let (entry, distance) = (element(name("a.at"), k), first.unsigned_abs());
            let is_near = distance < 1 << 20 && distances.all(|distance| distance == first);
            is_near.then(|| match first {
                0 => entry,
                1.. => entry + Expression::Integer(distance),
                _ => entry - Expression::Integer(distance),
            })
        })
    }

    /// Where these lists begin behind `a.tables`: for all members at the same place.
    fn table(&mut self, lists: &[&[u64]]) -> usize {
        let begin = self.tables[0].len();
        let longest = lists.iter().map(|list| list.len()).max().unwrap_or(0);
        for (table, list) in self.tables.iter_mut().zip(lists) {
            table.extend(list.iter().map(|&value| value as u32));
            table.resize(begin + longest, 0);
        }
        begin
    }

    fn by_member(self) -> impl Iterator<Item = Own> {
        let Self { literals, tables } = self;
        let own =
            move |(member, tables)| Own { literals: literals.iter().map(|values| values[member]).collect(), tables };
        tables.into_iter().enumerate().map(own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::ir::{Table, Type, Variable, print_statements};

    fn set(k: usize, value: Expression) -> Statement {
        Statement::set(element(name("c"), k), value)
    }

    #[test]
    fn literals_and_lists_come_with_the_launch() {
        let body = |k: usize, list: &[u64], real: f64| {
            let (name_of, values) = (Variable::only("list"), Values::Integers(list.to_vec()));
            vec![
                Statement::Table(Table { name: name_of, values, placement: Placement::Global }),
                Statement::shared(Type::Scalar, Variable::only("room"), Some(list.len().into())),
                set(k, element(name("c"), k + 3) * Expression::real(real)),
                set(1, element(name("c"), k)),
            ]
        };
        let shared = share(vec![body(7, &[4, 5], 2.0), vec![set(2, name("x"))], body(9, &[6], 3.0)], true);
        assert_eq!(shared.iter().map(|shared| shared.members.len()).collect::<Vec<_>>(), [2, 1]);
        let source = print_statements(&shared[0].body);
        let expected = [
            "const unsigned *list = a.tables + 0;",
            "__shared__ Scalar room[2];",
            "c[a.at[0]] = c[a.at[0] + 3] * __longlong_as_double(a.at[1]);",
            "c[1] = c[a.at[0]];",
        ];
        assert_eq!(source.lines().collect::<Vec<_>>(), expected);
        let own = |k, real: f64, tables: &[u32]| Own { literals: vec![k, real.to_bits()], tables: tables.to_vec() };
        assert_eq!(shared[0].members, [(0, own(7, 2.0, &[4, 5])), (2, own(9, 3.0, &[6, 0]))]);
        assert_eq!(shared[1].members, [(1, Own::default())]);
    }

    #[test]
    fn short_programs_share_what_is_equal_alone() {
        let bodies = || vec![vec![set(2, name("x"))], vec![set(3, name("x"))], vec![set(2, name("x"))]];
        let members = |shared: Vec<Shared>| shared.iter().map(|one| one.members.len()).collect::<Vec<_>>();
        assert_eq!(members(share(bodies(), false)), [2, 1]);
        assert_eq!(members(share(bodies(), true)), [3]);
    }
}
