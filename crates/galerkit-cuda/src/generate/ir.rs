//! The kernel IR: CUDA C++ as data, as far as generated kernels need it. Passes compare and change it; only [`print`]
//! makes source of it. What never varies (device functions, barriers, names of the frame) are fixed pieces of source,
//! `&'static str`, so that nothing generated can hide in them.
//!
//! | file | what |
//! |---|---|
//! | `variable`, `operator` | what trees are made of |
//! | `tree` | expressions: literals, elements of arrays, calls, lambdas; statements: declarations, tables, control flow; kernels |
//! | `build` | short ways to write them |
//! | `visit` | the leaves in which variants of one shape may differ |
//! | `print` | source |

mod build;
mod operator;
mod print;
mod tree;
mod variable;
mod visit;

pub use build::{call, element, name, of_map, single, template, widen};
pub use operator::{Assignment, Binary, Function, Static, Unary};
pub use print::{kernel as print_kernel, structure as print_structure};
pub use tree::{Declaration, Expression, Kernel, Lambda, Loop, Placement, Statement, Table, Unroll, Values};
pub use variable::{Label, Storage, Type, Variable};
pub use visit::{Leaf, leaves, scalars};

#[cfg(test)]
pub use print::statements as print_statements;
