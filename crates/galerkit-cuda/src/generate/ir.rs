//! The kernel IR: CUDA C++ as data, as far as generated kernels need it. Passes compare and change it; only [`print`]
//! makes source of it. What never varies (device functions, barriers, names of the frame) are fixed pieces of source,
//! `&'static str`, so that nothing generated can hide in them.
//!
//! | file | what |
//! |---|---|
//! | `expression` | literals, variables, elements of arrays, operators, calls, lambdas |
//! | `build` | short ways to write them |
//! | `statement` | declarations, tables, assignments, control flow, kernels |
//! | `visit` | the leaves in which variants of one shape may differ |
//! | `print` | source |

mod build;
mod expression;
mod print;
mod statement;
mod visit;

pub use build::{call, element, name, of_map, single, template, widen};
pub use expression::{Binary, Expression, Function, Label, Lambda, Static, Type, Unary, Variable};
pub use print::{kernel as print_kernel, structure as print_structure};
pub use statement::{Assignment, Declaration, Kernel, Loop, Placement, Statement, Storage, Table, Unroll, Values};
pub use visit::{Leaf, leaves, scalars};

#[cfg(test)]
pub use print::statements as print_statements;
