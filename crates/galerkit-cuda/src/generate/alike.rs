//! One text for the places of a cycle that do the same with other vectors and numbers: thirty places of GMRES would take minutes to
//! compile as one kernel, and hardly fit a processor's instruction cache.
//!
//! Texts are compared token by token. Names of variables are made the same by the order in which they appear; whole and other numbers that
//! differ are looked up by the place, `way`, in tables, or computed from it; of tables that differ the longest serves all if they are
//! parts of it. What may not differ (template arguments, sizes of arrays) is written by names that do not.

use super::tokens::{TABLE, Token, tokens};
use std::fmt::Write;

/// Which way it is, in a text that stands for several.
pub const WAY: &str = "const unsigned way = ";

/// Texts of some ways that one text can stand for.
struct Group {
    ways: Vec<usize>,
    tokens: Vec<Vec<Token>>,
}

/// Ways up to which each has a text of its own: what is written out runs faster than what is looked up.
pub const FEW_WAYS: usize = 8;

/// Bytes of constant memory that tables may take: there is 64 KiB in all.
const CONSTANT: usize = 48 << 10;

/// The text with its tables in constant memory, where they fit: a resident kernel's other caches are emptied at each barrier.
pub fn with_constant_tables(text: &str) -> String {
    let declared = text.split("static const ").skip(1).filter_map(|rest| rest.split_once(" = {"));
    let bytes = declared.map(|(head, _)| {
        let each = if head.starts_with("double") { 8 } else { 4 };
        let sizes =
            head.split('[').skip(1).filter_map(|size| size.strip_suffix(']')).map(|size| size.parse().unwrap_or(1));
        each * sizes.product::<usize>()
    });
    let fits = bytes.sum::<usize>() <= CONSTANT;
    if fits { text.replace("static const ", "static __constant__ const ") } else { text.into() }
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
        self.apart(&numbers).unwrap_or_else(|| self.place("unsigned", numbers.iter().map(u64::to_string).collect()))
    }

    /// A number that is always as far from one that is looked up already: numbers of a place lie side by side.
    fn apart(&self, numbers: &[u64]) -> Option<String> {
        self.known.iter().enumerate().find_map(|(at, known)| {
            let known: Vec<i64> = known.iter().map(|number| number.parse().ok()).collect::<Option<_>>()?;
            let mut distances = numbers.iter().zip(known).map(|(&number, known)| number as i64 - known);
            let first = distances.next()?;
            let sign = if first < 0 { '-' } else { '+' };
            let place = format!("({}_{at}[way - {}] {sign} {})", self.name, self.ways[0], first.unsigned_abs());
            (first != 0 && distances.all(|distance| distance == first)).then_some(place)
        })
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
