//! Direct solves through faer.
