//! As much XML as VTK writes: elements with attributes, comments, declarations, text between them, and raw bytes after
//! an underscore in `AppendedData`, where parsing ends.

/// What a tag does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Open,
    Close,
    Empty,
}

/// A tag, and the text that follows it.
#[derive(Debug)]
pub(super) struct Element<'a> {
    pub(super) name: &'a str,
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) text: &'a [u8],
    attributes: Vec<(&'a str, &'a str)>,
}

/// All tags in order.
#[derive(Debug, Default)]
pub(super) struct Document<'a> {
    pub(super) elements: Vec<Element<'a>>,
    /// What follows the underscore of `AppendedData`.
    pub(super) appended: &'a [u8],
}

impl<'a> Element<'a> {
    pub(super) fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }
}

const END: &[u8] = b"</VTKFile>";

/// Where something is wrong, and what.
pub(super) type Problem = (usize, String);

impl<'a> Document<'a> {
    pub(super) fn find(&self, name: &str) -> Option<&Element<'a>> {
        self.elements.iter().find(|element| element.name == name && element.kind != Kind::Close)
    }

    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, Problem> {
        let mut document = Self::default();
        let mut at = 0;
        if !bytes[bytes.len().saturating_sub(100)..].windows(END.len()).any(|window| window == END) {
            return Err((bytes.len(), "the last tag must be </VTKFile>: the file was cut short".into()));
        }
        while let Some(start) = find(bytes, at, b"<") {
            let (mark, end) = match &bytes[start..] {
                [b'<', b'!', b'-', b'-', ..] => ("-->", true),
                [b'<', b'?', ..] => ("?>", true),
                _ => (">", false),
            };
            let close = find(bytes, start, mark.as_bytes())
                .ok_or((start, "a tag has no end: the file was cut short".to_owned()))?;
            at = close + mark.len();
            if end {
                continue;
            }
            let text = &bytes[at..find(bytes, at, b"<").unwrap_or(bytes.len())];
            let element = element(&bytes[start + 1..close], start, text)?;
            if element.name == "AppendedData" && element.kind == Kind::Open {
                let data =
                    find(bytes, at, b"_").ok_or((start, "appended data must begin with an underscore".to_owned()))?;
                document.appended = &bytes[data + 1..];
                document.elements.push(element);
                break;
            }
            document.elements.push(element);
        }
        Ok(document)
    }
}

fn find(bytes: &[u8], from: usize, mark: &[u8]) -> Option<usize> {
    if let [byte] = mark {
        return bytes[from..].iter().position(|b| b == byte).map(|at| from + at);
    }
    bytes[from..].windows(mark.len()).position(|window| window == mark).map(|at| from + at)
}

fn element<'a>(inside: &'a [u8], start: usize, text: &'a [u8]) -> Result<Element<'a>, Problem> {
    let inside = std::str::from_utf8(inside).map_err(|_| (start, "a tag is no text".to_owned()))?.trim();
    let (inside, kind) = match (inside.strip_prefix('/'), inside.strip_suffix('/')) {
        (Some(name), _) => (name, Kind::Close),
        (_, Some(rest)) => (rest, Kind::Empty),
        _ => (inside, Kind::Open),
    };
    let (name, mut rest) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
    let mut attributes = Vec::new();
    while let Some((key, value)) = rest.split_once('=') {
        let value = value.trim_start();
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''));
        let parts = quote.and_then(|quote| value[1..].split_once(quote));
        let (value, after) =
            parts.ok_or_else(|| (start, format!("the attribute {} of {name} is not in quotes", key.trim())))?;
        attributes.push((key.trim(), value.trim()));
        rest = after;
    }
    Ok(Element { name, kind, start, text, attributes })
}
