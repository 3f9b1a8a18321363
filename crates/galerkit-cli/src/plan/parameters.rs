//! Parameter files in TOML. One implementation for every command that has them: names are those of options, so an
//! unknown one is an error as if it were typed.

use super::toml::{self, Item};
use crate::args::{Typed, Word};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use std::path::Path;

/// Options as typed, and where nothing is typed as in the file.
pub fn resolved<T: Args>(typed: &Typed<T>, file: Option<&Path>) -> Result<Typed<T>> {
    let Some(path) = file else { return Typed::parse(typed.words()) };
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let words = words(&text, &Typed::<T>::has).with_context(|| format!("{} is no list of options", path.display()))?;
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
            Self::Text(text) => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
        }
    }
}

/// The options of a file, each with its value. Tables that are named like no option only bring others together; the
/// table of an option, or each of a list of them, is a text 'key=value;...'.
fn words(text: &str, is_option: &dyn Fn(&str) -> bool) -> Result<Vec<Word>> {
    let mut words = Vec::new();
    push(&mut words, toml::read(text)?, is_option)?;
    Ok(words)
}

fn push(words: &mut Vec<Word>, values: Vec<(String, Item)>, is_option: &dyn Fn(&str) -> bool) -> Result<()> {
    for (name, item) in values {
        let name = name.replace('_', "-");
        match item {
            Item::Table(inner) if !is_option(&name) => push(words, inner, is_option)?,
            Item::Word(word) if word == "true" => words.push(Word { name, value: None }),
            Item::Word(word) if word == "false" => {}
            item => {
                let items = if let Item::Array(items) = item { items } else { vec![item] };
                for item in &items {
                    let value = one(item).with_context(|| format!("the value of {name}"))?;
                    words.push(Word { name: name.clone(), value: Some(value) });
                }
            }
        }
    }
    Ok(())
}

/// A value as it is typed: points are numbers with commas, tables are keys and values.
fn one(item: &Item) -> Result<String> {
    Ok(match item {
        Item::Word(text) | Item::Text(text) => text.clone(),
        Item::Array(items) => items.iter().map(one).collect::<Result<Vec<String>>>()?.join(","),
        Item::Table(values) => {
            let pair = |(key, item): &(String, Item)| match item {
                Item::Table(_) => bail!("{key} cannot be a table"),
                Item::Word(word) if word == "true" => Ok(key.clone()),
                item => Ok(format!("{key}={}", one(item)?)),
            };
            values.iter().map(pair).collect::<Result<Vec<String>>>()?.join(";")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_options() {
        let text = "# a run\nlayers = \"1:0.2\" # two\neuler_steps = 2\nsource = [\"1,2\", \"3,4\"]\ndimensionless = true\nquiet = false\nrho = -1e-2\n";
        let words: Vec<String> = words(text, &|_| false)
            .unwrap()
            .into_iter()
            .map(|word| word.value.map_or(word.name.clone(), |value| format!("{}={value}", word.name)))
            .collect();
        assert_eq!(words, ["layers=1:0.2", "euler-steps=2", "source=1,2", "source=3,4", "dimensionless", "rho=-1e-2"]);
    }

    #[test]
    fn tables_are_headings_or_texts() {
        let text = "[cells]\nalpha = 0.05\n[where]\nprobe = [\n  [20, 7, 3], # a corner\n  \"1,2,3\",\n]\n\
                    [[stimulus]]\nbox = [0, 0, 0, 3, 3, 3]\nat = 4\n[[stimulus]]\nall = true\npotential = 0.5\n";
        let read = words(text, &|name| name == "stimulus").unwrap();
        let pairs: Vec<(&str, &str)> =
            read.iter().map(|word| (&word.name[..], word.value.as_deref().unwrap())).collect();
        assert_eq!(
            pairs,
            [
                ("alpha", "0.05"),
                ("probe", "20,7,3"),
                ("probe", "1,2,3"),
                ("stimulus", "box=0,0,0,3,3,3;at=4"),
                ("stimulus", "all;potential=0.5"),
            ]
        );
    }

    #[test]
    fn what_is_no_option_is_refused() {
        for text in ["layers", "layers = 1:0.2", "source = [1", "start = \"a"] {
            assert!(words(text, &|_| false).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_printed_is_read_again() {
        let options = [
            ("dt", vec![Value::Number(0.25)]),
            ("probe", vec![Value::Text("1,2,3".into()), Value::Text("4,5,6".into())]),
        ];
        let read = words(&text(&options), &|_| false).unwrap();
        assert_eq!(read.len(), 3);
        assert_eq!((read[0].name.as_str(), read[2].value.as_deref()), ("dt", Some("4,5,6")));
    }
}
