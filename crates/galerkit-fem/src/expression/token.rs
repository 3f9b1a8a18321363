//! The text of an expression as tokens, each with the character that it begins at.

/// A problem and the character that it was seen at.
pub(super) type Problem = (usize, String);

/// What texts are made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A number.
    Number(f64),
    /// A name.
    Name(String),
    /// `+ - * / ^ ( ) ,` and comparisons.
    Sign(&'static str),
    /// Nothing is left.
    End,
}

/// Longer signs stand before those that they begin with.
const SIGNS: [&str; 15] = ["**", "<=", ">=", "==", "!=", "<", ">", "+", "-", "*", "/", "^", "(", ")", ","];

/// All tokens with their places, the end last.
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, Problem> {
    let characters: Vec<char> = text.chars().collect();
    let (mut tokens, mut at) = (Vec::new(), 0);
    while at < characters.len() {
        if characters[at].is_whitespace() {
            at += 1;
            continue;
        }
        let (token, length) = next(&characters[at..]).map_err(|problem| (at, problem))?;
        tokens.push((at, token));
        at += length;
    }
    tokens.push((characters.len(), Token::End));
    Ok(tokens)
}

fn next(rest: &[char]) -> Result<(Token, usize), String> {
    let run = |belongs: &dyn Fn(usize) -> bool| (0..rest.len()).take_while(|&i| belongs(i)).count();
    if rest[0].is_ascii_digit() || rest[0] == '.' {
        let is_exponent = |i: usize| {
            let sign = usize::from(rest.get(i + 1).is_some_and(|c| matches!(c, '+' | '-')));
            matches!(rest[i], 'e' | 'E') && rest.get(i + 1 + sign).is_some_and(char::is_ascii_digit)
        };
        let is_sign = |i: usize| matches!(rest[i], '+' | '-') && i > 0 && is_exponent(i - 1);
        let length = run(&|i| rest[i].is_ascii_digit() || rest[i] == '.' || is_exponent(i) || is_sign(i));
        let word: String = rest[..length].iter().collect();
        return match word.parse() {
            Ok(number) => Ok((Token::Number(number), length)),
            Err(_) => Err(format!("'{word}' is no number")),
        };
    }
    if rest[0].is_alphabetic() || rest[0] == '_' {
        let length = run(&|i| rest[i].is_alphanumeric() || rest[i] == '_');
        return Ok((Token::Name(rest[..length].iter().collect()), length));
    }
    let stands = |sign: &&&str| sign.chars().enumerate().all(|(i, c)| rest.get(i) == Some(&c));
    match SIGNS.iter().find(stands) {
        Some(sign) => Ok((Token::Sign(sign), sign.len())),
        None => Err(format!("'{}' means nothing here", rest[0])),
    }
}
