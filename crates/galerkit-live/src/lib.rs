//! The live view of a heart: a page of our own, the server of it, and what they say to each other. The simulation is
//! somebody else's: it publishes frames and takes orders between its launches.
//!
//! | module | what it holds |
//! |---|---|
//! | [`command`] | what the one who controls can ask for, and what is refused |
//! | [`message`] | what viewers say, and what they are told |
//! | [`frame`] | the surface and its values as bytes |
//! | [`journal`] | every command with its step, so that a run can be replayed |
//! | [`gate`] | who may come in: Host, Origin, token |
//! | [`hub`] | what simulation and viewers share: newest frames, orders, who controls |
//! | [`server`] | the listener; `http` and `viewer` are its connections, `page` the files |
//! | [`watcher`] | a viewer without a browser, for measurements |
#![forbid(unsafe_code)]

pub mod command;
pub mod error;
pub mod frame;
pub mod gate;
mod http;
pub mod hub;
pub mod journal;
pub mod message;
mod page;
pub mod server;
mod viewer;
pub mod watcher;

pub use command::{Command, Limits};
pub use error::{Error, Result};
pub use frame::{Kind, Surface};
pub use hub::{Hub, Order};
pub use server::{Server, Settings};
pub use watcher::{Watched, Watcher};
