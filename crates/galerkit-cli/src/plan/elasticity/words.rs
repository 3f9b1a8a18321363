//! Words of the command line: a piece of the boundary with what holds there, three functions between commas, a point.

use anyhow::{Context, Result, bail};
use galerkit::fem::Expression;

/// Three functions of x, y, z.
#[derive(Clone, Debug)]
pub struct Vector(pub [Expression; 3]);

impl Vector {
    /// From `EXPR,EXPR,EXPR`.
    pub fn new(option: &str, text: &str) -> Result<Self> {
        let parts = split(text);
        let [x, y, z] = parts[..] else {
            bail!("--{option} {text}: three functions are needed, for x, y and z, with commas between them");
        };
        let read = |part: &str| part.parse().with_context(|| format!("--{option} {text}"));
        Ok(Self([read(x)?, read(y)?, read(z)?]))
    }
    /// Its value.
    pub fn at(&self, x: &[f64; 3]) -> [f64; 3] {
        std::array::from_fn(|d| self.0[d].at(x))
    }
}

/// What stands between commas outside of parentheses.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if c == ',' && depth == 0 {
            parts.push(&text[from..at]);
            from = at + 1;
        }
    }
    parts.push(&text[from..]);
    parts
}

/// `PIECE=VALUE`, at the first '=' that compares nothing.
pub fn split_piece<'a>(option: &str, text: &'a str) -> Result<(&'a str, &'a str)> {
    let bytes = text.as_bytes();
    let compares = |at: usize| {
        let before = at.checked_sub(1).map(|before| bytes[before]);
        matches!(before, Some(b'<' | b'>' | b'!' | b'=')) || bytes.get(at + 1) == Some(&b'=')
    };
    match (0..bytes.len()).find(|&at| bytes[at] == b'=' && !compares(at)) {
        Some(at) => Ok((text[..at].trim(), &text[at + 1..])),
        None => bail!("--{option} {text}: write PIECE=VALUE, such as top=0,0,-1e6"),
    }
}

/// So many finite numbers between commas.
pub fn numbers<const N: usize>(option: &str, text: &str) -> Result<[f64; N]> {
    let number = |word: &str| word.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    let all: Option<Vec<f64>> = text.split(',').map(number).collect();
    all.and_then(|all| all.try_into().ok())
        .with_context(|| format!("--{option} {text}: {N} finite numbers are needed, with commas between them"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_end_with_an_equals_sign_that_compares_nothing() {
        assert_eq!(split_piece("traction", "top=0,0,-1").unwrap(), ("top", "0,0,-1"));
        assert_eq!(split_piece("traction", "x <= 1=0,0,1").unwrap(), ("x <= 1", "0,0,1"));
        assert_eq!(split_piece("traction", "3=(x==1),0,0").unwrap(), ("3", "(x==1),0,0"));
        assert!(split_piece("traction", "0,0,1").is_err() && split_piece("traction", "x<=1").is_err());
    }

    #[test]
    fn commas_within_parentheses_are_part_of_a_function() {
        let vector = Vector::new("force", "max(x, 2),-y,0").unwrap();
        assert_eq!(vector.at(&[3.0, 5.0, 0.0]), [3.0, -5.0, 0.0]);
        assert!(Vector::new("force", "1,2").is_err() && Vector::new("force", "1,2,q").is_err());
        assert_eq!(numbers::<3>("size", "1,2, 3").unwrap(), [1.0, 2.0, 3.0]);
        assert!(numbers::<3>("size", "1,2").is_err() && numbers::<3>("size", "1,2,inf").is_err());
    }
}
