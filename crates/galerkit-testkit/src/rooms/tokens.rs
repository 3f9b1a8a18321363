//! Source as tokens: words, `::`, and other characters one by one. Comments, literals and lifetimes are left out.

/// The tokens of a source, without what is compiled for tests only.
pub(super) fn tokens(text: &str) -> Vec<String> {
    without_tests(all(text))
}

fn all(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            '"' => literal(rest),
            'r' if rest.starts_with("r\"") || rest.starts_with("r#") => raw_literal(rest),
            '\'' => quote(rest),
            ':' if rest.starts_with("::") => {
                tokens.push("::".into());
                2
            }
            _ if is_word(first) => {
                let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                tokens.push(rest[..length].into());
                length
            }
            _ => {
                tokens.extend((!first.is_whitespace()).then(|| first.to_string()));
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    tokens
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Bytes of a literal between quotes.
fn literal(text: &str) -> usize {
    let mut escaped = false;
    let end = text[1..].find(|c| {
        let is_end = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        is_end
    });
    end.map_or(text.len(), |at| at + 2)
}

/// Bytes of `r"..."` or `r#"..."#`.
fn raw_literal(text: &str) -> usize {
    let marks = text[1..].chars().take_while(|&c| c == '#').count();
    let end = format!("\"{}", "#".repeat(marks));
    let begin = 2 + marks;
    text[begin..].find(&end).map_or(text.len(), |at| begin + at + end.len())
}

/// Bytes of a character, or of a lifetime.
fn quote(text: &str) -> usize {
    let mut inside = text[1..].chars();
    match (inside.next(), inside.next()) {
        (Some('\\'), Some(escaped)) => {
            let begin = 2 + escaped.len_utf8();
            text[begin..].find('\'').map_or(text.len(), |at| begin + at + 1)
        }
        (Some(c), Some('\'')) => 2 + c.len_utf8(),
        _ => 1 + text[1..].find(|c| !is_word(c)).unwrap_or(text.len() - 1),
    }
}

const FOR_TESTS: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];

/// Leaves out items behind `#[cfg(test)]`: they end with a semicolon or with their braces.
fn without_tests(tokens: Vec<String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !tokens[at..].iter().zip(FOR_TESTS).all(|(token, test)| token == test) {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let mut depth = 0;
        for token in &tokens[at..] {
            at += 1;
            match &token[..] {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                _ => (),
            }
            if depth == 0 && (token == ";" || token == "}") {
                break;
            }
        }
    }
    kept
}
