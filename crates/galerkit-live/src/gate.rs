//! Who may come in. A page of somebody else's that a browser on this machine has open can send requests here, and a
//! name of somebody else's can be made to resolve to 127.0.0.1: so Host and Origin must be ours, letter by letter, and
//! commands need the token, which only the printed address has, behind its #, so that no server and no log ever sees
//! it.

use crate::error::{Error, Result};
use std::net::SocketAddr;

/// What must match.
#[derive(Clone, Debug)]
pub struct Gate {
    token: String,
    names: Vec<String>,
    port: u16,
}

impl Gate {
    /// For a port; other names than this machine's own are for remote viewers.
    ///
    /// # Errors
    /// If the system gives no random numbers.
    pub fn new(port: u16, names: &[String]) -> Result<Self> {
        let mut bytes = [0u8; 16];
        getrandom::fill(&mut bytes).map_err(|error| Error::NoRandomness(error.to_string()))?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let own = ["127.0.0.1", "localhost", "[::1]"].map(String::from);
        Ok(Self { token, names: own.into_iter().chain(names.iter().cloned()).collect(), port })
    }

    /// What an address has after its #.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Whether a request is for us: the name and port that it was sent to, and where the connection really ended.
    pub fn admits_host(&self, host: &str, reached: Option<SocketAddr>) -> bool {
        let is_reached = reached.is_some_and(|address| host == address.to_string());
        let is_default = self.port == 80 && self.names.iter().any(|name| host == name);
        is_reached || is_default || self.names.iter().any(|name| host == format!("{name}:{}", self.port))
    }

    /// Whether the page that asks is ours; its host was admitted.
    pub fn admits_origin(&self, host: &str, origin: &str) -> bool {
        origin == format!("http://{host}")
    }

    /// Whether somebody knows the token; takes as long whichever letter is wrong.
    pub fn admits_token(&self, token: &str) -> bool {
        let (one, other) = (self.token.as_bytes(), token.as_bytes());
        let differences = one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b));
        one.len() == other.len() && std::hint::black_box(differences) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_match_letter_by_letter() {
        let gate = Gate::new(8137, &["heart.example".into()]).unwrap();
        for host in ["127.0.0.1:8137", "localhost:8137", "[::1]:8137", "heart.example:8137"] {
            assert!(gate.admits_host(host, None), "{host}");
        }
        for host in ["127.0.0.1", "127.0.0.1:80", "127.evil.example:8137", "localhost:8137.evil.example", ""] {
            assert!(!gate.admits_host(host, None), "{host}");
        }
        let reached = "10.0.0.7:8137".parse().unwrap();
        assert!(gate.admits_host("10.0.0.7:8137", Some(reached)) && !gate.admits_host("10.0.0.8:8137", Some(reached)));
    }

    #[test]
    fn origins_and_tokens_match_whole() {
        let gate = Gate::new(80, &[]).unwrap();
        assert!(gate.admits_host("localhost", None));
        assert!(gate.admits_origin("localhost", "http://localhost"));
        for origin in ["https://localhost", "http://localhost:80", "null", "http://localhost.evil.example"] {
            assert!(!gate.admits_origin("localhost", origin), "{origin}");
        }
        let token = gate.token().to_owned();
        assert!(token.len() == 32 && gate.admits_token(&token));
        for wrong in ["", &token[1..], &format!("{token}0"), &token.replace(|c: char| c.is_ascii_digit(), "x")] {
            assert!(!gate.admits_token(wrong) || *wrong == token, "{wrong}");
        }
        assert_ne!(token, Gate::new(80, &[]).unwrap().token());
    }
}
