//! Colours, few: bold headings, green for converged, red for not. None when piped, with NO_COLOR or TERM=dumb.

use crate::args::Color;

/// Whether to colour.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    coloured: bool,
}

impl Style {
    /// Decides from the flag, the environment (no-color.org) and the stream.
    pub fn new(color: Color, terminal: bool) -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let coloured = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && !set("NO_COLOR") && !dumb,
        };
        Self { coloured }
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.coloured { format!("\x1b[{code}m{text}\x1b[0m") } else { text.into() }
    }

    /// Headings.
    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }
    /// Labels.
    pub fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }
    /// Good news.
    pub fn good(self, text: &str) -> String {
        self.wrap("1;32", text)
    }
    /// Bad news.
    pub fn bad(self, text: &str) -> String {
        self.wrap("1;31", text)
    }
}
