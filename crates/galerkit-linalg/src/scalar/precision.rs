//! Which of the two precisions beside each other a vector or a map has: that of the engine's scalar, or single
//! precision.

/// In which precision entries are stored, and instructions that write them computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precision {
    /// That of the engine's scalar.
    #[default]
    Full,
    /// Single precision.
    Single,
}
