//! What viewers say, as text; and what they are told beside frames. Unknown fields are errors, sizes are bounded by the
//! socket.

use crate::command::Command;
use crate::frame::Kind;
use serde::Deserialize;
use serde_json::{Value, json};

/// Bytes of the longest message that a viewer may send.
pub const LONGEST: usize = 64 << 10;

/// What a viewer says.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Message {
    /// Comes in; the first message.
    Hello {
        /// What the address had after its #.
        token: String,
    },
    /// Has shown a frame and can take another: the newest one, of this kind.
    Ready {
        /// What it shows.
        show: Kind,
    },
    /// Asks for something; only who controls may.
    Command(Command),
    /// Would like to control.
    Ask {},
    /// Lets the first who has asked control.
    HandOver {},
    /// Would like the journal.
    Journal {},
}

impl Message {
    /// From text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}

/// Something was not done.
pub fn refused(reason: &str) -> Value {
    json!({ "refused": { "reason": reason } })
}

/// Something was done.
pub fn note(text: &str) -> Value {
    json!({ "note": { "text": text } })
}
