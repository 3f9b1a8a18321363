//! Texts between quotes.

use super::reader::Reader;
use anyhow::{Result, bail};

impl Reader<'_> {
    /// A text, with escapes between ", without between '; three of them may go over several lines.
    pub fn text(&mut self) -> Result<String> {
        let quote = if self.rest.starts_with('"') { "\"" } else { "'" };
        let long = quote.repeat(3);
        let (end, is_long) = if self.takes(&long) { (long.as_str(), true) } else { (quote, false) };
        if is_long {
            self.takes("\r");
            self.line += usize::from(self.takes("\n")); // the first end of a line does not count
        } else {
            self.takes(quote);
        }
        let mut text = String::new();
        while !self.takes(end) {
            let Some(letter) = self.rest.chars().next().filter(|letter| is_long || *letter != '\n') else {
                bail!("a text ends with {end}{}", if is_long { "" } else { " in its line" });
            };
            self.rest = &self.rest[letter.len_utf8()..];
            self.line += usize::from(letter == '\n');
            match letter {
                '\\' if quote == "\"" => text.extend(self.escaped()?),
                letter => text.push(letter),
            }
        }
        Ok(text)
    }

    /// What stands for the letters behind a \; none for the end of a line.
    fn escaped(&mut self) -> Result<Option<char>> {
        let Some(letter) = self.rest.chars().next() else { bail!("a \\ has something behind it") };
        self.rest = &self.rest[letter.len_utf8()..];
        let digits = match letter {
            '"' | '\\' | '/' => return Ok(Some(letter)),
            'n' => return Ok(Some('\n')),
            't' => return Ok(Some('\t')),
            'r' => return Ok(Some('\r')),
            'u' => 4,
            'U' => 8,
            '\n' | '\r' | ' ' => {
                let rest = self.rest.trim_start();
                let skipped = &self.rest[..self.rest.len() - rest.len()];
                self.line += usize::from(letter == '\n') + skipped.matches('\n').count();
                self.rest = rest;
                return Ok(None);
            }
            other => bail!("\\{other} stands for nothing: a \\ itself is written \\\\, or between ' and '"),
        };
        let code = self.rest.get(..digits).and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
        let Some(code) = code else { bail!("\\{letter} has {digits} hexadecimal digits behind it") };
        self.rest = &self.rest[digits..];
        Ok(Some(code))
    }
}
