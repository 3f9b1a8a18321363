//! Parameter files: the lines of TOML that options need, name = value with texts, numbers, true or false, and lists of
//! these. One implementation for every command that has them: names are those of options, so an unknown one is an error
//! as if it were typed.

use crate::args::{Typed, Word};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use std::path::Path;

/// Options as typed, and where nothing is typed as in the file.
pub fn resolved<T: Args>(typed: &Typed<T>, file: Option<&Path>) -> Result<Typed<T>> {
    let Some(path) = file else { return Typed::parse(typed.words()) };
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let words = words(&text).with_context(|| format!("{} is no list of options", path.display()))?;
    let read = Typed::parse(&words).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    typed.over(&read)
}

/// Options as a file that [`resolved`] reads; those with several values are lists.
pub fn text(options: &[(&str, Vec<Value>)]) -> String {
    let line = |(name, values): &(&str, Vec<Value>)| match &values[..] {
        [value] => format!("{name} = {}\n", value.text()),
        values => format!("{name} = [{}]\n", values.iter().map(Value::text).collect::<Vec<_>>().join(", ")),
    };
    options.iter().map(line).collect()
}

/// What an option has in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
}

impl Value {
    fn text(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => format!("\"{text}\""),
        }
    }
}

/// The options of a file, each with its value.
fn words(text: &str) -> Result<Vec<Word>> {
    let mut words = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = uncommented(line).trim();
        if line.is_empty() {
            continue;
        }
        let place = || format!("line {}: {line}", number + 1);
        let (name, value) = line.split_once('=').with_context(|| format!("{}: name = value is expected", place()))?;
        let name = name.trim().replace('_', "-");
        for value in values(value.trim()).with_context(place)? {
            match value.as_str() {
                "true" => words.push(Word { name: name.clone(), value: None }),
                "false" => {}
                value => words.push(Word { name: name.clone(), value: Some(value.into()) }),
            }
        }
    }
    Ok(words)
}

/// What stands before a # outside of quotes.
fn uncommented(line: &str) -> &str {
    let mut quoted = false;
    for (at, letter) in line.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

/// One value, or those of a list.
fn values(text: &str) -> Result<Vec<String>> {
    let Some(list) = text.strip_prefix('[') else { return Ok(vec![value(text)?]) };
    let Some(list) = list.strip_suffix(']') else { bail!("a list ends with ] on the same line") };
    let (mut parts, mut quoted) = (vec![String::new()], false);
    for letter in list.chars() {
        quoted ^= letter == '"';
        match letter {
            ',' if !quoted => parts.push(String::new()),
            letter => parts.last_mut().expect("there is one").push(letter),
        }
    }
    parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).map(value).collect()
}

fn value(text: &str) -> Result<String> {
    if let Some(inner) = text.strip_prefix('"') {
        return match inner.strip_suffix('"') {
            Some(inner) if !inner.contains(['"', '\\']) => Ok(inner.into()),
            _ => bail!("a text ends with a quote, and has none and no \\ inside"),
        };
    }
    if text == "true" || text == "false" || text.replace('_', "").parse::<f64>().is_ok() {
        return Ok(text.replace('_', ""));
    }
    bail!("{text} is neither a number nor true or false: texts are written \"...\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_options() {
        let text = "# a run\nlayers = \"1:0.2\" # two\neuler_steps = 2\nsource = [\"1,2\", \"3,4\"]\ndimensionless = true\nquiet = false\nrho = -1e-2\n";
        let words: Vec<String> = words(text)
            .unwrap()
            .into_iter()
            .map(|word| word.value.map_or(word.name.clone(), |value| format!("{}={value}", word.name)))
            .collect();
        assert_eq!(words, ["layers=1:0.2", "euler-steps=2", "source=1,2", "source=3,4", "dimensionless", "rho=-1e-2"]);
    }

    #[test]
    fn what_is_no_option_is_refused() {
        for text in ["layers", "layers = 1:0.2", "source = [1", "start = \"a", "x = \"a\\n\""] {
            assert!(words(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_printed_is_read_again() {
        let options = [
            ("dt", vec![Value::Number(0.25)]),
            ("probe", vec![Value::Text("1,2,3".into()), Value::Text("4,5,6".into())]),
        ];
        let read = words(&text(&options)).unwrap();
        assert_eq!(read.len(), 3);
        assert_eq!((read[0].name.as_str(), read[2].value.as_deref()), ("dt", Some("4,5,6")));
    }
}
