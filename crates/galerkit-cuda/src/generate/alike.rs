//! One text for the places of a cycle that do the same with other vectors and numbers: thirty places of GMRES would take minutes to
//! compile as one kernel, and hardly fit a processor's instruction cache.
//!
//! Texts are compared token by token. Names of variables are made the same by the order in which they appear; whole and other numbers that
//! differ are looked up by the place, `way`, in tables, or computed from it; of tables that differ the longest serves all if they are
//! parts of it. What may not differ (template arguments, sizes of arrays) is written by names that do not.

use std::collections::HashMap;
use std::fmt::Write;

/// A piece of text.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// What must be the same.
    Same(String),
    /// A variable: letters, and which one of those with these letters.
    Local(String, usize),
    /// A whole number.
    Whole(u64),
    /// Another number.
    Other(String),
    /// The declaration of a table: the variable, and what is in it.
    Table(Box<Token>, Vec<u64>),
}

impl Token {
    /// Whether one text can stand for both.
    fn fits(&self, other: &Token) -> bool {
        match (self, other) {
            (Token::Whole(_), Token::Whole(_)) | (Token::Other(_), Token::Other(_)) => true,
            (Token::Table(one, _), Token::Table(other, _)) => one == other,
            (one, other) => one == other,
        }
    }
}

/// Which way it is, in a text that stands for several.
pub const WAY: &str = "const unsigned way = ";

const TABLE: &str = "static const unsigned ";

/// Reads tokens.
struct Reader<'a> {
    rest: &'a str,
    /// The numbers that variables have got.
    known: HashMap<String, usize>,
    counts: HashMap<String, usize>,
    tokens: Vec<Token>,
}

fn tokens(text: &str) -> Vec<Token> {
    let mut reader = Reader { rest: text, known: HashMap::new(), counts: HashMap::new(), tokens: Vec::new() };
    let mut before = ' ';
    while let Some(first) = reader.rest.chars().next() {
        if reader.rest.starts_with(TABLE) {
            reader.table();
        } else if first.is_ascii_alphabetic() || first == '_' {
            reader.word(before);
        } else if first.is_ascii_digit() {
            reader.number();
        } else {
            let end = reader.rest.find(|c: char| c.is_ascii_alphanumeric() || c == '_').unwrap_or(reader.rest.len());
            let text = reader.take(end);
            before = text.chars().next_back().unwrap_or(' ');
            reader.same(text);
            continue;
        }
        before = 'a';
    }
    reader.tokens
}

impl<'a> Reader<'a> {
    fn take(&mut self, end: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn same(&mut self, text: &str) {
        match self.tokens.last_mut() {
            Some(Token::Same(last)) => last.push_str(text),
            _ => self.tokens.push(Token::Same(text.into())),
        }
    }

    fn identifier(&mut self) -> &'a str {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        self.take(end)
    }

    /// A word; with small letters and a number it is a variable, unless it is a member or the name of a map.
    fn word(&mut self, before: char) {
        let word = self.identifier();
        let letters = word.find(|c: char| !c.is_ascii_lowercase()).map_or("", |end| &word[..end]);
        let numbered = !letters.is_empty() && word[letters.len()..].starts_with(|c: char| c.is_ascii_digit());
        let is_free = before != '.' && !self.rest.starts_with(':');
        if is_free && (numbered || self.known.contains_key(word)) {
            let letters = if numbered { letters } else { word };
            let token = self.local(word, letters);
            self.tokens.push(token);
        } else {
            self.same(word);
        }
    }

    fn local(&mut self, word: &str, letters: &str) -> Token {
        let count = self.counts.entry(letters.into()).or_insert(0);
        let number = *self.known.entry(word.into()).or_insert_with(|| {
            *count += 1;
            *count - 1
        });
        Token::Local(letters.into(), number)
    }

    fn number(&mut self) {
        let digits = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        if !self.rest[digits..].starts_with(['.', 'e']) {
            let text = self.take(digits);
            match text.parse() {
                Ok(number) => self.tokens.push(Token::Whole(number)),
                Err(_) => self.same(text),
            }
            return;
        }
        let exponent = self.rest.find('e').map_or(digits, |at| at + 1);
        let sign = usize::from(self.rest[exponent..].starts_with('-'));
        let end = self.rest[exponent + sign..].find(|c: char| !c.is_ascii_digit());
        let text = self.take(end.map_or(self.rest.len(), |end| exponent + sign + end));
        self.tokens.push(Token::Other(text.into()));
    }

    /// `static const unsigned name[3] = {1, 2, 3};`
    fn table(&mut self) {
        self.take(TABLE.len());
        let name = self.identifier();
        let letters = name.find(|c: char| !c.is_ascii_lowercase()).map_or(name, |end| &name[..end]);
        let local = self.local(name, letters);
        let (begin, end) = (self.rest.find('{').map_or(0, |at| at + 1), self.rest.find('}').unwrap_or(self.rest.len()));
        let list = self.rest[begin..end].split(", ").filter_map(|item| item.parse().ok()).collect();
        self.tokens.push(Token::Table(Box::new(local), list));
        self.take((end + 2).min(self.rest.len())); // and the semicolon
    }
}

/// Texts of some ways that one text can stand for.
struct Group {
    ways: Vec<usize>,
    tokens: Vec<Vec<Token>>,
}

/// One text for the texts of several ways (none: a way that has nothing to do), and of how many it is made. `name` makes the names of
/// tables unique.
pub fn merged(texts: &[Option<String>], name: &str) -> (String, usize) {
    let mut groups: Vec<Group> = Vec::new();
    for (way, text) in texts.iter().enumerate() {
        let Some(text) = text else { continue };
        // What was merged already stays as it is: its tables cannot be looked up in tables.
        let read = if text.contains(WAY) { vec![Token::Same(text.clone())] } else { tokens(text) };
        let fits = |group: &&mut Group| {
            let known = &group.tokens[0];
            known.len() == read.len() && known.iter().zip(&read).all(|(one, other)| one.fits(other))
        };
        match groups.iter_mut().find(fits) {
            Some(group) => {
                group.ways.push(way);
                group.tokens.push(read);
            }
            None => groups.push(Group { ways: vec![way], tokens: vec![read] }),
        }
    }
    let mut out = String::new();
    for (number, group) in groups.iter().enumerate() {
        let body = match group.ways[..] {
            [way] => texts[way].clone().unwrap_or_default(),
            _ => group.text(&format!("{name}_{number}")),
        };
        let condition = condition(&group.ways, texts.len());
        let _ = write!(out, "        {condition}{{\n{body}        }}\n");
    }
    (out, groups.len())
}

/// When it is the turn of one of these ways.
fn condition(ways: &[usize], all: usize) -> String {
    if ways.len() == all {
        return String::new();
    }
    let run = |run: &[usize]| format!("(way >= {} && way <= {})", run[0], run[run.len() - 1]);
    let runs: Vec<String> = ways.chunk_by(|one, other| one + 1 == *other).map(run).collect();
    format!("if ({}) ", runs.join(" || "))
}

impl Group {
    fn text(&self, name: &str) -> String {
        let (mut body, mut tables) =
            (String::new(), Tables { name, ways: &self.ways, known: Vec::new(), out: String::new() });
        let mut looked_up: Vec<&Token> = Vec::new();
        for (at, token) in self.tokens[0].iter().enumerate() {
            match token {
                Token::Same(text) => body += text,
                Token::Local(letters, number) => {
                    let _ = write!(body, "{letters}_{number}");
                    if looked_up.contains(&token) {
                        let _ = write!(body, "[way - {}]", self.ways[0]);
                    }
                }
                Token::Whole(_) => body += &tables.whole(self.tokens.iter().map(|text| whole(&text[at])).collect()),
                Token::Other(_) => body += &tables.other(self.tokens.iter().map(|text| other(&text[at])).collect()),
                Token::Table(local, _) => {
                    let Token::Local(letters, number) = &**local else { continue };
                    let lists: Vec<&[u64]> = self.tokens.iter().map(|text| list(&text[at])).collect();
                    let (text, is_by_way) = self.lists(&format!("{letters}_{number}"), &lists);
                    body += &text;
                    looked_up.extend(is_by_way.then_some(&**local));
                }
            }
        }
        tables.out + &body
    }

    /// The declaration of a table, and whether it has a row for each way.
    fn lists(&self, name: &str, lists: &[&[u64]]) -> (String, bool) {
        let longest = lists.iter().max_by_key(|list| list.len()).expect("a group has a text");
        if lists.iter().all(|list| longest.starts_with(list)) {
            return (format!("{TABLE}{name}[{}] = {{{}}};", longest.len().max(1), joined(longest)), false);
        }
        let (first, last) = (self.ways[0], self.ways[self.ways.len() - 1]);
        let row =
            |way: usize| self.ways.iter().position(|&known| known == way).map_or(String::new(), |at| joined(lists[at]));
        let rows: Vec<String> = (first..=last).map(|way| format!("{{{}}}", row(way))).collect();
        (format!("{TABLE}{name}[{}][{}] = {{{}}};", rows.len(), longest.len(), rows.join(", ")), true)
    }
}

fn joined(list: &[u64]) -> String {
    list.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}
fn whole(token: &Token) -> u64 {
    if let Token::Whole(number) = token { *number } else { 0 }
}
fn other(token: &Token) -> String {
    if let Token::Other(number) = token { number.clone() } else { String::new() }
}
fn list(token: &Token) -> &[u64] {
    if let Token::Table(_, list) = token { list } else { &[] }
}

/// Tables by way that a text needs.
struct Tables<'a> {
    name: &'a str,
    ways: &'a [usize],
    known: Vec<Vec<String>>,
    out: String,
}

impl Tables<'_> {
    /// A whole number: itself, a formula, or a place in a table.
    fn whole(&mut self, numbers: Vec<u64>) -> String {
        let (first, second) = (numbers[0], numbers[1]);
        let (way, apart) = (self.ways[0] as u64, (self.ways[1] - self.ways[0]) as u64);
        if let Some(rise) = second.checked_sub(first)
            && rise % apart == 0
            && let Some(base) = first.checked_sub(rise / apart * way)
            && numbers.iter().zip(self.ways).all(|(&number, &way)| number == base + rise / apart * way as u64)
        {
            return if rise == 0 { first.to_string() } else { format!("({base} + {} * way)", rise / apart) };
        }
        self.place("unsigned", numbers.iter().map(u64::to_string).collect())
    }

    fn other(&mut self, numbers: Vec<String>) -> String {
        if numbers.iter().all(|number| *number == numbers[0]) {
            numbers[0].clone()
        } else {
            self.place("double", numbers)
        }
    }

    fn place(&mut self, kind: &str, values: Vec<String>) -> String {
        let at = self.known.iter().position(|known| *known == values).unwrap_or_else(|| {
            let (first, last) = (self.ways[0], self.ways[self.ways.len() - 1]);
            let value = |way: usize| self.ways.iter().position(|&known| known == way).map_or("0", |at| &values[at]);
            let row: Vec<&str> = (first..=last).map(value).collect();
            let number = self.known.len();
            let _ = writeln!(
                self.out,
                "        static const {kind} {}_{number}[{}] = {{{}}};",
                self.name,
                row.len(),
                row.join(", ")
            );
            self.known.push(values.clone());
            number
        });
        format!("{}_{at}[way - {}]", self.name, self.ways[0])
    }
}

#[cfg(test)]
#[path = "alike_tests.rs"]
mod tests;
