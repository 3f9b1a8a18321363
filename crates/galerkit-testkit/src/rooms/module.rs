//! What a file says, as far as it is about other files.

use super::tokens::{is_word, tokens};
use std::collections::BTreeSet;

/// `a::b::c`
pub(super) type Segments = Vec<String>;

/// An import, or one that others may use as well.
pub(super) struct Import {
    pub(super) path: Segments,
    /// What it is called here.
    pub(super) name: String,
    pub(super) is_public: bool,
}

/// The contents of a file.
#[derive(Default)]
pub(super) struct Module {
    pub(super) children: BTreeSet<String>,
    pub(super) imports: Vec<Import>,
    pub(super) defined: BTreeSet<String>,
    /// Paths outside of imports.
    pub(super) paths: Vec<Segments>,
    /// Every word outside of imports.
    pub(super) words: BTreeSet<String>,
}

impl Module {
    pub(super) fn new(text: &str) -> Self {
        let tokens = tokens(text);
        let token = |at: usize| tokens.get(at).map_or("", |token| &token[..]);
        let mut module = Self::default();
        let mut at = 0;
        while at < tokens.len() {
            let length = match token(at) {
                "use" => {
                    let length = tokens[at..].iter().take_while(|token| *token != ";").count();
                    let is_public = at > 0 && matches!(token(at - 1), "pub" | ")");
                    module.import(&tokens[at + 1..at + length], &[], is_public);
                    length
                }
                "mod" if token(at + 2) == ";" => {
                    module.children.insert(token(at + 1).into());
                    3
                }
                "struct" | "enum" | "union" | "trait" | "type" | "fn" | "const" | "static" => {
                    module.defined.insert(token(at + 1).into());
                    1
                }
                "macro_rules" => {
                    module.defined.insert(token(at + 2).into());
                    3
                }
                "$" => 2, // of a macro: what `$crate::a` names is used where the macro is
                word if word.starts_with(is_word) => module.path(&tokens[at..]),
                _ => 1,
            };
            at += length;
        }
        module
    }

    /// A path of one segment or more; how many tokens it has.
    fn path(&mut self, tokens: &[String]) -> usize {
        let mut path = vec![tokens[0].clone()];
        let more = tokens[1..]
            .chunks(2)
            .take_while(|pair| pair[0] == "::" && pair[1..].iter().any(|s| s.starts_with(is_word)));
        path.extend(more.map(|pair| pair[1].clone()));
        self.words.extend(path.iter().cloned());
        let length = 2 * path.len() - 1;
        self.paths.extend((path.len() > 1).then_some(path));
        length
    }

    /// The imports of a tree behind a prefix: `a::{b, c as d}`.
    fn import(&mut self, tree: &[String], prefix: &[String], is_public: bool) {
        let simple = tree.iter().take_while(|token| !matches!(&token[..], "{" | "as")).count();
        let mut path = prefix.to_vec();
        path.extend(tree[..simple].iter().filter(|token| *token != "::").cloned());
        if tree.get(simple).is_some_and(|token| token == "{") {
            let mut depth = 0;
            let branches = tree[simple + 1..tree.len() - 1].split(|token| {
                depth += i32::from(token == "{") - i32::from(token == "}");
                depth == 0 && token == ","
            });
            branches.filter(|branch| !branch.is_empty()).for_each(|branch| self.import(branch, &path, is_public));
            return;
        }
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop(); // `a::{self}` is `a`
        }
        let name = tree.get(simple + 1).or(path.last()).cloned().unwrap_or_default();
        self.imports.push(Import { path, name, is_public });
    }
}
