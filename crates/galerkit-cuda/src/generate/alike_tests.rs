use super::*;

fn merge(texts: &[&str]) -> (String, usize) {
    let texts: Vec<Option<String>> = texts.iter().map(|text| Some(text.to_string())).collect();
    merged(&texts, "t")
}

#[test]
fn texts_that_are_alike_become_one() {
    let (text, count) = merge(&["k4 = c[4] + a.v[2][i];\n", "k7 = c[5] + a.v[9][i];\n", "k1 = c[6] + a.v[3][i];\n"]);
    assert_eq!(count, 1);
    assert!(text.contains("k_0 = c[(4 + 1 * way)] + a.v[t_0_0[way - 0]][i];"), "{text}");
    assert!(text.contains("static const unsigned t_0_0[3] = {2, 9, 3};"), "{text}");
    assert!(!text.contains("if ("), "it is the turn of all: {text}");
}

#[test]
fn other_texts_have_their_turn() {
    let (text, count) = merge(&["x = 1;\n", "y = c[7];\n", "y = c[9];\n", "x = 1;\n"]);
    assert_eq!(count, 2);
    assert!(text.contains("if ((way >= 0 && way <= 0) || (way >= 3 && way <= 3)) {\nx = 1;"), "{text}");
    assert!(text.contains("if ((way >= 1 && way <= 2)) {\ny = c[(5 + 2 * way)];"), "{text}");
    let (text, _) = merged(&[None, Some("z;".into()), None], "t");
    assert!(text.contains("if ((way >= 1 && way <= 1)) {\nz;"), "{text}");
}

/// Numbers of one place lie side by side: one table tells where.
#[test]
fn numbers_that_keep_their_distance_share_a_table() {
    let (text, _) = merge(&["c[7] = c[9] + c[4];\n", "c[20] = c[22] + c[17];\n", "c[31] = c[33] + c[28];\n"]);
    assert!(text.contains("c[t_0_0[way - 0]] = c[(t_0_0[way - 0] + 2)] + c[(t_0_0[way - 0] - 3)];"), "{text}");
    assert_eq!(text.matches("static const").count(), 1, "{text}");
}

/// Variables are told apart by the order in which they come, and members of the arguments and maps are no variables.
#[test]
fn only_variables_are_renamed() {
    let (_, count) = merge(&["e1i = e2i; ", "e2i = e1i; "]);
    assert_eq!(count, 1);
    let (_, count) = merge(&["e1i = e1i; ", "e2i = e1i; "]);
    assert_eq!(count, 2, "one copies a variable to itself");
    let (_, count) = merge(&["map0::f(a.m0); ", "map1::f(a.m1); "]);
    assert_eq!(count, 2);
}

#[test]
fn numbers_with_a_point_are_looked_up() {
    let (text, _) = merge(&["c[1] = scalar(1e0); ", "c[1] = scalar(2.5e-1); ", "c[1] = scalar(3e10); "]);
    assert!(text.contains("static const double t_0_0[3] = {1e0, 2.5e-1, 3e10};"), "{text}");
    assert!(text.contains("scalar(t_0_0[way - 0])"), "{text}");
    let (text, _) = merge(&["f(5e-1, 3); ", "f(5e-1, 3); "]);
    assert!(text.contains("f(5e-1, 3)"), "{text}");
}

#[test]
fn tables_are_parts_of_the_longest_or_have_a_row_each() {
    let prefix = merge(&[
        "static const unsigned n1_0[2] = {3, 7};\nc[n1_0[t]];",
        "static const unsigned n2_0[3] = {3, 7, 8};\nc[n2_0[t]];",
    ]);
    assert!(prefix.0.contains("static const unsigned n_0[3] = {3, 7, 8};\nc[n_0[t]];"), "{}", prefix.0);
    let rows = merge(&[
        "static const unsigned n1_0[2] = {3, 7};\nc[n1_0[t]];",
        "static const unsigned n2_0[2] = {4, 7};\nc[n2_0[t]];",
    ]);
    assert!(rows.0.contains("static const unsigned n_0[2][2] = {{3, 7}, {4, 7}};\nc[n_0[way - 0][t]];"), "{}", rows.0);
}

#[test]
fn tables_that_fit_are_constants() {
    let text = "static const unsigned n_0[2][3] = {{1, 2, 3}, {4}};\nstatic const double t_0[2] = {1e0, 2e0};\n";
    let constant = with_constant_tables(text);
    assert_eq!(constant.matches("static __constant__ const ").count(), 2, "{constant}");
    let large = "static const unsigned n_0[200][200] = {{1}};\n";
    assert_eq!(with_constant_tables(large), large);
}
