//! Algebraic multigrid: the worked example by hand, levels and checksums that must be reproduced exactly, invariants, edge cases.

mod levels;
