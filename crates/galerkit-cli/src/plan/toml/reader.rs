//! Values and names one after the other, as they stand in the text.

use super::{Item, insert};
use anyhow::{Context, Result, bail};

/// What is left of a text, and in which line that begins.
pub struct Reader<'a> {
    pub(super) rest: &'a str,
    pub(super) line: usize,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { rest: text, line: 1 }
    }
    pub fn rest(&self) -> &'a str {
        self.rest
    }
    pub fn line(&self) -> usize {
        self.line
    }

    /// Over blanks and remarks, and over ends of lines too if they mean nothing here.
    pub fn skip(&mut self, also_lines: bool) {
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t', '\r']);
            if self.rest.starts_with('#') {
                self.rest = &self.rest[self.rest.find('\n').unwrap_or(self.rest.len())..];
            } else if also_lines && self.takes("\n") {
                self.line += 1;
            } else {
                return;
            }
        }
    }

    pub fn takes(&mut self, what: &str) -> bool {
        let rest = self.rest.strip_prefix(what);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    pub fn needs(&mut self, what: &str, whole: &str) -> Result<()> {
        self.skip(false);
        match self.takes(what) {
            true => Ok(()),
            false => bail!("{whole} is expected, and '{what}' is missing"),
        }
    }

    /// What goes on as long as letters are such.
    fn while_of(&mut self, is_one: impl Fn(char) -> bool) -> &str {
        let end = self.rest.find(|letter| !is_one(letter)).unwrap_or(self.rest.len());
        let (found, rest) = self.rest.split_at(end);
        self.rest = rest;
        found
    }

    /// Names with dots between them.
    pub fn key(&mut self) -> Result<Vec<String>> {
        let mut path = Vec::new();
        loop {
            self.skip(false);
            let name = match self.rest.chars().next() {
                Some('"' | '\'') => self.text()?,
                _ => self.while_of(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter)).to_string(),
            };
            if name.is_empty() {
                bail!("name = value is expected, not '{}'", self.rest.lines().next().unwrap_or(""));
            }
            path.push(name);
            self.skip(false);
            if !self.takes(".") {
                return Ok(path);
            }
        }
    }

    pub fn pair(&mut self) -> Result<(Vec<String>, Item)> {
        let path = self.key()?;
        self.needs("=", "name = value")?;
        self.skip(false);
        let value = self.value().with_context(|| format!("the value of {}", path.join(".")))?;
        Ok((path, value))
    }

    fn value(&mut self) -> Result<Item> {
        match self.rest.chars().next() {
            Some('"' | '\'') => Ok(Item::Text(self.text()?)),
            Some('[') => self.array(),
            Some('{') => self.inline(),
            _ => self.word(),
        }
    }

    fn array(&mut self) -> Result<Item> {
        let (mut items, begun) = (Vec::new(), self.line);
        self.takes("[");
        loop {
            self.skip(true);
            if self.takes("]") {
                return Ok(Item::Array(items));
            }
            if self.rest.is_empty() {
                bail!("the list that begins in line {begun} has no ]");
            }
            items.push(self.value()?);
            self.skip(true);
            if !self.takes(",") && !self.rest.starts_with(']') {
                bail!("values of a list have commas between them and ] behind them");
            }
        }
    }

    fn inline(&mut self) -> Result<Item> {
        let (mut values, begun) = (Vec::new(), self.line);
        self.takes("{");
        loop {
            self.skip(true);
            if self.takes("}") {
                return Ok(Item::Table(values));
            }
            if self.rest.is_empty() {
                bail!("the table that begins in line {begun} has no }}");
            }
            let (path, value) = self.pair()?;
            insert(&mut values, &path, value)?;
            self.skip(true);
            if !self.takes(",") && !self.rest.starts_with('}') {
                bail!("values of a table have commas between them and }} behind them");
            }
        }
    }

    /// A number, true or false.
    fn word(&mut self) -> Result<Item> {
        let word = self.while_of(|letter| !letter.is_whitespace() && !",]}#".contains(letter)).replace('_', "");
        let radix = [("0x", 16), ("0o", 8), ("0b", 2)].into_iter().find(|(prefix, _)| word.starts_with(prefix));
        if let Some((_, radix)) = radix
            && let Ok(number) = i64::from_str_radix(&word[2..], radix)
        {
            return Ok(Item::Word(number.to_string()));
        }
        if word == "true" || word == "false" || word.parse::<f64>().is_ok() {
            return Ok(Item::Word(word));
        }
        match word.as_str() {
            "" => bail!("there is none"),
            word => bail!("{word} is neither a number nor true or false: texts are written \"...\""),
        }
    }
}
