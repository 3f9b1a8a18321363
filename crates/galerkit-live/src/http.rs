//! As much of HTTP as a page and an upgrade need: the head of a request, answers with the headers that keep other pages
//! out.

use std::io::{Read, Write};
use std::net::TcpStream;

/// Bytes of the longest head.
const LONGEST: usize = 8 << 10;

/// Nothing from elsewhere, nobody's frame, no guessing of types, nothing kept.
const HEADERS: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
X-Content-Type-Options: nosniff\r\n\
X-Frame-Options: DENY\r\n\
Referrer-Policy: no-referrer\r\n\
Cross-Origin-Opener-Policy: same-origin\r\n\
Cross-Origin-Resource-Policy: same-origin\r\n\
Cache-Control: no-store\r\n\
Connection: close\r\n";

/// The head of a request.
#[derive(Debug, PartialEq)]
pub struct Head {
    /// GET, or what must not be.
    pub method: String,
    /// Without a query.
    pub path: String,
    fields: Vec<(String, String)>,
}

impl Head {
    /// Reads one; what follows it is left over, and returned.
    pub fn read(stream: &mut TcpStream) -> Option<(Self, Vec<u8>)> {
        let mut bytes = Vec::new();
        let mut chunk = [0; 1024];
        loop {
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                let head = Self::parse(std::str::from_utf8(&bytes[..end]).ok()?)?;
                return Some((head, bytes.split_off(end + 4)));
            }
            let count = stream.read(&mut chunk).ok().filter(|count| *count > 0 && bytes.len() < LONGEST)?;
            bytes.extend_from_slice(&chunk[..count]);
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.split("\r\n");
        let words: Vec<&str> = lines.next()?.split(' ').collect();
        let [method, target, "HTTP/1.1"] = words[..] else { return None };
        let path = target.split('?').next()?.to_owned();
        let field = |line: &str| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        };
        let fields = lines.map(field).collect::<Option<Vec<_>>>()?;
        Some(Self { method: method.into(), path, fields })
    }

    /// The value of a field that stands there once.
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut found = self.fields.iter().filter(|(known, _)| known == name);
        let value = found.next()?;
        found.next().is_none().then_some(&value.1)
    }

    /// Whether a connection is to become a WebSocket; its key.
    pub fn upgrade(&self) -> Option<&str> {
        let is_socket = self.field("upgrade")?.eq_ignore_ascii_case("websocket");
        let is_upgrade = self.field("connection")?.split(',').any(|word| word.trim().eq_ignore_ascii_case("upgrade"));
        let is_known = self.field("sec-websocket-version") == Some("13");
        (is_socket && is_upgrade && is_known).then(|| self.field("sec-websocket-key")).flatten()
    }
}

/// Answers, and that is all.
pub fn answer(stream: &mut TcpStream, status: &str, kind: &str, body: &[u8]) {
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{HEADERS}\r\n", body.len());
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)).and_then(|()| stream.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read_and_doubtful_ones_refused() {
        let head = Head::parse("GET /page.css?x HTTP/1.1\r\nHost: a:1\r\nORIGIN:  http://a:1 ").unwrap();
        assert_eq!((head.method.as_str(), head.path.as_str()), ("GET", "/page.css"));
        assert_eq!((head.field("host"), head.field("origin")), (Some("a:1"), Some("http://a:1")));
        assert_eq!(Head::parse("GET / HTTP/1.1\r\nHost: a\r\nHost: b").unwrap().field("host"), None);
        for bad in ["", "GET /", "GET / HTTP/1.0", "GET  / HTTP/1.1", "GET / HTTP/1.1\r\nno colon"] {
            assert_eq!(Head::parse(bad), None, "{bad}");
        }
        let fields = "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: k";
        assert_eq!(Head::parse(&format!("GET / HTTP/1.1\r\n{fields}")).unwrap().upgrade(), Some("k"));
        assert_eq!(head.upgrade(), None);
    }
}
