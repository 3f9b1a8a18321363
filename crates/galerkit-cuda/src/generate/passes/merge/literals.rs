//! Literals that differ between variants: a formula in the variant, or an entry of a table by the variant.

use super::shape::Value;
use crate::generate::ir::{Expression, Placement, Statement, Table, Values, Variable, element, name};

/// The literals of one merged body.
pub struct Literals<'a> {
    /// Makes the names of tables unique.
    path: &'a [usize],
    variants: &'a [usize],
    /// What is looked up already, by the number of its table.
    known: Vec<Vec<Value>>,
}

impl<'a> Literals<'a> {
    /// None yet.
    pub fn new(path: &'a [usize], variants: &'a [usize]) -> Self {
        Self { path, variants, known: Vec::new() }
    }

    /// The literal that has these values in the variants.
    pub fn literal(&mut self, values: &[&Value]) -> Expression {
        let values: Vec<Value> = values.iter().map(|&value| value.clone()).collect();
        if values.iter().all(|value| *value == values[0]) {
            return match values[0] {
                Value::Integer(value) => Expression::Integer(value),
                Value::Real(bits) => Expression::Real(bits),
                Value::List(_) => unreachable!("a table is no literal"),
            };
        }
        let integers: Option<Vec<i64>> = values.iter().map(integer).collect();
        let formula = integers.and_then(|integers| self.affine(&integers).or_else(|| self.apart(&integers)));
        formula.unwrap_or_else(|| self.looked_up(values))
    }

    /// The row of the variant in a table.
    pub fn row(&self) -> Expression {
        name("variant") - self.variants[0]
    }

    /// Evenly spaced over the variants, from a base that is not negative.
    fn affine(&self, integers: &[i64]) -> Option<Expression> {
        let [one, other] = [self.variants[0] as i64, self.variants[1] as i64];
        let (rise, apart) = (integers[1] - integers[0], other - one);
        let slope = rise / apart;
        let base = integers[0] - slope * one;
        let mut pairs = integers.iter().zip(self.variants);
        let fits = rise >= 0 && base >= 0 && pairs.all(|(&value, &variant)| value == base + slope * variant as i64);
        fits.then(|| Expression::from(base as usize) + Expression::from(slope as usize) * name("variant"))
    }

    /// Always as far from one that is looked up already: the scalars of a position lie side by side.
    fn apart(&self, integers: &[i64]) -> Option<Expression> {
        self.known.iter().enumerate().find_map(|(table, known)| {
            let known: Vec<i64> = known.iter().map(integer).collect::<Option<_>>()?;
            let mut distances = integers.iter().zip(known).map(|(value, known)| value - known);
            let first = distances.next()?;
            let (entry, distance) = (self.entry(table), first.unsigned_abs() as usize);
            let sum = if first < 0 { entry - distance } else { entry + distance };
            (first != 0 && distances.all(|distance| distance == first)).then_some(sum)
        })
    }

    fn looked_up(&mut self, values: Vec<Value>) -> Expression {
        let table = self.known.iter().position(|known| *known == values).unwrap_or_else(|| {
            self.known.push(values);
            self.known.len() - 1
        });
        self.entry(table)
    }

    fn name_of(&self, table: usize) -> Variable {
        let numbers: Vec<String> = self.path.iter().chain([&table]).map(usize::to_string).collect();
        Variable::new("t", numbers.join("_"))
    }

    fn entry(&self, table: usize) -> Expression {
        element(self.name_of(table).value(), self.row())
    }

    /// The declarations of the tables.
    pub fn tables(self) -> Vec<Statement> {
        let table = |(number, values): (usize, &Vec<Value>)| {
            let value = |variant| {
                let at = self.variants.iter().position(|&known| known == variant)?;
                if let Value::Integer(bits) | Value::Real(bits) = values[at] { Some(bits) } else { None }
            };
            let span = self.variants[0]..=self.variants[self.variants.len() - 1];
            let row = span.map(|variant| value(variant).unwrap_or(0)).collect();
            let values = if integer(&values[0]).is_some() { Values::Integers(row) } else { Values::Reals(row) };
            Statement::Table(Table { name: self.name_of(number), values, placement: Placement::Global })
        };
        self.known.iter().enumerate().map(table).collect()
    }
}

fn integer(value: &Value) -> Option<i64> {
    if let Value::Integer(value) = value { i64::try_from(*value).ok() } else { None }
}
