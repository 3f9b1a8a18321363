//! The attributes of points and cells: SCALARS, VECTORS, FIELD and their kin.

use super::numbers::reals;
use crate::error::Result;
use crate::io::contents::Field;
use crate::io::scan::{Encoding, Scanner};

/// The fields of one attribute, for `count` points or cells.
pub(super) fn attribute(scanner: &mut Scanner, encoding: Encoding, word: &str, count: u64) -> Result<Vec<Field>> {
    match word {
        "FIELD" => return field(scanner, encoding),
        "LOOKUP_TABLE" => {
            let size: u64 = header(scanner, 2)?[1].parse().unwrap_or(0);
            let kind = if encoding == Encoding::Text { "float" } else { "unsigned_char" };
            reals(scanner, encoding, kind, size.saturating_mul(4))?; // colours
            return Ok(Vec::new());
        }
        _ => {}
    }
    let (words, components) = match word {
        "SCALARS" => {
            let words = header(scanner, 2)?;
            let components = words.get(2).map_or(Some(1), |word| word.parse().ok());
            scanner.expect("LOOKUP_TABLE", "it follows the line of SCALARS")?;
            scanner.line();
            (words, components)
        }
        "VECTORS" | "NORMALS" => (header(scanner, 2)?, Some(3)),
        "TENSORS" => (header(scanner, 2)?, Some(9)),
        "TENSORS6" => (header(scanner, 2)?, Some(6)),
        "GLOBAL_IDS" | "PEDIGREE_IDS" => (header(scanner, 2)?, Some(1)),
        "TEXTURE_COORDINATES" => {
            let mut words = header(scanner, 3)?;
            let components = words.remove(1).parse().ok();
            (words, components)
        }
        other => return Err(scanner.error(format!("\"{other}\" is not known here: the count before it may be wrong"))),
    };
    let components: usize = components.ok_or_else(|| scanner.error("expected the number of components"))?;
    let values = reals(scanner, encoding, words[1], count.saturating_mul(components as u64))?;
    Ok(vec![Field { name: words[0].to_owned(), components, values }])
}

/// The words that follow on the line: a name, a type and what belongs to them.
fn header<'a>(scanner: &mut Scanner<'a>, least: usize) -> Result<Vec<&'a str>> {
    let words: Vec<_> = scanner.line().split_whitespace().collect();
    if words.len() < least {
        return Err(scanner.error(format!("expected {least} words after the name of the attribute")));
    }
    Ok(words)
}

/// FIELD name n, then n arrays: name, components, tuples, type.
fn field(scanner: &mut Scanner, encoding: Encoding) -> Result<Vec<Field>> {
    scanner.word();
    let arrays = scanner.size()?;
    let mut fields = Vec::new();
    for _ in 0..arrays {
        if scanner.peek() == Some("METADATA") {
            scanner.skip_paragraph();
        }
        let name = scanner.word().unwrap_or("").to_owned();
        let (components, tuples) = (scanner.size()?, scanner.size()?);
        let kind = scanner.word().unwrap_or("").to_owned();
        scanner.line();
        let values = reals(scanner, encoding, &kind, components.saturating_mul(tuples))?;
        fields.push(Field { name, components: components as usize, values });
    }
    Ok(fields)
}
