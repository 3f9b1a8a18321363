//! TOML as far as options need it: tables, arrays over several lines, inline tables, every kind of text, numbers. Dates
//! and hours are no options. Read as it stands, with the line of whatever cannot be read.

mod quoted;
mod reader;

use anyhow::{Context, Result, bail};
use reader::Reader;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A number, or true or false, as it is written.
    Word(String),
    /// A text.
    Text(String),
    /// A list.
    Array(Vec<Item>),
    /// Values by name, in their order.
    Table(Vec<(String, Item)>),
}

/// The values of a file by name. Tables are in place of their values, lists of tables are lists.
pub fn read(text: &str) -> Result<Vec<(String, Item)>> {
    let mut reader = Reader::new(text);
    document(&mut reader).with_context(|| format!("line {}", reader.line()))
}

fn document(reader: &mut Reader) -> Result<Vec<(String, Item)>> {
    let mut root = Vec::new();
    let mut within: Vec<String> = Vec::new();
    loop {
        reader.skip(true);
        if reader.rest().is_empty() {
            return Ok(root);
        }
        if reader.takes("[[") {
            within = reader.key()?;
            reader.needs("]]", "[[name]]")?;
            let (name, path) = within.split_last().context("a table has a name")?;
            match entry(table(&mut root, path)?, name, Item::Array(Vec::new())) {
                Item::Array(items) => items.push(Item::Table(Vec::new())),
                _ => bail!("{name} is there already, and no list of tables"),
            }
        } else if reader.takes("[") {
            within = reader.key()?;
            reader.needs("]", "[name]")?;
            table(&mut root, &within)?;
        } else {
            let (path, value) = reader.pair()?;
            insert(table(&mut root, &within)?, &path, value)?;
        }
        reader.skip(false);
        if !reader.rest().is_empty() && !reader.rest().starts_with(['\n', '\r']) {
            bail!("a line has one value: '{}' is left over", reader.rest().lines().next().unwrap_or(""));
        }
    }
}

/// What has a name in a table, made if it is not there.
fn entry<'a>(values: &'a mut Vec<(String, Item)>, name: &str, new: Item) -> &'a mut Item {
    let place = values.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
        values.push((name.into(), new));
        values.len() - 1
    });
    &mut values[place].1
}

/// The table at a path; of a list of tables the last.
fn table<'a>(mut values: &'a mut Vec<(String, Item)>, path: &[String]) -> Result<&'a mut Vec<(String, Item)>> {
    for name in path {
        let found = match entry(values, name, Item::Table(Vec::new())) {
            Item::Array(items) => items.last_mut(),
            item => Some(item),
        };
        let Some(Item::Table(inner)) = found else { bail!("{name} is a value, and no table") };
        values = inner;
    }
    Ok(values)
}

/// A value at a path, which has none yet.
fn insert(values: &mut Vec<(String, Item)>, path: &[String], value: Item) -> Result<()> {
    let (name, path) = path.split_last().context("a value has a name")?;
    let values = table(values, path)?;
    if values.iter().any(|(known, _)| known == name) {
        bail!("{name} is there already");
    }
    values.push((name.clone(), value));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Item {
        Item::Word(text.into())
    }
    fn text(text: &str) -> Item {
        Item::Text(text.into())
    }

    #[test]
    fn every_kind_of_value_is_read() {
        let file = "# a run\r\na = 1_000 # a thousand\n\"b c\" = 'C:\\n' \n[table]\nlist = [ 0x1f, -1e-2, # two\n  \"x\\t\\u00e9\",\n]\n\
                    d.e = true\n[[more]]\nf = { g = [1, 2], h = \"\"\"\none\\\n   line\"\"\" }\n[[more]]\n[more.inner]\ni = inf\n";
        let named = |name: &str, item: Item| (name.to_string(), item);
        let first = Item::Table(vec![named(
            "f",
            Item::Table(vec![named("g", Item::Array(vec![word("1"), word("2")])), named("h", text("oneline"))]),
        )]);
        let second = Item::Table(vec![named("inner", Item::Table(vec![named("i", word("inf"))]))]);
        let list = Item::Array(vec![word("31"), word("-1e-2"), text("x\t\u{e9}")]);
        let table = vec![named("list", list), named("d", Item::Table(vec![named("e", word("true"))]))];
        assert_eq!(
            read(file).unwrap(),
            [
                named("a", word("1000")),
                named("b c", text("C:\\n")),
                named("table", Item::Table(table)),
                named("more", Item::Array(vec![first, second])),
            ]
        );
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        for (file, line, words) in [
            ("a = 1\nb", 2, "name = value"),
            ("a = 1 b = 2", 1, "left over"),
            ("a = [1,\n2\nb = 3", 3, "commas"),
            ("a = [1,\n2,\n", 3, "begins in line 1 has no ]"),
            ("\n\na = fast", 3, "fast is neither"),
            ("a = 1979-05-27", 1, "neither a number"),
            ("a = \"x\n\"", 1, "in its line"),
            ("a = \"\\q\"", 1, "stands for nothing"),
            ("a = 1\na = 2", 2, "there already"),
            ("a = 1\n[a]\nb = 2", 2, "no table"),
            ("[a\nb = 2", 1, "']' is missing"),
            ("a =", 1, "there is none"),
            ("a = { b = 1 c = 2 }", 1, "commas"),
        ] {
            let error = format!("{:#}", read(file).unwrap_err());
            assert!(error.starts_with(&format!("line {line}:")) && error.contains(words), "{file}: {error}");
        }
    }
}
