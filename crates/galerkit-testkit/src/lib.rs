//! Shared test tools.
#![forbid(unsafe_code)]
