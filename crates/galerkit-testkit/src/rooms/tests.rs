//! Crates made up of a few lines.

use super::*;

fn found(files: &[(&str, &str)]) -> Vec<String> {
    circles(&uses_of(&files.iter().map(|(file, text)| (file.to_string(), text.to_string())).collect()))
}

#[test]
fn two_files_that_use_each_other_are_a_circle() {
    let root = ("lib.rs", "mod a; mod b;");
    let (a, b) = (("a.rs", "use crate::b::{self, B};\npub struct A;"), "pub struct B;\nfn f(_: super::a::A) {}");
    assert_eq!(found(&[root, a, ("b.rs", b)]), ["a.rs uses b.rs: B", "b.rs uses a.rs: A"]);
    for harmless in ["pub struct B;", "pub struct B; // super::a::A", "pub const B: &str = \"super::a::A\";"] {
        assert!(found(&[root, a, ("b.rs", harmless)]).is_empty(), "{harmless}");
    }
    let tests = "pub struct B;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}";
    assert!(found(&[root, a, ("b.rs", tests)]).is_empty());
}

#[test]
fn a_circle_of_three_goes_through_modules_that_are_imported() {
    let root = ("lib.rs", "mod a; mod b; mod c;");
    let (a, b) = (("a.rs", "use crate::b;\npub fn a() { b::b() }"), ("b.rs", "pub fn b() { crate::c::c() }"));
    assert_eq!(found(&[root, a, b, ("c.rs", "use super::a as first;\npub fn c() { first::a() }")]).len(), 3);
    assert!(found(&[root, a, b, ("c.rs", "pub fn c() { a() }\nfn a() {}")]).is_empty());
}

/// A child names what its sibling defines through their parent, which hands it on and is no part of that.
#[test]
fn a_parent_that_hands_on_is_passed_through() {
    let (root, user) =
        (("lib.rs", "mod p;"), ("p/user.rs", "use super::{Thing, used};\npub fn user() -> Thing { used() }"));
    let used = ("p/used.rs", "pub struct Thing;\npub fn used() -> Thing { Thing }");
    let hands_on = "mod used;\nmod user;\npub use used::{Thing, used};\npub use user::user;";
    assert!(found(&[root, ("p.rs", hands_on), user, used]).is_empty());
    let defines = "mod used;\nmod user;\nuse used::used;\nuse user::user;\npub struct Thing;\nfn f() { user(); }";
    assert_eq!(
        found(&[root, ("p.rs", defines), user, used]),
        ["p.rs uses p/user.rs: user", "p/user.rs uses p.rs: Thing"]
    );
}

#[test]
fn literals_and_lifetimes_are_no_code() {
    let text =
        "fn f<'a>(x: &'a str) -> [char; 3] { ['\"', '\\'', '\\u{1}'] } const R: &str = r#\"crate::x::\"y\"#; mod z;";
    let module = Module::new(text);
    assert!(module.paths.is_empty() && module.children.contains("z"), "{:?}", module.paths);
}
