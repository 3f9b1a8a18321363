//! The tokens of a text: what may differ between texts that one text can stand for (numbers, tables of them), variables
//! numbered in the order in which they appear, and what must be the same.

use std::collections::HashMap;

/// A piece of text.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
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
    pub fn fits(&self, other: &Token) -> bool {
        match (self, other) {
            (Token::Whole(_), Token::Whole(_)) | (Token::Other(_), Token::Other(_)) => true,
            (Token::Table(one, _), Token::Table(other, _)) => one == other,
            (one, other) => one == other,
        }
    }
}

/// How the declaration of a table begins.
pub const TABLE: &str = "static const unsigned ";

/// Reads tokens.
struct Reader<'a> {
    rest: &'a str,
    /// The numbers that variables have got.
    known: HashMap<String, usize>,
    counts: HashMap<String, usize>,
    tokens: Vec<Token>,
}

/// The tokens of a text.
pub fn tokens(text: &str) -> Vec<Token> {
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
