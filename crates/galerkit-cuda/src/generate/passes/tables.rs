//! Where tables are. In a persistent kernel constant memory is best: its other caches are emptied at each barrier. A
//! kernel of a graph finds nothing in its caches, and one thread would wait for each table: the block brings all of
//! them into shared memory at once.

use crate::generate::ir::{Expression, Leaf, Loop, Placement, Statement, Table, Type, Unroll, Values, Variable};
use crate::generate::ir::{element, leaves, name};

/// Bytes of constant memory that tables may take: there is 64 KiB in all.
const CONSTANT: usize = 48 << 10;

/// Puts all tables into constant memory, if they fit.
pub fn into_constant_memory(statements: &mut [Statement]) {
    if bytes(statements) <= CONSTANT {
        each(statements, &mut |table| table.placement = Placement::Constant);
    }
}

/// Makes all tables one that the block brings into shared memory before it runs the statements.
pub fn into_shared_memory(mut statements: Vec<Statement>) -> Vec<Statement> {
    let mut all = Vec::new();
    each(&mut statements, &mut |table| {
        if let Values::Integers(list) = &table.values {
            table.placement = Placement::PartOfTables(all.len().into());
            all.extend(list);
            table.values = Values::Integers(Vec::new()); // so that kernels with other tables have the same shape
        }
    });
    if all.is_empty() {
        return statements;
    }
    let (count, [tables, stored]) = (all.len(), ["tables", "stored"].map(Variable::only));
    let (t, step) = (name("t"), name("blockDim.x"));
    let bring = Statement::set(element(tables.value(), t.clone()), element(stored.value(), t));
    let before = [
        Statement::shared(Type::Unsigned, tables, Some(count.into())),
        Statement::Table(Table { name: stored, values: Values::Integers(all), placement: Placement::Global }),
        Loop::counted("t", [name("threadIdx.x"), Expression::from(count)], step, vec![bring])
            .unrolled(Unroll::AsItLikes),
        Statement::Fixed("__syncthreads();"),
    ];
    before.into_iter().chain(statements).collect()
}

/// Bytes of all tables.
pub fn bytes(statements: &mut [Statement]) -> usize {
    let mut bytes = 0;
    each(statements, &mut |table| bytes += size(&table.values));
    bytes
}

fn each(statements: &mut [Statement], visit: &mut dyn FnMut(&mut Table)) {
    leaves(statements, &mut |leaf| {
        if let Leaf::Table(table) = leaf {
            visit(table);
        }
    });
}

fn size(values: &Values) -> usize {
    match values {
        Values::Integers(list) => 4 * list.len(),
        Values::Reals(list) => 8 * list.len(),
        Values::Rows(rows) => 4 * rows.len() * rows.iter().map(Vec::len).max().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::ir::print_statements;

    fn table(stem: &'static str, values: Values) -> Statement {
        Statement::Table(Table { name: Variable::only(stem), values, placement: Placement::Global })
    }

    #[test]
    fn tables_are_brought_at_once() {
        let lists = [("p", vec![7, 9]), ("q", vec![5])].map(|(stem, list)| table(stem, Values::Integers(list)));
        let [p, q] = lists;
        let source = print_statements(&into_shared_memory(vec![Statement::Fixed("x;"), p, q, Statement::Fixed("y;")]));
        assert!(source.contains("stored[3] = {7, 9, 5};"), "{source}");
        assert!(
            source.ends_with("x;\nconst unsigned *p = tables + 0;\nconst unsigned *q = tables + 2;\ny;\n"),
            "{source}"
        );
        let none = vec![Statement::Fixed("x;")];
        assert_eq!(into_shared_memory(none.clone()), none);
    }

    #[test]
    fn tables_that_fit_are_in_constant_memory() {
        let mut small = vec![
            table("n", Values::Rows(vec![vec![1, 2, 3], vec![4]])),
            Statement::Block(vec![table("t", Values::Reals(vec![1f64.to_bits(), 2f64.to_bits()]))]),
        ];
        into_constant_memory(&mut small);
        let source = print_statements(&small);
        assert!(source.contains("static __constant__ const unsigned n[2][3] = {{1, 2, 3}, {4}};"), "{source}");
        assert!(source.contains("static __constant__ const double t[2] = {1e0, 2e0};"), "{source}");
        let mut large = vec![table("n", Values::Integers(vec![1; 12289]))];
        into_constant_memory(&mut large);
        assert!(print_statements(&large).starts_with("static const "));
    }
}
