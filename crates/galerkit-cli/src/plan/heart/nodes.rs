//! Nodes by number from a file, one a line; CARP's .vtx files have a count and a word first.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// Numbers as the file has them, each with its line, so that one that the mesh has not can be named.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeFile {
    path: PathBuf,
    nodes: Vec<(u32, usize)>,
}

impl NodeFile {
    /// Reads it.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let lines = text.lines().zip(1..);
        let words: Vec<(&str, usize)> =
            lines.flat_map(|(line, number)| line.split_whitespace().map(move |word| (word, number))).collect();
        let (count, words) = match &words[..] {
            [count, ("intra" | "extra", _), rest @ ..] => (Some(*count), rest),
            all => (None, all),
        };
        let nodes: Vec<(u32, usize)> =
            words.iter().map(|word| Ok((number(path, *word)?, word.1))).collect::<Result<_>>()?;
        if let Some(declared) = count
            && number(path, declared)? as usize != nodes.len()
        {
            bail!("{}, line {}: {} nodes are declared, {} follow", path.display(), declared.1, declared.0, nodes.len());
        }
        if nodes.is_empty() {
            bail!("{} names no node: a number a line is expected, from 0", path.display());
        }
        Ok(Self { path: path.into(), nodes })
    }

    /// The numbers, if a mesh of so many points has all of them.
    pub fn within(&self, points: usize) -> Result<impl Iterator<Item = usize>> {
        if let Some((node, line)) = self.nodes.iter().find(|(node, _)| *node as usize >= points) {
            bail!(
                "{}, line {line}: the mesh has no node {node}: they are 0 to {}",
                self.path.display(),
                points.saturating_sub(1)
            );
        }
        Ok(self.nodes.iter().map(|(node, _)| *node as usize))
    }
}

fn number(path: &Path, (word, line): (&str, usize)) -> Result<u32> {
    word.parse().ok().with_context(|| format!("{}, line {line}: '{word}' is no node", path.display()))
}
