//! Parameter files: the lines of TOML that options need, name = value with texts, numbers, true or false, and lists of these.

use crate::args::Tumour;
use anyhow::{Context, Result, bail};
use clap::{Args, Command, FromArgMatches};
use std::path::Path;

/// Reads options from a file.
pub fn read(path: &Path) -> Result<Tumour> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let words = arguments(&text).with_context(|| format!("{} is no list of options", path.display()))?;
    let command = Tumour::augment_args(Command::new("parameters").no_binary_name(true));
    let matches = command.try_get_matches_from(words).map_err(|error| {
        let text = error.to_string();
        anyhow::anyhow!("{}: {}", path.display(), text.lines().next().unwrap_or("").trim_start_matches("error: "))
    })?;
    Ok(Tumour::from_arg_matches(&matches)?)
}

/// The same options as typed: --name=value.
fn arguments(text: &str) -> Result<Vec<String>> {
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
                "true" => words.push(format!("--{name}")),
                "false" => {}
                value => words.push(format!("--{name}={value}")),
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
        let words = arguments(text).unwrap();
        assert_eq!(
            words,
            ["--layers=1:0.2", "--euler-steps=2", "--source=1,2", "--source=3,4", "--dimensionless", "--rho=-1e-2"]
        );
    }

    #[test]
    fn what_is_no_option_is_refused() {
        for text in ["layers", "layers = 1:0.2", "source = [1", "start = \"a", "x = \"a\\n\""] {
            assert!(arguments(text).is_err(), "{text}");
        }
    }
}
