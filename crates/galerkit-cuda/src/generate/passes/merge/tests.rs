use super::*;
use crate::generate::ir::{Placement, Table, Type, Variable, call, print_statements};
use crate::generate::passes::forward::scalar;

fn merge(bodies: &[Vec<Statement>]) -> (String, usize) {
    let bodies: Vec<Option<&[Statement]>> = bodies.iter().map(|body| Some(&body[..])).collect();
    let (statements, count) = merged(&bodies, &[0]);
    (print_statements(&statements), count)
}

fn set(k: usize, value: Expression) -> Statement {
    Statement::set(scalar(k), value)
}

fn declare(name: (&'static str, usize), value: Expression) -> Statement {
    Statement::variable(Type::Scalar, Variable::new(name.0, name.1), value)
}

#[test]
fn bodies_of_one_shape_become_one() {
    let body =
        |k: usize, c: usize, v: usize| vec![declare(("k", k), scalar(c) + element(element(name("a.v"), v), name("i")))];
    let (source, count) = merge(&[body(4, 4, 2), body(7, 5, 9), body(1, 6, 3)]);
    assert_eq!(count, 1);
    assert!(source.contains("Scalar k_0 = c[4 + 1 * variant] + a.v[t0_0_0[variant - 0]][i];"), "{source}");
    assert!(source.contains("static const unsigned t0_0_0[3] = {2, 9, 3};"), "{source}");
    assert!(!source.contains("if ("), "all variants do it: {source}");
}

#[test]
fn other_shapes_are_conditional() {
    let [x, y] = [|| vec![Statement::Fixed("x = 1;")], || vec![set(7, scalar(0usize))]];
    let (source, count) = merge(&[x(), y(), vec![set(9, scalar(0usize))], x()]);
    assert_eq!(count, 2);
    let both = "if (variant >= 0 && variant <= 0 || variant >= 3 && variant <= 3) {\n    x = 1;";
    assert!(source.contains(both), "{source}");
    assert!(source.contains("if (variant >= 1 && variant <= 2) {\n    c[5 + 2 * variant] = c[0];"), "{source}");
    let z = vec![Statement::Fixed("z;")];
    let source = print_statements(&merged(&[None, Some(&z), None], &[0]).0);
    assert!(source.contains("if (variant >= 1 && variant <= 1) {\n    z;"), "{source}");
}

/// The scalars of one position lie side by side: one table tells where.
#[test]
fn scalars_that_keep_their_distance_share_a_table() {
    let body = |k: usize| vec![set(k, scalar(k + 2) + scalar(k - 3))];
    let (source, _) = merge(&[body(7), body(20), body(31)]);
    let entry = "t0_0_0[variant - 0]";
    assert!(source.contains(&format!("c[{entry}] = c[{entry} + 2] + c[{entry} - 3];")), "{source}");
    assert_eq!(source.matches("static const").count(), 1, "{source}");
}

/// Variables that a body declares are told apart by the order in which they come; others, arguments and maps by their
/// names.
#[test]
fn only_declared_variables_are_renamed() {
    let copy = |to: usize, from: usize| {
        let declared = [1, 2].map(|k| declare(("e", k), name("x")));
        let [to, from] = [to, from].map(|k| Variable::new("e", k).value());
        declared.into_iter().chain([Statement::set(to, from)]).collect::<Vec<_>>()
    };
    assert_eq!(merge(&[copy(1, 2), copy(1, 2)]).1, 1);
    assert_eq!(merge(&[copy(1, 1), copy(2, 1)]).1, 2, "one copies a variable to itself");
    let outside = |k: usize| vec![Statement::Evaluate(call("f", [Variable::new("n", k).value()]))];
    assert_eq!(merge(&[outside(1), outside(2)]).1, 2, "the counters of two loops");
    assert!(merge(&[outside(1), outside(1)]).0.contains("f(n1);"));
    let arrays = |k: usize| (k, Expression::Argument("m", k));
    let of_map = |k: usize| vec![Statement::Evaluate(crate::generate::ir::of_map(arrays(k), "f", None, Vec::new()))];
    assert_eq!(merge(&[of_map(0), of_map(1)]).1, 2);
}

/// A kernel has one scope for its labels: merged bodies must not share them, and leave those outside alone.
#[test]
fn labels_stay_unique() {
    let label = |count| Label { stem: "exit", path: vec![1, count] };
    let body = |count| vec![Statement::Goto(label(count)), Statement::Label(label(count)), Statement::Fixed("x;")];
    let (source, count) = merge(&[body(7), body(9)]);
    assert_eq!(count, 1);
    assert!(source.contains("goto exit0_0_0;\n    exit0_0_0:"), "{source}");
    let (source, count) = merge(&[vec![Statement::Goto(label(7))], vec![Statement::Goto(label(7))]]);
    assert!(count == 1 && source.contains("goto exit1_7;"), "{source}");
    assert_eq!(merge(&[vec![Statement::Goto(label(7))], vec![Statement::Goto(label(9))]]).1, 2);
}

#[test]
fn reals_are_looked_up() {
    let body = |value: f64| vec![set(1, call("scalar", [Expression::real(value)]))];
    let (source, _) = merge(&[body(1.0), body(0.25), body(-3e10)]);
    assert!(source.contains("static const double t0_0_0[3] = {1e0, 2.5e-1, -3e10};"), "{source}");
    assert!(source.contains("scalar(t0_0_0[variant - 0])"), "{source}");
    assert!(merge(&[body(0.5), body(0.5)]).0.contains("scalar(5e-1)"));
    assert_eq!(merge(&[body(0.5), body(f64::NAN)]).1, 2, "what is not finite has no literal");
}

#[test]
fn tables_are_beginnings_of_the_longest_or_have_a_row_each() {
    let body = |id: usize, list: &[u64]| {
        let name_of_table = Variable::new("n", id);
        let read = Statement::Evaluate(call("f", [element(name_of_table.value(), name("t"))]));
        let values = Values::Integers(list.to_vec());
        vec![Statement::Table(Table { name: name_of_table, values, placement: Placement::Global }), read]
    };
    let (source, _) = merge(&[body(1, &[3, 7]), body(2, &[3, 7, 8])]);
    assert!(source.contains("static const unsigned n_0[3] = {3, 7, 8};\n    f(n_0[t]);"), "{source}");
    let (source, _) = merge(&[body(1, &[3, 7]), body(2, &[4, 7])]);
    let rows = "static const unsigned n_0[2][2] = {{3, 7}, {4, 7}};\n    f(n_0[variant - 0][t]);";
    assert!(source.contains(rows), "{source}");
}

#[test]
fn few_variants_keep_bodies_of_their_own() {
    let of = |count: usize| {
        let bodies = (0..count).map(|k| vec![vec![set(k, scalar(k + 1))]]).collect();
        let (statements, made_of) = variants(name("s.iteration"), bodies, 0);
        (print_statements(&statements), made_of)
    };
    let (source, count) = of(2);
    assert!(source.contains("if (variant == 1) {\n    c[1] = c[2];") && count == 2, "{source}");
    let (source, count) = of(FEW_VARIANTS + 1);
    assert!(source.contains("c[0 + 1 * variant] = c[1 + 1 * variant];") && count == 1, "{source}");
    assert!(of(1).0.contains("\n{\n    c[0] = c[1];\n}\n"));
}
