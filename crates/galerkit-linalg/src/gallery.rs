//! Model problems by name.
