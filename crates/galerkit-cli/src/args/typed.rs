//! Options together with the words they were typed as, so that those of a parameter file can be laid under them.

use anyhow::{Result, anyhow};
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Args, Command, FromArgMatches, Id};
use std::ops::Deref;

/// Options, and what was typed of them.
#[derive(Clone, Debug)]
pub struct Typed<T> {
    options: T,
    words: Vec<Word>,
}

/// An option that was typed, by its full name; without a value it is a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Without the hyphens before it.
    pub name: String,
    /// What follows it.
    pub value: Option<String>,
}

impl<T> Deref for Typed<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.options
    }
}

impl<T: Args> Typed<T> {
    /// Reads options from words alone.
    pub fn parse(words: &[Word]) -> Result<Self> {
        let typed = words.iter().map(|word| match &word.value {
            Some(value) => format!("--{}={value}", word.name),
            None => format!("--{}", word.name),
        });
        let command = T::augment_args(Command::new("options").no_binary_name(true));
        let matches = command.try_get_matches_from(typed).map_err(|error| {
            let text = error.to_string();
            anyhow!("{}", text.lines().next().unwrap_or("").trim_start_matches("error: "))
        })?;
        Ok(Self::from_arg_matches(&matches)?)
    }

    /// Whether there is such an option.
    pub fn has(name: &str) -> bool {
        T::augment_args(Command::new("options")).get_arguments().any(|option| option.get_long() == Some(name))
    }

    /// What is typed here, and where nothing is what another has.
    pub fn over(&self, other: &Self) -> Result<Self> {
        let is_typed = |word: &&Word| self.words.iter().any(|mine| mine.name == word.name);
        let under = other.words.iter().filter(|word| !is_typed(word));
        Self::parse(&under.chain(&self.words).cloned().collect::<Vec<_>>())
    }

    /// Whether nothing is typed but these.
    pub fn has_only(&self, names: &[&str]) -> bool {
        self.words.iter().all(|word| names.contains(&word.name.as_str()))
    }

    /// What was typed.
    pub fn words(&self) -> &[Word] {
        &self.words
    }
}

impl<T: Args> FromArgMatches for Typed<T> {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        Ok(Self { options: T::from_arg_matches(matches)?, words: words::<T>(matches) })
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> std::result::Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<T: Args> Args for Typed<T> {
    fn group_id() -> Option<Id> {
        T::group_id()
    }
    fn augment_args(command: Command) -> Command {
        T::augment_args(command)
    }
    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }
}

fn words<T: Args>(matches: &ArgMatches) -> Vec<Word> {
    let mut words = Vec::new();
    for option in T::augment_args(Command::new("options")).get_arguments() {
        let id = option.get_id().as_str();
        let Some(name) = option.get_long() else { continue };
        if !matches!(matches.value_source(id), Some(ValueSource::CommandLine)) {
            continue;
        }
        if matches!(option.get_action(), ArgAction::SetTrue) {
            words.push(Word { name: name.into(), value: None });
            continue;
        }
        for occurrence in matches.get_raw_occurrences(id).into_iter().flatten() {
            let values: Vec<String> = occurrence.map(|value| value.to_string_lossy().into_owned()).collect();
            words.push(Word { name: name.into(), value: Some(values.join(",")) });
        }
    }
    words
}
