//! `equator::assert!` as spindle (threads of faer's) calls it, with one plain condition: the standard library's. The
//! crate of the same name writes better messages, by a macro for which a second version of syn is compiled.

pub use std::assert;
