//! Passes on the kernel IR.
//!
//! | file | what |
//! |---|---|
//! | `forward` | scalars that were computed are read from variables, not from memory |
//! | `reroll` | instructions on scalars that come again and again become a loop |
//! | `lookup` | lists of integers, by a formula or from a table |
//! | `merge`, `merge/` | positions of a cycle of one shape become one body |
//! | `share` | kernels of one shape become one; what they differ in comes with the launch |
//! | `tables` | tables in constant memory, or brought into shared memory |

pub mod forward;
pub mod lookup;
pub mod merge;
pub mod reroll;
pub mod share;
pub mod tables;
